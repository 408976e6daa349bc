// File: picker.h
//
// The files that are taken from one submission, while its folder, archive or repository is gone
// through.

#ifndef ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_PICKER_H_
#define ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_PICKER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/course/grader/submissions/wanted.h"

namespace andrea::grader {

// A kernel has ten thousand bytes.
inline constexpr std::int64_t kLargestFile = 1 << 20;
// Of one submission.
inline constexpr int kMostEntries = 200'000;
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

class Picker {
 public:
  explicit Picker(const Wanted& wanted) : wanted_(wanted) {}

  enum class Kind { file, other };

  // A file, or a link or something else of that name, that the submission has. `read` is called at
  // once, or never; it throws Error where it cannot. Throws Error where there are more entries than
  // any submission has.
  void offer(const std::string& path, Kind kind, std::int64_t bytes,
             const std::function<std::string()>& read);

  // For the instructor, in whole sentences.
  void remark(std::string sentence) { remarks_.push_back(std::move(sentence)); }

  bool found_any() const { return !found_.empty(); }
  // By the path that is wanted, as "lessons/00_first_kernel/kernel.cu".
  std::map<std::string, std::string> files() const;
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Found {
    int rank = 0;
    std::string from, text;
  };

  const Wanted& wanted_;
  int entries_ = 0;
  std::map<std::string, Found> found_;
  std::vector<std::string> remarks_;
};

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_PICKER_H_
