// File: tensors.h
//
// Several tensors of a block, expected at once, and what a mistake makes of them.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_TENSORS_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_TENSORS_H_

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "lessons/06_residual_block/mistakes.h"
#include "lessons/reference_types.h"
#include "tests/harness/exercise/trial.h"

namespace andrea {

// So many operations round a number one after the other.
inline constexpr double kRoundings = 16;

inline void expect_all(Trial& trial, const std::vector<std::string>& names,
                       const mistakes06::Tensors<double>& exact,
                       const mistakes06::Tensors<float>& rounded) {
  for (const std::string& name : names) {
    trial.expect(
        name,
        [&]<typename Scalar>(Scalar) -> reference::Matrix<Scalar> {
          if constexpr (std::is_same_v<Scalar, double>) {
            return exact.at(name);
          } else {
            return rounded.at(name);
          }
        },
        kRoundings* std::max(1.0, exact.at(name).cwiseAbs().maxCoeff()));
  }
}

// Of the tensors that a mistake makes, those with these names.
template <typename Make>
void looks_like(Trial& trial, const std::string& mistake, const std::vector<std::string>& names,
                const Make& make) {
  mistakes06::Tensors<double> wrong;
  for (const std::string& name : names) {
    trial.looks_like(mistake, name, [&] {
      if (wrong.empty()) wrong = make();
      return wrong.at(name);
    });
  }
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_TENSORS_H_
