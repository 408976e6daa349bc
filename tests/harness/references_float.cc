#include "tests/harness/references.h"

namespace andrea::reference {

ANDREA_REFERENCES(template, float);

}  // namespace andrea::reference
