// File: simulator/rewriter/declarations.h
//
// The functions and variables that a file declares outside of functions, with CUDA's qualifiers: a
// light scan over tokens, in namespaces and classes too. It knows no types and expands no macro but
// one of the file that stands for qualifiers (#define HD __host__ __device__). What it cannot be
// sure of it marks as unclear, and whoever judges a program must then keep silent.

#ifndef ANDREA_SIMULATOR_REWRITER_DECLARATIONS_H_
#define ANDREA_SIMULATOR_REWRITER_DECLARATIONS_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "simulator/rewriter/regions.h"

namespace simulator {

struct Qualifiers {
  bool is_global = false, is_device = false, is_host = false;       // As written.
  bool is_shared = false, is_constant = false, is_managed = false;  // as written
  bool is_constexpr = false, is_const = false, is_extern = false;   // as written
  bool is_unclear = false;                                          // a macro may hide more of them

  // What either has.
  Qualifiers& operator|=(const Qualifiers& other);
};

// Positions are those of SourceRegions::code.
struct Function {
  Qualifiers qualifiers;                          // its own
  std::size_t begin;                              // Of the declaration; behind template <...>.
  std::size_t name;                               // kNone for an operator.
  std::size_t parameters_open, parameters_close;  // positions of the parentheses
  std::size_t body_open, body_close;              // kNone if it is declared only.
  bool is_member;                                 // of a class
  bool is_template;                               // Itself.
  bool is_in_class_template;                      // so that its name is not one kernel's

  // It is defined here, not only declared.
  bool has_body() const { return body_open != Region::kNone; }
  // Runs on the device only.
  bool is_device_only() const {
    return qualifiers.is_global || (qualifiers.is_device && !qualifiers.is_host);
  }
  // As functions without qualifiers are.
  bool is_host_only() const { return !qualifiers.is_global && !qualifiers.is_device; }
};

struct Variable {
  Qualifiers qualifiers;  // its own and its type's
  std::size_t name;       // position of the name
  bool is_array;          // brackets follow the name
};

// What a file declares, as far as the rewriter asks.
struct Declarations {
  std::vector<Function> functions;  // in the order of the file
  std::vector<Variable> variables;  // Of namespaces, not of classes.
};

// Reads the file once, without its preprocessor's branches being chosen.
Declarations find_declarations(const SourceRegions& file);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_DECLARATIONS_H_
