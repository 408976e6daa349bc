// File: source_lines.h
//
// From an address of code to source lines, and from an address of data to a variable's name.

#ifndef ANDREA_SIMULATOR_RUNTIME_SOURCE_LINES_H_
#define ANDREA_SIMULATOR_RUNTIME_SOURCE_LINES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/runtime/report.h"

namespace simulator {

// The line of the instruction and of the calls that were inlined round it, innermost first. Lines
// of the simulator's own headers are left out where others remain. Empty without debug information.
std::vector<SourceLine> source_lines(std::uintptr_t code);

// Where the running function's callers stand, innermost first: addresses of their calls. A few are
// enough to find the program among the libraries.
std::vector<std::uintptr_t> calls_in_progress();
// The innermost of the lines there that is in a CUDA source (.cu, .cuh), which is what a person has
// written where a library of plain C++ has called the simulator; empty where there is none.
std::vector<SourceLine> nearest_cuda_line(const std::vector<std::uintptr_t>& calls);

// The functions whose code that is, inlined ones first, by their symbols.
std::vector<std::string> functions_at(std::uintptr_t code);

// The symbol of the function that begins at the address, as the linker knows it; empty where
// unknown.
std::string symbol_of_function(const void* function);
// How much __shared__ memory the program's function with this symbol declares in its own body.
std::size_t static_shared_bytes(const std::string& function_symbol);
// A symbol as C++ writes it; unchanged where it is none of C++'s.
std::string demangled(const char* symbol);

struct Variable {
  std::string name;            // as declared
  std::uintptr_t address = 0;  // in this process
  std::size_t bytes = 0;       // of all its elements
  bool managed = false;        // declared __managed__
};

// "matmul(float*, int)::tile" by its symbol -> "tile"
Variable with_plain_name(const Variable& variable);

// All __shared__ variables of the calling OS thread (and its other thread-local ones), by their
// symbols.
std::vector<Variable> shared_variables();
// The __shared__ variable of the calling OS thread that lies at the address.
std::optional<Variable> shared_variable(std::uintptr_t address);
// The global variable of the program that lies at the address.
std::optional<Variable> global_variable(std::uintptr_t address);
// The program's __managed__ variables.
std::vector<Variable> managed_variables();

// Whether the address lies in the program or a library that it has loaded.
bool in_loaded_object(std::uintptr_t address);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_SOURCE_LINES_H_
