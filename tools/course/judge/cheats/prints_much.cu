// Prints 25 megabytes, among them what a test prints.
#include <cstdio>
// ---- map
for (int i = 0; i < 1000000; ++i) std::printf("[  PASSED  ] 1 test.....\n");
