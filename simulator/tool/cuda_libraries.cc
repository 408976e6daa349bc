#include "simulator/tool/cuda_libraries.h"

#include <cstddef>

namespace simulator {
namespace {

constexpr CudaLibrary kLibraries[] = {
    {"CUDA runtime", "cudart", "cuda_runtime", true},
    {"CUDA's 16-bit floating-point types", "", "cuda_fp16", true},
    {"CUDA device runtime", "cudadevrt", "cuda_device_runtime", true},
    {"cuBLAS", "cublas", "cublas", true},
    {"CUDA driver API", "cuda", "cudaTypedefs", false},
    {"cuDNN", "cudnn", "cudnn", false},
    {"cuFFT", "cufft", "cufft", false},
    {"CUPTI", "cupti", "cupti", false},
    {"cuRAND", "curand", "curand", false},
    {"cuSOLVER", "cusolver", "cusolver", false},
    {"cuSPARSE", "cusparse", "cusparse", false},
    {"NCCL", "nccl", "nccl", false},
    {"NPP", "npp", "npp", false},
    {"nvJPEG", "nvjpeg", "nvjpeg", false},
    {"NVML", "nvidia-ml", "nvml", false},
    {"NVRTC", "nvrtc", "nvrtc", false},
    {"NVTX", "nvToolsExt", "nvtx", false},
    {"CUB", "", "cub/", false},
    {"CUDA's 4, 6 and 8-bit floating-point types", "", "cuda_fp", false},
    {"CUDA's interoperation with OpenGL", "", "cuda_gl_", false},
    {"CUDA's textures", "", "texture_", false},
    {"CUDA's surfaces", "", "surface_", false},
    {"CUTLASS", "", "cutlass/", false},
    {"Thrust", "", "thrust/", false},
};

}  // namespace

const CudaLibrary* find_cuda_library(std::string_view link_name) {
  for (const CudaLibrary& library : kLibraries) {
    if (library.link_name.empty()) continue;
    // Parts, as cublasLt and cudart_static; a user's own libcuda_tools.a is none.
    const bool has_parts = library.link_name != "cuda";
    if (link_name == library.link_name || (has_parts && link_name.starts_with(library.link_name))) {
      return &library;
    }
  }
  return nullptr;
}

const CudaLibrary* find_library_of_header(std::string_view header) {
  for (const CudaLibrary& library : kLibraries) {
    if (header.starts_with(library.header_prefix)) return &library;
  }
  return nullptr;
}

const CudaLibrary* find_library_of_path(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (const CudaLibrary* const library = find_library_of_header(name)) return library;
  for (const CudaLibrary& library : kLibraries) {
    const bool is_folder = library.header_prefix.ends_with('/');
    const std::size_t at = is_folder ? path.rfind(library.header_prefix) : std::string_view::npos;
    if (at != std::string_view::npos && at > 0 && path[at - 1] == '/') return &library;
  }
  return nullptr;
}

}  // namespace simulator
