// File: forbidden_calls.h
//
// The calls to the kernel that a student's program has no use for and that would lead around the
// limits: namespaces and mounts (a file system in memory), memory that belongs to no process,
// tracing, io_uring and the like. They fail with EPERM; clone3 with ENOSYS, after which the C
// library makes threads by clone, whose flags can be looked at.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_FORBIDDEN_CALLS_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_FORBIDDEN_CALLS_H_

namespace andrea::confine {

// For this process and all that come from it, for ever. Returns 0 or an errno. Calls of another
// architecture (32 bits) end the process.
int forbid_calls();

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_FORBIDDEN_CALLS_H_
