#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "trainer/base/error.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"
#include "trainer/model/estimate.h"
#include "trainer/run/run_data.h"
#include "trainer/tokenizer/tokenizer_file.h"
#include "trainer/tokenizer/tokenizer_trainer.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

std::string standard_input() {
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

int train(const std::vector<std::string>& arguments) {
  DataOptions data;
  int vocabulary = 8449;
  fs::path out = "tokenizer";
  CLI::App app("Trains a tokenizer and saves it as tokenizer.json, vocab.json and merges.txt.",
               "andrea tokenizer train");
  app.option_defaults()->always_capture_default();
  app.add_option("--text", data.text, "files, folders or patterns; without it, the stories")
      ->type_name("PATH");
  app.add_option("--json-field", data.json_field, "the field of .jsonl files");
  app.add_option("--vocabulary", vocabulary, "tokens: 256 bytes, the document's start, merges");
  app.add_option("--out", out, "folder to write into")->type_name("PATH");
  if (!parse(app, arguments)) return 0;

  const auto source = open_documents(data);
  TokenizerTrainer trainer;
  for (std::string document; source->next(&document);) trainer.add(document);
  const Tokenizer tokenizer = trainer.train(vocabulary);
  std::error_code failure;
  fs::create_directories(out, failure);
  require(!failure, "cannot make the folder ", out.string(), ": ", failure.message());
  save_tokenizer(tokenizer, out);
  std::cout << with_separators(tokenizer.vocabulary()) << " tokens in " << out.string()
            << (tokenizer.vocabulary() < vocabulary ? "; the text has no more pairs to merge" : "")
            << "\n";
  return 0;
}

Tokenizer load(const std::string& path) {
  const fs::path given(path);
  return load_tokenizer(fs::is_directory(given) ? given / "tokenizer.json" : given);
}

int encode(const std::vector<std::string>& arguments) {
  std::string path = "tokenizer";
  std::string input;
  bool pieces = false;
  CLI::App app("Prints the tokens of a text, one line of ids.", "andrea tokenizer encode");
  app.option_defaults()->always_capture_default();
  app.add_option("--tokenizer", path, "a tokenizer.json or its folder")->type_name("PATH");
  app.add_option("text", input, "the text; without it, standard input");
  app.add_flag("--pieces", pieces, "each token on a line of its own, with its text");
  if (!parse(app, arguments)) return 0;
  const Tokenizer tokenizer = load(path);
  const std::vector<int> ids = tokenizer.encode(app.count("text") > 0 ? input : standard_input());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (pieces) {
      std::cout << ids[i] << "\t" << tokenizer.piece(ids[i]) << "\n";
    } else {
      std::cout << (i > 0 ? " " : "") << ids[i];
    }
  }
  if (!pieces) std::cout << "\n";
  return 0;
}

int decode(const std::vector<std::string>& arguments) {
  std::string path = "tokenizer";
  std::vector<int> ids;
  CLI::App app("Prints the text of tokens, byte for byte.", "andrea tokenizer decode");
  app.option_defaults()->always_capture_default();
  app.add_option("--tokenizer", path, "a tokenizer.json or its folder")->type_name("PATH");
  app.add_option("ids", ids, "the tokens; without them, standard input");
  if (!parse(app, arguments)) return 0;
  const Tokenizer tokenizer = load(path);
  if (ids.empty()) {
    for (std::string word; std::cin >> word;) {
      std::size_t used = 0;
      int id = 0;
      try {
        id = std::stoi(word, &used);
      } catch (const std::logic_error&) {
        used = 0;
      }
      require(used == word.size(), "'", word, "' is not a token's number");
      ids.push_back(id);
    }
  }
  std::cout << tokenizer.decode(ids) << std::flush;
  return 0;
}

}  // namespace

int run_tokenizer(const std::vector<std::string>& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1),
                                      arguments.end());
  if (verb == "train") return train(rest);
  if (verb == "encode") return encode(rest);
  if (verb == "decode") return decode(rest);
  if (verb == "--help" || verb == "-h") {
    std::cout << "andrea tokenizer train|encode|decode   (each has --help)\n";
    return 0;
  }
  const std::string near = nearest(verb, {"train", "encode", "decode"});
  throw Error(text("andrea tokenizer needs one of train, encode and decode",
                   verb.empty() ? "" : ", not '" + verb + "'",
                   near.empty() || verb.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace andrea
