#include "simulator/rewriter/rewriter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace simulator {
namespace {

// What follows the #line; fails on a finding.
std::string rewritten(const std::string& source) {
  const Rewritten result = rewrite(source, "a.cu");
  for (const Finding& finding : result.findings) ADD_FAILURE() << finding.sentence;
  const std::string line = "#line 1 \"a.cu\"\n";
  EXPECT_EQ(result.text.substr(0, line.size()), line);
  EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n') + 1);
  const std::string body = result.text.substr(std::min(line.size(), result.text.size()));
  EXPECT_EQ(result.is_changed, body != source);
  return body;
}

struct Case {
  const char* name;
  std::string source;
  std::string expected;
};
std::ostream& operator<<(std::ostream& out, const Case& test) { return out << test.name; }

using RewriterTest = testing::TestWithParam<Case>;

TEST_P(RewriterTest, Rewrites) { EXPECT_EQ(rewritten(GetParam().source), GetParam().expected); }

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Launch, RewriterTest,
    testing::Values(
        Case{"Plain", "k<<<1, 2>>>(a);", "__SIMULATOR_LAUNCH((k), (1, 2), a);"},
        Case{"WithoutArguments", "k<<<1, 2>>>( );", "__SIMULATOR_LAUNCH((k), (1, 2) );"},
        Case{"FourConfigurationArguments", "k<<<g, b, 4 * n, s>>>(a, b);",
             "__SIMULATOR_LAUNCH((k), (g, b, 4 * n, s), a, b);"},
        Case{"SpacedByAFormatter", "k << <1, 2 >> > (a);",
             "__SIMULATOR_LAUNCH((k ), ( 1, 2 )  , a);"},
        Case{"OverSeveralLines", "k\n  <<<1, // one\n     2>>>\n  (a,\n   b);",
             "__SIMULATOR_LAUNCH((k\n  ), (1, // one\n     2)\n  , a,\n   b);"},
        Case{"WindowsLines", "k<<<1, 2>>>(a,\r\n  b);\r\n",
             "__SIMULATOR_LAUNCH((k), (1, 2), a,\r\n  b);\r\n"},
        Case{"CommentsInside", "k /* > */ <<</* , */1, 2>>>(/* ) */ a);",
             "__SIMULATOR_LAUNCH((k /* > */ ), (/* , */1, 2), /* ) */ a);"},
        Case{"BracesInArguments", "k<<<1, 2>>>({1, {2, 3}}, b);",
             "__SIMULATOR_LAUNCH((k), (1, 2), {1, {2, 3}}, b);"},
        Case{"BracesInConfiguration", "k<<<dim3{1, 2}, {3, 4}>>>(a);",
             "__SIMULATOR_LAUNCH((k), (dim3{1, 2}, {3, 4}), a);"},
        Case{"LambdaInArguments", "k<<<1, 2>>>([=] (int i) { return i; });",
             "__SIMULATOR_LAUNCH((k), (1, 2), [=] (int i) { return i; });"},
        Case{"DigitSeparators", "k<<<1'000, '<'>>>('>', 1'0);",
             "__SIMULATOR_LAUNCH((k), (1'000, '<'), '>', 1'0);"},
        Case{"LettersBeyondAscii", "größe<<<1, 2>>>(ä);",
             "__SIMULATOR_LAUNCH((größe), (1, 2), ä);"},
        Case{"NestedInArguments", "f<<<1, 2>>>([&] { g<<<3, 4>>>(a); });",
             "__SIMULATOR_LAUNCH((f), (1, 2), [&] { __SIMULATOR_LAUNCH((g), (3, 4), a); });"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Configuration, RewriterTest,
    testing::Values(
        Case{"Shift", "k<<<a>>b, 8 >> 1>>>(x);", "__SIMULATOR_LAUNCH((k), (a>>b, 8 >> 1), x);"},
        Case{"Comparison", "k<<<a < b ? 1 : 2, c > d>>>(x);",
             "__SIMULATOR_LAUNCH((k), (a < b ? 1 : 2, c > d), x);"},
        Case{"Templates", "k<<<f<A<int>>(n), g<1, 2>()>>>(x);",
             "__SIMULATOR_LAUNCH((k), (f<A<int>>(n), g<1, 2>()), x);"},
        Case{"ThreeTemplateListsEnd", "k<<<A<A<A<int>>>::v, 1>>>(x);",
             "__SIMULATOR_LAUNCH((k), (A<A<A<int>>>::v, 1), x);"},
        Case{"TemplateListBeforeTheEnd", "k<<<1, v<int> >>>(x);",
             "__SIMULATOR_LAUNCH((k), (1, v<int> ), x);"},
        Case{"MacroOfTheFile", "#define shape 1, 2\nk<<<shape>>>(x);",
             "#define shape 1, 2\n__SIMULATOR_LAUNCH((k), (shape), x);"},
        Case{"MacroByItsLook", "k<<<SHAPE(n)>>>(x);", "__SIMULATOR_LAUNCH((k), (SHAPE(n)), x);"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    KernelExpression, RewriterTest,
    testing::Values(
        Case{"TemplateArguments", "k<T, (4>3?2:1), 'a'><<<1, 2>>>(x);",
             "__SIMULATOR_LAUNCH((k<T, (4>3?2:1), 'a'>), (1, 2), x);"},
        Case{"TwoListsEndTogether", "k<A<int>><<<1,1>>>();",
             "__SIMULATOR_LAUNCH((k<A<int>>), (1,1));"},
        Case{"ShiftInTemplateArguments", "k<1<<3, a->b><<<1,1>>>();",
             "__SIMULATOR_LAUNCH((k<1<<3, a->b>), (1,1));"},
        Case{"Namespaces", "x = 1; ::a::b<int>::k<<<1,1>>>();",
             "x = 1; __SIMULATOR_LAUNCH((::a::b<int>::k), (1,1));"},
        Case{"GlobalBehindReturn", "return ::k<<<1,1>>>();",
             "return __SIMULATOR_LAUNCH((::k), (1,1));"},
        Case{"Members", "a.b->c[i].d<<<1,1>>>();", "__SIMULATOR_LAUNCH((a.b->c[i].d), (1,1));"},
        Case{"Dependent", "this->template k<3>()<<<1,1>>>();",
             "__SIMULATOR_LAUNCH((this->template k<3>()), (1,1));"},
        Case{"DependentScope", "T::template k<3><<<1,1>>>();",
             "__SIMULATOR_LAUNCH((T::template k<3>), (1,1));"},
        Case{"Pointer", "(*f)<<<1,1>>>();", "__SIMULATOR_LAUNCH(((*f)), (1,1));"},
        Case{"Array", "t[i][j]<<<1,1>>>();", "__SIMULATOR_LAUNCH((t[i][j]), (1,1));"},
        Case{"Call", "get<2>(x)(y)<<<1,1>>>();", "__SIMULATOR_LAUNCH((get<2>(x)(y)), (1,1));"},
        Case{"CallOfAList", "get<A<B<int>>>()<<<1,1>>>();",
             "__SIMULATOR_LAUNCH((get<A<B<int>>>()), (1,1));"},
        Case{"Conditional", "(a < b ? f : g)<<<1,1>>>();",
             "__SIMULATOR_LAUNCH(((a < b ? f : g)), (1,1));"},
        Case{"Cast", "(void)k<<<1,1>>>(); (void)(k)<<<1,1>>>();",
             "(void)__SIMULATOR_LAUNCH((k), (1,1)); (void)__SIMULATOR_LAUNCH(((k)), (1,1));"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Place, RewriterTest,
    testing::Values(
        Case{"IfElse", "if (x) k<<<1,1>>>(a); else (*f)<<<1,1>>>(a);",
             "if (x) __SIMULATOR_LAUNCH((k), (1,1), a); else "
             "__SIMULATOR_LAUNCH(((*f)), (1,1), a);"},
        Case{"PointerBehindIf", "if (x) (*f)<<<1,1>>>(a);",
             "if (x) __SIMULATOR_LAUNCH(((*f)), (1,1), a);"},
        Case{"IfConstexpr", "if constexpr (x) (*f)<<<1,1>>>(a);",
             "if constexpr (x) __SIMULATOR_LAUNCH(((*f)), (1,1), a);"},
        Case{"For", "for (;;) ::k<<<1,1>>>(a);", "for (;;) __SIMULATOR_LAUNCH((::k), (1,1), a);"},
        Case{"Lambda", "auto f = [&] { k<<<1,1>>>(a); };",
             "auto f = [&] { __SIMULATOR_LAUNCH((k), (1,1), a); };"},
        Case{"BehindABlock", "{ } (k)<<<1,1>>>(a);", "{ } __SIMULATOR_LAUNCH(((k)), (1,1), a);"},
        Case{"ArgumentOfAMacro", "CHECK((k<<<1,1>>>(a)));",
             "CHECK((__SIMULATOR_LAUNCH((k), (1,1), a)));"},
        Case{"WithoutANewline", "k<<<1,1>>>()", "__SIMULATOR_LAUNCH((k), (1,1))"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Macro, RewriterTest,
    testing::Values(Case{"Parameters", "#define L(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n",
                         "#define L(k, g, b, ...) __SIMULATOR_LAUNCH((k), (g, b), __VA_ARGS__)\n"},
                    Case{"ContinuationAndPaste",
                         "#define L(n) \\\n  n##_k<T>   \\\n  <<<1, \\\n     2>>>(a)\nint x;",
                         "#define L(n) \\\n  __SIMULATOR_LAUNCH((n##_k<T>   \\\n  ), (1, \\\n     "
                         "2), a)\nint x;"},
                    Case{"PastedInFront", "#define L(n) run_##n<<<1, 2>>>()",
                         "#define L(n) __SIMULATOR_LAUNCH((run_##n), (1, 2))"},
                    Case{"ConfigurationIsAParameter", "#define L(k, c) k<<<c>>>()",
                         "#define L(k, c) __SIMULATOR_LAUNCH((k), (c))"},
                    Case{"NameFromAMacro", "KERNEL(a, b)<int><<<1, 2>>>()",
                         "__SIMULATOR_LAUNCH((KERNEL(a, b)<int>), (1, 2))"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Conditional, RewriterTest,
    testing::Values(
        Case{"InArguments", "k<<<1,1>>>(a\n#if X\n, b\n#else\n, c\n#endif\n);",
             "__SIMULATOR_LAUNCH((k), (1,1), a\n#if X\n, b\n#else\n, c\n#endif\n);"},
        Case{"TwoStarts", "#if X\nk<<<1,1>>>(a,\n#else\nm<<<2,2>>>(b,\n#endif\n c);",
             "#if X\n__SIMULATOR_LAUNCH((k), (1,1), a,\n#else\n__SIMULATOR_LAUNCH((m), (2,2), "
             "b,\n#endif\n c);"},
        Case{"TwoConfigurations", "k\n#if X\n<<<1,1>>>\n#elif Y\n<<<2,2>>>\n#endif\n(a);",
             "__SIMULATOR_LAUNCH((k\n#if X\n), (1,1)\n#elif Y\n), (2,2)\n#endif\n, a);"},
        Case{"NeverCompiled", "#if 0\nthe <<< here isn't code\n#else\nk<<<1,1>>>(a);\n#endif\n",
             "#if 0\nthe <<< here isn't code\n#else\n__SIMULATOR_LAUNCH((k), (1,1), "
             "a);\n#endif\n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    DynamicSharedMemory, RewriterTest,
    testing::Values(
        Case{"Plain", "extern __shared__ float s[];",
             "extern __SIMULATOR_DYNAMIC float s[] __SIMULATOR_DYNAMIC_NAME;"},
        Case{"TypeFirst", "extern float __shared__ s[][N + 1];",
             "extern float __SIMULATOR_DYNAMIC s[][N + 1] __SIMULATOR_DYNAMIC_NAME;"},
        Case{"SharedFirst", "__shared__ extern float s[];",
             "__SIMULATOR_DYNAMIC extern float s[] __SIMULATOR_DYNAMIC_NAME;"},
        Case{"Aligned", "extern __shared__ __align__(16) float s[];",
             "extern __SIMULATOR_DYNAMIC __align__(16) float s[] __SIMULATOR_DYNAMIC_NAME;"},
        Case{"AlignedFirst", "alignas(16) extern __shared__ T s[];",
             "alignas(16) extern __SIMULATOR_DYNAMIC T s[] __SIMULATOR_DYNAMIC_NAME;"},
        Case{"AttributeBetween", "extern __attribute__((aligned(8))) __shared__ T s[];",
             "extern __attribute__((aligned(8))) __SIMULATOR_DYNAMIC T s[] "
             "__SIMULATOR_DYNAMIC_NAME;"},
        Case{"AttributeBehind", "extern __shared__ T s[] __attribute__((aligned(8)));",
             "extern __SIMULATOR_DYNAMIC T s[] __SIMULATOR_DYNAMIC_NAME "
             "__attribute__((aligned(8)));"},
        Case{"SeveralDeclarators", "extern __shared__ array<float, 2> a[], b[];",
             "extern __SIMULATOR_DYNAMIC array<float, 2> a[] __SIMULATOR_DYNAMIC_NAME, b[] "
             "__SIMULATOR_DYNAMIC_NAME;"},
        Case{"InAMacro", "#define S(T, n) extern __shared__ T n[]\n",
             "#define S(T, n) extern __SIMULATOR_DYNAMIC T n[] __SIMULATOR_DYNAMIC_NAME; "
             "__asm__(\".set \" #n \", simulator_dynamic_shared\")\n"},
        Case{"InATemplate", "template <class T> void k() { { extern __shared__ T s[], t[]; } }",
             "template <class T> void k() { { extern __SIMULATOR_DYNAMIC T s[] "
             "__SIMULATOR_DYNAMIC_NAME, t[] __SIMULATOR_DYNAMIC_NAME; __asm__(\".set s, "
             "simulator_dynamic_shared\"); __asm__(\".set t, simulator_dynamic_shared\"); } }"},
        Case{"InATemplateInNamespaces",
             "namespace a::b { inline namespace { template <class T> struct S { void k() { extern "
             "__shared__ T s[]; } }; } }",
             "namespace a::b { inline namespace { template <class T> struct S { void k() { extern "
             "__SIMULATOR_DYNAMIC T s[] __SIMULATOR_DYNAMIC_NAME; __asm__(\".set "
             "_ZN1a1b12_GLOBAL__N_11sE, simulator_dynamic_shared\"); } }; } }"},
        Case{"StaticIsLeft", "extern int a; __shared__ float s[32]; extern \"C\" { }",
             "extern int a; __shared__ float s[32]; extern \"C\" { }"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    NoInline, RewriterTest,
    testing::Values(
        Case{"Qualifier", "__noinline__ __device__ int f();",
             "__SIMULATOR_NOINLINE __device__ int f();"},
        Case{"InAMacro", "#define N __noinline__ int\n", "#define N __SIMULATOR_NOINLINE int\n"},
        Case{"Attributes", "__attribute__((__noinline__)) int f(); [[gnu::__noinline__]] int g();",
             "__attribute__((__noinline__)) int f(); [[gnu::__noinline__]] int g();"},
        Case{"Directives", "#ifndef __noinline__\n#define __noinline__\n#endif\n",
             "#ifndef __noinline__\n#define __noinline__\n#endif\n"}),
    name_of);

TEST(RewriterUnchangedTest, TextThatOnlyLooksLikeALaunch) {
  const std::vector<std::string> sources = {
      "",
      "no newline at the end",
      "// k<<<1,1>>>(a)\n/* k<<<1,1>>>(a) */",
      "auto s = \"k<<<1,1>>>(a)\"; char c = '<';",
      "auto s = R\"(k<<<1,1>>>(a) \" )\";",
      "cout << a << \"<\" << b<c> << (1 < 2) << endl;",
      "template <class T> friend ostream& operator<< <>(ostream&, const A<T>&);",
      "x.operator<<<int>(3);",
      "A<B<C<int>>> x; A<B<C<int>>>(y);",
      "TEXT(cout << <template> text)",
      "int a = 1 << 2 >> 3;",
      "#include <a<<<b>\n#error don't use <<< here\n#pragma k<<<1,1>>>(a)\n",
  };
  for (const std::string& source : sources) EXPECT_EQ(rewritten(source), source);
}

TEST(RewriterLineTest, PathAndByteOrderMark) {
  EXPECT_EQ(rewrite("\xEF\xBB\xBFk<<<1,1>>>();", "a \"b\"\\c.cu").text,
            "\xEF\xBB\xBF#line 1 \"a \\\"b\\\"\\\\c.cu\"\n__SIMULATOR_LAUNCH((k), (1,1));");
}

struct Refusal {
  std::string source;
  int line, column;
  std::string part;  // Of the sentence.
};

TEST(RewriterFindingTest, IncompleteLaunchesStayAndAreReported) {
  const std::vector<Refusal> refusals = {
      {"k<<<1, 1;", 1, 2, "no >>>"},
      {"\n  k<<<1, (1>>>(a);", 2, 4, "no >>>"},
      {"f(k<<<1, 1);", 1, 4, "no >>>"},
      {"k<<<1, 1>>>;", 1, 2, "no argument list"},
      {"k<<<1, v<int>>>>();", 1, 2, "four >"},
      {"k<<<1, 1>>>(a;", 1, 12, "not closed"},
      {"k<<<1>>>(a);", 1, 2, "at least two"},
      {"k<<<>>>(a);", 1, 2, "how many blocks"},
      {"k<<<1,2,3,4,5>>>(a);", 1, 2, "5 configuration arguments"},
      {"x = +<<<1, 1>>>(a);", 1, 6, "not a kernel"},
      {"return <<<1, 1>>>(a);", 1, 8, "not a kernel"},
      {"k<<<1,1>>>(a)<<<1,1>>>(b);", 1, 14, "not a kernel"},
      {"#define PIECE <<<1, 1>>>\n", 1, 15, "the macro PIECE holds only a piece"},
      {"#define L(k) \\\n  k<<<1, 1>>>\n", 2, 4, "the macro L holds only a piece"},
      {"int a; /* k<<<1,1>>>();\n", 1, 8, "comment is not closed"},
      {"auto s = R\"(k<<<1,1>>>();\n", 1, 10, "raw string is not closed"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.source);
    const Rewritten result = rewrite(refusal.source, "a.cu");
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, Finding::Kind::error);
    EXPECT_EQ(result.findings[0].line, refusal.line);
    EXPECT_EQ(result.findings[0].column, refusal.column);
    EXPECT_NE(result.findings[0].sentence.find(refusal.part), std::string::npos)
        << result.findings[0].sentence;
    if (refusal.source.find(")<<<") == std::string::npos) {
      EXPECT_EQ(result.text, "#line 1 \"a.cu\"\n" + refusal.source);
    }
  }
}

TEST(RewriterFindingTest, FindingsAreInTheOrderOfTheFile) {
  const Rewritten result = rewrite("a<<<1>>>();\n#define P <<<1,1>>>\nb<<<1>>>(); c<<<1>>>();", "");
  std::vector<int> lines;
  for (const Finding& finding : result.findings) lines.push_back(finding.line);
  EXPECT_EQ(lines, (std::vector<int>{1, 2, 3, 3}));
  EXPECT_LT(result.findings[2].column, result.findings[3].column);
}

}  // namespace
}  // namespace simulator
