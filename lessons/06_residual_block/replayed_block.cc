#include "lessons/06_residual_block/replayed_block.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/activation.h"
#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/further.h"

namespace andrea::lesson06 {

Replayed replay_block(const AttentionShape& shape, int F, const BlockTensors<const float>& p,
                      const float* x_given, const float* second, float* y_first, float* y_second,
                      const Launch& launch) {
  const int N = shape.B * shape.T, C = shape.C;
  const std::int64_t count = std::int64_t{N} * C;
  DeviceBuffer<float> x(count), y(count), norm(count), qkv(3 * count), attended(count);
  DeviceBuffer<float> middle(count), expanded(std::int64_t{N} * F), activated(std::int64_t{N} * F);
  const auto copy = [&](const float* from, float* to, cudaStream_t stream) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, x.bytes(), cudaMemcpyDeviceToDevice, stream));
  };

  Replayed result{};
  const auto block = [&](const Launch& to) {
    ++result.calls;
    layer_norm_forward(x.data(), p.norm1_gain, p.norm1_bias, norm.data(), nullptr, N, C, to);
    linear_forward(norm.data(), p.qkv_weight, p.qkv_bias, qkv.data(), N, C, 3 * C, to);
    attention_forward(qkv.data(), attended.data(), nullptr, shape, to);
    linear_forward(attended.data(), p.out_weight, p.out_bias, middle.data(), N, C, C, to);
    add(x.data(), middle.data(), middle.data(), count, to);
    layer_norm_forward(middle.data(), p.norm2_gain, p.norm2_bias, norm.data(), nullptr, N, C, to);
    linear_forward(norm.data(), p.expand_weight, p.expand_bias, expanded.data(), N, C, F, to);
    activation_forward(Activation::gelu, expanded.data(), activated.data(), N, F, to);
    linear_forward(activated.data(), p.contract_weight, p.contract_bias, y.data(), N, F, C, to);
    add(middle.data(), y.data(), y.data(), count, to);
  };

  Launch on_stream = launch;
  CUDA_CHECK(cudaStreamCreate(&on_stream.stream));
  copy(x_given, x.data(), on_stream.stream);
  CUDA_CHECK(cudaStreamSynchronize(on_stream.stream));
  const RecordedWork recorded = record(block, on_stream);
  CUDA_CHECK(cudaStreamSynchronize(on_stream.stream));
  const std::vector<float> at_first = y.to_host();
  result.done_while_recording =
      std::any_of(at_first.begin(), at_first.end(), [](float number) { return number != 0; });
  result.is_recorded = recorded.executable != nullptr;
  if (recorded.graph != nullptr) {
    std::size_t operations = 0;
    CUDA_CHECK(cudaGraphGetNodes(recorded.graph, nullptr, &operations));
    result.operations = static_cast<std::int64_t>(operations);
  }
  y.clear();
  replay(recorded, on_stream);
  copy(y.data(), y_first, on_stream.stream);
  copy(second, x.data(), on_stream.stream);
  replay(recorded, on_stream);
  copy(y.data(), y_second, on_stream.stream);
  CUDA_CHECK(cudaStreamSynchronize(on_stream.stream));
  if (recorded.executable != nullptr) CUDA_CHECK(cudaGraphExecDestroy(recorded.executable));
  if (recorded.graph != nullptr) CUDA_CHECK(cudaGraphDestroy(recorded.graph));
  CUDA_CHECK(cudaStreamDestroy(on_stream.stream));
  return result;
}

}  // namespace andrea::lesson06
