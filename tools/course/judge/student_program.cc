#include "tools/course/judge/student_program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tests/harness/exercise/messages.h"
#include "tools/course/grader/confine/limits.h"
#include "tools/course/judge/one_run.h"
#include "tools/course/judge/wire.h"

namespace andrea::judge {
namespace {

using Clock = std::chrono::steady_clock;

StudentProgram* the_program = nullptr;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// A folder of its own for the files of one call, which goes with it.
class Folder {
 public:
  Folder() {
    const char* const given = std::getenv("TEST_TMPDIR");
    path_ = std::string(given == nullptr ? "/tmp" : given) + "/andrea_call_XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) fail(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

Nonce fresh_nonce() {
  Nonce nonce;
  if (getentropy(nonce.data(), sizeof nonce) != 0) fail("no random numbers");
  return nonce;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void write_file(const std::string& path, const std::string& bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) fail(path);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t now = write(file, bytes.data() + done, bytes.size() - done);
    if (now < 0 && errno != EINTR) fail(path);
    if (now > 0) done += static_cast<std::size_t>(now);
  }
  close(file);
}

// None where it is not an ordinary file of its own, or larger than `most`: it may be anything that
// a student's program has put there.
std::optional<std::string> read_reply(const std::string& path, std::size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat about {};
  const bool good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 1 &&
                    static_cast<std::size_t>(about.st_size) <= most;
  std::string bytes(good ? static_cast<std::size_t>(about.st_size) : 0, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t now = read(file, bytes.data() + done, bytes.size() - done);
    if (now <= 0) break;
    done += static_cast<std::size_t>(now);
  }
  close(file);
  if (!good || done < bytes.size()) return std::nullopt;
  return bytes;
}

// A number that is no error of CUDA's is an error all the same.
cudaError_t error_from(int number) {
  return number >= 0 && number <= cudaErrorUnknown ? static_cast<cudaError_t>(number)
                                                   : cudaErrorUnknown;
}

// Whether the simulator has told a fault of a kernel: what is on standard error already, nobody can
// make it forget.
bool has_report(const std::string& complained) {
  std::size_t at = complained.starts_with("error: ") ? 0 : complained.find("\nerror: ");
  while (at != std::string::npos) {
    at = complained.find('\n', at + 1);
    if (at != std::string::npos && complained.compare(at, 12, "\n  in kernel") == 0) return true;
    at = complained.find("\nerror: ", at);
  }
  return false;
}

// How a process ended that has left no reply.
std::string ending_of(const RunResult& run, double seconds, bool launched) {
  // A launcher tells a signal by the status that a shell gives it.
  const int told = launched && run.status > 128 ? run.status - 128 : 0;
  const int signal = run.signal != 0 ? run.signal : told;
  // A launcher has limits of its own (tools/course/grader/confine/limits.h).
  const bool too_long = run.too_long || (launched && run.status == confine::kTooLong);
  if (too_long) {
    return message("judge.too_long", {{"seconds", std::to_string(static_cast<int>(seconds))}});
  }
  if (signal > 0 && signal < NSIG) {
    return message("judge.crashed", {{"signal", strsignal(signal)}});
  }
  return message("judge.ended", {{"status", std::to_string(run.status)}});
}

}  // namespace

StudentProgram::StudentProgram(ProgramOptions options)
    : options_(std::move(options)), end_(Clock::now() + std::chrono::seconds(options_.seconds)) {}

Reply StudentProgram::ask(Call call) {
  const double left = std::chrono::duration<double>(end_ - Clock::now()).count();
  if (left <= 0) throw CallFailed(message("judge.no_time_left"));
  call.nonce = fresh_nonce();
  call.counting = counting_;
  call.seed = variable("SIMULATOR_SEED");
  call.timeout = variable("SIMULATOR_TIMEOUT");
  const Folder folder;
  const std::string question = folder.file("call"), answer = folder.file("reply");
  write_file(question, bytes_of(call));

  std::vector<std::string> words = options_.launcher;
  if (!words.empty()) words.push_back("--");
  words.insert(words.end(), {options_.student, question, answer});
  RunLimits limits;
  limits.seconds = std::min<double>(options_.seconds_a_call, left);
  limits.largest_file = largest_reply(call);
  const RunResult run = run_once(words, limits);
  std::fwrite(run.printed.data(), 1, run.printed.size(), stdout);
  std::fwrite(run.complained.data(), 1, run.complained.size(), stderr);
  std::fflush(nullptr);

  const std::optional<std::string> bytes =
      run.too_long ? std::nullopt : read_reply(answer, limits.largest_file);
  if (!bytes) {
    throw CallFailed(ending_of(run, limits.seconds, !options_.launcher.empty()));
  }
  try {
    Reply reply = reply_from(*bytes, call);
    if (reply.by_the_host) throw CallFailed(message("judge.by_the_host"));
    errors_ += std::max<std::uint64_t>(reply.errors, has_report(run.complained) ? 1 : 0);
    if (error_ == cudaSuccess) error_ = error_from(reply.cuda_error);
    if (reply.counters) {
      counted_ = true;
      counters_.insert(counters_.end(), reply.counters->begin(), reply.counters->end());
    }
    return reply;
  } catch (const Malformed& problem) {
    throw CallFailed(message("judge.malformed", {{"problem", problem.what()}}));
  }
}

cudaError_t StudentProgram::finish() { return std::exchange(error_, cudaSuccess); }

void StudentProgram::start_counting() {
  counting_ = true;
  counted_ = false;
  counters_.clear();
}

simulator::Counters StudentProgram::stop_counting() {
  counting_ = false;
  return counted_ ? simulator::Counters(std::exchange(counters_, {})) : simulator::Counters();
}

StudentProgram& student_program() {
  if (the_program == nullptr) throw std::logic_error("the judge has no student's program yet");
  return *the_program;
}

void set_student_program(StudentProgram& program) {
  the_program = &program;
  set_callee(program);
}

}  // namespace andrea::judge
