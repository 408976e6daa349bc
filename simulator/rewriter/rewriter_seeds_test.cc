// The rewriter's properties over 20,000 texts, the same in every run: the files of testdata, their
// pieces put together anew, with bytes and words changed.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/rewriter_properties.h"
#include "simulator/rewriter/source_file.h"

namespace simulator {
namespace {

constexpr int kTexts = 20000;
constexpr std::size_t kLongestText = 1500;

// What a random byte would seldom hit upon.
constexpr std::array<std::string_view, 48> kWords = {"<<<",
                                                     ">>>",
                                                     "<< <",
                                                     ">> >",
                                                     "(",
                                                     ")",
                                                     "{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     "<",
                                                     ">",
                                                     ">>",
                                                     "::",
                                                     "->",
                                                     ".",
                                                     ",",
                                                     ";",
                                                     "\n",
                                                     "\r\n",
                                                     "\\\n",
                                                     "\n#if A\n",
                                                     "\n#else\n",
                                                     "\n#endif\n",
                                                     "\n#if 0\n",
                                                     "\n#define M(a) ",
                                                     "\n#elif B\n",
                                                     "extern ",
                                                     "__shared__ ",
                                                     "__noinline__ ",
                                                     "/*",
                                                     "*/",
                                                     "//",
                                                     "\"",
                                                     "'",
                                                     "R\"x(",
                                                     ")x\"",
                                                     "template ",
                                                     "operator",
                                                     "##",
                                                     "__global__ ",
                                                     "__device__ ",
                                                     "k<<<1, 1>>>(a)",
                                                     "namespace n {",
                                                     "struct S {",
                                                     "asm(\"",
                                                     "extern __shared__ T s[];",
                                                     "1'0"};

class Texts {
 public:
  Texts() {
    std::set<std::string> paths;  // In the same order everywhere.
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator("simulator/rewriter/testdata")) {
      const auto kind = entry.path().extension();
      if (kind == ".cu" || kind == ".h") paths.insert(entry.path().string());
    }
    for (const std::string& path : paths) {
      std::string problem;
      seeds_.push_back(read_source(path, problem).value_or(""));
    }
  }

  std::size_t seeds() const { return seeds_.size(); }
  const std::string& seed(std::size_t index) const { return seeds_[index]; }

  std::string next() {
    std::string text = piece();
    for (int changes = below(8); changes >= 0; --changes) change(text);
    return text.substr(0, kLongestText);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  std::size_t place_in(const std::string& text) {
    return text.empty() ? 0 : random_() % text.size();
  }
  std::string piece() {
    const std::string& seed = seeds_[random_() % seeds_.size()];
    return seed.substr(place_in(seed), random_() % (kLongestText / 2));
  }
  void change(std::string& text) {
    const std::size_t at = place_in(text);
    switch (below(5)) {
      case 0:
        text.insert(at, kWords[random_() % kWords.size()]);
        break;
      case 1:
        text.erase(at, random_() % 8);
        break;
      case 2:
        text.insert(at, piece());
        break;
      case 3:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      default:
        text.replace(at, random_() % 4, kWords[random_() % kWords.size()]);
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937 random_{20250729};
};

TEST(RewriterSeedsTest, SeedsThemselves) {
  const Texts texts;
  ASSERT_GT(texts.seeds(), 40u);
  for (std::size_t i = 0; i < texts.seeds(); ++i) {
    EXPECT_EQ(broken_property(texts.seed(i)), "") << texts.seed(i);
  }
}

TEST(RewriterSeedsTest, ChangedSeeds) {
  Texts texts;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = texts.next();
    ASSERT_EQ(broken_property(text), "") << "text " << i << ":\n" << text;
  }
}

}  // namespace
}  // namespace simulator
