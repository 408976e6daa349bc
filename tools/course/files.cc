#include "tools/course/files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace andrea::course {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::runtime_error("'" + file.string() + "' cannot be read.");
  return text;
}

void write_file(const fs::path& file, const std::string& contents) {
  const fs::path part = file.string() + ".part";
  std::ofstream stream(part, std::ios::binary);
  stream << contents;
  stream.close();
  std::error_code error;
  if (stream) fs::rename(part, file, error);
  if (!stream || error) {
    fs::remove(part, error);
    throw std::runtime_error("'" + file.string() + "' cannot be written; it is as it was.");
  }
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace andrea::course
