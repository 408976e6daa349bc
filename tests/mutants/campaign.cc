#include "tests/mutants/campaign.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/mutants/mechanical.h"

namespace andrea::mutants {
namespace {

// The limit of a run: a loop without end is stopped soon, and a busy machine is no reason to stop.
constexpr double kTimesAsLong = 20;
constexpr int kLeastSeconds = 5;
constexpr int kSecondsOfSolution = 60;

struct Task {
  Result result;
  std::string text;
};

std::vector<Task> tasks_of(const Campaign& campaign) {
  std::vector<Task> tasks;
  const auto is_tried = [&](const std::string& exercise) {
    return std::find(campaign.exercises.begin(), campaign.exercises.end(), exercise) !=
           campaign.exercises.end();
  };
  for (const WrittenMutant& mutant : campaign.written) {
    if (!is_tried(mutant.exercise)) continue;
    tasks.push_back(
        {{mutant.exercise, mutant.name, mutant.expected, {}}, applied(mutant, campaign.solution)});
  }
  if (!campaign.with_mechanical) return tasks;
  for (MechanicalMutant& mutant : mechanical_mutants(campaign.solution, campaign.file)) {
    if (!is_tried(mutant.exercise)) continue;
    tasks.push_back({{mutant.exercise, mutant.name, std::nullopt, {}}, std::move(mutant.text)});
  }
  return tasks;
}

// The seconds that a run of each exercise may take.
std::map<std::string, int> tried_solution(const Campaign& campaign, const Bench& bench) {
  std::string said;
  const std::string program = bench.build("solution", campaign.solution, said);
  if (program.empty()) throw std::runtime_error(campaign.file + " does not compile:\n" + said);
  std::map<std::string, int> seconds;
  for (const std::string& exercise : campaign.exercises) {
    for (const std::uint64_t seed : campaign.seeds) {
      const auto begin = std::chrono::steady_clock::now();
      const Verdict verdict = bench.run(program, exercise, seed, kSecondsOfSolution);
      if (verdict.kind != Verdict::survived) {
        throw std::runtime_error("The solution of " + exercise + " does not pass with seed " +
                                 std::to_string(seed) + ":\n" + verdict.told);
      }
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      seconds[exercise] = std::max(
          {seconds[exercise], kLeastSeconds, static_cast<int>(kTimesAsLong * took.count())});
    }
  }
  std::filesystem::remove(program);
  return seconds;
}

void try_mutant(Task& task, const std::string& name, const Campaign& campaign, const Bench& bench,
                int seconds) {
  std::string said;
  const std::string program = bench.build(name, task.text, said);
  if (program.empty()) {
    task.result.verdicts.push_back({Verdict::not_compiled, "", said});
    return;
  }
  for (const std::uint64_t seed : campaign.seeds) {
    task.result.verdicts.push_back(bench.run(program, task.result.exercise, seed, seconds));
    if (!task.result.is_written() && task.result.killed()) break;
  }
  std::filesystem::remove(program);
}

}  // namespace

bool Result::killed() const {
  const auto is_killed = [](const Verdict& one) { return one.kind == Verdict::killed; };
  return is_written() ? std::all_of(verdicts.begin(), verdicts.end(), is_killed)
                      : is_killed(verdicts.back());
}

bool Result::named() const {
  if (!killed() || expected == Expected::any) return false;
  const std::string& mistake = expected == Expected::report ? "report" : name;
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.mistake == mistake; });
}

std::vector<Result> results_of(const Campaign& campaign, const Bench& bench,
                               const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Task> tasks = tasks_of(campaign);
  const std::map<std::string, int> seconds = tried_solution(campaign, bench);

  std::mutex mutex;
  std::size_t begun = 0, done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (begun < tasks.size() && !failure) {
      const std::size_t i = begun++;
      lock.unlock();
      try {
        try_mutant(tasks[i], "mutant" + std::to_string(i), campaign, bench,
                   seconds.at(tasks[i].result.exercise));
        lock.lock();
      } catch (...) {
        lock.lock();
        failure = std::current_exception();
      }
      ++done;
      if (progress) progress(done, tasks.size());
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < campaign.at_once; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);

  std::vector<Result> results;
  for (Task& task : tasks) results.push_back(std::move(task.result));
  return results;
}

}  // namespace andrea::mutants
