#include "simulator/tool/installation.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace simulator {
namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "simulator/libandrea_simulator.so";
constexpr char kHeader[] = "simulator/include/cuda_runtime.h";

}  // namespace

bool find_installation(const std::string& invoked_as, Installation& result, std::string& problem) {
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  result.tool = tool.string();
  // What a program needs at run time Bazel links into a folder beside it; a test, or a program that
  // runs this one, has a folder of its own, of which this one is a part.
  const std::vector<fs::path> roots = {
      fs::absolute(invoked_as, error).lexically_normal().parent_path() / "../..",
      tool.string() + ".runfiles/andrea",
      tool.string() + ".runfiles/_main",
  };
  for (const fs::path& root : roots) {
    if (!fs::exists(root / kLibrary, error) || !fs::exists(root / kHeader, error)) continue;
    result.library = fs::canonical(root / kLibrary, error).string();
    result.headers_folder = fs::canonical(root / kHeader, error).parent_path().string();
    if (!error) return true;
  }
  problem = "the simulator's library and headers are not beside " + tool.string() +
            "; build them with: bazel build //simulator/tool:cuda";
  return false;
}

}  // namespace simulator
