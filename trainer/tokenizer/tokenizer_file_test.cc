#include "trainer/tokenizer/tokenizer_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/tokenizer/tokenizer_trainer.h"

namespace andrea {
namespace {

using Json = nlohmann::json;

Tokenizer example() { return Tokenizer({{' ', 't'}, {'h', 'e'}, {257, 258}, {0xc3, 0xa9}}); }

// A folder of its own for each test, with the example saved in it.
class TokenizerFile : public testing::Test {
 protected:
  TokenizerFile() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    save_tokenizer(example(), folder_);
  }
  ~TokenizerFile() override { std::filesystem::remove_all(folder_); }

  // What load_tokenizer says of a file with these contents.
  std::string error_of(const std::string& contents) const {
    write_file(path_, contents);
    try {
      load_tokenizer(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::string error_after(const std::function<void(Json&)>& change) const {
    Json root = saved_;
    change(root);
    return error_of(root.dump());
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path path_ = folder_ / "tokenizer.json";
  Json saved_;

  void SetUp() override { saved_ = Json::parse(read_file(path_)); }
};

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
}

TEST_F(TokenizerFile, ReadsBackWhatItWrote) {
  const Tokenizer tokenizer = load_tokenizer(folder_ / "tokenizer.json");
  EXPECT_EQ(tokenizer.merges(), example().merges());
}

TEST_F(TokenizerFile, HasTheFormThatOtherToolsRead) {
  EXPECT_EQ(saved_["version"], "1.0");
  EXPECT_EQ(saved_["added_tokens"][0]["id"], 256);
  EXPECT_EQ(saved_["added_tokens"][0]["content"], "<|endoftext|>");
  EXPECT_EQ(saved_["pre_tokenizer"]["add_prefix_space"], false);
  EXPECT_EQ(saved_["model"]["vocab"].size(), 261u);
  EXPECT_EQ(saved_["model"]["vocab"]["Ġ"], 32);
  EXPECT_EQ(saved_["model"]["vocab"]["<|endoftext|>"], 256);
  EXPECT_EQ(saved_["model"]["vocab"]["Ġthe"], 259);
  EXPECT_EQ(saved_["model"]["merges"], (Json{"Ġ t", "h e", "Ġt he", "Ã ©"}));

  EXPECT_EQ(Json::parse(read_file(folder_ / "vocab.json")), saved_["model"]["vocab"]);
  EXPECT_EQ(read_file(folder_ / "merges.txt"), "#version: 0.2\nĠ t\nh e\nĠt he\nÃ ©\n");
  const Json configuration = Json::parse(read_file(folder_ / "tokenizer_config.json"));
  EXPECT_EQ(configuration["tokenizer_class"], "GPT2Tokenizer");
  EXPECT_EQ(configuration["bos_token"], "<|endoftext|>");
}

TEST_F(TokenizerFile, WritesIdsInOrderSoThatPeopleCanReadThem) {
  const std::string contents = read_file(folder_ / "vocab.json");
  EXPECT_LT(contents.find("\"h\":104"), contents.find("\"i\":105"));
  EXPECT_LT(contents.find("\"<|endoftext|>\":256"), contents.find("\"Ġt\":257"));
}

TEST_F(TokenizerFile, ReadsMergesAsPairs) {
  EXPECT_EQ(error_after([](Json& root) {
              root["model"]["merges"] =
                  Json::parse(R"([["Ġ", "t"], ["h", "e"], ["Ġt", "he"], ["Ã", "©"]])");
            }),
            "no error");
  EXPECT_EQ(load_tokenizer(path_).merges(), example().merges());
}

TEST_F(TokenizerFile, KeepsATokenizerTrainedOnOddText) {
  TokenizerTrainer trainer;
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes.append(2, static_cast<char>(byte));
  for (int repeat = 0; repeat < 2; ++repeat) {
    trainer.add(all_bytes + "مَرْحَبًا \"quoted\\\" \xff\xff\xfe 😀 <|endoftext|> #version: 0.2\n");
  }
  const Tokenizer tokenizer = trainer.train(8449);
  EXPECT_GT(tokenizer.vocabulary(), 300);
  save_tokenizer(tokenizer, folder_);
  EXPECT_EQ(load_tokenizer(path_).merges(), tokenizer.merges());
}

TEST_F(TokenizerFile, NamesTheFileInEveryError) {
  expect_part(error_of("{"), path_.string());
  std::filesystem::remove(path_);
  try {
    load_tokenizer(path_);
    FAIL();
  } catch (const Error& error) {
    expect_part(error.what(), path_.string());
  }
  EXPECT_THROW(save_tokenizer(example(), folder_ / "missing"), Error);
}

TEST_F(TokenizerFile, RefusesWhatIsNotWholeJson) {
  const std::string contents = read_file(path_);
  expect_part(error_of(""), "cut short");
  expect_part(error_of("hello"), "not JSON");
  expect_part(error_of("[]"), "no JSON object");
  expect_part(error_of("{}"), "no \"added_tokens\"");
  expect_part(error_of(std::string(100000, '[')), "cut short");
  expect_part(error_of(contents + "}"), "not JSON");
  // All but the line feed at the end is needed.
  for (std::size_t length = 0; length + 1 < contents.size(); length += 97) {
    ASSERT_NE(error_of(contents.substr(0, length)), "no error") << length;
  }
  expect_part(error_of(contents.substr(0, contents.size() - 2)), "cut short");
}

TEST_F(TokenizerFile, RefusesAnotherSpecialToken) {
  expect_part(error_after([](Json& root) { root["added_tokens"] = Json::array(); }), "one token");
  expect_part(error_after([](Json& root) { root["added_tokens"][0]["id"] = 0; }), "\"id\" is 0");
  expect_part(error_after([](Json& root) { root["added_tokens"][0]["content"] = "<s>"; }), "<s>");
  expect_part(error_after([](Json& root) { root["added_tokens"][0] = 5; }), "one token");
  expect_part(error_after([](Json& root) {
                root["model"]["vocab"]["<|endoftext|>"] = 257;
                root["model"]["vocab"]["Ġt"] = 256;
              }),
              "\"<|endoftext|>\" is 257, not 256");
}

TEST_F(TokenizerFile, RefusesIdsThatAreNotInOrder) {
  expect_part(error_after([](Json& root) { root["model"]["vocab"]["a"] = 98; }), "the id 98");
  expect_part(error_after([](Json& root) { root["model"]["vocab"].erase("b"); }), "0 to 259");
  expect_part(error_after([](Json& root) { root["model"]["vocab"]["Ã©"] = 5000; }), "5000");
  expect_part(error_after([](Json& root) { root["model"]["vocab"]["Ã©"] = -1; }), "-1");
  expect_part(error_after([](Json& root) { root["model"]["vocab"]["Ã©"] = "x"; }), "\"x\"");
  expect_part(error_after([](Json& root) { root["model"]["vocab"]["new"] = 261; }),
              "262 tokens, but bytes, BOS and 4 merges make 261");
  expect_part(error_after([](Json& root) {
                root["model"]["vocab"]["a"] = 98;
                root["model"]["vocab"]["b"] = 97;
              }),
              "\"a\" is 98, not 97");
  expect_part(error_after([](Json& root) { root["model"]["vocab"] = Json::array(); }),
              "a JSON array, not a JSON object");
}

TEST_F(TokenizerFile, RefusesMergesThatDoNotFit) {
  const auto with_merge = [&](const Json& merge) {
    return error_after([&](Json& root) { root["model"]["merges"][1] = merge; });
  };
  expect_part(with_merge("h zz"), "uses \"zz\"");
  expect_part(with_merge("e h"), "no token \"eh\"");
  expect_part(with_merge("Ġt he"), "\"Ġthe\" is 259, not 258");
  expect_part(with_merge("he"), "neither");
  expect_part(with_merge("h e r"), "uses \"e r\"");
  expect_part(with_merge(7), "neither");
  expect_part(with_merge({"h", "e", "r"}), "neither");
  expect_part(error_after([](Json& root) { root["model"]["merges"].erase(3); }), "3 merges");
  expect_part(error_after([](Json& root) { root["model"]["merges"].push_back("h e"); }),
              "\"he\" is 258, not 261");
  expect_part(error_after([](Json& root) {
                std::swap(root["model"]["merges"][0], root["model"]["merges"][1]);
              }),
              "\"he\" is 258, not 257");
}

TEST_F(TokenizerFile, RefusesOptionsThatWouldMakeOtherIds) {
  expect_part(error_after([](Json& root) { root["normalizer"] = {{"type", "NFC"}}; }), "NFC");
  expect_part(error_after([](Json& root) { root["truncation"] = {{"max_length", 8}}; }), "8");
  expect_part(error_after([](Json& root) { root["pre_tokenizer"] = nullptr; }), "pre_tokenizer");
  for (const auto& [name, value] : std::vector<std::pair<const char*, Json>>{
           {"type", "Whitespace"}, {"add_prefix_space", true}, {"use_regex", false}}) {
    expect_part(error_after([&](Json& root) { root["pre_tokenizer"][name] = value; }), name);
  }
  // Absent, it means true.
  expect_part(error_after([](Json& root) { root["pre_tokenizer"].erase("add_prefix_space"); }),
              "add_prefix_space");
  expect_part(error_after([](Json& root) { root["post_processor"]["type"] = "Template"; }),
              "Template");
  EXPECT_EQ(error_after([](Json& root) { root["post_processor"] = nullptr; }), "no error");
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, Json>>{{"type", "Unigram"},
                                                 {"dropout", 0.1},
                                                 {"ignore_merges", true},
                                                 {"continuing_subword_prefix", "##"},
                                                 {"end_of_word_suffix", "</w>"}}) {
    expect_part(error_after([&](Json& root) { root["model"][name] = value; }), name);
  }
}

}  // namespace
}  // namespace andrea
