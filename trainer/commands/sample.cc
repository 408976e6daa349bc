#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>

#include "trainer/base/error.h"
#include "trainer/checkpoint/model_folder.h"
#include "trainer/commands/checkpoint_choice.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"
#include "trainer/model/decoder.h"
#include "trainer/run/progress.h"
#include "trainer/sample/generate.h"

namespace andrea {
namespace {

struct SampleOptions {
  std::string checkpoint;
  std::string prompt;
  int count = 1;
  GenerationOptions generation;
  bool endless = false;
};

}  // namespace

int run_sample(const std::vector<std::string>& arguments) {
  SampleOptions options;
  SamplingOptions& sampling = options.generation.sampling;
  CLI::App app("Writes text with a trained model.", "andrea sample");
  app.option_defaults()->always_capture_default();
  app.add_option("--checkpoint", options.checkpoint,
                 "a run, a checkpoint of one, or a model; without it, the newest run")
      ->type_name("PATH");
  app.add_option("--prompt", options.prompt,
                 "how the text begins; - or a pipe: what standard input says");
  app.add_option("--tokens", options.generation.most_tokens, "how many at most");
  app.add_option("--count", options.count, "how many texts");
  app.add_option("--temperature", sampling.temperature, "0: always the likeliest token");
  app.add_option("--top-k", sampling.top_k, "only the k likeliest tokens; 0: all");
  app.add_option("--top-p", sampling.top_p, "only the likeliest tokens of this probability");
  app.add_option("--seed", sampling.seed, "another seed, another text")->check(whole_number());
  app.add_flag("--endless", options.endless, "go on after the end of a document");
  add_threads_flag(app);
  KernelChoice choice;
  add_kernel_flags(app, choice.kernels, choice.use);
  add_device_flag(app, choice.device);
  if (!parse(app, arguments)) return 0;
  check_kernel_choice(choice);
  require(options.count >= 1, "--count is ", options.count, "; it must be at least 1");
  check_sampling(sampling);
  options.generation.stop_at_end = !options.endless;

  if (options.prompt == "-" ||
      (options.prompt.empty() && app.count("--prompt") == 0 && isatty(STDIN_FILENO) == 0)) {
    options.prompt.assign(std::istreambuf_iterator<char>(std::cin), {});
    // The line's end is the shell's, not the text's.
    if (options.prompt.ends_with('\n')) options.prompt.pop_back();
  }

  const LoadedModel model = read_model(choose_checkpoint(options.checkpoint));
  const ParameterLayout layout(model.config);
  const DeviceBuffer<float> parameters(std::span<const float>(model.parameters));
  Decoder decoder(layout, parameters);
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  for (int i = 0; i < options.count; ++i) {
    if (i > 0) std::cout << "\n---\n";
    std::cout << options.prompt << std::flush;
    generate(decoder, model.tokenizer, options.prompt, options.generation,
             static_cast<std::uint64_t>(i), [terminal](std::string_view piece) {
               if (terminal) {
                 std::cout << printable(piece) << std::flush;
               } else {
                 std::cout << piece << std::flush;
               }
             });
  }
  std::cout << std::endl;
  return 0;
}

}  // namespace andrea
