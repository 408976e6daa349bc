// File: trial.h
//
// One run of an exercise with one set of sizes: the inputs, the student's function, what its
// outputs should be, and the wrong results that are known.
//
//   [](Trial& trial) {
//     const auto [N, C] = trial.sizes<2>();
//     const std::vector<float> x = trial.random().numbers(N * C);
//     const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
//     float* out = trial.output("out", {{"n", N}});
//     trial.run([&](const Launch& launch) { row_sums(x_device, out, N, C, launch); });
//     trial.expect("out", [&]<typename Scalar>(Scalar) { return row_sums<Scalar>(x, N, C); });
//     trial.looks_like("first_row", "out", [&] { return first_row_sums(x, N, C); });
//   }

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_TRIAL_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_TRIAL_H_

#include <simulator/counters.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/launch.h"
#include "tests/harness/close.h"
#include "tests/harness/exercise/tensor.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/marked_nan.h"
#include "tests/harness/random_inputs.h"

namespace andrea {

// What went wrong first.
struct Failure {
  // In the order in which they are looked for.
  enum Kind {
    none,
    report,
    cuda_error,
    guard,
    wrong_numbers,
    requirement,
    no_answer,
  };

  Kind kind = none;     // the first that was found
  std::string text;     // where it is not about numbers
  Tensor tensor{};      // the first output with wrong numbers
  std::string sizes;    // of the run that has them: "N=2, C=33"
  std::string mistake;  // the name of a requirement, or of what has changed an input

  // Of wrong numbers: the other outputs, and the inputs where all are small enough to be read.
  std::vector<std::string> wrong_besides{}, right{};
  std::vector<std::pair<std::string, std::vector<double>>> inputs{};
};

// Thrown by Trial::need.
struct ImpossibleSizes {};

class Trial {
 public:
  // `exercise`: "02.1"; the sentences of its mistakes are "02.1.<name>" in the catalogue.
  Trial(std::string exercise, std::vector<std::string> names, std::vector<int> sizes)
      : exercise_(std::move(exercise)), names_(std::move(names)), sizes_(std::move(sizes)) {}

  // The sizes of this run, in the order of their names.
  template <std::size_t Count>
  std::array<int, Count> sizes() const {
    std::array<int, Count> result;
    for (std::size_t i = 0; i < Count; ++i) result[i] = sizes_.at(i);
    return result;
  }
  std::string sizes_text() const;  // "N=2, C=33"
  // Sizes for which it does not hold are not tried when smaller ones are looked for.
  void need(bool holds) const {
    if (!holds) throw ImpossibleSizes();
  }
  RandomInputs& random() { return random_; }  // new numbers in each run

  // Device memory. An input must not change.
  template <typename T>
  const T* input(const std::string& name, const Axes& axes, const std::vector<T>& values) {
    Buffer buffer{name, axes, true, false, true, {}, nullptr, {}};
    if constexpr (std::is_arithmetic_v<T>) {
      for (const T& value : values) buffer.given.push_back(static_cast<double>(value));
    }
    return reinterpret_cast<const T*>(
        add(std::move(buffer), values.data(), values.size(), sizeof(T)));
  }
  // Never written at first. T is float or int.
  template <typename T = float>
  T* output(const std::string& name, const Axes& axes) {
    return reinterpret_cast<T*>(
        add({name, axes, false, std::is_same_v<T, int>, true, {}, nullptr, {}}, nullptr,
            count_of(axes), sizeof(T)));
  }
  // Holds `before` at first and is overwritten, but for the parts that are to stay as they are:
  // stale_number() (marked_nan.h) is good for the others.
  float* prefilled(const std::string& name, const Axes& axes, const std::vector<float>& before) {
    return reinterpret_cast<float*>(add({name, axes, false, false, true, before, nullptr, {}},
                                        before.data(), before.size(), sizeof(float)));
  }
  // A gradient, which is added to what it holds at first; or overwritten, and then it holds NaN, so
  // that neither += nor a multiplication by 0 passes.
  float* gradient(const std::string& name, const Axes& axes, Accumulate accumulate) {
    const std::vector<float> before =
        accumulate == Accumulate::add ? random_.numbers(static_cast<std::int64_t>(count_of(axes)))
                                      : std::vector<float>(count_of(axes), stale_number());
    return reinterpret_cast<float*>(
        add({name, axes, false, false, accumulate == Accumulate::overwrite, before, nullptr, {}},
            before.data(), before.size(), sizeof(float)));
  }

  // What a flat buffer, added before, consists of: a failure names the part.
  void consists_of(const std::string& name, std::vector<TensorPart> parts) {
    buffer(name).parts = std::move(parts);
  }

  // Calls the student's code and waits for it. After a failure nothing more is run.
  void run(const std::function<void(const Launch&)>& work, std::size_t scratch_bytes = 0);

  // Calls it once more, for the numbers that a profiler counts; not after a failure, and not on a
  // card, where nothing is counted.
  simulator::Counters counted(const std::function<void(const Launch&)>& work,
                              std::size_t scratch_bytes = 0);

  // The reference, called with a double and with a float: returns a row-major matrix, a vector or
  // whatever has data() and size(). `accumulated` as in close.h. To a gradient that is added to,
  // what it held before is added here.
  template <typename Reference>
  void expect(const std::string& name, const Reference& reference, double accumulated = 1) {
    if (failure_.kind != Failure::none) return;
    const auto exact = reference(double{});
    const auto rounded = reference(float{});
    compare(name, {exact.data(), exact.data() + exact.size()},
            {rounded.data(), rounded.data() + rounded.size()}, accumulated);
  }

  // What a known mistake makes of an output; only asked for when the output, expected before, is
  // wrong. A mistake that shows in several outputs is told for each.
  template <typename Wrong>
  void looks_like(const std::string& mistake, const std::string& name, const Wrong& wrong) {
    const Tensor* const tensor = wrong_output(mistake, name);
    if (tensor == nullptr) return;
    const auto values = wrong();
    note_mistake(mistake, *tensor, {values.data(), values.data() + values.size()});
  }

  // The mistake that has changed this input, where it was changed. After run().
  void change_looks_like(const std::string& mistake, const std::string& name);

  // Something that must hold of right numbers too: a sentence of the catalogue otherwise.
  void require(bool holds, const std::string& name,
               const std::map<std::string, std::string>& words = {});

  // A call came to no answer (callee.h).
  void call_failed(const std::string& text);

  // What a gradient held at first.
  const std::vector<float>& before(const std::string& name) { return buffer(name).before; }
  // What an output holds after the run.
  const std::vector<float>& contents(const std::string& name) { return buffer(name).contents; }

  // Whether something would have been required of the counts, but was not, since this is a card.
  bool left_out() const { return left_out_; }

  // The first thing that went wrong, or none.
  Failure failure() const;
  // Whether the wrong outputs hold nothing but zeros and what they held at first: nobody has begun.
  bool untouched() const;
  // The mistakes that explain every wrong output.
  std::vector<std::string> mistakes() const;
  // Those that explain the first of them, the one that is told.
  std::vector<std::string> mistakes_of_told() const;
  // Whether the mistake explains a wrong output by a number, not by what is none alone: NaN may be
  // memory that nobody has written, or what several mistakes make of it.
  bool shows_in_numbers(const std::string& mistake) const { return in_numbers_.count(mistake) > 0; }

 private:
  struct Buffer {
    std::string name;
    Axes axes;
    bool is_input = false;
    bool integer = false;
    bool overwritten = true;
    std::vector<float> before;
    std::unique_ptr<GuardedMemory> memory;
    std::vector<float> contents;  // after the run
    std::vector<double> given{};  // of an input
    std::vector<TensorPart> parts{};
  };

  std::byte* add(Buffer buffer, const void* values, std::size_t count, std::size_t element_bytes);
  Buffer& buffer(const std::string& name);
  void compare(const std::string& name, std::vector<double> exact, std::vector<float> rounded,
               double accumulated);
  const Tensor* wrong_output(const std::string& mistake, const std::string& name) const;
  void note_mistake(const std::string& mistake, const Tensor& tensor, std::vector<double> wrong);
  void fetch();
  std::vector<std::pair<std::string, std::vector<double>>> small_inputs() const;

  std::string exercise_;
  std::vector<std::string> names_;
  std::vector<int> sizes_;
  RandomInputs random_;
  std::vector<Buffer> buffers_;
  std::vector<Tensor> wrong_;                               // every output with wrong numbers
  std::vector<std::string> right_;                          // the names of the others
  std::map<std::string, std::set<std::string>> explained_;  // outputs, by the mistake's name
  std::set<std::string> in_numbers_;                        // mistakes that made a wrong number
  std::vector<std::string> mistakes_;                       // in the order of the exercise
  std::string changed_;                                     // an input, if one was
  bool left_out_ = false;
  Failure failure_;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_TRIAL_H_
