#include "tools/site/doc_comments.h"

#include <cctype>
#include <vector>

#include "tools/site/cpp_lines.h"
#include "tools/site/doc_text.h"

namespace andrea::site {
namespace {

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(indent_of(text));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_blank(const CppLine& line) { return line.code.empty() && !line.has_comment; }
bool is_comment(const CppLine& line) { return trimmed(line.code).empty() && line.has_comment; }

bool at_declaration(const Place& place) {
  return place.declares && place.statement_begins && place.parentheses == 0;
}

// Whether a line of code begins something that documentation can belong to.
bool begins_documentable(const CppLine& line) {
  const std::string_view code = trimmed(line.code);
  if (code.empty()) return false;
  if (line.preprocessor) return code.starts_with("#define");
  if (!at_declaration(line.before) || code.front() == '}' || code.front() == ')') return false;
  for (const std::string_view other :
       {"namespace ", "inline namespace ", "using namespace ", "static_assert", "friend ",
        "extern \"C\" {", "public:", "private:", "protected:", "extern template",
        "template class"}) {
    if (code.starts_with(other)) return false;
  }
  return true;
}

class Filter {
 public:
  Filter(std::string_view path, std::string_view source) : lines_(lines_of(source)) {
    topic_ = topic_of(path);
    title_ = path.substr(path.rfind('/') + 1);
    parent_ = topic_of(path.substr(0, path.rfind('/')));
    // Lessons have few headers each: they share one topic.
    if (path.starts_with("lessons/") && parent_ != "api_lessons") {
      title_ = path.substr(std::string_view("lessons/").size());
      parent_ = "api_lessons";
    }
  }

  std::string text() {
    std::size_t i = head();
    while (i < lines_.size()) i = step(i);
    std::string result;
    for (const std::string& line : out_) result += line + "\n";
    return result + "/** @} */\n";
  }

 private:
  // The comment at the head, and the empty line behind it.
  std::size_t head() {
    std::vector<std::string> comment;
    while (comment.size() < lines_.size() && is_comment(lines_[comment.size()])) {
      comment.push_back(lines_[comment.size()].comment);
    }
    const bool named = !comment.empty() && comment.front().starts_with(" File: ");
    if (named) comment.erase(comment.begin());
    if (!comment.empty() && trimmed(comment.front()).empty()) comment.erase(comment.begin());
    const std::size_t taken = comment.size() + (named ? 2 : 0);
    about_file_ = first_paragraph(comment);
    const std::vector<std::string> text = doc_lines(comment);
    out_.push_back("/** @defgroup " + topic_ + " " + title_);
    out_.push_back("@ingroup " + parent_);
    for (const std::string& line : text) out_.push_back(without_end(line));
    out_.push_back("@{ */");
    return taken < lines_.size() && is_blank(lines_[taken]) ? taken + 1 : taken;
  }

  // Takes line i, or the comment that begins there; tells which line is next.
  std::size_t step(std::size_t i) {
    const CppLine& line = lines_[i];
    if (is_private(line)) {
      shared_.clear();
      out_.emplace_back();
      return i + 1;
    }
    if (is_blank(line)) {
      shared_.clear();
      out_.emplace_back();
      return i + 1;
    }
    if (is_comment(line)) return comment(i);
    out_.push_back(declaration(i));
    follow_namespaces(line);
    return i + 1;
  }

  // A group of Doxygen's does not reach into a namespace: what stands in one says which it belongs
  // to.
  std::string in_topic(const CppLine& line) const {
    return line.before.depth == namespaces_ && !line.before.in_enumeration &&
                   line.before.parentheses == 0
               ? " @ingroup " + topic_
               : "";
  }

  void follow_namespaces(const CppLine& line) {
    const std::string_view code = trimmed(line.code);
    if (code.starts_with("namespace ") && line.at_comment.depth > line.before.depth) ++namespaces_;
    if (code.starts_with("}") && line.before.depth == namespaces_ &&
        line.at_comment.depth < namespaces_) {
      --namespaces_;
    }
  }

  // Whether the line belongs to a type in a class's private part, or is the guard of the file.
  bool is_private(const CppLine& line) {
    const std::string_view code = trimmed(line.code);
    if (line.preprocessor) return code.starts_with("#define ANDREA_") && code.ends_with("H_");
    const bool inside = private_depth_ > 0 && line.before.depth > private_depth_;
    if (inside) return in_private_type_;
    if (code == "private:") private_depth_ = line.before.depth;
    if (code == "public:" || code == "protected:" || line.at_comment.depth < private_depth_) {
      private_depth_ = 0;
    }
    in_private_type_ = private_depth_ > 0 && at_declaration(line.before) &&
                       (code.starts_with("struct ") || code.starts_with("class "));
    return in_private_type_;
  }

  std::size_t comment(std::size_t i) {
    std::size_t end = i;
    std::vector<std::string> text;
    while (end < lines_.size() && is_comment(lines_[end])) text.push_back(lines_[end++].comment);
    const bool speaks = at_declaration(lines_[i].at_comment) && end < lines_.size() &&
                        begins_documentable(lines_[end]) &&
                        !trimmed(text.front()).starts_with("---- ");
    if (!speaks) {
      for (; i < end; ++i) {
        const bool goes_on = behind_ > 0 && lines_[i].column == behind_;
        out_.push_back(std::string(lines_[i].column, ' ') +
                       (goes_on ? "///< " + prose(lines_[i].comment) : "//" + lines_[i].comment));
      }
      return end;
    }
    std::vector<std::string> documentation = doc_lines(text);
    documentation.front() = "/** " + without_end(documentation.front());
    for (std::size_t k = 1; k < documentation.size(); ++k) {
      documentation[k] = without_end(documentation[k]);
    }
    documentation.back() += without_graph(lines_[end].code) + in_topic(lines_[end]) + " */";
    out_.insert(out_.end(), documentation.begin(), documentation.end());
    shared_ = first_paragraph(text);
    shared_depth_ = lines_[i].at_comment.depth;
    documented_ = true;
    return end;
  }

  // Call graphs are drawn of functions that are defined elsewhere, by whoever implements an
  // operation or an exercise. Of others, as of a class's one-line functions, they would show
  // nothing.
  std::string without_graph(std::string_view code) const {
    const bool is_function = code.find('(') != std::string_view::npos;
    const bool drawn =
        code.starts_with("void ") && (parent_ == "api_kernels" || parent_ == "api_lessons");
    return is_function && !drawn ? " @hidecallgraph" : "";
  }

  // A line with code, with its comment.
  std::string declaration(std::size_t i) {
    const CppLine& line = lines_[i];
    std::string code = line.code;
    if (begins_documentable(line)) {
      if (documented_ && !line.has_comment) {
        const std::string several = several_documented_by(code, shared_, in_topic(line));
        if (!several.empty()) code = several;
      }
      if (!documented_) code = with_documentation(i);
      documented_ = false;
    }
    behind_ = 0;
    if (!line.has_comment) return code;
    if (!comment_documents(line)) return code + "  //" + line.comment;
    behind_ = line.column;
    if (line.before.parentheses == 0 && at_declaration(line.before) &&
        !line.before.in_enumeration) {
      const std::string several =
          several_documented_by(code, prose(trimmed(line.comment)), in_topic(line));
      if (!several.empty()) return several;
    }
    return code + "  ///< " + prose(trimmed(line.comment)) +
           (line.at_comment.parentheses == 0 ? without_graph(trimmed(line.code)) + in_topic(line)
                                             : "");
  }

  // The declaration that begins in line i and has no comment of its own above it.
  std::string with_documentation(std::size_t i) {
    const std::string& code = lines_[i].code;
    const std::string_view text = trimmed(code);
    const std::size_t end = last_line_of(i);
    if (says_nothing(text, trimmed(lines_[end].code))) return "";
    if (lines_[i].before.in_enumeration || comment_documents(lines_[end])) return code;
    std::string words = lines_[i].preprocessor ? "" : of_special_member(text);
    if (words.empty() && lines_[i].before.depth == shared_depth_) words = shared_;
    if (words.empty() && (is_type(text, lines_[end]) || is_named_as_file(text))) {
      std::swap(words, about_file_);
    }
    if (words.empty()) return code;
    const std::string several = several_documented_by(code, words, in_topic(lines_[i]));
    return several.empty() ? documented_by(code, words, in_topic(lines_[i])) : several;
  }

  std::string documented_by(const std::string& code, const std::string& words,
                            const std::string& topic) const {
    return code.substr(0, indent_of(code)) + "/** @brief " + without_end(words) +
           without_graph(trimmed(code)) + topic + " */ " + std::string(trimmed(code));
  }

  // The text without what would end its comment: "lessons/*/kernel.cu" gets a character without
  // width in between.
  static std::string without_end(std::string text) {
    for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at)) {
      text.insert(at + 1, "\u2060");
    }
    return text;
  }

  // "int B, T;" as "int B; int T;", each documented by the same words. Empty, if the line does not
  // declare several variables.
  std::string several_documented_by(const std::string& code, const std::string& words,
                                    const std::string& topic) const {
    const std::string_view text = trimmed(code);
    if (text.empty() || text.back() != ';' || text.find('(') != std::string_view::npos) return "";
    const std::vector<std::string_view> names = parts_of(text.substr(0, text.size() - 1));
    const std::string_view first = names.front().substr(0, names.front().find(" ="));
    const std::size_t type = first.rfind(' ');
    if (names.size() == 1 || type == std::string_view::npos) return "";
    std::string result = code.substr(0, indent_of(code));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string declared =
          i == 0 ? std::string(names[0])
                 : std::string(first.substr(0, type + 1)) + std::string(names[i]);
      result += (i > 0 ? " " : "") + documented_by(declared + ";", words, topic);
    }
    return result;
  }

  // What commas outside of brackets separate.
  static std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<' || text[i] == '{') ++depth;
      if (text[i] == '>' || text[i] == '}') --depth;
      if (text[i] != ',' || depth > 0) continue;
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
  }

  // "int B, T, C;": a comment behind it would be the last one's alone.
  static bool declares_several(const CppLine& line) {
    const std::string_view code = line.code;
    return line.before.parentheses == 0 && at_declaration(line.before) && code.ends_with(";") &&
           code.find('(') == std::string_view::npos && code.find(", ") != std::string_view::npos &&
           code.rfind('>') < code.rfind(", ");
  }

  std::size_t last_line_of(std::size_t i) const {
    while (i + 1 < lines_.size() && lines_[i].preprocessor == lines_[i + 1].preprocessor &&
           !at_declaration(lines_[i].at_comment)) {
      ++i;
    }
    return i;
  }

  // A declaration of one line that tells no more than its class does: a destructor, or what the
  // compiler makes or refuses to make.
  static bool says_nothing(std::string_view code, std::string_view last) {
    if (code.data() != last.data() && code != last) return false;
    if (code.ends_with("= delete;") || code.ends_with("= default;")) return true;
    return code.starts_with("~") || code.starts_with("virtual ~");
  }

  static std::string of_special_member(std::string_view code) {
    const std::string_view declared = code.substr(0, code.find('('));
    const std::string_view parameter = code.substr(std::min(declared.size() + 1, code.size()));
    const bool assigns = declared.ends_with("operator=");
    const std::string_view name = declared.substr(0, declared.find('&'));
    if (!assigns && declared.find(' ') != std::string_view::npos) return "";
    if (parameter.starts_with(std::string(name) + "&& ")) return "Takes over what the other holds.";
    if (code.starts_with("~")) return "Gives back what the object holds.";
    return "";
  }

  // Whether a class or structure is defined there.
  static bool is_type(std::string_view code, const CppLine& last) {
    for (const std::string_view word : {"class ", "struct ", "template <"}) {
      if (code.starts_with(word)) return trimmed(last.code).ends_with("{");
    }
    return false;
  }

  // Whether it is a function that is called as its file is: adamw() in adamw.h.
  bool is_named_as_file(std::string_view code) const {
    const std::string call = " " + title_.substr(0, title_.find('.')) + "(";
    return code.find(call) != std::string_view::npos;
  }

  // Whether the comment at the end of a line of code documents what stands before it.
  static bool comment_documents(const CppLine& line) {
    const std::string_view code = trimmed(line.code);
    if (!line.has_comment || code.empty() || line.preprocessor || !line.at_comment.declares) {
      return false;
    }
    if (code.front() == '}' || code.back() == '{') return false;
    if (line.at_comment.parentheses > 0) return true;
    return at_declaration(line.at_comment) || line.at_comment.in_enumeration ||
           line.before.parentheses > 0;
  }

  std::vector<CppLine> lines_;
  std::string topic_, title_, parent_;
  std::vector<std::string> out_;
  std::string shared_;            // what the last comment says, while its paragraph lasts
  std::string about_file_;        // what the head says, until a type has taken it
  std::size_t shared_depth_ = 0;  // braces that are open there: it is not about what is inside more
  std::size_t private_depth_ = 0;  // of the class whose private part it is; 0: it is none's
  bool in_private_type_ = false;
  std::size_t namespaces_ = 0;  // that are open
  bool documented_ = false;     // the next declaration, by a comment right above it
  std::size_t behind_ = 0;      // the column of the comment behind the last line, if it documents
};

}  // namespace

std::string topic_of(std::string_view path) {
  std::string topic = "api_";
  for (const char c : path) topic += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return topic;
}

std::string launches_as_calls(std::string_view source) {
  std::string result(source);
  for (std::size_t open = result.find("<<<"); open != std::string::npos;
       open = result.find("<<<", open)) {
    const std::size_t close = result.find(">>>", open);
    if (close == std::string::npos) break;
    std::string lines;
    for (std::size_t i = open; i < close; ++i) {
      if (result[i] == '\n') lines += '\n';
    }
    result.replace(open, close + 3 - open, lines);
  }
  return result;
}

std::string with_doc_comments(std::string_view path, std::string_view source) {
  if (!path.ends_with(".h") && !path.ends_with(".cuh")) return launches_as_calls(source);
  return Filter(path, source).text();
}

}  // namespace andrea::site
