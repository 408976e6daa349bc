// What g++ 12, ld and Bazel 4.2 have said of builds that failed, and what a student reads of it.

#include "tools/course/runner/compile_errors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr char kSource[] = R"(#include <algorithm>
#include <list>

__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }

void sorted(std::list<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
}

void launch(float* x) {
  const float by = 2
  scale<<<1, 32>>>(x, factor);
}
)";

class BuildFailureTest : public ::testing::Test {
 protected:
  BuildFailureTest() : root_(fs::path(::testing::TempDir()) / "compile_errors_test") {
    fs::create_directories(root_ / "lessons/00_first");
    std::ofstream(root_ / "lessons/00_first/kernel.cu") << kSource;
  }

  static std::string text_of(const Page& page) {
    std::string text;
    for (const Line& line : page.lines()) text += line.text + '\n';
    return text;
  }
  std::string told(const std::string& said) const { return text_of(build_failure(said, root_)); }

  fs::path root_;
};

TEST_F(BuildFailureTest, TheFirstErrorOfSeveral) {
  EXPECT_EQ(told(R"(Loading: 
[0 / 4] [Prepa] BazelWorkspaceStatusAction stable-status.txt
ERROR: /home/ada/andrea/lessons/00_first/BUILD:5:7: C++ compilation of rule '//lessons/00_first:kernels_check_object' failed (Exit 1): gcc failed: error executing command /usr/bin/gcc -U_FORTIFY_SOURCE -Wall ... (remaining 72 argument(s) skipped)
lessons/00_first/kernel.cu: In function 'void launch(float*)':
lessons/00_first/kernel.cu:12:3: error: expected ',' or ';' before 'scale'
   12 |   scale<<<1, 32>>>(x, factor);
      |   ^~~~~
lessons/00_first/kernel.cu:11:15: warning: unused variable 'by' [-Wunused-variable]
   11 |   const float by = 2
      |               ^~
lessons/00_first/kernel.cu:13:1: error: expected '}' at end of input
Target //lessons/00_first:kernel_test failed to build
Use --verbose_failures to see the command lines of failed build steps.
)"),
            R"(It does not compile.

  lessons/00_first/kernel.cu:12:3

    const float by = 2
    scale<<<1, 32>>>(x, factor);
    ^

expected ‘,’ or ‘;’ before ‘scale’

There is another error, which may only follow from this one.
)");
}

TEST_F(BuildFailureTest, AnAvalancheOfTemplatesIsTheCallThatSetItOff) {
  EXPECT_EQ(told(R"(In file included from /usr/include/c++/12/algorithm:61,
                 from lessons/00_first/kernel.cu:1:
/usr/include/c++/12/bits/stl_algo.h: In instantiation of 'constexpr void std::__sort(_RandomAccessIterator, _RandomAccessIterator, _Compare) [with _RandomAccessIterator = _List_iterator<int>; _Compare = __gnu_cxx::__ops::_Iter_less_iter]':
/usr/include/c++/12/bits/stl_algo.h:4820:18:   required from 'constexpr void std::sort(_RAIter, _RAIter) [with _RAIter = _List_iterator<int>]'
lessons/00_first/kernel.cu:7:12:   required from here
/usr/include/c++/12/bits/stl_algo.h:1938:50: error: no match for 'operator-' (operand types are 'std::_List_iterator<int>' and 'std::_List_iterator<int>')
 1938 |                                 std::__lg(__last - __first) * 2,
      |                                           ~~~~~~~^~~~~~~~~
/usr/include/c++/12/bits/stl_iterator.h:621:5: note: candidate: 'template<class _IteratorL, class _IteratorR> constexpr decltype ((__y.base() - __x.base())) std::operator-(const reverse_iterator<_IteratorL>&, const reverse_iterator<_IteratorR>&)'
  621 |     operator-(const reverse_iterator<_IteratorL>& __x,
      |     ^~~~~~~~
)"),
            R"(It does not compile.

  lessons/00_first/kernel.cu:7:12

    std::sort(numbers.begin(), numbers.end());
             ^

no match for ‘operator-’ (operand types are ‘std::_List_iterator<int>’ and ‘std::_List_iterator<int>’)
)");
}

// As the launch was written, not as the simulator has it.
TEST_F(BuildFailureTest, AMistakeInALaunchPointsIntoIt) {
  const std::string text = told(
      R"(lessons/00_first/kernel.cu: In lambda function:
lessons/00_first/kernel.cu:12:3: error: 'factor' was not declared in this scope
   12 |   __SIMULATOR_LAUNCH((scale), (1, 32), x, factor);
      |   ^~~~~~~~~~~~~~~~~~
)");
  EXPECT_NE(text.find("kernel.cu:12:23\n\n    scale<<<1, 32>>>(x, factor);\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("SIMULATOR"), std::string::npos) << text;
}

TEST_F(BuildFailureTest, WhatTheRewriterFinds) {
  const std::string text = told(
      "ERROR: /home/ada/andrea/lessons/00_first/BUILD:5:7: CudaRewrite lessons/00_first/k.cc "
      "failed (Exit 1): rewrite failed\n"
      "lessons/00_first/kernel.cu:12:8: error: a launch needs a grid and a block\n"
      "      scale<<<1>>>(x, factor);\n"
      "           ^\n");
  EXPECT_NE(text.find("kernel.cu:12:8"), std::string::npos) << text;
  EXPECT_NE(text.find("a launch needs a grid and a block"), std::string::npos) << text;
}

TEST_F(BuildFailureTest, AHeaderThatIsNotThere) {
  const std::string text = told(
      "lessons/00_first/kernel.cu:2:10: fatal error: helper.h: No such file or directory\n"
      "    2 | #include \"helper.h\"\n      |          ^~~~~~~~~~\ncompilation terminated.\n");
  EXPECT_NE(text.find("helper.h: No such file or directory\nA lesson includes what stands at its"),
            std::string::npos)
      << text;
}

TEST_F(BuildFailureTest, WhatTheLinkerMissesInWords) {
  EXPECT_EQ(
      told(
          R"(ERROR: /home/ada/andrea/lessons/02/BUILD:5:7: Linking of rule '//lessons/02:kernel_test' failed (Exit 1): gcc failed
/usr/bin/ld: bazel-out/k8-opt/bin/lessons/02/libcases.a(cases.o): in function `andrea::(anonymous namespace)::work()':
kernel_test.cc:(.text+0xf): undefined reference to `andrea::lesson02::pair_dots(float const*, int)'
/usr/bin/ld: kernel_test.cc:(.text+0x14): undefined reference to `andrea::lesson02::pair_dots(float const*, int)'
collect2: error: ld returned 1 exit status
)"),
      R"(It compiles, but it cannot be put together.

  lesson02::pair_dots(float const*, int)

is declared and called, and defined nowhere. Has it been deleted or renamed? Are its parameters, and its namespace, those of the declaration in the header?
)");
}

TEST_F(BuildFailureTest, WhatTheLinkerHasTwice) {
  const std::string text = told(
      "/usr/bin/ld: b.o: in function `helper(float)':\n"
      "b.cc:(.text+0x0): multiple definition of `helper(float)'; a.o:a.cc:(.text+0x0): first "
      "defined here\ncollect2: error: ld returned 1 exit status\n");
  EXPECT_NE(text.find("  helper(float)\n\nis defined more than once"), std::string::npos) << text;
}

TEST_F(BuildFailureTest, TroubleOfBazelItselfIsToldInItsWords) {
  const std::string text =
      told("ERROR: Skipping '//lessons/09:kernel_test': no such package 'lessons/09'\n");
  EXPECT_NE(text.find("The build failed.\n\n  ERROR: Skipping"), std::string::npos) << text;
  EXPECT_NE(told("g++: fatal error: Killed signal terminated program cc1plus\n")
                .find("too little memory"),
            std::string::npos);
  EXPECT_NE(told("").find("said nothing"), std::string::npos);
}

TEST_F(BuildFailureTest, AWarningOfTheStudentsFile) {
  const auto warned = [&](const std::string& said) { return text_of(build_warning(said, root_)); };
  EXPECT_EQ(warned("trainer/a.cc:3:4: warning: unused variable 'z' [-Wunused-variable]\n"
                   "lessons/00_first/kernel.cu:11:15: warning: 'by' is used uninitialized "
                   "[-Wuninitialized]\n   11 |   const float by = 2\n      |               ^~\n"),
            "The compiler warns, at lessons/00_first/kernel.cu:11: ‘by’ is used uninitialized\n");
  EXPECT_EQ(warned("[3 / 4] Compiling\n"), "");
}

}  // namespace
}  // namespace andrea::course
