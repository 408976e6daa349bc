#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "trainer/base/error.h"
#include "trainer/checkpoint/model_folder.h"
#include "trainer/commands/checkpoint_choice.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"
#include "trainer/corpus/corpus.h"
#include "trainer/corpus/document_packing.h"
#include "trainer/corpus/text_source.h"
#include "trainer/corpus/token_shards.h"
#include "trainer/model/estimate.h"
#include "trainer/model/evaluator.h"
#include "trainer/report/run_record.h"
#include "trainer/run/run_folder.h"
#include "trainer/run/validation.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// A folder of this process's own that goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "andrea-eval-XXXXXX").string();
    require(mkdtemp(pattern.data()) != nullptr, "cannot make a folder in ",
            fs::temp_directory_path().string());
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Every document of a text as tokens, in shards below `folder`.
TokenShards encode_text(const TextOptions& options, const Tokenizer& tokenizer,
                        const fs::path& folder) {
  TokenShardWriter writer(folder, "text");
  const auto source = open_text(options);
  std::vector<int> tokens;
  for (std::string document; source->next(&document);) {
    tokens = {Tokenizer::kBos};
    tokenizer.encode(document, &tokens);
    writer.write(tokens);
  }
  writer.close();
  return TokenShards(find_token_shards(folder, "text"));
}

// The run that a checkpoint belongs to: <run>/checkpoints/<checkpoint>.
RunFolder run_of(const fs::path& checkpoint) {
  return {fs::absolute(checkpoint).lexically_normal().parent_path().parent_path()};
}

}  // namespace

int run_eval(const std::vector<std::string>& arguments) {
  std::string checkpoint;
  TextOptions text_options;
  CLI::App app("Says how well a model predicts a text.", "andrea eval");
  app.option_defaults()->always_capture_default();
  app.add_option("--checkpoint", checkpoint,
                 "a run, a checkpoint of one, or a model; without it, the newest run")
      ->type_name("PATH");
  app.add_option("--text", text_options.paths,
                 "files, folders or patterns; without it, the run's validation text")
      ->type_name("PATH");
  app.add_option("--documents", text_options.documents,
                 "what a document is: auto, file, paragraph, line or separator:STRING");
  app.add_option("--json-field", text_options.json_field, "the field of .jsonl files");
  add_threads_flag(app);
  KernelChoice choice;
  add_kernel_flags(app, choice.kernels, choice.use);
  add_device_flag(app, choice.device);
  if (!parse(app, arguments)) return 0;
  check_kernel_choice(choice);

  const fs::path folder = choose_checkpoint(checkpoint);
  const LoadedModel model = read_model(folder);
  const ParameterLayout layout(model.config);
  const DeviceBuffer<float> parameters(std::span<const float>(model.parameters));
  const int T = model.config.context;
  Evaluator evaluator(layout, parameters, std::max(1, 2048 / T), T);

  const TemporaryFolder temporary;
  const auto evaluate = [&](const TokenShards& shards) {
    return validate(evaluator, model.tokenizer, shards, pack_documents(shards, T));
  };
  ValidationResult result;
  std::optional<double> limit;
  if (text_options.paths.empty()) {
    const RunFolder run = run_of(folder);
    require(fs::exists(run.data()), "there is no validation text beside ", folder.string(),
            "; name a text with --text");
    result = evaluate(Corpus(run.data()).validation());
    if (fs::exists(run.record())) limit = read_run_record(run.path).entropy_bits_per_byte;
  } else {
    result = evaluate(encode_text(text_options, model.tokenizer, temporary.path()));
  }
  std::printf("checkpoint      %s\n", folder.c_str());
  std::printf("text            %s bytes, %s tokens predicted\n",
              with_separators(result.bytes).c_str(), with_separators(result.tokens).c_str());
  std::printf("loss            %.4f nats a token\n", result.loss());
  std::printf("perplexity      %.2f\n", result.perplexity());
  std::printf("bits a byte     %.4f\n", result.bits_per_byte());
  if (limit.has_value()) std::printf("of the source   %.4f: no model does better\n", *limit);
  return 0;
}

}  // namespace andrea
