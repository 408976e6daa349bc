// Looks at a student's source before it is compiled:
//
//   look_first --source FILE --path PATH --out FILE [--header PATH]... [--worksheet]
//
// A compiler reads what it is told to include, and shows in its errors what it has read. So a
// source is compiled only after this has found that it includes what exercises need and nothing
// else (source_look.h); what the object tells is looked at later (look_main.cc). A worksheet's text
// is all that is ever looked at of it: assembly, whose .incbin would take in others' files, has no
// place in one either, nor words that the preprocessor puts together.
//
// Refused, with a sentence for each finding on standard error and status 1. FILE is made where all
// is well, for the compilation to wait for.

#include <CLI/CLI.hpp>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "tools/course/judge/source_look.h"
#include "trainer/base/file.h"

int main(int argc, char** argv) {
  std::string source, path, out;
  std::vector<std::string> headers;
  bool is_worksheet = false;
  CLI::App app("Looks at a student's source before it is compiled.");
  app.add_option("--source", source)->required();
  app.add_option("--path", path, "how the source is called")->required();
  app.add_option("--out", out, "made where all is well")->required();
  app.add_option("--header", headers, "that may be included")->allow_extra_args(false);
  app.add_flag("--worksheet", is_worksheet);
  CLI11_PARSE(app, argc, argv);
  try {
    const std::string text = andrea::read_file(source);
    const std::set<std::string> known(headers.begin(), headers.end());
    const std::vector<std::string> findings =
        is_worksheet ? andrea::judge::look_at_worksheet(text, path, known)
                     : andrea::judge::look_at_source(text, path, known);
    for (const std::string& finding : findings) std::cerr << finding << "\n";
    if (!findings.empty()) return 1;
    andrea::write_file(out, "");
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 2;
  }
}
