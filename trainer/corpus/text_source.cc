#include "trainer/corpus/text_source.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "trainer/base/error.h"
#include "trainer/corpus/document_cutter.h"
#include "trainer/corpus/text_files.h"
#include "trainer/corpus/text_reader.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = 1 << 16;

// `auto` divides a text of fewer documents than this.
constexpr int kEnoughDocuments = 50;
constexpr std::int64_t kSections = 100;
constexpr std::int64_t kShortestSection = 64;
constexpr std::int64_t kLongestSection = 1 << 20;

bool holds_json_lines(fs::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  return file.extension() == ".jsonl" || file.extension() == ".ndjson";
}

std::string text_of_json(const std::string& line, const std::string& field,
                         const std::string& place) {
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(line);
  } catch (const nlohmann::json::exception& error) {
    throw Error(text(place, ": this line is not JSON (", error.what(), ")"));
  }
  require(object.is_object(), place, ": a line of JSON lines must be an object, as in {\"", field,
          "\": \"Once upon a time\"}");
  const auto found = object.find(field);
  if (found == object.end()) {
    std::string fields;
    for (const auto& item : object.items()) fields += (fields.empty() ? "" : ", ") + item.key();
    throw Error(text(place, ": no field \"", field, "\"; choose another by --json-field (it has: ",
                     fields.empty() ? "none" : fields, ")"));
  }
  require(found->is_string(), place, ": the field \"", field, "\" is not a string");
  std::string contents = found->get<std::string>();
  unify_line_ends(&contents);
  return contents;
}

// The texts before they are cut: whole files, and the texts of JSON lines.
class Texts {
 public:
  Texts(std::vector<fs::path> files, std::string json_field)
      : files_(std::move(files)), json_field_(std::move(json_field)) {}

  // Moves to the next text; false at the end.
  bool next() {
    json_text_.reset();
    reader_.reset();
    for (;;) {
      if (lines_ && next_of_json_lines()) return true;
      lines_.reset();
      if (next_file_ == files_.size()) return false;
      const fs::path& file = files_[next_file_++];
      if (!holds_json_lines(file)) {
        reader_.emplace(file);
        return true;
      }
      lines_.emplace(file);
    }
  }

  // Appends more of the current text; false at its end.
  bool read(std::size_t bytes, std::string* text) {
    if (reader_) return reader_->read(bytes, text);
    if (!json_text_) return false;
    text->append(*json_text_);
    json_text_.reset();
    return true;
  }

  // About how many bytes the current text has: exact but for the line ends of plain files.
  std::int64_t measure() {
    if (json_text_) return static_cast<std::int64_t>(json_text_->size());
    if (reader_->path().extension() != ".gz") {
      return static_cast<std::int64_t>(fs::file_size(reader_->path()));
    }
    std::int64_t bytes = 0;
    for (std::string chunk; reader_->read(kReadBytes, &chunk); chunk.clear()) {
      bytes += static_cast<std::int64_t>(chunk.size());
    }
    return bytes;
  }

  void rewind() {
    json_text_.reset();
    reader_.reset();
    lines_.reset();
    next_file_ = 0;
  }

 private:
  bool next_of_json_lines() {
    std::string line;
    while (lines_->next(&line)) {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      json_text_ = text_of_json(line, json_field_,
                                text(lines_->path().string(), ":", lines_->line_number()));
      return true;
    }
    return false;
  }

  std::vector<fs::path> files_;
  std::string json_field_;
  std::size_t next_file_ = 0;
  std::optional<TextReader> reader_;      // The current text is a file,
  std::optional<LineReader> lines_;       // or a line of this file,
  std::optional<std::string> json_text_;  // with this text, until it is read.
};

class TextSource : public DocumentSource {
 public:
  TextSource(Texts texts, DocumentCutter cutter, bool trim, std::string description)
      : texts_(std::move(texts)),
        cutter_(std::move(cutter)),
        trim_(trim),
        description_(std::move(description)) {}

  bool next(std::string* document) override {
    for (;;) {
      if (complete_ && position_ == buffer_.size() && !next_text()) return false;
      const std::string_view piece = take_piece();
      if (piece.find_first_not_of(" \t\n\r\f\v") == std::string_view::npos) continue;
      document->assign(trim_ ? without_line_ends(piece) : piece);
      return true;
    }
  }

  void rewind() override {
    texts_.rewind();
    buffer_.clear();
    position_ = 0;
    complete_ = true;
  }

  std::string description() const override { return description_; }

 private:
  bool next_text() {
    buffer_.clear();
    position_ = 0;
    complete_ = !texts_.next();
    return !complete_;
  }

  // Valid until the next call.
  std::string_view take_piece() {
    for (;;) {
      const std::string_view text = std::string_view(buffer_).substr(position_);
      if (const std::optional<Cut> cut = cutter_(text, complete_)) {
        position_ += cut->next;
        return text.substr(0, cut->end);
      }
      if (complete_) {
        position_ = buffer_.size();
        return text;
      }
      // Doubling keeps the searches of a long piece, each from its start, linear in all.
      buffer_.erase(0, std::exchange(position_, 0));
      complete_ = !texts_.read(std::max(kReadBytes, buffer_.size()), &buffer_);
    }
  }

  static std::string_view without_line_ends(std::string_view piece) {
    const std::size_t first = piece.find_first_not_of('\n');
    return piece.substr(first, piece.find_last_not_of('\n') + 1 - first);
  }

  Texts texts_;
  DocumentCutter cutter_;
  bool trim_;
  std::string description_;
  std::string buffer_;        // What is read of the current text,
  std::size_t position_ = 0;  // from here on not yet handed out.
  bool complete_ = true;      // Nothing of the current text is left to read.
};

std::string without_escapes(std::string_view escaped) {
  std::string plain;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const char following = i + 1 < escaped.size() ? escaped[i + 1] : '\0';
    const bool known = following == 'n' || following == 't' || following == '\\';
    if (escaped[i] != '\\' || !known) {
      plain += escaped[i];
      continue;
    }
    plain += following == 'n' ? '\n' : following == 't' ? '\t' : '\\';
    ++i;
  }
  return plain;
}

// The length of the sections into which `auto` divides the texts, or 0 if there are enough as is.
std::size_t section_bytes(Texts* texts) {
  std::int64_t bytes = 0;
  int documents = 0;
  for (texts->rewind(); documents < kEnoughDocuments && texts->next(); ++documents) {
    bytes += texts->measure();
  }
  texts->rewind();
  if (documents == kEnoughDocuments) return 0;
  return static_cast<std::size_t>(std::clamp(bytes / kSections, kShortestSection, kLongestSection));
}

}  // namespace

std::unique_ptr<DocumentSource> open_text(const TextOptions& options) {
  constexpr std::string_view kSeparator = "separator:";
  const std::string& documents = options.documents;
  const bool automatic = documents == "auto";
  const bool separated = documents.starts_with(kSeparator);
  DocumentCutter cutter = cut_nowhere();
  if (documents == "line") {
    cutter = cut_at_lines();
  } else if (documents == "paragraph") {
    cutter = cut_at_blank_lines();
  } else if (separated) {
    cutter = cut_at_separator(without_escapes(documents.substr(kSeparator.size())));
  } else {
    require(automatic || documents == "file", "unknown kind of documents \"", documents,
            "\"; choose auto, file, paragraph, line or separator:STRING");
  }

  TextFiles found = find_text_files(options.paths);
  Texts texts(std::move(found.files), options.json_field);
  std::string what = documents == "file" ? "" : "; a document is a " + documents;
  if (separated) what = "; documents divided by " + documents.substr(kSeparator.size());
  if (automatic) {
    const std::size_t bytes = section_bytes(&texts);
    what = bytes == 0 ? "" : text("; documents are sections of about ", bytes, " bytes");
    if (bytes > 0) cutter = cut_into_sections(bytes);
  }

  const bool trim = !automatic && documents != "file";
  auto source = std::make_unique<TextSource>(std::move(texts), std::move(cutter), trim,
                                             found.description + what);
  std::string first;
  require(source->next(&first), "there is no text in ", found.description,
          ": it holds nothing but white space");
  source->rewind();
  return source;
}

}  // namespace andrea
