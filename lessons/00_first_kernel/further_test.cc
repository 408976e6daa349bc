#include "lessons/00_first_kernel/further.h"

#include <vector>

#include "lessons/00_first_kernel/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

TEST(Lesson00, Exercise9) {
  EXPECT_TRUE(exercise("00.9", {"n"}, {{1}, {2}, {33}, {513}, {4000}}, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const std::vector<int> values = trial.random().integers(n, lesson00::kBins);
    const int* values_device = trial.input("values", {{"i", n}}, values);
    int* counts = trial.output<int>("counts", {{"bin", lesson00::kBins}});
    const auto work = [&](const Launch& launch) {
      lesson00::histogram(values_device, counts, n, launch);
    };
    trial.run(work);
    trial.expect("counts", [&]<typename Scalar>(Scalar) {
      Vector<Scalar> expected = Vector<Scalar>::Zero(lesson00::kBins);
      for (const int value : values) expected[value] += 1;
      return expected;
    });
    // Those that 4 blocks of 128 threads count, if they take up `has`.
    const auto counted = [&](double times, auto has) {
      Vector<double> wrong = Vector<double>::Zero(lesson00::kBins);
      for (int i = 0; i < n; ++i) {
        if (has(i)) wrong[values[static_cast<std::size_t>(i)]] += times;
      }
      return wrong;
    };
    trial.looks_like("one_each", "counts",
                     [&] { return counted(1, [](int i) { return i < 512; }); });
    trial.looks_like("blocks_alike", "counts",
                     [&] { return counted(4, [](int) { return true; }); });
    trial.looks_like("first_block_only", "counts",
                     [&] { return counted(1, [](int i) { return i % 512 < 128; }); });
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const auto in_global = counters.total().of(simulator::AccessKind::global_atomic).lanes;
    trial.require(in_global <= 4 * lesson00::kBins, "global_atomics",
                  {{"count", std::to_string(in_global)}});
  }));
}

TEST(Lesson00, Exercise10) {
  EXPECT_TRUE(exercise(
      "00.10", {"rows", "columns"}, {{1, 1}, {2, 3}, {32, 32}, {33, 31}, {64, 96}, {97, 65}},
      [](Trial& trial) {
        const auto [rows, columns] = trial.sizes<2>();
        const auto in = trial.random().numbers(rows * columns);
        const float* in_device = trial.input("in", {{"row", rows}, {"column", columns}}, in);
        float* out = trial.output("out", {{"row", columns}, {"column", rows}});
        const auto work = [&](const Launch& launch) {
          lesson00::transpose(in_device, out, rows, columns, launch);
        };
        trial.run(work);
        trial.expect("out", [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
          return as_matrix<Scalar>(in, rows, columns).transpose();
        });
        trial.looks_like("not_turned", "out", [&] { return as_matrix<double>(in, rows, columns); });

        if (rows % 32 != 0 || columns % 32 != 0) return;
        const simulator::Counters counters = trial.counted(work);
        if (!counters.counted()) return;
        const simulator::KernelCounters all = counters.total();
        for (const auto kind :
             {simulator::AccessKind::global_load, simulator::AccessKind::global_store}) {
          const auto& of = all.of(kind);
          trial.require(of.sectors == of.least_sectors, "scattered",
                        {{"sectors", std::to_string(of.sectors)},
                         {"least", std::to_string(of.least_sectors)}});
        }
        for (const auto kind :
             {simulator::AccessKind::shared_load, simulator::AccessKind::shared_store}) {
          const auto& of = all.of(kind);
          trial.require(of.wavefronts == of.least_wavefronts, "bank_conflicts",
                        {{"wavefronts", std::to_string(of.wavefronts)},
                         {"least", std::to_string(of.least_wavefronts)}});
        }
      }));
}

}  // namespace
}  // namespace andrea
