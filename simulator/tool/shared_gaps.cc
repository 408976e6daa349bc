#include "simulator/tool/shared_gaps.h"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace simulator {

std::string add_shared_gaps(const std::string& object_file) {
  std::fstream file(object_file, std::ios::in | std::ios::out | std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) {
    return "cannot read " + object_file;
  }
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr)) {
    return object_file + " is no object file for this machine";
  }
  // A file with very many sections keeps their number in the first one's size.
  std::size_t sections = header.e_shnum;
  for (std::size_t i = 0; i < sections || i == 0; ++i) {
    const auto place = static_cast<std::streamoff>(header.e_shoff + i * sizeof(Elf64_Shdr));
    Elf64_Shdr section{};
    file.seekg(place);
    if (!file.read(reinterpret_cast<char*>(&section), sizeof section)) {
      return "cannot read the sections of " + object_file;
    }
    if (i == 0 && sections == 0) sections = section.sh_size;
    if (section.sh_type != SHT_NOBITS || (section.sh_flags & SHF_TLS) == 0) continue;
    if (section.sh_size == 0) continue;
    section.sh_size += kSharedGap;
    file.seekp(place);
    if (!file.write(reinterpret_cast<const char*>(&section), sizeof section)) {
      return "cannot write to " + object_file;
    }
  }
  file.close();
  return file ? "" : "cannot write to " + object_file;
}

}  // namespace simulator
