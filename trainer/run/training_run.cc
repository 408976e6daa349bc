#include "trainer/run/training_run.h"

#include <cuda_runtime_api.h>
#include <omp.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <optional>

#include "kernels/cuda_check.h"
#include "kernels/origins.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/terminal.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/corpus/document_packing.h"
#include "trainer/model/decoder.h"
#include "trainer/model/estimate.h"
#include "trainer/model/learner.h"
#include "trainer/model/step_graph.h"
#include "trainer/report/report.h"
#include "trainer/run/batches.h"
#include "trainer/run/followed_run.h"
#include "trainer/run/gemm_ceiling.h"
#include "trainer/run/linked_kernels.h"
#include "trainer/run/memory_refusal.h"
#include "trainer/run/progress.h"
#include "trainer/run/run_data.h"
#include "trainer/run/run_description.h"
#include "trainer/run/run_folder.h"
#include "trainer/run/run_log.h"
#include "trainer/run/schedule.h"
#include "trainer/run/stop_signal.h"
#include "trainer/run/validation.h"
#include "trainer/sample/generate.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// A report in between is worth its writing only so often.
constexpr std::chrono::seconds kReportEvery{30};

void say(std::string_view line) { std::cout << for_terminal(line) << std::endl; }

class TrainingRun {
 public:
  TrainingRun(const RunFolder& folder, const TrainOptions& options, RunData data, double ceiling);

  void take_up();
  void train();

 private:
  std::int64_t tokens_per_step() const;
  std::string machine() const;
  void stage(std::int64_t step);
  bool enqueue(const StopSignal& stop);
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
  StepPlan plan_;
  std::optional<StepGraph> graph_;
  // Validation and samples are computed in fp32, whatever training is: they tell what the weights
  // are worth that a checkpoint holds, as `andrea eval` does.
  ParameterLayout plain_layout_;
  Evaluator evaluator_;
  Decoder decoder_;
  Batches batches_;
  Schedule schedule_;
  std::vector<PackedRow> validation_rows_;
  CorpusLimits limits_;
  double ceiling_;
  TrainingState state_;
  std::int64_t saved_step_ = -1;   // of the newest checkpoint
  std::int64_t staged_step_ = -1;  // whose batches are on the device
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<Progress> progress_;
  std::optional<FollowedRun> followed_;
  std::chrono::steady_clock::time_point last_report_;
};

ModelConfig with_vocabulary(ModelConfig config, int vocabulary) {
  config.vocabulary = vocabulary;
  return config;
}

TrainingRun::TrainingRun(const RunFolder& folder, const TrainOptions& options, RunData data,
                         double ceiling)
    : folder_(folder),
      options_(options),
      data_(std::move(data)),
      config_(with_vocabulary(options.model, data_.tokenizer.vocabulary())),
      learner_(config_, options.batch, config_.context, options.accumulate),
      plan_{.gradient_scale = 1.0f / static_cast<float>(tokens_per_step()),
            .max_norm = static_cast<float>(options.clip),
            .adamw = options.adamw,
            .look_at_norm = !adamw_looks_at_the_norm(kernel_origins())},
      plain_layout_(config_.plain()),
      evaluator_(plain_layout_, learner_.parameters(), validation_batch(config_), config_.context),
      decoder_(plain_layout_, learner_.parameters()),
      batches_(data_.corpus.training(), window_starts(data_.corpus, config_.context),
               {options.batch, options.accumulate, 1}, config_.context, options.seed),
      schedule_{options.learning_rate, options.final_learning_rate, options.warmup, options.steps},
      validation_rows_(pack_documents(data_.corpus.validation(), config_.context)),
      limits_(measure_limits(data_, options.data.text.empty())),
      ceiling_(ceiling),
      state_{.seed = options.seed} {
  // Under the simulator a graph would only be more to do.
  if (runs_on_a_card() && !plan_.look_at_norm) graph_.emplace(learner_);
  if (!options.follow.empty()) followed_.emplace(RunFolder{options.follow}, config_.precision);
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
           with_separators(tokens_per_step()), " tokens a step; ", machine(),
           " (the GEMM ceiling)."));
  const bool simulated = are_simulated(kernel_origins());
  if (const std::string kernels = kernels_line(kernel_origins()); !kernels.empty()) {
    say(kernels +
        (simulated ? " CUDA kernels run in the simulator: their time says nothing." : ""));
  }
  say(limits_line(limits_));
  write_record("running");
  progress_ = std::make_unique<Progress>(
      options_.steps, training_flops_per_token(config_, config_.context),
      simulated ? std::nullopt : std::optional(ceiling_), runs_on_a_card(), limits_.source_entropy);

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

// "2 threads, 166 GFLOP/s in matrix products", "NVIDIA H200, bf16, 690,000 GFLOP/s ...".
std::string TrainingRun::machine() const {
  const std::string speed =
      text(", ", with_separators(std::llround(ceiling_ / 1e9)), " GFLOP/s in matrix products");
  const std::string precision =
      config_.precision == Precision::fp32 ? "" : ", " + precision_name(config_.precision);
  if (!runs_on_a_card()) return text(omp_get_max_threads(), " threads", precision, speed);
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  return text(properties.name, precision, speed);
}

void TrainingRun::stage(std::int64_t step) {
  for (int micro = 0; micro < options_.accumulate; ++micro) {
    const Batch& batch = batches_.read(step, micro);
    learner_.stage(micro, batch.tokens, batch.targets);
  }
  staged_step_ = step;
}

// False when a signal came before the gradient was complete: the step is not taken then. On a card
// all is enqueued before the first micro-batch is through.
bool TrainingRun::enqueue(const StopSignal& stop) {
  if (graph_.has_value()) {
    graph_->enqueue(plan_);
    return true;
  }
  for (int micro = 0; micro < options_.accumulate; ++micro) {
    if (stop.received() != nullptr) return false;
    learner_.enqueue_pass(micro, plan_.gradient_scale);
  }
  learner_.enqueue_update(plan_);
  return true;
}

// Nothing when the step was not taken.
std::optional<TrainedStep> TrainingRun::take_step(std::int64_t step, const StopSignal& stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t tokens = tokens_per_step();
  const double learning_rate = schedule_.learning_rate(step);
  if (staged_step_ != step) stage(step);
  learner_.begin(
      {.step = step, .seed = options_.seed, .learning_rate = static_cast<float>(learning_rate)});
  if (!enqueue(stop)) return std::nullopt;
  // While the card computes; on the CPU the step is done by now.
  if (step < options_.steps) stage(step + 1);
  const StepOutcome outcome = learner_.outcome();
  const double loss = outcome.loss / static_cast<double>(tokens);
  refuse_non_finite(step, "loss", loss);
  if (followed_.has_value()) followed_->compare(step, loss);
  refuse_non_finite(step, "gradient's norm", outcome.gradient_norm);

  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  state_.step = step;
  state_.tokens += tokens;
  state_.seconds += seconds;
  return TrainedStep{.step = step,
                     .tokens = state_.tokens,
                     .loss = loss,
                     .learning_rate = learning_rate,
                     .gradient_norm = outcome.gradient_norm,
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
  replace_file(folder_.record(), run_json({.name = folder_.path.filename().string(),
                                           .status = status,
                                           .corpus = data_.corpus.summary().description,
                                           .machine = machine(),
                                           .parameters = learner_.layout().parameter_count(),
                                           .seconds = state_.seconds,
                                           .options = options_,
                                           .model = config_,
                                           .kernels = kernel_origins(),
                                           .limits = limits_}));
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
  refuse_what_kernels_lack(options.model);
  const std::string refusal =
      memory_refusal(options.model, options.batch, options.accumulate, available_memory());
  require(refusal.empty(), refusal);
  make_run_folder(folder, options.resume);
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
  RunData data = prepare();
  // First, since it takes memory that is the learner's afterwards.
  const double ceiling = gemm_ceiling(options.model, options.batch * options.model.context);
  std::optional<TrainingRun> run;
  try {
    run.emplace(folder, options, std::move(data), ceiling);
  } catch (const std::bad_alloc&) {
    // Free memory was enough for the sum: it is in pieces, or others have taken it meanwhile.
    throw Error(out_of_memory(options.model, options.batch, options.accumulate));
  }
  run->take_up();
  run->train();
}

}  // namespace andrea
