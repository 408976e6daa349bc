// Looks at a student's source and at its object before it is linked (allowed.h, source_look.h):
//
//   look --source FILE --path PATH --preprocessed FILE --object FILE --names FILE
//        --runtime FILE --keep FILE --remarks FILE [--header PATH]... [--cublas]
//        [--findings FILE]
//
// Everything that the grade rests on and that the student's process tells, the counters, the number
// of reports and the errors, comes from the simulator in that process. The student's code must
// therefore not be able to call the simulator but as compiled kernels do, and nothing that is
// compiled may go unwatched. Refused, with a sentence and status 1, are
//
// - symbols that no exercise needs: files, processes, system calls, signals, threads, the
//   environment, dlsym, the simulator's functions for tests, the judge's own. So nothing can be
//   written but what is printed, and nothing runs beside or after the call;
// - functions of the simulator's that the student has made anew, those that compiled kernels call
//   at each load and store above all: what the object defines itself it calls itself;
// - headers that none needs, those of references and solutions among them, and lines that pretend
//   to be another file's;
// - inline assembly, the machine's own intrinsics, sections of code by hand: instructions that the
//   compiler does not instrument are neither counted nor checked;
// - attributes but for the harmless ones (no_sanitize switches the watching off; section, alias and
//   ifunc move or replace code), and #pragma GCC for the same reason.
//
// Not refused, but remarked for a person, are constructors of static objects: <iostream> has one.
// One that ends the program leaves no answer. Defining main or a function of the C library is not
// refused either: but for the functions of the headers (--names, whose symbols go to --keep) every
// symbol is made the object's own before it is linked, so that it stands in for nobody elsewhere.
//
// What remains possible: code of the host and of kernels shares a process with the simulator, and a
// pointer can be made of a number. Whoever finds the address of a counter can change it, without
// calling anybody; whoever copies by a function of the standard library that is compiled elsewhere
// (std::string's) is not counted there. Neither gives right numbers for wrong ones, which the judge
// compares in its own process. And host code may compute what a kernel should: the look cannot tell
// who computes.

#include <CLI/CLI.hpp>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tools/course/judge/allowed.h"
#include "tools/course/judge/object_file.h"
#include "tools/course/judge/source_look.h"
#include "trainer/base/file.h"

namespace andrea::judge {
namespace {

struct Options {
  std::string source, path, preprocessed, object, names, runtime, keep, remarks, findings;
  std::vector<std::string> headers;
  bool cublas = false;
};

// "andrea::attention_supports" of "andrea::attention_supports[abi:cxx11](...)".
std::string name_of(const std::string& function) {
  return function.substr(0, function.find_first_of("(["));
}

std::vector<std::string> look(const Options& options) {
  const std::set<std::string> headers(options.headers.begin(), options.headers.end());
  std::vector<std::string> findings =
      look_at_source(read_file(options.source), options.path, headers);
  for (std::string& one : look_at_preprocessed(read_file(options.preprocessed), options.path)) {
    findings.push_back(std::move(one));
  }
  const std::string file = options.path.substr(options.path.rfind('/') + 1);
  const ObjectFile object = object_file(read_file(options.object));
  for (const std::string& symbol : object.undefined) {
    const std::string name = demangled(symbol);
    if (may_call(name, options.cublas)) continue;
    findings.push_back(file + " uses '" + name_of(name) + "', which no exercise needs.");
  }
  const std::set<std::string> runtime = offered_by(read_file(options.runtime));
  for (const std::vector<std::string>* const own : {&object.defined, &object.hidden}) {
    for (const std::string& symbol : *own) {
      if (runtime.count(symbol) == 0) continue;
      findings.push_back(file + " has a '" + name_of(demangled(symbol)) +
                         "' of its own, which no exercise needs.");
    }
  }
  for (const std::string& section : object.odd_code) {
    findings.push_back(file + " has code in a section of its own, '" + section +
                       "', which no exercise needs.");
  }

  std::istringstream lines(read_file(options.names));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) names.insert(line);
  std::string keep, remarks;
  for (const std::string& symbol : object.defined) {
    const std::string name = demangled(symbol);
    if (names.count(name_of(name)) > 0) {
      keep += symbol + "\n";
    } else if (name == symbol) {
      remarks += file + " defines '" + symbol + "'.\n";
    }
  }
  for (const std::string& section : object.constructors) {
    remarks += file + " has code that runs before main or after it (" + section + ").\n";
  }
  if (keep.empty()) findings.push_back(file + " defines none of the lesson's functions.");
  write_file(options.keep, keep);
  write_file(options.remarks, remarks);
  return findings;
}

}  // namespace
}  // namespace andrea::judge

int main(int argc, char** argv) {
  andrea::judge::Options options;
  CLI::App app("Looks at a student's source and object.");
  app.add_option("--source", options.source)->required();
  app.add_option("--path", options.path, "how the source is called")->required();
  app.add_option("--preprocessed", options.preprocessed)->required();
  app.add_option("--object", options.object)->required();
  app.add_option("--names", options.names, "functions that the object is to offer")->required();
  app.add_option("--runtime", options.runtime, "the simulator's library")->required();
  app.add_option("--keep", options.keep)->required();
  app.add_option("--remarks", options.remarks)->required();
  app.add_option("--header", options.headers, "that may be included")->allow_extra_args(false);
  app.add_option("--findings", options.findings, "takes what is found, which is then no error");
  app.add_flag("--cublas", options.cublas);
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<std::string> findings = andrea::judge::look(options);
    std::string text;
    for (const std::string& finding : findings) text += finding + "\n";
    if (!options.findings.empty()) {
      andrea::write_file(options.findings, text);
      return 0;
    }
    std::cerr << text;
    return findings.empty() ? 0 : 1;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 2;
  }
}
