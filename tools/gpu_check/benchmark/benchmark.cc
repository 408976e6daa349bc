// Times the kernels of the `cuda` set one by one, and a whole training step in bf16, and holds each
// against what the same card does at best in the same run: bytes against a copy within its memory,
// products against cuBLAS in a large square product.
//
//   benchmark --batch 32 --out benchmark.json
//
// On a simulated card the seconds say nothing about any card; the output then says so.

#include <simulator/reports.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/cuda/cost.h"
#include "kernels/cuda/products.h"
#include "kernels/training_pass.h"
#include "tools/gpu_check/benchmark/step_kernels.h"
#include "tools/gpu_check/benchmark/stopwatch.h"

namespace andrea::cuda {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ModelConfig config;
  int batch = 32;
  int repeats = 20;
  int square = 8192;  // rows and columns of the product that is the ceiling
  std::string out;
};

struct Ceilings {
  double bytes_per_second;
  double flops_per_second;
};

Ceilings measure_ceilings(const Options& options, const Stopwatch& watch) {
  const int S = options.square;
  const std::int64_t count = std::int64_t{S} * S;
  const auto from = random_bf16(count);
  const auto weight = random_bf16(count);
  auto to = random_bf16(count);
  DeviceBuffer<char> scratch(static_cast<std::int64_t>(products_scratch_bytes(S, S, S)));
  const Launch launch{.scratch = scratch.data(), .scratch_bytes = scratch.bytes()};
  const double copied = watch.seconds_of(options.repeats, [&] {
    CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyDeviceToDevice));
  });
  const double multiplied = watch.seconds_of(options.repeats, [&] {
    linear_forward(from.data(), weight.data(), nullptr, to.data(), S, S, S, launch);
  });
  return {2 * static_cast<double>(to.bytes()) / copied,
          2 * static_cast<double>(count) * S / multiplied};
}

// Whether it pays to leave cublasLt what follows a product, in entries that have such work.
Json measure_fusion(StepKernels& kernels, const Options& options, const Stopwatch& watch) {
  Json rows = Json::array();
  for (const KernelCall& call : kernels.calls()) {
    if (call.name != "expand, with GELU" && call.name != "contract, backward, with GELU's" &&
        call.name != "expand, backward") {
      continue;
    }
    const auto seconds_by = [&](Fusion fusion) {
      choose_fusion(fusion);
      return watch.seconds_of(options.repeats, call.run);
    };
    rows.push_back({{"kernel", call.name},
                    {"fused_seconds", seconds_by(Fusion::all)},
                    {"apart_seconds", seconds_by(Fusion::bias)}});
  }
  choose_fusion(Fusion::by_card);
  return rows;
}

Json measure(const Options& options) {
  const Stopwatch watch;
  const Ceilings ceilings = measure_ceilings(options, watch);
  StepKernels kernels(options.config, options.batch);
  std::map<std::string, KernelCost> costs;
  for (const KernelCost& cost :
       step_costs(options.config, options.batch, options.config.context, 1)) {
    costs[cost.name] = cost;
  }

  Json rows = Json::array();
  double floor = 0;  // of a step, in products of cuBLAS alone
  for (const KernelCall& product : kernels.products()) {
    floor += product.calls * watch.seconds_of(options.repeats, product.run);
  }
  double flops = 0;
  for (const auto& [name, cost] : costs) flops += cost.calls * cost.flops;
  for (const KernelCall& call : kernels.calls()) {
    const KernelCost& cost = costs.at(call.name);
    const double seconds = watch.seconds_of(options.repeats, call.run);
    const bool multiplies = cost.flops > 0;
    const double rate = call.calls * (multiplies ? cost.flops : cost.bytes) / seconds;
    rows.push_back({{"kernel", call.name},
                    {"from", cost.from},
                    {"seconds", seconds},
                    {multiplies ? "flops_per_second" : "bytes_per_second", rate},
                    {"share_of_ceiling",
                     rate / (multiplies ? ceilings.flops_per_second : ceilings.bytes_per_second)}});
  }
  const double step = watch.seconds_of(std::max(1, options.repeats / 4), [&] { kernels.step(); });
  return {{"measured_on",
           simulator::simulated() ? "the simulator: the seconds mean nothing" : "a card"},
          {"batch", options.batch},
          {"context", options.config.context},
          {"bytes_per_second", ceilings.bytes_per_second},
          {"flops_per_second", ceilings.flops_per_second},
          {"kernels", rows},
          {"fusion", measure_fusion(kernels, options, watch)},
          {"step_seconds", step},
          {"tokens_per_second", options.batch * options.config.context / step},
          {"products_share_of_step", floor / step},
          {"mfu", flops / step / ceilings.flops_per_second}};
}

void print(const Json& result) {
  std::printf("Measured on %s.\n\n", result["measured_on"].get<std::string>().c_str());
  std::printf("| kernel | from | ms | share of the ceiling |\n|---|---|---:|---:|\n");
  for (const Json& row : result["kernels"]) {
    std::printf("| %s | %s | %.3f | %.2f |\n", row["kernel"].get<std::string>().c_str(),
                row["from"].get<std::string>().c_str(), row["seconds"].get<double>() * 1e3,
                row["share_of_ceiling"].get<double>());
  }
  std::printf("\n| left to cublasLt | ms | by kernels of ours, ms |\n|---|---:|---:|\n");
  for (const Json& row : result["fusion"]) {
    std::printf("| %s | %.3f | %.3f |\n", row["kernel"].get<std::string>().c_str(),
                row["fused_seconds"].get<double>() * 1e3, row["apart_seconds"].get<double>() * 1e3);
  }
  std::printf("\nCeilings: %.2f TB/s in a copy, %.0f TFLOP/s in a product.\n",
              result["bytes_per_second"].get<double>() / 1e12,
              result["flops_per_second"].get<double>() / 1e12);
  std::printf(
      "A step of %d x %d tokens: %.2f ms, %.0f tokens a second, products %.2f of it, %.2f of the "
      "ceiling.\n",
      result["batch"].get<int>(), result["context"].get<int>(),
      result["step_seconds"].get<double>() * 1e3, result["tokens_per_second"].get<double>(),
      result["products_share_of_step"].get<double>(), result["mfu"].get<double>());
}

}  // namespace
}  // namespace andrea::cuda

int main(int count, char** arguments) {
  using namespace andrea::cuda;  // NOLINT(build/namespaces)
  Options options;
  CLI::App app("Times the kernels of a training step.");
  app.add_option("--batch", options.batch, "rows of a micro-batch")->check(CLI::Range(1, 4096));
  app.add_option("--layers", options.config.layers, "blocks")->check(CLI::Range(1, 1000));
  app.add_option("--heads", options.config.heads, "of each attention")->check(CLI::Range(1, 1000));
  app.add_option("--width", options.config.width, "of the stream")->check(CLI::Range(8, 65536));
  app.add_option("--context", options.config.context, "tokens of a row")
      ->check(CLI::Range(1, 65536));
  app.add_option("--repeats", options.repeats, "calls that a time is the mean of")
      ->check(CLI::Range(1, 100000));
  app.add_option("--square", options.square, "rows of the product that is the ceiling")
      ->check(CLI::Range(8, 65536));
  app.add_option("--out", options.out, "a file for the result, as JSON");
  CLI11_PARSE(app, count, arguments);
  options.config.mlp_width = 4 * options.config.width;
  options.config.precision = andrea::Precision::bf16;
  const std::string refusal = options.config.width % options.config.heads != 0
                                  ? "the heads do not divide the width"
                                  : andrea::training_pass_supports(options.config);
  if (!refusal.empty()) {
    std::cerr << "This shape cannot be timed: " << refusal << ".\n";
    return 2;
  }
  const Json result = measure(options);
  print(result);
  if (options.out.empty()) return 0;
  std::ofstream file(options.out);
  file << result.dump(2) << '\n';
  if (!file.flush()) {
    std::cerr << "Cannot write " << options.out << ".\n";
    return 1;
  }
}
