#include "trainer/run/run_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// One write call for the whole line: a reader never sees half of one from a live process.
void append_line(const fs::path& path, const Json& json) {
  // A sample may hold bytes that are no UTF-8; they are replaced, the line stays valid JSON.
  const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const ssize_t put = file < 0 ? -1 : ::write(file, line.data(), line.size());
  const int cause = errno;
  if (file >= 0) ::close(file);
  require(put == static_cast<ssize_t>(line.size()), "cannot write ", path.string(), ": ",
          std::strerror(cause));
}

void sync_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;  // nothing was written yet
  const int failed = ::fsync(file);
  ::close(file);
  require(failed == 0, "cannot write ", path.string(), ": ", std::strerror(errno));
}

}  // namespace

RunLog::RunLog(const RunFolder& folder, std::int64_t step) : folder_(folder) {
  truncate_to_step(folder_.metrics(), step);
  truncate_to_step(folder_.samples(), step);
}

void RunLog::append(const TrainedStep& metrics) {
  Json json = {{"step", metrics.step},
               {"tokens", metrics.tokens},
               {"loss", metrics.loss},
               {"learning_rate", metrics.learning_rate},
               {"gradient_norm", metrics.gradient_norm},
               {"tokens_per_second", std::round(metrics.tokens_per_second)}};
  if (metrics.validation.has_value()) {
    json["validation_loss"] = metrics.validation->loss();
    json["bits_per_byte"] = metrics.validation->bits_per_byte();
  }
  append_line(folder_.metrics(), json);
}

void RunLog::append_sample(std::int64_t step, const std::string& prompt,
                           const std::string& sample) {
  append_line(folder_.samples(), {{"step", step}, {"prompt", prompt}, {"text", sample}});
}

void RunLog::sync() {
  sync_file(folder_.metrics());
  sync_file(folder_.samples());
}

void truncate_to_step(const fs::path& path, std::int64_t step) {
  if (!fs::exists(path)) return;
  const std::string contents = read_file(path);
  std::string kept;
  for (std::size_t begin = 0; begin < contents.size();) {
    const std::size_t end = contents.find('\n', begin);
    if (end == std::string::npos) break;  // cut short
    const std::string line = contents.substr(begin, end + 1 - begin);
    begin = end + 1;
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("step")) continue;
    const Json& at = json["step"];
    if (at.is_number_integer() && at.get<std::int64_t>() <= step) kept += line;
  }
  if (kept != contents) replace_file(path, kept);
}

}  // namespace andrea
