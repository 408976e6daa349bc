// Ends the program in the host's code.
#include <cstdlib>
// ---- map
std::exit(0);
