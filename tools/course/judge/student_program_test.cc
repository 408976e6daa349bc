#include "tools/course/judge/student_program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "trainer/base/file.h"

namespace andrea::judge {
namespace {

std::string in_folder(const std::string& name) {
  return std::string(std::getenv("TEST_TMPDIR")) + "/" + name;
}

// A program of a line of shell: $1 is the call, $2 where the reply goes.
std::string program(const std::string& name, const std::string& line) {
  const std::string path = in_folder(name);
  write_file(path, "#!/bin/sh\n" + line + "\n");
  chmod(path.c_str(), 0755);
  return path;
}

Call a_call() {
  Call call;
  call.function = "f";
  call.buffers = {{"x [2]", false, "eight by"}};
  return call;
}

// What the call fails with; empty where it does not.
std::string failure(ProgramOptions options, const std::string& line) {
  options.student = program("student", line);
  StudentProgram student(options);
  try {
    student.ask(a_call());
  } catch (const CallFailed& failed) {
    return failed.what();
  }
  return "";
}

std::string failure(const std::string& line) { return failure({}, line); }

TEST(StudentProgram, AnEndWithoutAReplyIsTold) {
  const std::string ended = "The program ended before it had answered, with status ";
  EXPECT_EQ(failure("exit 0"), ended + "0.");
  EXPECT_EQ(failure("exit 3"), ended + "3.");
  EXPECT_EQ(failure("kill -SEGV $$").substr(0, 48),
            "The program was ended by Segmentation fault befo");
  ProgramOptions options;
  options.seconds_a_call = 1;
  EXPECT_EQ(failure(options, "sleep 1000").substr(0, 48),
            "Your function had not returned after 1 seconds: ");
  options.seconds = 0;
  EXPECT_EQ(failure(options, "exit 0").substr(0, 29), "It was not tried any more: th");
}

TEST(StudentProgram, AReplyOfAnotherKindIsNone) {
  const std::string none = "What the program left is no answer: ";
  EXPECT_EQ(failure("echo x > $2"), none + "it ends too soon.");
  EXPECT_EQ(failure("echo 'I am right, believe me, I am' > $2"), none + "it is no reply.");
  EXPECT_EQ(failure("cp $1 $2"), none + "it is no reply.");
  const std::string stale = in_folder("stale");
  Reply reply;
  reply.contents = {"eight by"};
  write_file(stale, bytes_of(reply, {1, 2}));
  EXPECT_EQ(failure("cp " + stale + " $2"), none + "it is another call's.");
  // Links, folders, pipes, and a file as large as the limit.
  for (const char* const line : {"ln -s /dev/zero $2", "mkdir $2", "mkfifo $2",
                                 "echo x > $2; ln $2 $2.too", "head -c 9000000 /dev/zero > $2"}) {
    EXPECT_NE(failure(line), "") << line;
  }
}

// A program that answers with the buffer as it was, and may forget what it has told.
TEST(StudentProgram, AReportThatWasToldCounts) {
  const std::string answer = in_folder("answer");
  Reply reply;
  reply.contents = {"eight by"};
  write_file(answer, bytes_of(reply, {}));
  const std::string forge =
      "; (echo ANDREA reply 1; tail -c +15 $1 | head -c 16; tail -c +32 " + answer + ") > $2";
  const auto errors_of = [&](const std::string& line) {
    ProgramOptions options;
    options.student = program("student", line + forge);
    StudentProgram student(options);
    EXPECT_EQ(student.ask(a_call()).contents.at(0), "eight by");
    return student.errors_reported();
  };
  EXPECT_EQ(errors_of("true"), 0u);
  EXPECT_EQ(errors_of("echo 'error: my own words' >&2"), 0u);
  EXPECT_EQ(errors_of("printf 'error: a race\\n  in kernel sum\\n' >&2"), 1u);
}

TEST(StudentProgram, ALauncherIsGivenTheProgramAndItsFiles) {
  ProgramOptions options;
  const std::string seen = in_folder("seen");
  options.launcher = {program("launcher", "echo $# $1 $2 $(basename $3) > " + seen + "; exit 139"),
                      "--confined"};
  EXPECT_EQ(failure(options, "exit 0").substr(0, 43),
            "The program was ended by Segmentation fault");
  EXPECT_EQ(read_file(seen), "5 --confined -- student\n");
}

}  // namespace
}  // namespace andrea::judge
