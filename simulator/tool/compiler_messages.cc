#include "simulator/tool/compiler_messages.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "simulator/tool/cuda_libraries.h"
#include "simulator/tool/hints.h"
#include "simulator/tool/launch_columns.h"
#include "simulator/tool/message_text.h"

namespace simulator {

const std::vector<std::string> kMessageFlags = {
    "-fdiagnostics-color=never",
    "-fmessage-length=0",
    "-fmax-errors=20",
    // Else each message comes with one note for every macro that it is in.
    "-ftrack-macro-expansion=0",
};

namespace {

constexpr std::size_t kMostCandidates = 6;

std::string line_of(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return "";
    ++begin;
  }
  std::string result = text.substr(begin, text.find('\n', begin) - begin);
  if (result.ends_with('\r')) result.pop_back();
  return result;
}

// An error or a warning, and the notes that belong to it.
struct Group {
  Message message;
  std::vector<Message> notes;
};

class Reader {
 public:
  explicit Reader(const CompiledProgram& program) : program_(program) {}

  std::string read(std::string_view text) {
    std::vector<Group> groups;
    for (Message& message : parse_messages(text)) {
      if (message.is_note() && !groups.empty()) {
        groups.back().notes.push_back(std::move(message));
      } else {
        add({std::move(message), {}}, groups);
      }
    }
    for (Group& group : groups) show(group);
    return std::move(shown_);
  }

 private:
  bool is_of_simulator(std::string_view path) const {
    return path.starts_with(program_.headers_folder);
  }

  // A launch is compiled more than once, and each time the compiler finds the same mistake. The
  // last time it knows more names to suggest.
  static void add(Group group, std::vector<Group>& groups) {
    const auto stem = [](const Message& message) {
      return header_of(message).substr(0, header_of(message).find("; did you mean"));
    };
    for (Group& other : groups) {
      if (group.message.line == 0 || stem(other.message) != stem(group.message)) continue;
      other.message.text = group.message.text;
      return;
    }
    groups.push_back(std::move(group));
  }

  // An installed CUDA toolkit has headers of libraries that the simulator lacks. They do not
  // compile, and why is of no use.
  bool is_in_missing_library(const Message& message) {
    if (file_of(message.path) != nullptr || is_of_simulator(message.path)) return false;
    const CudaLibrary* const library = find_library_of_path(message.path);
    if (library == nullptr || library->is_simulated) return false;
    if (!missing_.insert(library).second) return true;
    // The innermost file of the program that leads there: "In file included from a.cu:3:"
    std::string place;
    for (const std::string& line : message.context) {
      constexpr std::string_view kWords = " from ";
      const std::size_t at = line.find(kWords);
      const std::size_t begin = at + kWords.size();
      if (at == std::string::npos || !contains(line, ":")) continue;
      const std::string path = line.substr(begin, line.find(':', begin) - begin);
      if (file_of(path) == nullptr) continue;
      place = line.substr(begin, line.find_last_of(",:") - begin) + ": ";
      break;
    }
    show_line(place + "error: this includes " + std::string(library->name) +
              ", which the simulator does not have");
    return true;
  }

  void show(Group& group) {
    Message& message = group.message;
    if (is_in_missing_library(message)) return;
    move_out_of_headers(message);
    show_context(message);
    if (message.kind.empty()) return;
    const ProgramFile* const file = file_of(message.path);
    const std::string source = file == nullptr ? "" : line_of(file->source, message.line);
    // The first compiled line is #line.
    const std::string compiled = file == nullptr ? "" : line_of(file->text, message.line + 1);
    const bool is_launch = source != compiled && !find_launches(source).empty();
    std::optional<Span> span;
    if (is_launch) {
      span = place_of(group, source, compiled);
      message.column = static_cast<int>(span->begin) + 1;
      clean_launch(message.text);
    }
    clean(message.text);
    show_line(header_of(message));
    if (span) {
      show_excerpt(message.line, source, *span);
    } else {
      for (const std::string& line : message.excerpt) show_line(line);
    }
    const std::string hint = message.kind == "warning" ? "" : hint_for(message.text, source);
    show_notes(group, !hint.empty());
    if (!hint.empty()) {
      Message note = message;
      note.kind = "note";
      note.text = hint;
      show_line(header_of(note));
    }
  }

  const ProgramFile* file_of(const std::string& path) const {
    for (const ProgramFile* const file : program_.files) {
      if (file->path == path) return file;
    }
    return nullptr;
  }

  // An error inside the simulator's templates is the caller's.
  void move_out_of_headers(Message& message) const {
    if (!is_of_simulator(message.path)) return;
    for (auto line = message.context.rbegin(); line != message.context.rend(); ++line) {
      Message place;
      if (!read_place(*line, place) || is_of_simulator(place.path)) continue;
      message.path = place.path;
      message.line = place.line;
      message.column = place.column;
      message.excerpt.clear();
      return;
    }
  }

  void show_context(const Message& message) {
    for (const std::string& line : message.context) {
      Message place;
      const bool has_place = read_place(line, place);
      const bool is_here = has_place && place.path == message.path && place.line == message.line;
      const bool is_noise =
          contains(line, "__simulator") || contains(line, "<lambda(auto") ||
          contains(line, "In lambda function") || contains(line, "<command-line>") ||
          contains(line, program_.headers_folder) || line == "compilation terminated.";
      if (is_here || is_noise) continue;
      std::string cleaned = line;
      clean(cleaned);
      if (cleaned != last_context_) show_line(cleaned);
      last_context_ = cleaned;
    }
  }

  static Span place_of(const Group& group, const std::string& source, const std::string& compiled) {
    const Place place = place_in_source(source, compiled, group.message.column);
    if (place.launch < 0) return place.span;
    const LaunchSpans launch = find_launches(source)[static_cast<std::size_t>(place.launch)];
    // "initializing argument 3 of ..."
    for (const Message& note : group.notes) {
      constexpr std::string_view kWords = "initializing argument ";
      const std::size_t at = note.text.find(kWords);
      if (at == std::string::npos) continue;
      const std::size_t number = std::strtoul(note.text.c_str() + at + kWords.size(), nullptr, 10);
      if (number >= 1 && number <= launch.arguments.size()) return launch.arguments[number - 1];
    }
    // "'count' was not declared ..."
    constexpr std::string_view kOpen = "\u2018", kClose = "\u2019 was not declared";
    const std::size_t close = group.message.text.find(kClose);
    if (group.message.text.starts_with(kOpen) && close != std::string::npos) {
      const std::string word = group.message.text.substr(kOpen.size(), close - kOpen.size());
      const Span found = find_word(source, word, launch.head.begin);
      if (found.end > 0) return found;
    }
    return place.span;
  }

  // Names of the simulator's own, in the words of the compiler.
  static void clean(std::string& text) {
    replace_all(text, ", __simulator::__Where)", ")");
    replace_all(text, "__simulator::", "");
    replace_all(text, "__T", "T");
    replace_all(text, " [-fpermissive]", "");
  }

  // The launch hands its arguments on by reference.
  static void clean_launch(std::string& text) {
    if (!contains(text, "no matching function for call to")) return;
    replace_all(text, "&,", ",");
    replace_all(text, "&)", ")");
  }

  void show_notes(const Group& group, bool has_hint) {
    std::set<std::string> candidates;
    for (const Message& note : group.notes) {
      std::string text =
          note.text.substr(std::min(note.text.find_first_not_of(' '), note.text.size()));
      clean(text);
      if (is_of_simulator(note.path)) {
        // Where it stands is of no use; what could have been called is.
        if (!text.starts_with("candidate: ") || contains(text, "dim3::dim3") || has_hint ||
            candidates.size() == kMostCandidates || !candidates.insert(text).second) {
          continue;
        }
        Message candidate = group.message;
        candidate.kind = "note";
        candidate.text = text;
        show_line(header_of(candidate));
        continue;
      }
      if (contains(text, "template argument deduction/substitution failed")) continue;
      Message shown = note;
      shown.text = text;
      const bool is_here = note.path == group.message.path && note.line == group.message.line;
      if (is_here) shown.column = group.message.column;
      if (is_here && has_hint) continue;
      show_line(header_of(shown));
      if (is_here) continue;
      for (const std::string& line : note.excerpt) show_line(line);
    }
  }

  void show_excerpt(int number, const std::string& source, const Span& span) {
    std::string margin = std::to_string(number);
    margin.insert(0, margin.size() < 5 ? 5 - margin.size() : 0, ' ');
    show_line(margin + " | " + source);
    std::string marks(margin.size(), ' ');
    marks += " | ";
    for (std::size_t i = 0; i < span.begin; ++i) {
      // A character of several bytes takes one place.
      const unsigned char byte = i < source.size() ? static_cast<unsigned char>(source[i]) : ' ';
      if ((byte & 0xC0) != 0x80) marks += byte == '\t' ? '\t' : ' ';
    }
    marks += '^';
    if (span.end > span.begin + 1) marks.append(span.end - span.begin - 1, '~');
    show_line(marks);
  }

  void show_line(const std::string& line) { shown_ += line + '\n'; }

  const CompiledProgram& program_;
  std::string last_context_;
  std::set<const CudaLibrary*> missing_;
  std::string shown_;
};

}  // namespace

std::string readable_compiler_messages(std::string_view text, const CompiledProgram& program) {
  return Reader(program).read(text);
}

}  // namespace simulator
