#include "trainer/stories/grammar.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "trainer/base/error.h"

namespace andrea {
namespace {

double bits_of_choice(std::size_t alternatives) {
  return std::log2(static_cast<double>(alternatives));
}

std::string capitalized(std::string word) {
  if (!word.empty()) {
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  }
  return word;
}

// Gives every form its twin with a capital initial.
void add_capital_forms(WordList* list) {
  const std::size_t forms = list->forms.size();
  for (std::size_t form = 0; form < forms; ++form) {
    const std::string twin = capitalized(list->forms[form]);
    if (twin == list->forms[form]) continue;
    list->forms.push_back(twin);
    for (std::vector<std::string>& word : list->words) word.push_back(capitalized(word[form]));
  }
}

bool consume(std::string_view* text, std::string_view expected) {
  if (!text->starts_with(expected)) return false;
  text->remove_prefix(expected.size());
  return true;
}

}  // namespace

Grammar::Grammar(std::vector<Rule> rules, std::vector<WordList> lists)
    : rules_(std::move(rules)), lists_(std::move(lists)) {
  require(!rules_.empty(), "A grammar needs at least one rule.");
  std::set<std::string> names;
  for (WordList& list : lists_) {
    require(!list.forms.empty(), "A word list has no form; name at least one.");
    require(!list.words.empty(), "The word list \"", list.forms[0], "\" has no words.");
    for (const std::vector<std::string>& word : list.words) {
      require(word.size() == list.forms.size(), "A word of the list \"", list.forms[0], "\" has ",
              word.size(), " forms; the list names ", list.forms.size(), ".");
    }
    add_capital_forms(&list);
    for (const std::string& form : list.forms) {
      require(names.insert(form).second, "The name \"", form, "\" is given twice.");
    }
  }
  for (const Rule& rule : rules_) {
    require(names.insert(rule.name).second, "The name \"", rule.name, "\" is given twice.");
    require(!rule.templates.empty(), "The rule \"", rule.name, "\" has no templates.");
  }
  for (const Rule& rule : rules_) {
    std::vector<Pieces>& templates = compiled_.emplace_back();
    for (const std::string& source : rule.templates) templates.push_back(compile(source));
  }
  check_recalls(0, {}, {});
}

Pieces Grammar::compile(const std::string& source) const {
  Pieces pieces;
  std::size_t position = 0;
  while (position < source.size()) {
    const char first = source[position];
    if (first == '[' || first == '{') {
      const std::size_t end = source.find(first == '[' ? ']' : '}', position);
      require(end != std::string::npos, "A bracket is not closed in the template \"", source,
              "\".");
      const std::string name = source.substr(position + 1, end - position - 1);
      pieces.push_back(look_up(name, first == '[', source));
      position = end + 1;
    } else {
      const std::size_t end = std::min(source.find_first_of("[{", position), source.size());
      pieces.push_back({Piece::Kind::literal, source.substr(position, end - position)});
      position = end;
    }
  }
  return pieces;
}

Piece Grammar::look_up(const std::string& name, bool choose, const std::string& source) const {
  for (std::size_t index = 0; index < lists_.size(); ++index) {
    const std::vector<std::string>& forms = lists_[index].forms;
    const auto form = std::find(forms.begin(), forms.end(), name);
    if (form == forms.end()) continue;
    return {choose ? Piece::Kind::choose_word : Piece::Kind::recall, "", index,
            static_cast<std::size_t>(form - forms.begin())};
  }
  const auto rule = std::find_if(rules_.begin(), rules_.end(),
                                 [&](const Rule& each) { return each.name == name; });
  require(choose && rule != rules_.end(), "Nothing is called \"", name,
          choose ? "\"" : "\" among the words", " in the template \"", source, "\".");
  return {Piece::Kind::choose_template, "", static_cast<std::size_t>(rule - rules_.begin())};
}

// Walks all derivations at once: `chosen` holds the lists from which a word has been chosen
// whichever way the rule was reached; returns those chosen whichever template is taken.
std::set<std::size_t> Grammar::check_recalls(std::size_t rule, const std::set<std::size_t>& chosen,
                                             std::set<std::size_t> callers) const {
  require(callers.insert(rule).second, "The rule \"", rules_[rule].name, "\" calls itself.");
  std::set<std::size_t> after_all;
  for (std::size_t index = 0; index < compiled_[rule].size(); ++index) {
    std::set<std::size_t> after = chosen;
    for (const Piece& piece : compiled_[rule][index]) {
      if (piece.kind == Piece::Kind::choose_template) {
        after = check_recalls(piece.index, after, callers);
      } else if (piece.kind == Piece::Kind::choose_word) {
        after.insert(piece.index);
      } else if (piece.kind == Piece::Kind::recall) {
        require(after.contains(piece.index), "The template \"", rules_[rule].templates[index],
                "\" recalls \"", lists_[piece.index].forms[piece.form],
                "\", which some texts have not chosen by then.");
      }
    }
    std::set<std::size_t> common;
    std::set_intersection(after.begin(), after.end(), after_all.begin(), after_all.end(),
                          std::inserter(common, common.end()));
    after_all = index == 0 ? after : common;
  }
  return after_all;
}

class Grammar::Writer {
 public:
  Writer(const Grammar& grammar, Random random)
      : grammar_(grammar), random_(random), chosen_(grammar.lists_.size()) {}

  void write(std::size_t rule) {
    const std::vector<Pieces>& templates = grammar_.compiled_[rule];
    for (const Piece& piece : templates[choose(templates.size())]) {
      if (piece.kind == Piece::Kind::literal) {
        result_.text += piece.literal;
      } else if (piece.kind == Piece::Kind::choose_template) {
        write(piece.index);
      } else {
        const WordList& list = grammar_.lists_[piece.index];
        std::size_t& chosen = chosen_[piece.index];
        if (piece.kind == Piece::Kind::choose_word) chosen = choose(list.words.size());
        result_.text += list.words[chosen][piece.form];
      }
    }
  }

  GeneratedText take() { return std::move(result_); }

 private:
  std::size_t choose(std::size_t alternatives) {
    result_.log2_probability -= bits_of_choice(alternatives);
    return random_.below(alternatives);
  }

  const Grammar& grammar_;
  Random random_;
  std::vector<std::size_t> chosen_;  // Of each list the word chosen last.
  GeneratedText result_{"", 0.0};
};

GeneratedText Grammar::generate(Random random) const {
  Writer writer(*this, random);
  writer.write(0);
  return writer.take();
}

// What is still to be matched: the rest of a template, then what follows the place it was called
// from.
struct Grammar::Continuation {
  Pieces::const_iterator next;
  Pieces::const_iterator end;
  const Continuation* then;
};

// Depth-first over all derivations.
class Grammar::Parser {
 public:
  explicit Parser(const Grammar& grammar) : grammar_(grammar), chosen_(grammar.lists_.size()) {}

  void match_rule(std::size_t rule, const Continuation* then, std::string_view text,
                  double log2_probability) {
    const std::vector<Pieces>& templates = grammar_.compiled_[rule];
    log2_probability -= bits_of_choice(templates.size());
    for (const Pieces& pieces : templates) {
      match({pieces.begin(), pieces.end(), then}, text, log2_probability);
    }
  }

  Derivations result() const { return result_; }

 private:
  void match(Continuation here, std::string_view text, double log2_probability) {
    while (true) {
      if (here.next == here.end) {
        if (here.then == nullptr) break;
        here = *here.then;
        continue;
      }
      const Piece& piece = *here.next++;
      if (piece.kind == Piece::Kind::choose_template) {
        return match_rule(piece.index, &here, text, log2_probability);
      } else if (piece.kind == Piece::Kind::choose_word) {
        return match_word(piece, here, text, log2_probability);
      } else if (piece.kind == Piece::Kind::literal) {
        if (!consume(&text, piece.literal)) return;
      } else {
        const WordList& list = grammar_.lists_[piece.index];
        if (!consume(&text, list.words[chosen_[piece.index]][piece.form])) return;
      }
    }
    if (text.empty()) record(log2_probability);
  }

  void match_word(const Piece& piece, const Continuation& here, std::string_view text,
                  double log2_probability) {
    const WordList& list = grammar_.lists_[piece.index];
    log2_probability -= bits_of_choice(list.words.size());
    const std::size_t chosen_before = chosen_[piece.index];
    for (std::size_t word = 0; word < list.words.size(); ++word) {
      std::string_view rest = text;
      if (!consume(&rest, list.words[word][piece.form])) continue;
      chosen_[piece.index] = word;
      match(here, rest, log2_probability);
    }
    chosen_[piece.index] = chosen_before;
  }

  void record(double log2_probability) {
    // log2(2^a + 2^b) = a + log2(1 + 2^(b - a)), which does not underflow.
    const auto [less, more] = std::minmax(result_.log2_probability, log2_probability);
    result_.log2_probability = more + std::log2(1.0 + std::exp2(less - more));
    ++result_.count;
  }

  const Grammar& grammar_;
  std::vector<std::size_t> chosen_;
  Derivations result_{0, -std::numeric_limits<double>::infinity()};
};

Derivations Grammar::parse(std::string_view text) const {
  Parser parser(*this);
  parser.match_rule(0, nullptr, text, 0.0);
  return parser.result();
}

double Grammar::entropy_bits() const { return rule_entropy_bits(0); }

double Grammar::mean_bytes() const { return rule_mean_bytes(0); }

double Grammar::rule_entropy_bits(std::size_t rule) const {
  double sum = 0.0;
  for (const Pieces& pieces : compiled_[rule]) {
    for (const Piece& piece : pieces) {
      if (piece.kind == Piece::Kind::choose_template) sum += rule_entropy_bits(piece.index);
      if (piece.kind == Piece::Kind::choose_word) {
        sum += bits_of_choice(lists_[piece.index].words.size());
      }
    }
  }
  const std::size_t templates = compiled_[rule].size();
  return bits_of_choice(templates) + sum / static_cast<double>(templates);
}

double Grammar::rule_mean_bytes(std::size_t rule) const {
  double sum = 0.0;
  for (const Pieces& pieces : compiled_[rule]) {
    for (const Piece& piece : pieces) {
      if (piece.kind == Piece::Kind::literal) {
        sum += static_cast<double>(piece.literal.size());
      } else if (piece.kind == Piece::Kind::choose_template) {
        sum += rule_mean_bytes(piece.index);
      } else {
        const WordList& list = lists_[piece.index];
        std::size_t bytes = 0;
        for (const std::vector<std::string>& word : list.words) bytes += word[piece.form].size();
        sum += static_cast<double>(bytes) / static_cast<double>(list.words.size());
      }
    }
  }
  return sum / static_cast<double>(compiled_[rule].size());
}

}  // namespace andrea
