#include "trainer/commands/checkpoint_choice.h"

#include <iostream>

#include "trainer/base/error.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/run/run_folder.h"

namespace andrea {

std::filesystem::path choose_checkpoint(const std::string& path) {
  namespace fs = std::filesystem;
  const RunFolder run = path.empty() ? newest_run_folder() : RunFolder{path};
  if (path.empty()) std::cerr << "Taking the newest run, " << run.path.string() << ".\n";
  if (fs::exists(run.path / "checksums.json")) {
    verify_checkpoint(run.path);
    return run.path;
  }
  if (fs::exists(run.path / "model.safetensors")) return run.path;  // a model without its training
  require(fs::is_directory(run.path), "there is no checkpoint ", run.path.string());
  const auto found = find_checkpoint(run.checkpoints());
  require(found.has_value(), run.path.string(),
          " holds no checkpoint yet; name a run or a checkpoint with --checkpoint");
  for (const std::string& damaged : found->damaged) {
    std::cerr << "Passed over: " << damaged << ".\n";
  }
  return found->folder;
}

}  // namespace andrea
