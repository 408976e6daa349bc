// Variables of the host in device code.

float scale;
static int counter = 0;
float weights[3] = {1, 2, 3};
const int offsets[2] = {-1, 1};
constexpr float filter[3] = {0.25f, 0.5f, 0.25f};
float* device_pointer = nullptr;
struct Settings {
  int width;
} settings;
namespace options {
int depth;
}

__device__ float scaled(float x) {
  return x * scale;  // finding: scale is a variable of the host
}

__global__ void kernel(float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * scale + weights[i];  // finding: scale is a variable | weights is a variable
  counter++;                         // finding: counter is a variable
  x[i + offsets[i]] = filter[1];     // finding: declare it __constant__ | declare it __constant__
  device_pointer[i] = settings.width;  // finding: device_pointer is | settings is
  for (int k = 0; k < counter; ++k) {  // finding: Pass its value to the kernel
    x[i] += k;
  }
}
