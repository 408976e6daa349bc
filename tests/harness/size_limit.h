// File: size_limit.h
//
// A disk that is full, as far as a test goes: while an object lives, no file of this process, or of
// a program that it starts meanwhile, can become larger than so many bytes. A write beyond them
// fails with EFBIG.
//
//   const SizeLimit limit(1000);
//   EXPECT_THROW(write_file(path, std::string(1001, 'x')), Error);

#ifndef ANDREA_TESTS_HARNESS_SIZE_LIMIT_H_
#define ANDREA_TESTS_HARNESS_SIZE_LIMIT_H_

#include <sys/resource.h>

#include <csignal>

namespace andrea {

class SizeLimit {
 public:
  // Files of this process may be so large, until the object is destroyed.
  explicit SizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    // Without this the signal would end the process before the write can fail.
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_;
  void (*handler_)(int);
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_SIZE_LIMIT_H_
