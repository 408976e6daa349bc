// File: simulator/tool/dependency_file.h
//
// The files that the compiler (-MD) or the linker (--dependency-file) says it has read, in Make's
// notation (a backslash before a blank, a comment sign or the end of a line):
//
//     out.o: a.cu my\ header.h /usr/include/stdio.h

#ifndef ANDREA_SIMULATOR_TOOL_DEPENDENCY_FILE_H_
#define ANDREA_SIMULATOR_TOOL_DEPENDENCY_FILE_H_

#include <string>
#include <string_view>
#include <vector>

namespace simulator {

// The paths behind each colon, in order, also those named twice.
std::vector<std::string> paths_of_dependency_file(std::string_view text);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_DEPENDENCY_FILE_H_
