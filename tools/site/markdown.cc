#include "tools/site/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>

#include "tools/site/site_map.h"
#include "trainer/base/markup.h"

namespace andrea::site {
namespace {

std::string_view view(const char* text) { return text == nullptr ? "" : text; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

// Code within a line. A browser breaks a line behind any hyphen, and --flag is to stay in one
// piece.
std::string code_words(std::string_view code) {
  constexpr std::size_t kLongest = 30;  // characters that a phone has room for
  std::string result;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find(' ', begin), code.size());
    const std::string word = escaped_text(code.substr(begin, end - begin));
    const bool is_flag = end - begin > 1 && code[begin] == '-' && end - begin <= kLongest;
    result += is_flag ? "<span class=\"flag\">" + word + "</span>" : word;
    if (end < code.size()) result += ' ';
    begin = end + 1;
  }
  return result;
}

// Code that has no name of its language: is it C++, or a formula, a table, what a program said?
bool looks_like_cpp(std::string_view code) {
  if (code.starts_with("./andrea") || code.starts_with("$ ") || code.starts_with("bazel")) {
    return false;
  }
  // A report of the simulator quotes code, and is none.
  if (code.starts_with("error: ") || code.find("\nerror: ") != std::string_view::npos) return false;
  for (const std::string_view sign : {";\n", "{\n", ");", "// "}) {
    if (code.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

class Writer {
 public:
  explicit Writer(const Surroundings& surroundings) : surroundings_(surroundings) {}

  std::string page(cmark_node* document) {
    blocks_of(document);
    return std::move(out_);
  }

 private:
  void blocks_of(cmark_node* parent) {
    for (cmark_node* child = cmark_node_first_child(parent); child != nullptr;
         child = cmark_node_next(child)) {
      block(child);
    }
  }

  void block(cmark_node* node) {
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_PARAGRAPH) {
      paragraph(node);
    } else if (type == CMARK_NODE_HEADING) {
      heading(node);
    } else if (type == CMARK_NODE_CODE_BLOCK) {
      code(node);
    } else if (type == CMARK_NODE_LIST) {
      list(node);
    } else if (type == CMARK_NODE_BLOCK_QUOTE) {
      out_ += "<blockquote>\n";
      blocks_of(node);
      out_ += "</blockquote>\n\n";
    } else if (type == CMARK_NODE_THEMATIC_BREAK) {
      out_ += "<hr>\n\n";
    } else if (type == CMARK_NODE_HTML_BLOCK) {
      html(view(cmark_node_get_literal(node)));
    } else if (std::string_view(cmark_node_get_type_string(node)) == "table") {
      table(node);
    } else {
      throw std::runtime_error(std::string("the site does not know Markdown's ") +
                               cmark_node_get_type_string(node) + ".");
    }
  }

  void paragraph(cmark_node* node) {
    cmark_node* child = cmark_node_first_child(node);
    if (child != nullptr && cmark_node_get_type(child) == CMARK_NODE_IMAGE &&
        cmark_node_next(child) == nullptr) {
      out_ += "@htmlonly[block]\n" +
              surroundings_.figure(view(cmark_node_get_url(child)), plain_text(child)) +
              "\n@endhtmlonly\n\n";
      return;
    }
    out_ += inlines_of(node) + "\n\n";
  }

  void heading(cmark_node* node) {
    const std::string text = plain_text(node);
    std::string slug = slug_of(text);
    const int before = slugs_[slug]++;
    if (before > 0) slug += "-" + std::to_string(before);
    const int level = cmark_node_get_heading_level(node);
    const char* command = level <= 2 ? "@section" : level == 3 ? "@subsection" : "@subsubsection";
    out_ += std::string(command) + " " + anchor_of(surroundings_.page_id, slug) + " " +
            escaped_text(text) + "\n\n";
  }

  void code(cmark_node* node) {
    const std::string_view name = view(cmark_node_get_fence_info(node));
    const std::string text(view(cmark_node_get_literal(node)));
    if (name == "doxygen") {
      out_ += text + "\n";
    } else if (name == "math") {
      out_ += "\\f[\n" + text + "\\f]\n\n";
    } else if (name == "cpp" || name == "cuda" || (name.empty() && looks_like_cpp(text))) {
      out_ += "@code{.cpp}\n" + text + "@endcode\n\n";
    } else {
      out_ += "@verbatim\n" + text + "@endverbatim\n\n";
    }
  }

  void list(cmark_node* node) {
    const bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    const int start = cmark_node_get_list_start(node);
    out_ += !ordered    ? "<ul>\n"
            : start > 1 ? "<ol start=\"" + std::to_string(start) + "\">\n"
                        : "<ol>\n";
    const bool tight = cmark_node_get_list_tight(node) != 0;
    for (cmark_node* item = cmark_node_first_child(node); item != nullptr;
         item = cmark_node_next(item)) {
      out_ += "<li>";
      for (cmark_node* child = cmark_node_first_child(item); child != nullptr;
           child = cmark_node_next(child)) {
        if (tight && cmark_node_get_type(child) == CMARK_NODE_PARAGRAPH) {
          out_ += inlines_of(child) + "\n";
        } else {
          block(child);
        }
      }
      out_ += "</li>\n";
    }
    out_ += ordered ? "</ol>\n\n" : "</ul>\n\n";
  }

  void table(cmark_node* node) {
    const int columns = cmark_gfm_extensions_get_table_columns(node);
    const std::uint8_t* alignments = cmark_gfm_extensions_get_table_alignments(node);
    out_ += "<table class=\"markdownTable\">\n";
    for (cmark_node* row = cmark_node_first_child(node); row != nullptr;
         row = cmark_node_next(row)) {
      const std::string tag = cmark_gfm_extensions_get_table_row_is_header(row) != 0 ? "th" : "td";
      out_ += "<tr>";
      int column = 0;
      for (cmark_node* cell = cmark_node_first_child(row); cell != nullptr && column < columns;
           cell = cmark_node_next(cell), ++column) {
        const char side = static_cast<char>(alignments[column]);
        out_ += "<" + tag +
                (side == 'r'   ? " align=\"right\""
                 : side == 'c' ? " align=\"center\""
                               : "") +
                ">" + inlines_of(cell) + "</" + tag + ">";
      }
      out_ += "</tr>\n";
    }
    out_ += "</table>\n\n";
  }

  void html(std::string_view text) {
    text = trimmed(text);
    const bool opens = text.starts_with("<details><summary>") && text.ends_with("</summary>");
    if (!opens && text != "</details>") {
      throw std::runtime_error("the site does not know this HTML: " + std::string(text));
    }
    out_ += "@htmlonly[block]\n" + std::string(text) + "\n@endhtmlonly\n\n";
  }

  std::string inlines_of(cmark_node* parent) {
    std::string result;
    for (cmark_node* child = cmark_node_first_child(parent); child != nullptr;
         child = cmark_node_next(child)) {
      result += inline_of(child);
    }
    return result;
  }

  std::string inline_of(cmark_node* node) {
    const std::string text(view(cmark_node_get_literal(node)));
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_TEXT:
        return escaped_text(without_formula_marks(node, text));
      case CMARK_NODE_SOFTBREAK:
        return " ";
      case CMARK_NODE_LINEBREAK:
        return "<br>\n";
      case CMARK_NODE_CODE:
        if (is_formula(node)) return "\\f$" + text + "\\f$";
        return "<code>" + code_words(text) + "</code>";
      case CMARK_NODE_EMPH:
        return "<em>" + inlines_of(node) + "</em>";
      case CMARK_NODE_STRONG:
        return "<b>" + inlines_of(node) + "</b>";
      case CMARK_NODE_LINK:
        return link(node);
      default:
        throw std::runtime_error(std::string("the site does not know Markdown's ") +
                                 cmark_node_get_type_string(node) + " within a line: " + text);
    }
  }

  std::string link(cmark_node* node) {
    const std::string_view url = view(cmark_node_get_url(node));
    if (url.starts_with("http://") || url.starts_with("https://")) {
      return "<a href=\"" + escaped_html(url) + "\">" + inlines_of(node) + "</a>";
    }
    const std::string anchor = surroundings_.anchor(url);
    if (anchor.empty()) return inlines_of(node);
    return "@ref " + anchor + " \"" + reference_text(plain_text(node)) + "\"";
  }

  // $`...`$ is a formula; the two dollars are text of its neighbours.
  static bool is_formula(cmark_node* node) {
    const auto dollar = [](cmark_node* neighbour, bool before) {
      if (neighbour == nullptr || cmark_node_get_type(neighbour) != CMARK_NODE_TEXT) return false;
      const std::string_view text = view(cmark_node_get_literal(neighbour));
      return before ? text.ends_with('$') : text.starts_with('$');
    };
    return dollar(cmark_node_previous(node), true) && dollar(cmark_node_next(node), false);
  }

  static std::string_view without_formula_marks(cmark_node* node, std::string_view text) {
    const auto formula = [](cmark_node* neighbour) {
      return neighbour != nullptr && cmark_node_get_type(neighbour) == CMARK_NODE_CODE &&
             is_formula(neighbour);
    };
    if (formula(cmark_node_next(node))) text.remove_suffix(1);
    if (formula(cmark_node_previous(node)) && !text.empty()) text.remove_prefix(1);
    return text;
  }

  static std::string plain_text(cmark_node* parent) {
    std::string result;
    for (cmark_node* child = cmark_node_first_child(parent); child != nullptr;
         child = cmark_node_next(child)) {
      const cmark_node_type type = cmark_node_get_type(child);
      if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) result += ' ';
      result += view(cmark_node_get_literal(child));
      result += plain_text(child);
    }
    return result;
  }

  const Surroundings& surroundings_;
  std::string out_;
  std::map<std::string, int> slugs_;
};

}  // namespace

std::string doxygen_page(const std::string& markdown, const Surroundings& surroundings) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(
      cmark_parser_new(CMARK_OPT_DEFAULT), cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> document(
      cmark_parser_finish(parser.get()), cmark_node_free);
  return Writer(surroundings).page(document.get());
}

std::string escaped_text(std::string_view plain) {
  const std::string text = markup_text(plain);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '\\':
      case '@':
      case '#':
      case '%':
      case '$':
      case '*':
      case '_':
      case '`':
      case '[':
      case ']':
      case '~':
        result += {'\\', text[i]};
        break;
      case '-':
        if (text.compare(i, 2, "--") == 0) {
          result += "\\--";
          ++i;
          break;
        }
        [[fallthrough]];
      default:
        result += text[i];
    }
  }
  return result;
}

std::string reference_text(std::string_view text) {
  std::string result;
  for (const char c : escaped_text(text)) {
    const bool of_markdown = std::string_view("*_`[]~").find(c) != std::string_view::npos;
    if (of_markdown && result.ends_with('\\')) result.pop_back();
    result += c;
  }
  return result;
}

std::string escaped_html(std::string_view text) { return markup_text(text); }

}  // namespace andrea::site
