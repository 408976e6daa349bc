#include "trainer/checkpoint/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/checkpoint/model_folder.h"
#include "trainer/checkpoint/safetensors.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kChecksums = "checksums.json";
constexpr const char* kUnfinished = ".tmp";

std::string folder_name(std::int64_t step) {
  char name[32];
  std::snprintf(name, sizeof name, "step_%06lld", static_cast<long long>(step));
  return name;
}

// The step of a finished checkpoint's folder; -1 for any other name.
std::int64_t step_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::string digits = name.starts_with("step_") ? name.substr(5) : "";
  const bool number = !digits.empty() && digits.size() <= 18 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::stoll(digits) : -1;
}

// Finished checkpoints, the newest first.
std::vector<fs::path> list_checkpoints(const fs::path& checkpoints) {
  std::vector<fs::path> folders;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints, missing)) {
    if (entry.is_directory() && step_of(entry.path()) >= 0) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end(),
            [](const fs::path& a, const fs::path& b) { return step_of(a) > step_of(b); });
  return folders;
}

Json checksum_of(const fs::path& path) {
  const MappedFile file(path);
  const uLong crc =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(file.data()), file.size());
  return {{"bytes", file.size()}, {"crc32", crc}};
}

// The name under which a folder leaves: no reader takes it for a checkpoint, and should the program
// be stopped before it is gone, the next start removes it.
fs::path move_away(const fs::path& folder) {
  fs::path leaving = folder;
  leaving += std::string(".old") + kUnfinished;
  fs::remove_all(leaving);
  fs::rename(folder, leaving);
  return leaving;
}

void write_parts(const fs::path& folder, const TrainingState& state, Learner& learner,
                 const Tokenizer& tokenizer) {
  const ParameterLayout& layout = learner.layout();
  write_model(folder, layout, learner.parameters().to_host(), tokenizer);

  const std::vector<float> first = learner.first_moments().to_host();
  const std::vector<float> second = learner.second_moments().to_host();
  std::vector<NamedTensor> moments = tensors_of(layout, first, "first_moment.");
  for (NamedTensor& tensor : tensors_of(layout, second, "second_moment.")) {
    moments.push_back(std::move(tensor));
  }
  write_safetensors(folder / "optimizer.safetensors", moments);

  const Json json = {{"step", state.step},
                     {"tokens", state.tokens},
                     {"seed", state.seed},
                     {"seconds", state.seconds}};
  write_file(folder / "state.json", json.dump(2) + "\n");

  Json checksums;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    checksums[entry.path().filename().string()] = checksum_of(entry.path());
  }
  write_file(folder / kChecksums, checksums.dump(2) + "\n");
  sync_folder(folder);
}

Json read_json(const fs::path& path) {
  Json json = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  require(json.is_object(), path.string(), " is damaged: it is not JSON");
  return json;
}

}  // namespace

void save_checkpoint(const fs::path& checkpoints, const TrainingState& state, Learner& learner,
                     const Tokenizer& tokenizer, int keep) {
  const fs::path finished = checkpoints / folder_name(state.step);
  fs::path unfinished = finished;
  unfinished += kUnfinished;
  try {
    fs::create_directories(checkpoints);
    fs::remove_all(unfinished);
    fs::create_directory(unfinished);
    write_parts(unfinished, state, learner, tokenizer);
    // One of the same step is there only if it was damaged and the run went back behind it.
    const fs::path replaced = fs::exists(finished) ? move_away(finished) : fs::path();
    fs::rename(unfinished, finished);
    sync_folder(checkpoints);
    if (!replaced.empty()) fs::remove_all(replaced);
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    throw Error(text("the checkpoint of step ", state.step, " could not be written: ", error.what(),
                     "; earlier checkpoints are as they were"));
  }

  if (keep == 0) return;
  // One of a later step was damaged, or the run would not be here: it takes no sound one's place.
  int kept = 0;
  for (const fs::path& folder : list_checkpoints(checkpoints)) {
    if (step_of(folder) <= state.step && ++kept > keep) fs::remove_all(move_away(folder));
  }
}

std::optional<FoundCheckpoint> find_checkpoint(const fs::path& checkpoints) {
  FoundCheckpoint found;
  for (const fs::path& folder : list_checkpoints(checkpoints)) {
    try {
      verify_checkpoint(folder);
      found.folder = folder;
      return found;
    } catch (const Error& error) {
      found.damaged.push_back(error.what());
    }
  }
  require(found.damaged.empty(), "every checkpoint of ", checkpoints.string(),
          " is damaged: ", found.damaged.empty() ? "" : found.damaged.front());
  return std::nullopt;
}

TrainingState load_checkpoint(const fs::path& folder, Learner& learner) {
  const ParameterLayout& layout = learner.layout();
  {
    const SafetensorsFile model(folder / "model.safetensors");
    learner.parameters().upload(flat_from(layout, model));
    const SafetensorsFile moments(folder / "optimizer.safetensors");
    learner.first_moments().upload(flat_from(layout, moments, "first_moment."));
    learner.second_moments().upload(flat_from(layout, moments, "second_moment."));
  }
  const Json json = read_json(folder / "state.json");
  try {
    return {json.at("step"), json.at("tokens"), json.at("seed"), json.at("seconds")};
  } catch (const Json::exception& error) {
    throw Error(text((folder / "state.json").string(), " is damaged: ", error.what()));
  }
}

void verify_checkpoint(const fs::path& folder) {
  const Json checksums = read_json(folder / kChecksums);
  for (const char* part : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    require(checksums.contains(part), (folder / kChecksums).string(), " is damaged: it lacks ",
            part);
  }
  for (const auto& [name, expected] : checksums.items()) {
    require(checksum_of(folder / name) == expected, (folder / name).string(),
            " is damaged: its checksum is not the one it was written with");
  }
}

void remove_unfinished_checkpoints(const fs::path& checkpoints) {
  std::vector<fs::path> unfinished;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints, missing)) {
    if (entry.path().extension() == kUnfinished) unfinished.push_back(entry.path());
  }
  for (const fs::path& folder : unfinished) fs::remove_all(folder);
}

}  // namespace andrea
