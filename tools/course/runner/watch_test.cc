// `watch` as a person has it: the program in a pseudo-terminal, with keys, saves, another size,
// Ctrl-C and a crash. Its tests only pretend (small_course.h).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tools/course/runner/small_course.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Far more than is needed, for a machine that does much else.
constexpr auto kPatience = std::chrono::seconds(40);

// The text without the codes that move the cursor or colour it.
std::string without_codes(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      result += text[i];
      continue;
    }
    ++i;
    if (i < text.size() && text[i] == '[') {
      do {
        ++i;
      } while (i < text.size() && (text[i] < '@' || text[i] > '~'));
    }
  }
  return result;
}

class Terminal {
 public:
  Terminal(const SmallCourse& course, std::vector<std::string> words, const char* kind, int columns,
           int rows) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    const std::string runner = fs::absolute(std::getenv("RUNNER")).string();
    words.insert(words.begin(), {runner, "--root", course.root().string()});
    // The other end of the terminal stays open, so that its modes can be asked for at the end.
    if (openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0) {
      throw std::runtime_error("no pseudo-terminal");
    }
    tcgetattr(theirs_, &before_);
    process_ = fork();
    if (process_ == 0) {
      login_tty(dup(theirs_));
      setenv("PATH", course.path().c_str(), 1);
      setenv("TERM", kind, 1);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
  }
  ~Terminal() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(ours_);
    close(theirs_);
  }

  void type(const std::string& keys) const {
    ASSERT_EQ(write(ours_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  void send(int signal) const { kill(process_, signal); }
  void resize(int columns, int rows) const {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    ioctl(ours_, TIOCSWINSZ, &size);
  }

  // Whether the last frame comes to have the text.
  bool shows(const std::string& text) {
    const auto end = Clock::now() + kPatience;
    while (frame().find(text) == std::string::npos) {
      if (Clock::now() > end || !listen(100)) return frame().find(text) != std::string::npos;
    }
    return true;
  }
  // The last complete frame.
  std::string frame() const {
    const std::size_t end = said_.rfind("\033[J");
    if (end == std::string::npos) return without_codes(said_);
    const std::size_t begin = said_.rfind("\033[H", end);
    return without_codes(said_.substr(begin, end - begin));
  }
  std::vector<std::string> rows() const {
    std::vector<std::string> rows;
    std::istringstream lines(frame());  // lines of a terminal end in \r\n
    for (std::string line; std::getline(lines, line);) {
      rows.push_back(line.substr(0, line.find('\r')));
    }
    return rows;
  }
  const std::string& said() const { return said_; }

  // The exit status, or 128 and the signal.
  int end() {
    const auto until = Clock::now() + kPatience;
    int status = 0;
    while (waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() > until) return -1;
      listen(20);
    }
    process_ = -1;
    while (listen(50)) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  bool modes_are_restored() const {
    termios now{};
    tcgetattr(theirs_, &now);
    return now.c_lflag == before_.c_lflag && now.c_iflag == before_.c_iflag &&
           now.c_oflag == before_.c_oflag && now.c_cc[VMIN] == before_.c_cc[VMIN];
  }
  bool is_raw() const {
    termios now{};
    tcgetattr(theirs_, &now);
    return (now.c_lflag & ICANON) == 0;
  }

  // Reads what is said; false where nothing more can come.
  bool listen(int milliseconds) {
    pollfd file{ours_, POLLIN, 0};
    if (poll(&file, 1, milliseconds) <= 0) return process_ > 0;
    std::array<char, 4096> part;
    const ssize_t size = read(ours_, part.data(), part.size());
    if (size <= 0) return false;
    said_.append(part.data(), static_cast<std::size_t>(size));
    return true;
  }

 private:
  int ours_ = -1, theirs_ = -1;
  pid_t process_ = -1;
  termios before_{};
  std::string said_;
};

constexpr const char* kLeave = "\033[?25h\033[?1049l";

TEST(WatchTest, ASessionFromTheFirstSaveToTheLastExercise) {
  const SmallCourse course;
  Terminal terminal(course, {"watch"}, "xterm-256color", 80, 24);
  ASSERT_TRUE(terminal.shows("00.1 One: not yet.")) << terminal.said();
  EXPECT_TRUE(terminal.shows("Nothing has been written to out."));
  EXPECT_TRUE(terminal.shows("h hint  l list  n next  r run again  q quit"));
  EXPECT_TRUE(terminal.shows("Lesson 00 kernel, 0 of 2: First numbers"));
  EXPECT_TRUE(terminal.is_raw());
  EXPECT_EQ(terminal.rows().size(), 24u);

  course.answer("00.1", "BROKEN;");
  ASSERT_TRUE(terminal.shows("It does not compile.")) << terminal.frame();
  EXPECT_TRUE(terminal.shows("lessons/00_first/kernel.cu:4:3"));

  course.answer("00.1", "return 7;");
  ASSERT_TRUE(terminal.shows("It looks as if seven were your number.")) << terminal.frame();

  terminal.type("h");
  ASSERT_TRUE(terminal.shows("A question (1 of 3)")) << terminal.frame();
  terminal.type("h");
  ASSERT_TRUE(terminal.shows("An explanation (2 of 3)")) << terminal.frame();
  EXPECT_TRUE(terminal.shows("A question (1 of 3)"));
  terminal.type("l");
  ASSERT_TRUE(terminal.shows("        00.2   Two, 10 min")) << terminal.frame();
  terminal.type("l");
  ASSERT_TRUE(terminal.shows("00.1 One: not yet.")) << terminal.frame();

  // An editor that writes a new file and renames it.
  course.answer("00.1", "return 1;");
  ASSERT_TRUE(terminal.shows("00.1 One: done.")) << terminal.frame();
  ASSERT_TRUE(terminal.shows("Next: 00.2 Two")) << terminal.frame();
  const std::string file = (course.root() / "lessons/00_first/kernel.cu").string();
  const std::string work = course.read("lessons/00_first/kernel.cu");
  course.answer("00.2", "return 2;");
  fs::rename(file, file + ".new");
  course.write("lessons/00_first/kernel.cu", work);
  fs::rename(file + ".new", file);
  ASSERT_TRUE(terminal.shows("All two exercises of lesson 00 are done.") ||
              terminal.shows("00.2 Two: done."))
      << terminal.frame();
  ASSERT_TRUE(terminal.shows("Next: 01.1 Three")) << terminal.frame();
  EXPECT_TRUE(terminal.shows("Lesson 00 is done.")) << terminal.frame();

  // What was right and is broken now is told, though it is not the exercise at hand.
  course.answer("00.2", "return 7;");
  ASSERT_TRUE(terminal.shows("00.2 Two: not yet.")) << terminal.frame();
  terminal.type("n");
  ASSERT_TRUE(terminal.shows("Next: 01.1 Three")) << terminal.frame();

  course.answer("01.1", "return 3;");
  ASSERT_TRUE(terminal.shows("work together")) << terminal.frame();
  course.answer("00.2", "return 2;");
  ASSERT_TRUE(terminal.shows("Every exercise of the course is done")) << terminal.frame();

  terminal.type("q");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_TRUE(terminal.modes_are_restored());
  EXPECT_NE(terminal.said().find(kLeave), std::string::npos);
}

TEST(WatchTest, ASaveDuringARunIsTestedAfterIt) {
  const SmallCourse course;
  setenv("FAKE_BAZEL_SECONDS", "1", 1);
  Terminal terminal(course, {"watch"}, "xterm", 80, 24);
  unsetenv("FAKE_BAZEL_SECONDS");
  ASSERT_TRUE(terminal.shows("compiling"));
  EXPECT_TRUE(terminal.shows("(the first build takes a minute or two)")) << terminal.frame();
  course.answer("00.1", "return 7;");
  ASSERT_TRUE(terminal.shows("It looks as if seven were your number.")) << terminal.frame();
  course.answer("00.1", "return 1;");
  ASSERT_TRUE(terminal.shows("saved kernel.cu, compiling")) << terminal.frame();
  EXPECT_NE(terminal.frame().find("before this test:"), std::string::npos) << terminal.frame();
  EXPECT_EQ(terminal.frame().find("the first build"), std::string::npos) << terminal.frame();
  course.answer("00.1", "return 8;");
  ASSERT_TRUE(terminal.shows("the one number is wrong.")) << terminal.frame();
  terminal.type("q");
  EXPECT_EQ(terminal.end(), 0);
}

TEST(WatchTest, EverySizeOfTerminalIsFilled) {
  const SmallCourse course;
  course.answer("00.1", "return 7;");
  Terminal terminal(course, {"watch"}, "xterm", 80, 24);
  ASSERT_TRUE(terminal.shows("It looks as if seven were your number."));
  for (const auto& [columns, rows] : {std::pair{40, 12}, {20, 6}, {132, 50}}) {
    terminal.resize(columns, rows);
    const auto fits = [&] {
      const auto now = terminal.rows();
      return now.size() == static_cast<std::size_t>(rows) &&
             std::all_of(now.begin(), now.end(), [&](const std::string& row) {
               return row.size() <=
                      static_cast<std::size_t>(columns) + 2;  // an ellipsis has 3 bytes
             });
    };
    const auto end = Clock::now() + kPatience;
    while (!fits() && Clock::now() < end) terminal.listen(50);
    EXPECT_TRUE(fits()) << columns << ": " << terminal.frame();
  }
  terminal.type("q");
  EXPECT_EQ(terminal.end(), 0);
}

TEST(WatchTest, HoweverItEndsTheTerminalIsAsItWas) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT}) {
    const SmallCourse course;
    Terminal terminal(course, {"watch"}, "xterm", 80, 24);
    ASSERT_TRUE(terminal.shows("00.1 One: not yet."));
    if (signal == SIGINT) {
      terminal.type("\003");
    } else {
      terminal.send(signal);
    }
    EXPECT_EQ(terminal.end(), 128 + signal);
    EXPECT_TRUE(terminal.modes_are_restored()) << strsignal(signal);
    EXPECT_NE(terminal.said().find(kLeave), std::string::npos) << strsignal(signal);
  }
}

TEST(WatchTest, StoppedItGivesTheTerminalBackAndTakesItAgain) {
  const SmallCourse course;
  Terminal terminal(course, {"watch"}, "xterm", 80, 24);
  ASSERT_TRUE(terminal.shows("00.1 One: not yet."));
  terminal.send(SIGTSTP);
  const auto end = Clock::now() + kPatience;
  while (terminal.is_raw() && Clock::now() < end) usleep(20'000);
  EXPECT_TRUE(terminal.modes_are_restored());
  while (!terminal.is_raw() && Clock::now() < end) {
    terminal.send(SIGCONT);
    usleep(50'000);
  }
  EXPECT_TRUE(terminal.is_raw());
  terminal.type("q");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_TRUE(terminal.modes_are_restored());
}

TEST(WatchTest, PlainlyThereAreNoControlCodes) {
  for (const bool dumb : {false, true}) {
    const SmallCourse course;
    Terminal terminal(
        course,
        dumb ? std::vector<std::string>{"watch"} : std::vector<std::string>{"watch", "--plain"},
        dumb ? "dumb" : "xterm", 80, 24);
    ASSERT_TRUE(terminal.shows("00.1 One: not yet."));
    course.answer("00.1", "return 7;");
    ASSERT_TRUE(terminal.shows("It looks as if seven were your number.")) << terminal.said();
    terminal.type("h\n");
    ASSERT_TRUE(terminal.shows("A question (1 of 3)")) << terminal.said();
    terminal.type("q\n");
    EXPECT_EQ(terminal.end(), 0);
    EXPECT_EQ(terminal.said().find('\033'), std::string::npos) << terminal.said();
  }
}

TEST(WatchTest, WithoutColoursTheWordsAreTheSame) {
  const SmallCourse course;
  setenv("NO_COLOR", "1", 1);
  Terminal terminal(course, {"watch"}, "xterm", 80, 24);
  unsetenv("NO_COLOR");
  ASSERT_TRUE(terminal.shows("00.1 One: not yet."));
  EXPECT_EQ(terminal.said().find("\033[1;31m"), std::string::npos);
  EXPECT_EQ(terminal.said().find("\033[2m"), std::string::npos);
  terminal.type("q");
  EXPECT_EQ(terminal.end(), 0);
}

}  // namespace
}  // namespace andrea::course
