#include "tools/course/runner/small_course.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "tools/course/stub.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCourse = R"({"lessons": [
  {"number": "00", "name": "first", "title": "First numbers", "exercises": [
    {"id": "00.1", "title": "One", "file": "kernel.cu", "minutes": 15, "points": 1},
    {"id": "00.2", "title": "Two", "file": "kernel.cu", "minutes": 10, "points": 1}]},
  {"number": "01", "name": "second", "title": "More numbers", "exercises": [
    {"id": "01.1", "title": "Three", "file": "kernel.cu", "minutes": 60, "points": 2}]}]})";

constexpr const char* kFirst = R"(// The kernels of lesson 00.

int first() {
  // SOLUTION(00.1): the number one.
  // It is odd.
  return 1;
  // STUB
  // return 0;
  // END(00.1)
}

int second() {
  // SOLUTION(00.2): the number two.
  return 2;
  // STUB
  // return 0;
  // END(00.2)
}

int sum() { return first() + second(); }
)";

constexpr const char* kSecond = R"(// The kernel of lesson 01.

int third() {
  // SOLUTION(01.1): the number three.
  return 3;
  // STUB
  // return 0;
  // END(01.1)
}
)";

constexpr const char* kHints = R"(# Hints

## 00.1 One

1. Which number comes after 0,
   if you count?

<details><summary>An explanation</summary>

2. It is the first that is not 0.

</details>

<details><summary>Nearly the answer</summary>

3. `return 1;`

</details>

## 00.2 Two

1. And then?
)";

// Bazel, as far as the runner knows it.
constexpr const char* kBazel = R"(#!/bin/bash
for word; do
  case $word in
    --build_event_json_file=*) events=${word#*=} ;;
    //*) target=$word ;;
  esac
done
echo "$target" >>bazel_calls
sleep "${FAKE_BAZEL_SECONDS:-0}"
lesson=${target#//} lesson=${lesson%:*}
if grep -q BROKEN "$lesson/kernel.cu"; then
  line=$(grep -n BROKEN "$lesson/kernel.cu" | cut -d: -f1)
  echo "ERROR: $PWD/$lesson/BUILD:3:7: C++ compilation of rule '$target' failed (Exit 1): gcc failed"
  echo "$lesson/kernel.cu: In function 'int first()':"
  echo "$lesson/kernel.cu:$line:3: error: 'BROKEN' was not declared in this scope"
  echo "   $line |   BROKEN;"
  echo "      |   ^~~~~~"
  echo "Target $target failed to build"
  exit 1
fi
program=$PWD/built/$lesson/${target#*:}
mkdir -p "${program%/*}"
cp bin/tests "$program"
echo '{"id":{"namedSet":{"id":"0"}},"namedSetOfFiles":{"files":[{"uri":"file://'"$program"'"}]}}' >"$events"
)";

// A test program. A line of the regions that it looks at is all that it knows.
constexpr const char* kTests = R"(#!/bin/bash
for word; do
  case $word in
    --gtest_output=json:*) report=${word#*:} ;;
    --gtest_filter=*) filter=${word#*=} ;;
  esac
done
lesson=${0##*built/} part=${lesson##*/} lesson=${lesson%/*}
number=${lesson#lessons/} number=${number%%_*}
tests=''
one() {  # EXERCISE RIGHT FUNCTION
  local name=Exercise${1#*.} answer failure=''
  [[ -z $filter || $filter == "Lesson$number.$name" ]] || return 0
  answer=$(sed -n "/^int $3()/,/^}/p" "$lesson/kernel.cu" | grep -o 'return [0-9]*;' | tail -n 1)
  [[ $answer != 'return 9;' ]] || exit 0
  case $answer in
    "return $2;") ;;
    'return 0;') failure='"mistake":"unsolved","failures":[{"failure":"Nothing has been written to out. Open it."}],' ;;
    'return 7;') failure='"mistake":"seven","failures":[{"failure":"out [1]: the one number is wrong.\n\n  out[0]   7 | '$2'\n\nIt looks as if seven were your number.\nRead: README.md"}],' ;;
    *) failure='"failures":[{"failure":"out [1]: the one number is wrong.\n\n  out[0]   ? | '$2'\n"}],' ;;
  esac
  tests+="${tests:+,}"'{"name":"'$name'","exercise":"'$1'","seed":"17",'$failure'"result":"COMPLETED"}'
}
if [[ $part == together_test ]]; then
  tests='{"name":"Together","result":"COMPLETED"}'
elif [[ $number == 00 ]]; then
  one 00.1 1 first
  one 00.2 2 second
else
  one 01.1 3 third
fi
echo '{"testsuites":[{"name":"Lesson'$number'","testsuite":['"$tests"']}]}' >"$report"
)";

}  // namespace

SmallCourse::SmallCourse() {
  const char* const given = std::getenv("TEST_TMPDIR");
  std::string name = (given == nullptr ? fs::temp_directory_path() : fs::path(given)).string() +
                     "/small_course.XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + " cannot be made");
  root_ = name;
  write("lessons/course.json", kCourse);
  for (const auto& [folder, solution] :
       {std::pair{"00_first", kFirst}, std::pair{"01_second", kSecond}}) {
    const std::string lesson = std::string("lessons/") + folder;
    write(std::string("solutions/") + folder + "/kernel.cu", solution);
    write(lesson + "/kernel.cu", stub_of(solution, "kernel.cu"));
    write(lesson + "/kernel_test.cc", "");
  }
  write("lessons/00_first/hints.md", kHints);
  write("lessons/01_second/together_test.cc", "");
  for (const auto& [script, text] :
       {std::pair{"bin/bazel", kBazel}, std::pair{"bin/tests", kTests}}) {
    write(script, text);
    fs::permissions(root_ / script, fs::perms::owner_all);
  }
}

SmallCourse::~SmallCourse() {
  std::error_code error;
  fs::remove_all(root_, error);
}

std::string SmallCourse::path() const {
  const char* const path = std::getenv("PATH");
  return (root_ / "bin").string() + ":" + (path == nullptr ? "/usr/bin:/bin" : path);
}

Workshop SmallCourse::workshop() const {
  Workshop workshop{
      root_, read_course(read("lessons/course.json")), {root_, {}, {}}, Memory(root_), {}, true};
  return workshop;
}

std::string SmallCourse::read(const std::string& file) const { return read_file(root_ / file); }

void SmallCourse::write(const std::string& file, const std::string& text) const {
  fs::create_directories((root_ / file).parent_path());
  write_file(root_ / file, text);
}

void SmallCourse::answer(const std::string& exercise, const std::string& line) const {
  const std::string folder = exercise.starts_with("00") ? "00_first" : "01_second";
  const std::string function = exercise == "00.1"   ? "int first() {\n"
                               : exercise == "00.2" ? "int second() {\n"
                                                    : "int third() {\n";
  const std::string file = "lessons/" + folder + "/kernel.cu";
  std::string work = read(file);
  const std::size_t begin = work.find(function) + function.size();
  work.replace(begin, work.find("}\n", begin) - begin, "  " + line + "\n");
  write(file, work);
}

int SmallCourse::builds() const {
  if (!fs::exists(root_ / "bazel_calls")) return 0;
  const std::string calls = read("bazel_calls");
  return static_cast<int>(std::count(calls.begin(), calls.end(), '\n'));
}

}  // namespace andrea::course
