// Writes the two sides of a call (proxies.h):
//
//   proxies proxies|dispatch --out FILE [--include PATH]... [--without NAME]... HEADER...
//   proxies names --out FILE HEADER...
//   proxies worksheet-proxies --out FILE SOLUTION
//   proxies worksheet-dispatch --out FILE --student PATH SOLUTION
//
// A HEADER is included by the path that it is given by; --include names further headers, which know
// how a type crosses (crossing.h).

#include <CLI/CLI.hpp>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "tools/course/judge/proxies.h"
#include "trainer/base/file.h"

int main(int argc, char** argv) {
  namespace judge = andrea::judge;
  CLI::App app("The two sides of a call of a student's function.");
  std::string what, out, student;
  std::vector<std::string> includes, without, paths;
  app.add_option("what", what)
      ->required()
      ->check(CLI::IsMember(
          {"proxies", "dispatch", "names", "worksheet-proxies", "worksheet-dispatch"}));
  app.add_option("--out", out)->required();
  app.add_option("--include", includes)->allow_extra_args(false);
  app.add_option("--without", without)->allow_extra_args(false);
  app.add_option("--student", student);
  app.add_option("headers", paths)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<judge::Header> headers;
    for (const std::string& path : paths) headers.push_back({path, andrea::read_file(path)});
    const std::set<std::string> left_out(without.begin(), without.end());
    std::string text;
    if (what == "proxies") text = judge::proxies_of(headers, includes, left_out);
    if (what == "dispatch") text = judge::dispatch_of(headers, includes, left_out);
    if (what == "names") text = judge::names_of(headers);
    if (what == "worksheet-proxies") text = judge::worksheet_proxies_of(headers.at(0));
    if (what == "worksheet-dispatch") text = judge::worksheet_dispatch_of(headers.at(0), student);
    andrea::write_file(out, text);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
  return 0;
}
