// Which of the program's variables a launch may use: of __shared__ ones those of its kernel and of
// the functions that this calls, of global ones all but those of the host whose addresses it was
// given.

#include <unwind.h>

#include <cstring>

#include "simulator/check/checker.h"
#include "simulator/runtime/copy.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

// The compiler's mark that a variable has been constructed.
bool is_guard(const Variable& variable) { return variable.name.compare(0, 4, "_ZGV") == 0; }

// Whether the variable is declared in the body of the function; both by their symbols.
bool is_of(const Variable& variable, const std::string& function) {
  const std::string encoding = function.compare(0, 2, "_Z") == 0
                                   ? function.substr(2)
                                   : std::to_string(function.size()) + function;
  const std::string prefix = "_ZZ" + encoding + 'E';
  return variable.name.compare(0, prefix.size(), prefix) == 0;
}

bool is_of_function_at(const Variable& variable, std::uintptr_t code) {
  for (const std::string& function : functions_at(code)) {
    if (is_of(variable, function)) return true;
  }
  return false;
}

// Whether the function that declares the variable is running, in the caller or further out.
bool is_of_running_function(const Variable& variable) {
  struct Search {
    const Variable& variable;
    bool found = false;
  } search{variable};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto* const what = static_cast<Search*>(data);
        what->found = is_of_function_at(what->variable, _Unwind_GetIP(context) - 1);
        return what->found ? _URC_NORMAL_STOP : _URC_NO_REASON;
      },
      &search);
  return search.found;
}

}  // namespace

void Checker::begin_variables(const Grid& grid) {
  const void* const kernel = grid.launch.function;
  const std::string symbol = kernel == nullptr ? "" : symbol_of_function(kernel);
  shared_.clear();
  guards_.clear();
  for (const Variable& variable : shared_variables()) {
    if (is_guard(variable)) {
      guards_.insert(variable.address);
      continue;
    }
    shared_.push_back({variable, symbol.empty() || is_of(variable, symbol)});
    variables_->set_usable(variable.address, variable.bytes, shared_.back().usable);
  }

  // On a GPU the address of a global variable, taken in host code, is an address of the host.
  for (std::size_t i = 0; i + sizeof(void*) <= grid.launch.argument_bytes; i += sizeof(void*)) {
    std::uintptr_t value;
    std::memcpy(&value, static_cast<const char*>(grid.launch.arguments) + i, sizeof value);
    if (!globals_->contains(value)) continue;
    const std::optional<Variable> variable = global_variable(value);
    if (!variable || variable->managed) continue;
    if (place_of(reinterpret_cast<const void*>(value)).variable)
      continue;  // from cudaGetSymbolAddress
    globals_->set_usable(variable->address, variable->bytes, false);
    host_variables_.push_back(*variable);
  }
}

void Checker::end_variables() {
  for (const Variable& variable : host_variables_) {
    globals_->set_usable(variable.address, variable.bytes, true);
  }
  host_variables_.clear();
}

// Whether a place in the program's shared memory that is not its kernel's may be used all the same.
// It becomes usable with the first use by the function that declares it. Where no variable of the
// kernel lies before it, no index can have gone astray: then it is some function's that gave away
// its address.
bool Checker::becomes_usable(std::uintptr_t address) {
  SharedVariable* found = nullptr;
  bool usable_before = false;
  for (SharedVariable& one : shared_) {
    if (address - one.variable.address < one.variable.bytes) found = &one;
    usable_before = usable_before || (one.usable && one.variable.address < address);
  }
  if (found == nullptr || found->usable) return false;
  if (usable_before && !is_of_running_function(found->variable)) return false;
  found->usable = true;
  variables_->set_usable(found->variable.address, found->variable.bytes, true);
  return true;
}

}  // namespace simulator
