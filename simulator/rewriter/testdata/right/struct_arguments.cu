// Settings passed by value, host state in a class, static members.

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Settings {
  int width = 0, height = 0;
  float gain = 1;
};

class Image {
 public:
  explicit Image(Settings settings) : settings(settings), pixels(settings.width * settings.height) {}
  void brighten();
  Settings settings;
  std::vector<float> pixels;
  std::string name = "image";
  static int count;
};
int Image::count = 0;

__device__ int index(const Settings& s, int x, int y) { return y * s.width + x; }

__global__ void brighten(float* pixels, Settings settings) {
  const auto [width, height, gain] = settings;
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) pixels[index(settings, x, y)] *= gain;
}

void Image::brighten() {
  std::unique_ptr<float, cudaError_t (*)(void*)> device(nullptr, cudaFree);
  float* memory = nullptr;
  cudaMalloc(&memory, pixels.size() * sizeof(float));
  device.reset(memory);
  ::brighten<<<settings.height, settings.width>>>(device.get(), settings);
  ++count;
}

int main() {
  Image image({4, 4, 2.0f});
  image.brighten();
  return Image::count;
}
