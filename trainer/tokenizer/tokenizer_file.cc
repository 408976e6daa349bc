#include "trainer/tokenizer/tokenizer_file.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/tokenizer/byte_alphabet.h"

namespace andrea {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keeps members in the order in which they were added

const std::string kBosText(Tokenizer::kBosText);

// How the token is written in all the files.
std::string written(const Tokenizer& tokenizer, int id) {
  return id == Tokenizer::kBos ? kBosText : write_bytes(tokenizer.piece(id));
}

std::string written_merge(const Tokenizer& tokenizer, const std::pair<int, int>& merge) {
  return written(tokenizer, merge.first) + " " + written(tokenizer, merge.second);
}

OrderedJson vocabulary_json(const Tokenizer& tokenizer) {
  // Each added at the end: by key would take a search through all the others.
  OrderedJson::object_t vocabulary;
  for (int id = 0; id < tokenizer.vocabulary(); ++id) {
    vocabulary.emplace_back(written(tokenizer, id), id);
  }
  return vocabulary;
}

OrderedJson byte_level_json(bool trim_offsets) {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", false},  // true where it is left out
          {"trim_offsets", trim_offsets},
          {"use_regex", true}};
}

OrderedJson tokenizer_json(const Tokenizer& tokenizer) {
  OrderedJson merges = OrderedJson::array();
  for (const auto& merge : tokenizer.merges()) merges.push_back(written_merge(tokenizer, merge));
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens",
           {{{"id", Tokenizer::kBos},
             {"content", kBosText},
             {"single_word", false},
             {"lstrip", false},
             {"rstrip", false},
             {"normalized", false},
             {"special", true}}}},
          {"normalizer", nullptr},
          {"pre_tokenizer", byte_level_json(true)},
          {"post_processor", byte_level_json(false)},
          {"decoder", byte_level_json(true)},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", ""},
            {"end_of_word_suffix", ""},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", false},
            {"vocab", vocabulary_json(tokenizer)},
            {"merges", merges}}}};
}

// Readers take the first line for a header and drop what follows the last line feed.
std::string merges_text(const Tokenizer& tokenizer) {
  std::string lines = "#version: 0.2\n";
  for (const auto& merge : tokenizer.merges()) lines += written_merge(tokenizer, merge) + "\n";
  return lines;
}

OrderedJson configuration_json() {
  return {{"tokenizer_class", "GPT2Tokenizer"},
          {"bos_token", kBosText},
          {"eos_token", kBosText},
          {"unk_token", kBosText},
          {"add_prefix_space", false},
          // Else `transformers` deletes spaces before punctuation from what it decodes.
          {"clean_up_tokenization_spaces", false}};
}

// The member of that name and kind.
const Json& member(const Json& object, const char* name, Json::value_t kind) {
  const auto found = object.find(name);
  require(found != object.end(), "it has no \"", name, "\"");
  require(found->type() == kind, "\"", name, "\" is a JSON ", found->type_name(), ", not a JSON ",
          Json(kind).type_name());
  return *found;
}

// Refuses a value other than those given; a member that is absent counts as null.
void require_value(const Json& object, const char* name, const std::vector<Json>& accepted) {
  const Json value = object.value(name, Json());
  for (const Json& each : accepted) {
    if (value == each) return;
  }
  throw Error(text("\"", name, "\" is ", value.dump(), ", not ", accepted.front().dump()));
}

void check_added_tokens(const Json& root) {
  const Json& tokens = member(root, "added_tokens", Json::value_t::array);
  require(tokens.size() == 1 && tokens[0].is_object(), "\"added_tokens\" must hold one token, ",
          kBosText, ", not ", tokens.size());
  require_value(tokens[0], "content", {kBosText});
  require_value(tokens[0], "id", {Tokenizer::kBos});
}

void check_pre_tokenizer(const Json& root) {
  const Json& pre_tokenizer = member(root, "pre_tokenizer", Json::value_t::object);
  require_value(pre_tokenizer, "type", {"ByteLevel"});
  require_value(pre_tokenizer, "add_prefix_space", {false});
  require_value(pre_tokenizer, "use_regex", {true, nullptr});
}

// Another one than ByteLevel, which only moves offsets, would add tokens.
void check_post_processor(const Json& root) {
  const Json post_processor = root.value("post_processor", Json());
  if (post_processor.is_object()) {
    require_value(post_processor, "type", {"ByteLevel"});
  } else {
    require_value(root, "post_processor", {nullptr});
  }
}

using Ids = std::unordered_map<std::string, int>;

// The ids of the written tokens, of which 0 to n - 1 must occur once each.
Ids read_vocabulary(const Json& model) {
  const Json& vocabulary = member(model, "vocab", Json::value_t::object);
  const std::size_t size = vocabulary.size();
  std::vector<bool> seen(size, false);
  Ids ids;
  for (const auto& [token, value] : vocabulary.items()) {
    require(value.is_number_unsigned() && value.get<std::size_t>() < size, "the id of token \"",
            token, "\" is ", value.dump(), ", but ", size, " tokens have the ids 0 to ", size - 1);
    const int id = value.get<int>();
    require(!seen[id], "two tokens have the id ", id, ", one of them \"", token, "\"");
    seen[id] = true;
    ids.emplace(token, id);
  }
  return ids;
}

// The id of a token, -1 if there is none.
int id_of(const Ids& ids, const std::string& token) {
  const auto found = ids.find(token);
  return found == ids.end() ? -1 : found->second;
}

void require_id(const Ids& ids, const std::string& token, int id) {
  const int found = id_of(ids, token);
  require(found >= 0, "the vocabulary has no token \"", token, "\", which is to be ", id);
  require(found == id, "the id of token \"", token, "\" is ", found, ", not ", id);
}

// The two parts of a merge, "a b" or ["a", "b"].
std::pair<std::string, std::string> merge_parts(const Json& merge) {
  if (merge.is_string()) {
    const auto& both = merge.get_ref<const std::string&>();
    const std::size_t space = both.find(' ');
    if (space != std::string::npos) return {both.substr(0, space), both.substr(space + 1)};
  }
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  throw Error(text("the merge ", merge.dump(), " is neither \"a b\" nor [\"a\", \"b\"]"));
}

Tokenizer read_model(const Json& model) {
  require_value(model, "type", {"BPE"});
  require_value(model, "dropout", {nullptr});
  require_value(model, "continuing_subword_prefix", {"", nullptr});
  require_value(model, "end_of_word_suffix", {"", nullptr});
  require_value(model, "ignore_merges", {false, nullptr});

  const Ids ids = read_vocabulary(model);
  for (int byte = 0; byte < 256; ++byte) {
    require_id(ids, write_bytes(std::string(1, static_cast<char>(byte))), byte);
  }
  require_id(ids, kBosText, Tokenizer::kBos);

  std::vector<std::pair<int, int>> merges;
  for (const Json& merge : member(model, "merges", Json::value_t::array)) {
    const auto [left, right] = merge_parts(merge);
    for (const std::string& part : {left, right}) {
      require(id_of(ids, part) >= 0, "the merge ", merge.dump(), " uses \"", part,
              "\", which the vocabulary does not have");
    }
    require_id(ids, left + right, Tokenizer::kFirstMerge + static_cast<int>(merges.size()));
    merges.emplace_back(id_of(ids, left), id_of(ids, right));
  }
  const std::size_t made = Tokenizer::kFirstMerge + merges.size();
  require(ids.size() == made, "the vocabulary has ", ids.size(), " tokens, but bytes, BOS and ",
          merges.size(), " merges make ", made);
  return Tokenizer(std::move(merges));
}

Tokenizer read_tokenizer(const std::string& contents) {
  Json root;
  try {
    root = Json::parse(contents);
  } catch (const Json::parse_error& error) {
    throw Error(text("it is not JSON, or was cut short (at byte ", error.byte, " of ",
                     contents.size(), ")"));
  }
  require(root.is_object(), "it holds no JSON object");
  check_added_tokens(root);
  for (const char* name : {"truncation", "padding", "normalizer"}) {
    require_value(root, name, {nullptr});
  }
  check_pre_tokenizer(root);
  check_post_processor(root);
  return read_model(member(root, "model", Json::value_t::object));
}

}  // namespace

void save_tokenizer(const Tokenizer& tokenizer, const std::filesystem::path& folder) {
  write_file(folder / "tokenizer.json", tokenizer_json(tokenizer).dump(2) + "\n");
  write_file(folder / "vocab.json", vocabulary_json(tokenizer).dump() + "\n");
  write_file(folder / "merges.txt", merges_text(tokenizer));
  write_file(folder / "tokenizer_config.json", configuration_json().dump(2) + "\n");
}

Tokenizer load_tokenizer(const std::filesystem::path& tokenizer_json) {
  const std::string contents = read_file(tokenizer_json);
  try {
    return read_tokenizer(contents);
  } catch (const Error& error) {
    throw Error(text(tokenizer_json.string(), " is not a tokenizer of this program: ", error.what(),
                     ". Take a tokenizer.json that this program wrote, or train a tokenizer anew"));
  }
}

}  // namespace andrea
