// File: host_copies.h
//
// What copies have brought from memory of the host to memory of the device, for who asks whether
// numbers were computed by a kernel at all.

#ifndef ANDREA_SIMULATOR_RUNTIME_HOST_COPIES_H_
#define ANDREA_SIMULATOR_RUNTIME_HOST_COPIES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace simulator {

struct CopyWork;

// One row of a copy.
struct HostCopy {
  const void* from = nullptr;  // on the device or on the host, as
  const void* to = nullptr;    // this is
  std::string bytes;           // what was copied
};

// From now on copies are kept, each with all that it copies: they cost as much memory once more.
void keep_host_copies();
// Ends that, and gives out what was kept.
std::vector<HostCopy> host_copies();

// Of a copy that is about to be done: keeps it, where that is asked for.
void note_host_copy(const CopyWork& work);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_HOST_COPIES_H_
