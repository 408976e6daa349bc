// Work in several streams that the program orders, or that needs no order.

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

__global__ void times(float* values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__global__ void sum_into(const float* values, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}

__global__ void copy_of(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// A pair of streams that do not wait for the default stream, nor for each other.
class TwoStreams {
 public:
  TwoStreams() {
    for (cudaStream_t& stream : streams_) {
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
  }
  ~TwoStreams() {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }
  cudaStream_t operator[](int i) const { return streams_[i]; }

 private:
  cudaStream_t streams_[2];
};

// The border lies in the middle of a sector.
CORRECT(streams_on_two_halves) {
  const TwoStreams streams;
  const DeviceArray<float> values(counted<float>(1001));
  for (int round = 0; round < 3; ++round) {
    times<<<1, 512, 0, streams[0]>>>(values, 2.0f, 501);
    times<<<1, 512, 0, streams[1]>>>(values + 501, 2.0f, 500);
  }
  cudaDeviceSynchronize();
  return equal(values.values(), counted<float>(1001, 8.0f));
}

CORRECT(streams_read_one_input) {
  const TwoStreams streams;
  const DeviceArray<float> in(counted<float>(100));
  const DeviceArray<float> first(100);
  const DeviceArray<float> second(100);
  cudaDeviceSynchronize();  // for the default stream, which has cleared them
  copy_of<<<1, 128, 0, streams[0]>>>(in, first, 100);
  copy_of<<<1, 128, 0, streams[1]>>>(in, second, 100);
  cudaDeviceSynchronize();
  return equal(first.values(), counted<float>(100)) && equal(second.values(), counted<float>(100));
}

CORRECT(streams_add_by_atomics) {
  const TwoStreams streams;
  const DeviceArray<float> values(counted<float>(100));
  const DeviceArray<float> sum(std::vector<float>{0.0f});
  sum_into<<<1, 128, 0, streams[0]>>>(values, sum, 100);
  sum_into<<<1, 128, 0, streams[1]>>>(values, sum, 100);
  cudaDeviceSynchronize();
  return equal(sum.values(), std::vector<float>{9900.0f});
}

// The default stream waits for streams made without a flag, and they for it.
CORRECT(default_stream_is_a_barrier) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  const DeviceArray<float> values(counted<float>(100));
  times<<<1, 128, 0, streams[0]>>>(values, 2.0f, 100);
  times<<<1, 128>>>(values, 3.0f, 100);
  times<<<1, 128, 0, streams[1]>>>(values, 5.0f, 100);
  const std::vector<float> result = values.values();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  return equal(result, counted<float>(100, 30.0f));
}

CORRECT(host_waits_between_streams) {
  const TwoStreams streams;
  const DeviceArray<float> values(counted<float>(100));
  times<<<1, 128, 0, streams[0]>>>(values, 2.0f, 100);
  cudaStreamSynchronize(streams[0]);
  times<<<1, 128, 0, streams[1]>>>(values, 3.0f, 100);
  cudaStreamSynchronize(streams[1]);
  return equal(values.values(), counted<float>(100, 6.0f));
}

// Two buffers in turn: while one is worked on the other is filled.
CORRECT(double_buffer_of_two_streams) {
  const TwoStreams streams;
  const std::vector<float> input = counted<float>(400);
  const DeviceArray<float> buffers[2] = {DeviceArray<float>(100), DeviceArray<float>(100)};
  const DeviceArray<float> out(400);
  cudaDeviceSynchronize();
  cudaEvent_t filled[2];
  cudaEvent_t used[2];
  for (int i = 0; i < 2; ++i) {
    cudaEventCreateWithFlags(&filled[i], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&used[i], cudaEventDisableTiming);
  }
  for (int piece = 0; piece < 4; ++piece) {
    const int buffer = piece % 2;
    cudaStreamWaitEvent(streams[0], used[buffer], 0);
    cudaMemcpyAsync(buffers[buffer], input.data() + 100 * piece, 100 * sizeof(float),
                    cudaMemcpyHostToDevice, streams[0]);
    cudaEventRecord(filled[buffer], streams[0]);
    cudaStreamWaitEvent(streams[1], filled[buffer], 0);
    copy_of<<<1, 128, 0, streams[1]>>>(buffers[buffer], out + 100 * piece, 100);
    cudaEventRecord(used[buffer], streams[1]);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    cudaEventDestroy(filled[i]);
    cudaEventDestroy(used[i]);
  }
  return equal(out.values(), input);
}
