// File: run_folder.h
//
// The folder that holds all of a training run, and where everything lies in it.

#ifndef ANDREA_TRAINER_RUN_RUN_FOLDER_H_
#define ANDREA_TRAINER_RUN_RUN_FOLDER_H_

#include <filesystem>
#include <string>

namespace andrea {

struct RunFolder {
  std::filesystem::path path;  // of the folder itself

  // What a run can be started from again.
  std::filesystem::path config() const { return path / "config.toml"; }
  std::filesystem::path tokenizer() const { return path / "tokenizer"; }  // the tokenizer's files
  std::filesystem::path data() const { return path / "data"; }            // the token shards
  std::filesystem::path checkpoints() const { return path / "checkpoints"; }  // a folder each
  std::filesystem::path metrics() const { return path / "metrics.jsonl"; }    // a line a step
  // What the model wrote, a line each.
  std::filesystem::path samples() const { return path / "samples.jsonl"; }
  // What the report's head is made of.
  std::filesystem::path record() const { return path / "run.json"; }
  std::filesystem::path report() const { return path / "report.html"; }  // for a browser

  // Whether a run has begun there.
  bool holds_a_run() const { return std::filesystem::exists(config()); }
};

// A folder that does not exist yet: runs/NAME, or runs/NAME-2 and so on.
RunFolder unused_run_folder(const std::string& name);

// The run below runs/ that was last written to. Error: there is none.
RunFolder newest_run_folder();

// Makes the folder. Error: it cannot be made; without `resume`, it holds a run.
void make_run_folder(const RunFolder& folder, bool resume);

// Removes what a run has before it begins, and the folder if nothing else is in it: what was
// refused on the way leaves no run behind that would be in the way of the next try.
void remove_set_up(const RunFolder& folder);

// Holds the run for this process until it is destroyed. Error: another process has it.
class RunLock {
 public:
  // Error: another process has the run.
  explicit RunLock(const RunFolder& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_RUN_FOLDER_H_
