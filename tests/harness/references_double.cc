#include "tests/harness/references.h"

namespace andrea::reference {

ANDREA_REFERENCES(template, double);

}  // namespace andrea::reference
