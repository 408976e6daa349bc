// Writes the results that a test would write.
#include <cstdio>
#include <cstdlib>
// ---- map
const char* const path = std::getenv("XML_OUTPUT_FILE");
if (std::FILE* const file = std::fopen(path != nullptr ? path : "test.xml", "w")) {
  std::fputs("<testsuites tests=\"1\"><testcase name=\"Exercise1\"/></testsuites>", file);
  std::fclose(file);
}
