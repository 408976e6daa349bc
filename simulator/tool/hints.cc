#include "simulator/tool/hints.h"

#include <cstddef>

#include "simulator/tool/cuda_libraries.h"
#include "simulator/tool/message_text.h"

namespace simulator {
namespace {

// The first thing in the text between GCC's quotation marks.
std::string quoted(std::string_view text) {
  constexpr std::string_view kOpen = "\u2018", kClose = "\u2019";
  const std::size_t open = text.find(kOpen);
  if (open == std::string_view::npos) return "";
  const std::size_t begin = open + kOpen.size();
  const std::size_t end = text.find(kClose, begin);
  return end == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin));
}

std::string hint_for_header(std::string_view text) {
  const std::string_view header = text.substr(0, text.find(": No such file"));
  const CudaLibrary* const library = find_library_of_header(header);
  if (library != nullptr && !library->is_simulated) {
    return "this is a header of " + std::string(library->name) +
           ", which the simulator does not have";
  }
  if (header.starts_with("helper_") || header == "exception.h") {
    return "this looks like a header of NVIDIA's CUDA samples: give their folder Common by -I";
  }
  return "check its name, or give the folder that has it by -I FOLDER";
}

std::string hint_for_call(std::string_view text, std::string_view source_line) {
  const std::string call = quoted(text);
  const std::string name = call.substr(0, call.find('('));
  const bool is_launch = contains(source_line, "<<");
  if (is_launch && contains(call, "nullptr_t")) {
    return "nullptr does not tell the type that the template is for: name it, as in " + name +
           "<float><<<blocks, threads>>>(...)";
  }
  if (name == "cudaMalloc" || name == "cudaMallocManaged" || name == "cudaMallocHost") {
    return "it stores the address of the new memory in a pointer, of which it wants the address: " +
           name + "(&pointer, bytes)";
  }
  if (name == "dim3::dim3") return "dim3 has at most three numbers: dim3(x, y, z)";
  return "";
}

// Names of CUDA that the simulator does not have, by how they begin, and what to do instead. The
// first that fits holds.
struct Missing {
  std::string_view begin;
  std::string_view hint;
};

constexpr std::string_view kNoTextures =
    "the simulator has no textures, surfaces and arrays: read the values through a pointer (const "
    "and __restrict__), and filter or clamp in code";
constexpr std::string_view kNoMaskedForm =
    "this form went away with CUDA 9: write the one that ends in _sync, whose first argument is "
    "the "
    "mask of the lanes that take part (0xffffffff for all)";
constexpr std::string_view kNoClock =
    "the simulator has no clock of a GPU, and its own time says nothing about one: count work by "
    "--profile instead";
constexpr std::string_view kNoNarrowFloats =
    "the simulator has no floating-point numbers of 4, 6 or 8 bits: __half and __nv_bfloat16 are "
    "the smallest";
constexpr std::string_view kNoInteroperation =
    "the simulator shares no memory with other processes, programs for displays or other devices";

constexpr Missing kMissing[] = {
    {"cudaTexture", kNoTextures},
    {"cudaCreateTexture", kNoTextures},
    {"cudaDestroyTexture", kNoTextures},
    {"cudaBindTexture", kNoTextures},
    {"cudaSurface", kNoTextures},
    {"cudaCreateSurface", kNoTextures},
    {"cudaDestroySurface", kNoTextures},
    {"cudaChannelFormat", kNoTextures},
    {"cudaCreateChannelDesc", kNoTextures},
    {"cudaMallocArray", kNoTextures},
    {"cudaMalloc3DArray", kNoTextures},
    {"cudaFreeArray", kNoTextures},
    {"cudaMemcpyToArray", kNoTextures},
    {"cudaMemcpy2DToArray", kNoTextures},
    {"cudaResource", kNoTextures},
    {"cudaMipmapped", kNoTextures},
    {"tex1D", kNoTextures},
    {"tex2D", kNoTextures},
    {"tex3D", kNoTextures},
    {"texCubemap", kNoTextures},
    {"surf1D", kNoTextures},
    {"surf2D", kNoTextures},
    {"surf3D", kNoTextures},
    {"texture", kNoTextures},
    {"__shfl", kNoMaskedForm},
    {"__any", kNoMaskedForm},
    {"__all", kNoMaskedForm},
    {"__ballot", kNoMaskedForm},
    {"__globaltimer", kNoClock},
    {"__nv_fp", kNoNarrowFloats},
    {"cudaIpc", kNoInteroperation},
    {"cudaGraphics", kNoInteroperation},
    {"cudaGL", kNoInteroperation},
    {"cudaExternal", kNoInteroperation},
    {"cudaImportExternal", kNoInteroperation},
};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string hint_for_name(std::string_view text) {
  const std::string name = quoted(text);
  for (const Missing& missing : kMissing) {
    if (name.starts_with(missing.begin)) return std::string(missing.hint);
  }
  // cuInit and CUdevice, not cudaMalloc and a program's own cut.
  const bool is_driver = (name.size() > 2 && name.starts_with("cu") && is_upper(name[2])) ||
                         name.starts_with("CUdevice") || name.starts_with("CUcontext") ||
                         name.starts_with("CUmodule") || name.starts_with("CUfunction");
  if (is_driver) {
    return "this looks like CUDA's driver API, which the simulator does not have: the runtime API "
           "(cudaMalloc, kernel<<<...>>>) does the same";
  }
  if (name.size() > 4 && name.starts_with("cuda") && is_upper(name[4]) &&
      !contains(text, "did you mean")) {
    return "the simulator does not have this name of CUDA, if it is one: docs/simulator.md says "
           "what it has";
  }
  return "";
}

}  // namespace

std::string hint_for(std::string_view text, std::string_view source_line) {
  if (contains(text, ": No such file or directory")) return hint_for_header(text);
  if (contains(text, "no matching function for call to")) return hint_for_call(text, source_line);
  const bool is_of_unknown_size = contains(text, "storage size of") && contains(text, "constant");
  if (is_of_unknown_size && contains(source_line, "__shared__")) {
    return "the size of a __shared__ array is a constant; for one that is known at run time write "
           "extern __shared__ float " +
           quoted(text) +
           "[]; and give its bytes in the launch: kernel<<<blocks, threads, bytes>>>(...)";
  }
  if (contains(text, "has no member named") &&
      (contains(text, "uint3") || contains(text, "dim3"))) {
    return "threadIdx, blockIdx, blockDim and gridDim have the members x, y and z";
  }
  if (contains(text, "to \u2018dim3\u2019") || contains(text, "\u2018dim3\u2019 to")) {
    return "dim3 is three numbers, written dim3(x, y, z); a single whole number stands for (x, 1, "
           "1)";
  }
  // The name itself, and not one that is proposed in its place.
  const std::string name = quoted(text);
  if (contains(text, "was not declared") &&
      (name == "__syncthreads" || name == "threadIdx" || name == "blockIdx")) {
    return "device code belongs into a file that is called *.cu";
  }
  if (contains(text, "was not declared") || contains(text, "does not name a type") ||
      contains(text, "has not been declared")) {
    return hint_for_name(text);
  }
  return "";
}

}  // namespace simulator
