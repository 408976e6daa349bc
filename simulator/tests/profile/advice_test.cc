// The sentences about kernels whose fault is known, the table and the page.

#include "simulator/profile/advice.h"

#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <cctype>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/profile/page.h"
#include "simulator/profile/table.h"
#include "simulator/tests/profile/kernels.h"

namespace {

using profile_test::Transpose;
using simulator::Advice;
using simulator::KernelCounters;

std::vector<KernelCounters> kernels_of(const std::function<void()>& launch) {
  simulator::start_counting();
  launch();
  return simulator::stop_counting().kernels();
}

// The first sentence, without the source line's number.
std::string first_sentence(const std::function<void()>& launch) {
  const std::vector<Advice> all = simulator::advice(kernels_of(launch).at(0));
  if (all.empty()) return "";
  std::string text = all[0].sentence;
  const std::string file = "kernels.cu:";
  const std::size_t at = text.find(file);
  if (at == std::string::npos) return text;
  std::size_t end = at + file.size();
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.erase(at + file.size(), end - at - file.size());
}

TEST(Advice, UncoalescedStores) {
  EXPECT_EQ(first_sentence([] { profile_test::transpose(Transpose::naive, 128); }),
            "kernels.cu: writes 32.00 sectors a request where 4.00 would do: neighbouring threads "
            "write addresses 512 bytes apart.");
}

TEST(Advice, BankConflicts) {
  EXPECT_EQ(
      first_sentence([] { profile_test::transpose(Transpose::tiled, 128); }),
      "kernels.cu: takes 32.00 wavefronts a request where 1.00 would do: neighbouring threads "
      "read words 32 apart, which lie in one bank of shared memory.");
}

TEST(Advice, NothingWhereNothingIsWrong) {
  EXPECT_EQ(first_sentence([] { profile_test::transpose(Transpose::padded, 128); }), "");
  EXPECT_EQ(first_sentence([] { profile_test::vector_add(8192, 256); }), "");
}

TEST(Advice, DataReadOverAndOver) {
  EXPECT_EQ(
      first_sentence([] { profile_test::matmul_naive(64); }),
      "It asks for each sector that it reads 32.0 times on average: 1.02 MiB move where 48.00 "
      "KiB would if each sector moved once.");
}

TEST(Advice, Divergence) {
  const std::string sentence = first_sentence([] { profile_test::odd_lanes_count(); });
  EXPECT_EQ(sentence.rfind("kernels.cu: is executed by 16.0 of a warp's 32.0 threads", 0), 0u)
      << sentence;
}

TEST(Advice, AtomicsOnOneAddress) {
  EXPECT_EQ(first_sentence([] { profile_test::atomics_on_one_address(); }),
            "kernels.cu: has 32.0 threads of a warp do an atomic on one address at once; they take "
            "turns.");
}

TEST(Advice, LocalArrays) {
  const std::string sentence = first_sentence([] { profile_test::local_array(); });
  EXPECT_NE(sentence.find("64 bytes of a local array"), std::string::npos) << sentence;
}

TEST(Advice, BlocksThatDoNotFillWarps) {
  EXPECT_EQ(first_sentence([] { profile_test::rows_of(33, 3); }),
            "A block of 99 threads takes 4 warps, of whose 128 lanes 29 have no thread.");
}

TEST(Advice, FewBlocksComeLast) {
  const std::vector<Advice> all =
      simulator::advice(kernels_of([] { profile_test::rows_of(33, 3); }).at(0));
  EXPECT_EQ(all.back().sentence.rfind("The largest launch has 1 block,", 0), 0u)
      << all.back().sentence;
}

TEST(Table, FitsEightyColumnsAndHasTheNumbers) {
  const std::vector<KernelCounters> kernels = kernels_of([] {
    profile_test::vector_add(8192, 256);
    profile_test::transpose(Transpose::naive, 128);
    profile_test::matmul_tiled(64);
    profile_test::templated();
    profile_test::rows_of(33, 3);
  });
  const std::string table = simulator::profile_table(kernels, false);
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_NE(table.find("global store                   512   32.00 sectors      4.00   32.0"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find('\033'), std::string::npos);
  EXPECT_NE(simulator::profile_table(kernels, true).find("\033[1m"), std::string::npos);
  // What costs most comes first.
  EXPECT_LT(table.find("transpose_naive"), table.find("profile_test::add"));
}

TEST(Table, NoKernel) {
  EXPECT_NE(simulator::profile_table({}, false).find("No kernel was launched."), std::string::npos);
}

TEST(Page, IsOneFileWithEveryKernelAndNothingUnescaped) {
  const std::vector<KernelCounters> kernels = kernels_of([] {
    profile_test::templated();
    profile_test::transpose(Transpose::naive, 128);
  });
  const std::string page = simulator::profile_page(kernels);
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_NE(page.find("scale&lt;2&gt;"), std::string::npos);
  EXPECT_EQ(page.find("scale<2>"), std::string::npos);
  EXPECT_NE(page.find("32.00 sectors each, least 4.00"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

}  // namespace
