#include "tools/course/runner/workshop.h"

#include <cstdio>

namespace andrea::course {

void print(const Workshop& workshop, const Page& page) {
  for (const std::string& line : laid_out(page, workshop.layout)) std::puts(line.c_str());
  std::fflush(stdout);
}

}  // namespace andrea::course
