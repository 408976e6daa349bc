#include "trainer/corpus/prepare.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "trainer/base/error.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"

namespace andrea {

int run_prepare(const std::vector<std::string>& arguments) {
  std::string what;
  std::string out;
  CLI::App app("Fetches a text to train on, from Debian's packages.", "andrea prepare");
  app.option_defaults()->always_capture_default();
  app.add_option("text", what, "austen: six novels of Jane Austen; kjv: the King James Bible");
  app.add_option("--out", out, "folder to write into; without it, data/TEXT")->type_name("PATH");
  if (!parse(app, arguments)) return 0;
  require(!what.empty(), "andrea prepare needs the name of a text: austen or kjv");
  const std::string near = nearest(what, {"austen", "kjv"});
  require(what == "austen" || what == "kjv", "there is no text '", what, "'",
          near.empty() ? "" : "; did you mean " + near + "?", "  (the texts are austen and kjv)");

  const std::string folder = out.empty() ? "data/" + what : out;
  const PreparedText prepared = what == "austen" ? prepare_austen(folder) : prepare_kjv(folder);
  std::cout << (prepared.was_there ? "It is there already: " : "Written to ")
            << prepared.folder.string() << "\n"
            << prepared.provenance << "Train on it with:  ./andrea train --text "
            << prepared.folder.string() << "\n";
  return 0;
}

}  // namespace andrea
