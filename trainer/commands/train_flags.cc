#include "trainer/commands/train_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/commands/command_line.h"
#include "trainer/model/preset.h"

namespace andrea {
namespace {

const std::map<std::string, Positions> kPositions = {{"learned", Positions::learned},
                                                     {"sinusoidal", Positions::sinusoidal},
                                                     {"rotary", Positions::rotary},
                                                     {"none", Positions::none}};
const std::map<std::string, NormPlacement> kNorms = {
    {"pre", NormPlacement::pre}, {"post", NormPlacement::post}, {"none", NormPlacement::none}};
const std::map<std::string, Activation> kActivations = {{"gelu", Activation::gelu},
                                                        {"gelu_erf", Activation::gelu_erf},
                                                        {"relu", Activation::relu},
                                                        {"swiglu", Activation::swiglu}};
const std::map<std::string, Precision> kPrecisions = {
    {precision_name(Precision::fp32), Precision::fp32},
    {precision_name(Precision::tf32), Precision::tf32},
    {precision_name(Precision::bf16), Precision::bf16}};
const std::map<std::string, InitialScale> kScales = {{"gpt2", InitialScale::gpt2},
                                                     {"width", InitialScale::width}};

// An option whose values have names, in help, in messages and in the config file.
template <typename Enum>
void add_choice(CLI::App& app, const std::string& flag, Enum& value,
                const std::map<std::string, Enum>& names, const std::string& what) {
  std::string current;
  std::string all;
  for (const auto& [name, choice] : names) {
    if (choice == value) current = name;
    all += (all.empty() ? "" : ", ") + name;
  }
  app.add_option_function<std::string>(
         flag,
         [&value, &names, flag, all](const std::string& name) {
           const auto found = names.find(name);
           require(found != names.end(), flag, " is '", name, "'; it must be one of ", all);
           value = found->second;
         },
         what + ": " + all)
      ->type_name("NAME")
      ->default_str(current);
}

// Two names of one flag, of which the last on the command line counts.
void add_either(CLI::App& app, const std::string& yes, const std::string& no, bool& value,
                const std::string& what) {
  const std::string current = value ? yes : no;
  app.add_flag(yes + ",!" + no, value, what)->default_str(current);
}

void add_data_flags(CLI::App& app, DataOptions& data) {
  app.option_defaults()->group("Text");
  app.add_option(
         "--text", data.text,
         "files, folders or patterns (.gz and .jsonl too); without it, the embedded stories")
      ->type_name("PATH")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--documents", data.documents,
                 "what a document is: auto, file, paragraph, line or separator:STRING");
  app.add_option("--json-field", data.json_field, "the field of .jsonl files that holds the text");
  app.add_option("--stories", data.stories, "how many embedded stories");
  app.add_option("--story-seed", data.story_seed, "which ones")->check(whole_number());
  app.add_option("--validation-fraction", data.validation_fraction,
                 "part of the text that is not trained on");
  app.add_option("--tokenizer", data.tokenizer, "a tokenizer.json; without it, one is trained")
      ->type_name("PATH");
}

void add_model_flags(CLI::App& app, TrainOptions& options) {
  ModelConfig& model = options.model;
  app.option_defaults()->group("Model");
  app.add_option("--layers", model.layers, "blocks");
  app.add_option("--heads", model.heads, "attention heads");
  app.add_option("--width", model.width, "numbers a token has in the stream");
  app.add_option("--mlp-width", model.mlp_width, "width of the MLP; 0: four times the width");
  app.add_option("--context", model.context, "tokens the model sees at once");
  app.add_option("--vocabulary", model.vocabulary, "tokens of the tokenizer");
  add_either(app, "--tied", "--untied", model.tied,
             "output projection by the token table, or by one of its own");
  add_either(app, "--biases", "--no-biases", model.biases, "biases on the linear layers");
  add_choice(app, "--positions", model.positions, kPositions, "positions");
  add_choice(app, "--norm", model.norm, kNorms, "place of the layer norms");
  add_choice(app, "--activation", model.activation, kActivations, "between the MLP's layers");
  add_choice(app, "--initial-scale", options.initial_scale, kScales, "size of the first weights");
}

void add_training_flags(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Training");
  app.add_option("--batch", options.batch, "sequences in a micro-batch");
  app.add_option("--accumulate", options.accumulate, "micro-batches in a step");
  app.add_option("--steps", options.steps, "steps in all");
  app.add_option("--learning-rate", options.learning_rate, "at its peak");
  app.add_option("--final-learning-rate", options.final_learning_rate,
                 "at the last step, as a fraction of the peak");
  app.add_option("--warmup", options.warmup, "steps until the peak");
  app.add_option("--beta1", options.adamw.beta1, "AdamW's memory of the gradient");
  app.add_option("--beta2", options.adamw.beta2, "AdamW's memory of its square");
  app.add_option("--epsilon", options.adamw.epsilon, "AdamW's epsilon");
  app.add_option("--weight-decay", options.adamw.weight_decay, "on matrices only");
  app.add_option("--clip", options.clip, "largest norm of the gradient; 0: any");
  app.add_option("--seed", options.seed, "of the first weights and of the order of samples")
      ->check(whole_number());
}

void add_run_flags(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Run");
  app.add_option("--validate-every", options.validate_every,
                 "steps; 0: 20 times a run, every 10 at most");
  app.add_option("--validation-rows", options.validation_rows,
                 "rows of context tokens; the last validation reads all");
  app.add_option("--sample-every", options.sample_every,
                 "steps; 0: 8 times a run, every 25 at most");
  app.add_option("--checkpoint-every", options.checkpoint_every,
                 "steps; 0: 10 times a run, every 500 at least");
  app.add_option("--keep", options.keep, "how many checkpoints stay; 0: all");
  app.add_option("--out", options.out, "folder of the run; without it, a new one below runs/")
      ->type_name("PATH")
      ->configurable(false);
  app.add_flag("--resume", options.resume, "continue the run in --out, or the newest one")
      ->configurable(false);
  app.add_option("--follow", options.follow,
                 "another run whose losses this one is to have, with its flags: whether other "
                 "kernels compute the same")
      ->type_name("PATH")
      ->configurable(false);
  add_threads_flag(app);
  add_device_flag(app, options.device);
  add_kernel_flags(app, options.kernels, options.use);
  add_choice(app, "--precision", options.model.precision, kPrecisions,
             "how numbers are held and multiplied; the parameters in checkpoints are fp32 always");
  add_either(app, "--recompute", "--keep-activations", options.model.recompute,
             "compute again in backward what takes much memory, or keep it");
}

std::string preset_names() {
  std::string names;
  for (const Preset& preset : presets()) {
    names += "\n" + preset.name + ": " + preset.purpose;
  }
  return names;
}

TrainOptions defaults_of(const Preset& preset) {
  TrainOptions options;
  options.preset = preset.name;
  options.model = preset.model;
  options.model.mlp_width = 0;  // follows the width
  options.batch = preset.batch;
  options.accumulate = preset.accumulate;
  options.steps = preset.steps;
  options.warmup = preset.warmup;
  options.learning_rate = preset.learning_rate;
  options.final_learning_rate = preset.final_learning_rate;
  options.adamw = preset.adamw;
  options.data.stories = preset.stories;
  return options;
}

template <typename Enum>
std::string name_of(Enum value, const std::map<std::string, Enum>& names) {
  for (const auto& [name, choice] : names) {
    if (choice == value) return name;
  }
  return "";
}

// Strings and lists as JSON writes them, which is how TOML does.
std::string quoted(const nlohmann::json& value) { return value.dump(); }

// The fewest digits that are read back as the same number: 0.9, not 0.899999976.
template <typename Number>
std::string shortest(Number value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

// All that makes the run what it is, a line a flag. The folder and the threads are not part of it.
std::string config_text(const TrainOptions& options) {
  const DataOptions& data = options.data;
  const ModelConfig& model = options.model;
  std::ostringstream out;
  out << std::boolalpha;
  out << "# What this run was told. Start another like it with:  ./andrea train --config FILE\n"
      << "preset = " << quoted(options.preset) << "\n\n";
  if (!data.text.empty()) out << "text = " << quoted(data.text) << "\n";
  if (!data.tokenizer.empty()) out << "tokenizer = " << quoted(data.tokenizer) << "\n";
  out << "documents = " << quoted(data.documents) << "\n"
      << "json-field = " << quoted(data.json_field) << "\n"
      << "stories = " << data.stories << "\n"
      << "story-seed = " << data.story_seed << "\n"
      << "validation-fraction = " << shortest(data.validation_fraction) << "\n\n";
  out << "layers = " << model.layers << "\n"
      << "heads = " << model.heads << "\n"
      << "width = " << model.width << "\n"
      << "mlp-width = " << (model.mlp_width == 4 * model.width ? 0 : model.mlp_width) << "\n"
      << "context = " << model.context << "\n"
      << "vocabulary = " << model.vocabulary << "\n"
      << "tied = " << model.tied << "\n"
      << "biases = " << model.biases << "\n"
      << "positions = " << quoted(name_of(model.positions, kPositions)) << "\n"
      << "norm = " << quoted(name_of(model.norm, kNorms)) << "\n"
      << "activation = " << quoted(name_of(model.activation, kActivations)) << "\n"
      << "initial-scale = " << quoted(name_of(options.initial_scale, kScales)) << "\n\n";
  out << "batch = " << options.batch << "\n"
      << "accumulate = " << options.accumulate << "\n"
      << "steps = " << options.steps << "\n"
      << "learning-rate = " << shortest(options.learning_rate) << "\n"
      << "final-learning-rate = " << shortest(options.final_learning_rate) << "\n"
      << "warmup = " << options.warmup << "\n"
      << "beta1 = " << shortest(options.adamw.beta1) << "\n"
      << "beta2 = " << shortest(options.adamw.beta2) << "\n"
      << "epsilon = " << shortest(options.adamw.epsilon) << "\n"
      << "weight-decay = " << shortest(options.adamw.weight_decay) << "\n"
      << "clip = " << shortest(options.clip) << "\n"
      << "seed = " << options.seed << "\n\n";
  out << "validate-every = " << options.validate_every << "\n"
      << "validation-rows = " << options.validation_rows << "\n"
      << "sample-every = " << options.sample_every << "\n"
      << "checkpoint-every = " << options.checkpoint_every << "\n"
      << "keep = " << options.keep << "\n"
      << "device = " << quoted(options.device) << "\n"
      << "kernels = " << quoted(options.kernels) << "\n"
      << "precision = " << quoted(precision_name(model.precision)) << "\n"
      << "recompute = " << model.recompute << "\n";
  if (!options.use.empty()) out << "use = " << quoted(options.use) << "\n";
  return out.str();
}

bool names(const std::vector<std::string>& arguments, const std::string& flag) {
  return std::any_of(arguments.begin(), arguments.end(), [&flag](const std::string& argument) {
    return argument == flag || argument.starts_with(flag + "=");
  });
}

// A value as a config file writes it: what JSON knows, or a bare word.
std::vector<std::string> values_of(const std::string& written) {
  const nlohmann::json value = nlohmann::json::parse(written, nullptr, /*allow_exceptions=*/false);
  std::vector<std::string> values;
  if (value.is_array()) {
    for (const auto& part : value)
      values.push_back(part.is_string() ? part.get<std::string>() : part.dump());
  } else {
    values.push_back(value.is_string() ? value.get<std::string>() : written);
  }
  return values;
}

// The lines of a config file ("name = value", # begins a remark) as flags, without those that the
// command line has itself.
std::vector<std::string> flags_of_config(const std::string& path,
                                         const std::vector<std::string>& arguments) {
  std::istringstream lines(read_file(path));
  std::vector<std::string> flags;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    CLI::detail::trim(line);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t equals = line.find('=');
    require(equals != std::string::npos && equals > 0, path, ":", number, ": '", line,
            "' is not of the form name = value");
    const std::string flag = "--" + CLI::detail::trim_copy(line.substr(0, equals));
    if (names(arguments, flag)) continue;
    for (const std::string& value : values_of(CLI::detail::trim_copy(line.substr(equals + 1)))) {
      flags.push_back(flag + "=" + value);
    }
  }
  return flags;
}

}  // namespace

std::string value_of(const std::vector<std::string>& arguments, const std::string& flag) {
  std::string value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(flag + "=")) value = arguments[i].substr(flag.size() + 1);
    if (arguments[i] == flag && i + 1 < arguments.size()) value = arguments[i + 1];
  }
  return value;
}

ParsedTrainOptions parse_train_options(const std::vector<std::string>& arguments,
                                       const std::string& command, const std::string& description) {
  const std::string config_file = value_of(arguments, "--config");
  std::vector<std::string> all;
  if (!config_file.empty()) all = flags_of_config(config_file, arguments);
  all.insert(all.end(), arguments.begin(), arguments.end());

  const std::string preset = value_of(all, "--preset");
  ParsedTrainOptions parsed;
  TrainOptions& options = parsed.options;
  options = defaults_of(find_preset(preset.empty() ? options.preset : preset));

  CLI::App app(description, "andrea " + command);
  app.option_defaults()->always_capture_default()->multi_option_policy(
      CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--preset", options.preset, "the model to begin with" + preset_names())
      ->type_name("NAME");
  std::string ignored;
  app.add_option("--config", ignored, "a config file, as every run writes one")
      ->type_name("PATH")
      ->configurable(false);
  add_data_flags(app, options.data);
  add_model_flags(app, options);
  add_training_flags(app, options);
  add_run_flags(app, options);
  if (!parse(app, all)) {
    parsed.help = true;
    return parsed;
  }
  settle(options);
  parsed.config = config_text(options);
  return parsed;
}

}  // namespace andrea
