// File: safetensors.h
//
// Named tensors in a file, in Hugging Face's safetensors format: eight bytes with the length of a
// JSON header, the header, and the numbers, little-endian and row-major, with no gap between.
// Written and read here: float32 alone.

#ifndef ANDREA_TRAINER_CHECKPOINT_SAFETENSORS_H_
#define ANDREA_TRAINER_CHECKPOINT_SAFETENSORS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "trainer/base/file.h"

namespace andrea {

// A tensor to be written.
struct NamedTensor {
  std::string name;                 // as readers ask for it
  std::vector<std::int64_t> shape;  // row-major, the outermost first
  std::span<const float> numbers;   // as many as the shape says
};

// Returns once the file has reached the disk.
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors);

class SafetensorsFile {
 public:
  // Error: not such a file, cut short, gaps or overlaps, another type than F32.
  explicit SafetensorsFile(const std::filesystem::path& path);

  // The numbers of a tensor; valid as long as the file object. Error: no such tensor, or one of
  // another shape (the message tells both).
  std::span<const float> tensor(const std::string& name,
                                const std::vector<std::int64_t>& shape) const;

  std::vector<std::string> names() const;  // of all tensors, in the order of the alphabet

 private:
  std::filesystem::path path_;
  MappedFile file_;
  std::map<std::string, NamedTensor> tensors_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_CHECKPOINT_SAFETENSORS_H_
