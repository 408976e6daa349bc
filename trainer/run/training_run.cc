#include "trainer/run/training_run.h"

#include <omp.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/origins.h"
#include "kernels/transformer.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/terminal.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/corpus/document_packing.h"
#include "trainer/model/decoder.h"
#include "trainer/model/estimate.h"
#include "trainer/model/learner.h"
#include "trainer/report/report.h"
#include "trainer/run/batches.h"
#include "trainer/run/followed_run.h"
#include "trainer/run/gemm_ceiling.h"
#include "trainer/run/progress.h"
#include "trainer/run/run_data.h"
#include "trainer/run/run_log.h"
#include "trainer/run/schedule.h"
#include "trainer/run/stop_signal.h"
#include "trainer/run/validation.h"
#include "trainer/sample/generate.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Validation batches hold about this many tokens, and at least one row.
constexpr int kValidationTokens = 2048;

// A report in between is worth its writing only so often.
constexpr std::chrono::seconds kReportEvery{30};

void say(std::string_view line) { std::cout << for_terminal(line) << std::endl; }

// Refuses what the machine has no memory for, before anything is allocated.
void check_memory(const ModelConfig& config, const TrainOptions& options) {
  const MemoryEstimate need = estimate_training_memory(config, options.batch, config.context);
  const std::size_t have = available_memory();
  const auto readable = [](std::size_t bytes) {
    return readable_bytes(static_cast<double>(bytes));
  };
  require(have == 0 || need.total() <= have, "this run needs ", readable(need.total()),
          " of memory (parameters ", readable(need.parameters), ", gradients ",
          readable(need.gradients), ", moments ", readable(need.moments), ", activations ",
          readable(need.activations), ", logits ", readable(need.logits), ", scratch ",
          readable(need.scratch), ") and ", readable(have), " are free; lower --batch (",
          options.batch, "; --accumulate makes up for it) or --context (", config.context,
          "), or take a smaller model");
}

// "Kernels: attention of lessons/03_attention; all others of the cpu set." Empty where all are.
std::string foreign_kernels() {
  std::string names;
  for (const auto& [operation, implementation] : kernel_origins()) {
    if (implementation.starts_with("//kernels/")) continue;
    const std::string_view package = implementation.substr(2, implementation.find(':') - 2);
    names += text(names.empty() ? "Kernels: " : ", ", operation, " of ", package);
  }
  return names.empty() ? "" : names + "; all others of the cpu set.";
}

void make_folder(const RunFolder& folder, bool resume) {
  std::error_code failure;
  fs::create_directories(folder.path, failure);
  require(!failure, "cannot make the folder ", folder.path.string(), ": ", failure.message());
  require(resume || !folder.holds_a_run(), folder.path.string(),
          " already holds a run; continue it with --resume, or name another folder with --out");
}

// What was refused on the way leaves no run behind that would be in the way of the next try.
void remove_set_up(const RunFolder& folder) {
  std::error_code ignored;
  for (const fs::path& part : {folder.config(), folder.tokenizer(), folder.data()}) {
    fs::remove_all(part, ignored);
  }
  fs::remove(folder.path / ".lock", ignored);
  fs::remove(folder.path, ignored);  // goes only if it is empty
}

class TrainingRun {
 public:
  TrainingRun(const RunFolder& folder, const TrainOptions& options, RunData data);

  void take_up();
  void train();

 private:
  std::int64_t tokens_per_step() const;
  std::optional<TrainedStep> take_step(std::int64_t step, const StopSignal& stop);
  void validate_into(TrainedStep& result);
  void refuse_non_finite(std::int64_t step, const char* what, double value) const;
  void show_sample(std::int64_t step);
  void keep_checkpoint();
  void write_record(const char* status);
  void finish(const char* signal);

  RunFolder folder_;
  TrainOptions options_;
  RunData data_;
  ModelConfig config_;
  Learner learner_;
  Evaluator evaluator_;
  Decoder decoder_;
  Batches batches_;
  Schedule schedule_;
  std::vector<PackedRow> validation_rows_;
  CorpusLimits limits_;
  double ceiling_;
  TrainingState state_;
  std::int64_t saved_step_ = -1;  // of the newest checkpoint
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<Progress> progress_;
  std::optional<FollowedRun> followed_;
  std::chrono::steady_clock::time_point last_report_;
};

ModelConfig with_vocabulary(ModelConfig config, int vocabulary) {
  config.vocabulary = vocabulary;
  return config;
}

TrainingRun::TrainingRun(const RunFolder& folder, const TrainOptions& options, RunData data)
    : folder_(folder),
      options_(options),
      data_(std::move(data)),
      config_(with_vocabulary(options.model, data_.tokenizer.vocabulary())),
      learner_(config_, options.batch, config_.context),
      evaluator_(learner_.layout(), learner_.parameters(),
                 std::max(1, kValidationTokens / config_.context), config_.context),
      decoder_(learner_.layout(), learner_.parameters()),
      batches_(data_.corpus.training(), window_starts(data_.corpus, config_.context),
               {options.batch, options.accumulate, 1}, config_.context, options.seed),
      schedule_{options.learning_rate, options.final_learning_rate, options.warmup, options.steps},
      validation_rows_(pack_documents(data_.corpus.validation(), config_.context)),
      limits_(measure_limits(data_, options.data.text.empty())),
      ceiling_(gemm_ceiling(config_, options.batch * config_.context)),
      state_{.seed = options.seed} {
  if (!options.follow.empty()) followed_.emplace(RunFolder{options.follow});
}

// Begins at the newest sound checkpoint, or at step 0.
void TrainingRun::take_up() {
  fs::create_directories(folder_.checkpoints());
  remove_unfinished_checkpoints(folder_.checkpoints());
  const std::optional<FoundCheckpoint> found = find_checkpoint(folder_.checkpoints());
  if (found.has_value()) {
    for (const std::string& damaged : found->damaged) say("Passed over: " + damaged + ".");
    state_ = load_checkpoint(found->folder, learner_);
    saved_step_ = state_.step;
    say(text("Continuing after step ", state_.step, "."));
  } else {
    learner_.parameters().upload(
        initial_weights(learner_.layout(), options_.initial_scale, options_.seed));
  }
  log_ = std::make_unique<RunLog>(folder_, state_.step);
}

void TrainingRun::train() {
  say(text("Model: ", with_separators(learner_.layout().parameter_count()), " parameters; ",
           with_separators(tokens_per_step()), " tokens a step; ", omp_get_max_threads(),
           " threads, ", std::llround(ceiling_ / 1e9),
           " GFLOP/s in matrix products (the GEMM ceiling)."));
  if (const std::string kernels = foreign_kernels(); !kernels.empty()) say(kernels);
  if (limits_.source_entropy.has_value()) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "The source of these stories has %.4f bits a byte; no model can do better. Token "
                  "frequencies alone give %.4f.",
                  *limits_.source_entropy, limits_.unigram);
    say(line);
  } else {
    char line[120];
    std::snprintf(line, sizeof line, "Token frequencies alone give %.4f bits a byte.",
                  limits_.unigram);
    say(line);
  }
  write_record("running");
  progress_ =
      std::make_unique<Progress>(options_.steps, training_flops_per_token(config_, config_.context),
                                 ceiling_, limits_.source_entropy);

  const StopSignal stop;
  while (state_.step < options_.steps && stop.received() == nullptr) {
    const std::int64_t step = state_.step + 1;
    std::optional<TrainedStep> taken = take_step(step, stop);
    if (!taken.has_value()) break;
    TrainedStep& result = *taken;
    if (step % options_.validate_every == 0 || step == options_.steps) validate_into(result);
    log_->append(result);
    progress_->step(result);
    if (step % options_.sample_every == 0 || step == options_.steps) show_sample(step);
    if (step % options_.checkpoint_every == 0) keep_checkpoint();
    if (std::chrono::steady_clock::now() - last_report_ > kReportEvery) write_record("running");
  }
  finish(stop.received());
}

std::int64_t TrainingRun::tokens_per_step() const {
  return std::int64_t{options_.batch} * options_.accumulate * config_.context;
}

// Nothing when a signal came before the gradient was complete: the step was not taken then.
std::optional<TrainedStep> TrainingRun::take_step(std::int64_t step, const StopSignal& stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t tokens = tokens_per_step();
  double loss = 0;
  for (int micro = 0; micro < options_.accumulate; ++micro) {
    if (stop.received() != nullptr) return std::nullopt;
    const Batch& batch = batches_.read(step, micro);
    loss += learner_.accumulate(batch.tokens, batch.targets, 1.0f / static_cast<float>(tokens),
                                micro == 0);
  }
  loss /= static_cast<double>(tokens);
  refuse_non_finite(step, "loss", loss);
  if (followed_.has_value()) followed_->compare(step, loss);

  const double learning_rate = schedule_.learning_rate(step);
  const StepScalars scalars{
      .step = step, .seed = options_.seed, .learning_rate = static_cast<float>(learning_rate)};
  const double norm = learner_.update(scalars, options_.adamw, static_cast<float>(options_.clip));
  refuse_non_finite(step, "gradient's norm", norm);

  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  state_.step = step;
  state_.tokens += tokens;
  state_.seconds += seconds;
  return TrainedStep{.step = step,
                     .tokens = state_.tokens,
                     .loss = loss,
                     .learning_rate = learning_rate,
                     .gradient_norm = norm,
                     .tokens_per_second = static_cast<double>(tokens) / seconds};
}

// The last validation reads all of the text, those before it some rows from all over it.
void TrainingRun::validate_into(TrainedStep& result) {
  const bool last = result.step == options_.steps;
  const auto rows =
      last ? validation_rows_
           : choose_evenly(validation_rows_, static_cast<std::size_t>(options_.validation_rows));
  result.validation = validate(evaluator_, data_.tokenizer, data_.corpus.validation(), rows);
}

void TrainingRun::refuse_non_finite(std::int64_t step, const char* what, double value) const {
  if (std::isfinite(value)) return;
  const std::string tensor = learner_.first_non_finite_tensor();
  throw Error(text("training has diverged: at step ", step, " the ", what, " is ",
                   std::isnan(value) ? "not a number" : "infinite", "; ",
                   tensor.empty() ? "all parameters and gradients are finite still"
                                  : "the first tensor that is not finite is " + tensor,
                   "; the last checkpoint is untouched: try a lower --learning-rate (",
                   options_.learning_rate, ") or a longer --warmup (", options_.warmup, ")"));
}

void TrainingRun::show_sample(std::int64_t step) {
  const GenerationOptions generation{.sampling = {.temperature = 0.8, .seed = options_.seed},
                                     .most_tokens = 120};
  const std::string sample =
      generate_text(decoder_, data_.tokenizer, "", generation, static_cast<std::uint64_t>(step));
  log_->append_sample(step, "", sample);
  progress_->say(text("step ", step, "  a sample:\n    ", printable(sample)));
}

void TrainingRun::keep_checkpoint() {
  if (state_.step == saved_step_) return;
  // Weights that have just diverged must not push out the last sound ones, so they are tried first.
  const Batch& next = batches_.read(state_.step + 1, 0);
  refuse_non_finite(state_.step, "loss after its update",
                    learner_.accumulate(next.tokens, next.targets, 0.0f, true));
  log_->sync();
  save_checkpoint(folder_.checkpoints(), state_, learner_, data_.tokenizer, options_.keep);
  saved_step_ = state_.step;
}

void TrainingRun::write_record(const char* status) {
  Json kernels = Json::array();
  for (const KernelOrigin& origin : kernel_origins()) {
    kernels.push_back({{"operation", origin.operation}, {"implementation", origin.implementation}});
  }
  Json record = {
      {"name", folder_.path.filename().string()},
      {"status", status},
      {"corpus", data_.corpus.summary().description},
      {"parameters", learner_.layout().parameter_count()},
      {"steps", options_.steps},
      {"seconds", state_.seconds},
      {"shape",
       {{"layers", config_.layers},
        {"heads", config_.heads},
        {"width", config_.width},
        {"mlp_width", config_.mlp_width},
        {"vocabulary", config_.vocabulary},
        {"context", config_.context},
        {"tied", config_.tied},
        {"biases", config_.biases}}},
      {"options",
       {{"preset", options_.preset},
        {"batch", options_.batch},
        {"accumulate", options_.accumulate},
        {"learning_rate", options_.learning_rate},
        {"final_learning_rate", options_.final_learning_rate},
        {"warmup", options_.warmup},
        {"beta1", options_.adamw.beta1},
        {"beta2", options_.adamw.beta2},
        {"weight_decay", options_.adamw.weight_decay},
        {"clip", options_.clip},
        {"seed", options_.seed}}},
      {"kernels", kernels},
      {"machine", text(omp_get_max_threads(), " threads, ", std::llround(ceiling_ / 1e9),
                       " GFLOP/s in matrix products")},
      {"unigram_bits_per_byte", limits_.unigram},
  };
  if (limits_.source_entropy.has_value()) record["entropy_bits_per_byte"] = *limits_.source_entropy;
  if (limits_.validation_exact.has_value()) {
    record["validation_exact_bits_per_byte"] = *limits_.validation_exact;
  }
  replace_file(folder_.record(), record.dump(2) + "\n");
  write_report(folder_.path);
  last_report_ = std::chrono::steady_clock::now();
}

void TrainingRun::finish(const char* signal) {
  keep_checkpoint();
  progress_.reset();
  write_record(signal == nullptr ? "finished" : "interrupted");
  // Paths and commands are for copying, so these lines are not broken.
  const std::string folder = folder_.path.string();
  if (signal != nullptr) {
    std::cout << "Stopped by " << signal << " after step " << state_.step << "; nothing is lost.\n"
              << "  Continue with:  ./andrea train --resume --out " << folder << std::endl;
    return;
  }
  if (followed_.has_value()) say(followed_->verdict());
  std::cout << "Done: " << with_separators(state_.tokens) << " tokens in "
            << readable_duration(state_.seconds) << ".\n"
            << "  Look at it:     " << folder_.report().string() << "\n"
            << "  Let it write:   ./andrea sample --checkpoint " << folder << std::endl;
}

}  // namespace

void train(const RunFolder& folder, const TrainOptions& options, const std::string& config) {
  const std::string refusal = transformer_supports(options.model);
  require(refusal.empty(), "this kernel set cannot train that model: ", refusal);
  check_memory(options.model, options);
  make_folder(folder, options.resume);
  const RunLock lock(folder);
  replace_file(folder.config(), config);
  const auto prepare = [&] {
    try {
      return prepare_run_data(folder, options.data, options.model.vocabulary, options.model.context,
                              say);
    } catch (const Error&) {
      if (!options.resume) remove_set_up(folder);
      throw;
    }
  };
  TrainingRun run(folder, options, prepare());
  run.take_up();
  run.train();
}

}  // namespace andrea
