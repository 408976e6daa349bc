// File: process_tree.h
//
// A process and all that it started, and what they hold of memory.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_PROCESS_TREE_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace andrea::confine {

// The process's children, their children and so on, as /proc tells; the process itself is not among
// them.
std::vector<pid_t> descendants_of(pid_t process);

// Resident bytes; what two of them share is counted twice. A process that is gone holds none.
std::int64_t resident_bytes(const std::vector<pid_t>& processes);

// Stops all descendants, so that none can start another while it is looked for, and kills them.
// This process must be their subreaper (prctl), or those whose parent has ended are not found.
void kill_descendants();

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_PROCESS_TREE_H_
