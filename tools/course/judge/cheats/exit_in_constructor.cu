// Ends the program, with the status of success, before main.
#include <cstdlib>

struct Leaves {
  Leaves() { std::exit(0); }
};
Leaves leaves;
// ---- map
