#include "simulator/tool/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace simulator {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const Variables& variables) {
  std::vector<std::string> all;
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool is_replaced = false;
    for (const auto& [name, value] : variables) is_replaced |= text.starts_with(name + "=");
    if (!is_replaced) all.emplace_back(text);
  }
  return all;
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const Variables& variables,
                 const std::string& output_file) {
  std::vector<std::string> arguments = words, environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output_file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  start_error_ = posix_spawnp(&child_, words[0].c_str(), &actions, nullptr,
                              pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
}

int Process::wait() {
  if (child_ < 0) return end_;
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(child_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  child_ = -1;
  if (ended > 0) end_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end_;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* const variable = std::getenv("PATH");
  std::string_view path = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (true) {
    const std::size_t colon = path.find(':');
    std::string candidate = std::string(path.substr(0, colon)) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) return "";
    path.remove_prefix(colon + 1);
  }
}

int replace_by(const std::string& path, const std::string& shown_name,
               const std::vector<std::string>& arguments, const Variables& variables) {
  std::vector<std::string> words = {shown_name}, environment = environment_with(variables);
  words.insert(words.end(), arguments.begin(), arguments.end());
  execve(path.c_str(), pointers_to(words).data(), pointers_to(environment).data());
  return errno;
}

}  // namespace simulator
