// File: reference_types.h
//
// What the references share. A reference is the specification of an operation: the formulas of
// kernels/*.h written down in Eigen, templated on the scalar, so that double serves as the truth
// and float shows what rounding costs.
//
// Vectors are rows, as in y = x W + bias. A gain, a bias or a table that a model does not have is
// an empty vector or matrix; so is what a null pointer loads.

#ifndef ANDREA_LESSONS_REFERENCE_TYPES_H_
#define ANDREA_LESSONS_REFERENCE_TYPES_H_

#include <Eigen/Core>
#include <stdexcept>
#include <string>

namespace andrea::reference {

// Row-major, as everything here is.
template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A row.
template <typename Scalar>
using Vector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;

// Copies of what lies at `pointer`, row after row.
template <typename Scalar>
Matrix<Scalar> load(const Scalar* pointer, int rows, int columns) {
  if (pointer == nullptr) return {};
  return Eigen::Map<const Matrix<Scalar>>(pointer, rows, columns);
}

// Of a vector.
template <typename Scalar>
Vector<Scalar> load(const Scalar* pointer, int size) {
  if (pointer == nullptr) return {};
  return Eigen::Map<const Vector<Scalar>>(pointer, size);
}

// Adds the numbers of a vector or matrix to those at `pointer`; to a null pointer, nothing.
template <typename Scalar, typename VectorOrMatrix>
void add_to(Scalar* pointer, const VectorOrMatrix& values) {
  if (pointer == nullptr) return;
  Eigen::Map<Vector<Scalar>>(pointer, values.size()) +=
      Eigen::Map<const Vector<Scalar>>(values.data(), values.size());
}

// A variant that a reference does not cover is refused: a wrong specification is worse than none.
inline void require_covered(bool covered, const std::string& variant) {
  if (!covered) throw std::invalid_argument("the reference does not cover " + variant);
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_REFERENCE_TYPES_H_
