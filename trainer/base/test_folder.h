// File: test_folder.h
//
// For tests: a folder of their own, and small files in it.

#ifndef ANDREA_TRAINER_BASE_TEST_FOLDER_H_
#define ANDREA_TRAINER_BASE_TEST_FOLDER_H_

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace andrea {

// An empty folder, named after the running test, that goes when the object goes.
class TestFolder {
 public:
  TestFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file, with the folders above it, and returns its path.
  std::string write(const std::string& name, std::string_view contents) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << contents;
    return file.string();
  }

  std::string write_gzip(const std::string& name, std::string_view contents) const {
    const std::string file = write(name, "");
    gzFile out = gzopen(file.c_str(), "wb");
    gzwrite(out, contents.data(), static_cast<unsigned>(contents.size()));
    gzclose(out);
    return file;
  }

 private:
  std::filesystem::path path_;
};

// The sentence of the Error that the call throws; "" if it throws none.
template <typename Exception, typename Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_TEST_FOLDER_H_
