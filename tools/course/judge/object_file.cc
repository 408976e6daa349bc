#include "tools/course/judge/object_file.h"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>

#include "tools/course/judge/wire.h"

namespace andrea::judge {
namespace {

template <typename T>
T at(std::string_view bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    throw Malformed("a table of the object ends too soon");
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, std::size_t offset, std::size_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) {
    throw Malformed("a section of the object ends too soon");
  }
  return bytes.substr(offset, size);
}

std::string name_in(std::string_view strings, std::size_t offset) {
  if (offset >= strings.size()) throw Malformed("a name of the object lies nowhere");
  const std::string_view rest = strings.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

bool is_constructor_section(const std::string& name) {
  for (const char* const start :
       {".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

std::vector<Elf64_Shdr> sections_of(std::string_view bytes, const Elf64_Ehdr& header, int type) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != type) {
    throw Malformed("it is no " + std::string(type == ET_REL ? "object file" : "shared library") +
                    " of 64 bits");
  }
  std::vector<Elf64_Shdr> sections;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    sections.push_back(at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
  }
  return sections;
}

std::string_view contents_of(std::string_view bytes, const Elf64_Shdr& section) {
  return part(bytes, section.sh_offset, section.sh_size);
}

// Calls `take` with each symbol of a table and its name.
template <typename Take>
void read_symbols(std::string_view bytes, const std::vector<Elf64_Shdr>& sections,
                  const Elf64_Shdr& table_section, const Take& take) {
  if (table_section.sh_link >= sections.size()) throw Malformed("the symbols have no names");
  const std::string_view strings = contents_of(bytes, sections[table_section.sh_link]);
  const std::string_view table = contents_of(bytes, table_section);
  for (std::size_t i = 1; i < table.size() / sizeof(Elf64_Sym); ++i) {
    const auto symbol = at<Elf64_Sym>(table, i * sizeof(Elf64_Sym));
    take(symbol, name_in(strings, symbol.st_name));
  }
}

}  // namespace

ObjectFile object_file(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  const std::vector<Elf64_Shdr> sections = sections_of(bytes, header, ET_REL);
  if (header.e_shstrndx >= sections.size()) throw Malformed("the object's sections have no names");
  const std::string_view names = contents_of(bytes, sections[header.e_shstrndx]);

  ObjectFile object;
  for (const Elf64_Shdr& section : sections) {
    const std::string name = name_in(names, section.sh_name);
    const bool is_code = (section.sh_flags & SHF_EXECINSTR) != 0;
    if (is_code && ((section.sh_flags & SHF_WRITE) != 0 || !name.starts_with(".text"))) {
      object.odd_code.push_back(name);
    }
    // The first of all: gcc's own, which tells the checker that the object is there.
    const bool compilers = name == ".init_array.00099" && section.sh_size == sizeof(void*);
    if ((section.sh_flags & SHF_ALLOC) != 0 && is_constructor_section(name) && !compilers) {
      object.constructors.push_back(name);
    }
    if (section.sh_type != SHT_SYMTAB) continue;
    read_symbols(bytes, sections, section,
                 [&](const Elf64_Sym& symbol, const std::string& symbol_name) {
                   if (symbol.st_shndx == SHN_UNDEF) {
                     object.undefined.push_back(symbol_name);
                   } else if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) {
                     object.hidden.push_back(symbol_name);
                   } else {
                     object.defined.push_back(symbol_name);
                   }
                 });
  }
  return object;
}

std::set<std::string> offered_by(std::string_view library) {
  const std::vector<Elf64_Shdr> sections = sections_of(library, at<Elf64_Ehdr>(library, 0), ET_DYN);
  std::set<std::string> offered;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    read_symbols(library, sections, section, [&](const Elf64_Sym& symbol, const std::string& name) {
      const bool strong = ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL;
      if (symbol.st_shndx != SHN_UNDEF && strong) offered.insert(name);
    });
  }
  return offered;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return symbol;
  std::string result = text;
  std::free(text);
  return result;
}

}  // namespace andrea::judge
