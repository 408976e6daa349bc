// File: kernel_symbol.h
//
// What a kernel's address tells: its name and its parameters' types, which stand in its symbol, and
// how much static shared memory it declares.
//
// That is what makes cudaLaunchKernel((void*)kernel, ...) possible, where the types are lost to the
// compiler. Types that the symbol tells the size of are pointers and C++'s own numbers.

#ifndef ANDREA_SIMULATOR_RUNTIME_KERNEL_SYMBOL_H_
#define ANDREA_SIMULATOR_RUNTIME_KERNEL_SYMBOL_H_

#include <simulator/launch.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace simulator {

struct KernelSymbol {
  std::string name;                     // "scale<float>"; empty where the symbol is unknown
  std::vector<std::string> parameters;  // "float*", "int"
  bool parameters_known = false;        // whether their sizes are
  std::size_t static_shared_bytes = 0;  // of its `__shared__` variables
};

// Looked up once for each address; lives as long as the program.
const KernelSymbol& kernel_symbol(const void* kernel);

// From a symbol in C++'s writing, "void scale<float>(float*, int)"; for tests too.
KernelSymbol parse_symbol(const std::string& text);

// A kernel and its arguments, for `call_erased`.
struct ErasedCall;

// The arguments come by their addresses, as cudaLaunchKernel has them. nullptr where a type has no
// known size; then `unknown` is set to it.
std::shared_ptr<ErasedCall> make_erased_call(const void* kernel, void** arguments,
                                             std::string* unknown);
std::size_t erased_call_bytes(const ErasedCall& call);
// Calls the kernel; the body of its launch.
void call_erased(void* erased_call, __simulator::__Row* row);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_KERNEL_SYMBOL_H_
