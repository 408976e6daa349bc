#include "simulator/runtime/source_lines.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "simulator/runtime/shared_memory.h"

namespace simulator {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

namespace {

void ignore_error(void*, const char*, int) {}

backtrace_state* state() {
  static backtrace_state* const kState =
      backtrace_create_state(nullptr, /*threaded=*/1, &ignore_error, nullptr);
  return kState;
}

// As a person would write it: relative to the folder in which the program runs, where it lies
// below.
std::string shown(std::string file) {
  static const std::string kHere = std::filesystem::current_path().string() + '/';
  if (file.rfind(kHere, 0) == 0) file.erase(0, kHere.size());
  return file;
}

int add_line(void* lines, std::uintptr_t, const char* file, int line, const char* function) {
  if (file == nullptr) return 0;
  static_cast<std::vector<SourceLine>*>(lines)->push_back(
      {shown(file), line, function == nullptr ? "" : demangled(function)});
  return 0;
}

bool is_own(const SourceLine& line) {
  return line.file.find("simulator/include/") != std::string::npos;
}

// The program's symbol table.
struct Symbols {
  std::vector<Variable> shared;   // addresses relative to the block of thread-local storage
  std::vector<Variable> globals;  // absolute
  std::unordered_map<std::uintptr_t, const char*> functions;

  Symbols() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (fstat(file, &status) == 0 && status.st_size > static_cast<off_t>(sizeof(Elf64_Ehdr))) {
      const auto bytes = static_cast<std::size_t>(status.st_size);
      void* const image = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
      // Stays mapped, as it has the functions' names.
      if (image != MAP_FAILED) read(static_cast<const char*>(image), bytes);
    }
    close(file);
  }

 private:
  static std::uintptr_t load_address() {
    std::uintptr_t address = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
          return 1;
        },
        &address);
    return address;
  }

  void read(const char* image, std::size_t bytes) {
    const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(image);
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > bytes) return;
    const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(image + header->e_shoff);
    const char* const section_names = header->e_shstrndx < header->e_shnum
                                          ? image + sections[header->e_shstrndx].sh_offset
                                          : nullptr;
    const std::uintptr_t base = load_address();
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      const Elf64_Shdr& table = sections[i];
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
      const char* const names = image + sections[table.sh_link].sh_offset;
      const auto* const symbols = reinterpret_cast<const Elf64_Sym*>(image + table.sh_offset);
      for (std::size_t s = 0; s < table.sh_size / sizeof(Elf64_Sym); ++s) {
        const Elf64_Sym& symbol = symbols[s];
        const int type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF) continue;
        if (type == STT_FUNC) functions.emplace(base + symbol.st_value, names + symbol.st_name);
        if (symbol.st_size == 0) continue;
        if (type == STT_TLS) {
          shared.push_back({names + symbol.st_name, symbol.st_value, symbol.st_size});
        } else if (type == STT_OBJECT) {
          const bool managed = symbol.st_shndx < header->e_shnum && section_names != nullptr &&
                               std::strcmp(section_names + sections[symbol.st_shndx].sh_name,
                                           "simulator_managed") == 0;
          globals.push_back(
              {names + symbol.st_name, base + symbol.st_value, symbol.st_size, managed});
        }
      }
    }
  }
};

const Symbols& symbols() {
  static const Symbols* const kSymbols = new Symbols;
  return *kSymbols;
}

std::optional<Variable> find(const std::vector<Variable>& variables, std::uintptr_t address) {
  for (const Variable& variable : variables) {
    if (address - variable.address < variable.bytes) return with_plain_name(variable);
  }
  return std::nullopt;
}

}  // namespace

// A local name may be "tile.0" to the compiler.
Variable with_plain_name(const Variable& variable) {
  Variable plain = variable;
  plain.name = demangled(variable.name.c_str());
  const std::size_t last = plain.name.rfind("::");
  if (last != std::string::npos) plain.name.erase(0, last + 2);
  plain.name.erase(std::min(plain.name.find('.'), plain.name.size()));
  return plain;
}

std::string symbol_of_function(const void* function) {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  const auto found = symbols().functions.find(address);
  if (found != symbols().functions.end()) return found->second;
  // Of a library, then. This reads all debug information, which takes its time.
  std::string symbol;
  const auto take = [](void* result, std::uintptr_t at, const char* name, std::uintptr_t start,
                       std::uintptr_t) {
    if (name != nullptr && start == at) *static_cast<std::string*>(result) = name;
  };
  backtrace_syminfo(state(), address, take, &ignore_error, &symbol);
  return symbol;
}

std::size_t static_shared_bytes(const std::string& function_symbol) {
  if (function_symbol.compare(0, 2, "_Z") != 0) return 0;
  const std::string prefix = "_ZZ" + function_symbol.substr(2) + 'E';
  std::size_t bytes = 0;
  for (const Variable& variable : symbols().shared) {
    if (variable.name.compare(0, prefix.size(), prefix) == 0) bytes += variable.bytes;
  }
  return bytes;
}

std::vector<std::string> functions_at(std::uintptr_t code) {
  std::vector<std::string> functions;
  const auto add = [](void* result, std::uintptr_t, const char*, int, const char* function) {
    if (function != nullptr) static_cast<std::vector<std::string>*>(result)->push_back(function);
    return 0;
  };
  backtrace_pcinfo(state(), code, add, &ignore_error, &functions);
  return functions;
}

std::vector<std::uintptr_t> calls_in_progress() {
  constexpr std::size_t kMost = 24;
  std::vector<std::uintptr_t> calls;
  const auto add = [](_Unwind_Context* context, void* result) {
    auto& all = *static_cast<std::vector<std::uintptr_t>*>(result);
    // The return address is that of the next instruction.
    all.push_back(_Unwind_GetIP(context) - 1);
    return all.size() < kMost ? _URC_NO_REASON : _URC_END_OF_STACK;
  };
  _Unwind_Backtrace(add, &calls);
  return calls;
}

std::vector<SourceLine> nearest_cuda_line(const std::vector<std::uintptr_t>& calls) {
  for (const std::uintptr_t call : calls) {
    for (const SourceLine& line : source_lines(call)) {
      if (line.file.ends_with(".cu") || line.file.ends_with(".cuh")) return {line};
    }
  }
  return {};
}

std::vector<SourceLine> source_lines(std::uintptr_t code) {
  std::vector<SourceLine> lines;
  backtrace_pcinfo(state(), code, &add_line, &ignore_error, &lines);
  std::vector<SourceLine> others;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(others),
               [](const SourceLine& line) { return !is_own(line); });
  return others.empty() ? lines : others;
}

std::vector<Variable> shared_variables() {
  std::vector<Variable> variables = symbols().shared;
  for (Variable& variable : variables) {
    variable.address += reinterpret_cast<std::uintptr_t>(shared_memory().variables);
  }
  return variables;
}

std::optional<Variable> shared_variable(std::uintptr_t address) {
  const auto start = reinterpret_cast<std::uintptr_t>(shared_memory().variables);
  if (address - start >= shared_memory().variables_bytes) return std::nullopt;
  std::optional<Variable> variable = find(symbols().shared, address - start);
  if (variable) variable->address += start;
  return variable;
}

bool in_loaded_object(std::uintptr_t address) {
  struct Search {
    std::uintptr_t address;
    bool found = false;
  } search{address};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto* const what = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (what->address - begin < segment.p_memsz) what->found = true;
        }
        return what->found ? 1 : 0;
      },
      &search);
  return search.found;
}

std::optional<Variable> global_variable(std::uintptr_t address) {
  return find(symbols().globals, address);
}

std::vector<Variable> managed_variables() {
  std::vector<Variable> managed;
  std::copy_if(symbols().globals.begin(), symbols().globals.end(), std::back_inserter(managed),
               [](const Variable& variable) { return variable.managed; });
  return managed;
}

}  // namespace simulator
