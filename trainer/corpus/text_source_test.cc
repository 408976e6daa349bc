#include "trainer/corpus/text_source.h"

#include <gtest/gtest.h>

#include <numeric>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

using Documents = std::vector<std::string>;

Documents read_all(DocumentSource* source) {
  Documents documents;
  for (std::string document; source->next(&document);) documents.push_back(document);
  return documents;
}

// Reads the documents twice and holds the passes against each other.
Documents documents_of(const TextOptions& options) {
  const auto source = open_text(options);
  Documents documents = read_all(source.get());
  std::string document;
  EXPECT_FALSE(source->next(&document));
  source->rewind();
  source->next(&document);
  source->rewind();  // Also from the middle.
  EXPECT_EQ(read_all(source.get()), documents);
  return documents;
}

std::string message(const TextOptions& options) {
  return message_of<Error>([&] {
    const auto source = open_text(options);
    read_all(source.get());
  });
}

std::string joined(const Documents& documents) {
  return std::accumulate(documents.begin(), documents.end(), std::string());
}

TEST(TextSource, SplitsFilesIntoDocuments) {
  const TestFolder folder;
  folder.write("1.txt", "Once upon\na time.\r\n\r\nThere was a cat.\n");
  folder.write_gzip("2.txt.gz", "\n\nThe end. \n\n \n");
  TextOptions options;
  options.paths = {folder.path()};
  options.documents = "file";
  EXPECT_EQ(documents_of(options),
            (Documents{"Once upon\na time.\n\nThere was a cat.\n", "\n\nThe end. \n\n \n"}));
  options.documents = "paragraph";
  EXPECT_EQ(documents_of(options),
            (Documents{"Once upon\na time.", "There was a cat.", "The end. "}));
  options.documents = "line";
  EXPECT_EQ(documents_of(options),
            (Documents{"Once upon", "a time.", "There was a cat.", "The end. "}));
  options.documents = "separator: was ";
  EXPECT_EQ(documents_of(options),
            (Documents{"Once upon\na time.\n\nThere", "a cat.", "The end. \n\n "}));
  EXPECT_EQ(open_text(options)->description(),
            "2 files of " + folder.path().string() + "; documents divided by  was ");
}

TEST(TextSource, SeparatorsUnderstandEscapes) {
  const TestFolder folder;
  TextOptions options;
  options.paths = {folder.write("a.txt", "one\n---\ntwo\\t\\three\tfour")};
  options.documents = "separator:\\n---\\n";
  EXPECT_EQ(documents_of(options), (Documents{"one", "two\\t\\three\tfour"}));
  options.documents = "separator:\\t";
  EXPECT_EQ(documents_of(options), (Documents{"one\n---\ntwo\\t\\three", "four"}));
  options.documents = "separator:\\\\t\\\\";
  EXPECT_EQ(documents_of(options), (Documents{"one\n---\ntwo", "three\tfour"}));
}

TEST(TextSource, ReadsJsonLines) {
  const TestFolder folder;
  const std::string lines =
      "{\"text\": \"one\\r\\n\\ntwo\", \"id\": 7}\n\n{\"text\": \"\"}\n{\"text\": \"caf\\u00e9\"}";
  TextOptions options;
  options.paths = {folder.write("a.jsonl", lines), folder.write_gzip("b.ndjson.gz", lines)};
  options.documents = "file";
  EXPECT_EQ(documents_of(options), (Documents{"one\n\ntwo", "café", "one\n\ntwo", "café"}));
  options.documents = "paragraph";
  EXPECT_EQ(documents_of(options), (Documents{"one", "two", "café", "one", "two", "café"}));
}

TEST(TextSource, NamesTheLineOfBadJson) {
  const TestFolder folder;
  TextOptions options;
  const std::string file = folder.write("a.jsonl", "{\"text\": \"one\"}\n{\"text\": \"t\n");
  options.paths = {file};
  EXPECT_TRUE(message(options).starts_with(file + ":2: this line is not JSON ("));
  folder.write("a.jsonl", "{\"body\": \"one\", \"id\": 1}\n");
  EXPECT_EQ(message(options),
            file + ":1: no field \"text\"; choose another by --json-field (it has: body, id)");
  options.json_field = "body";
  EXPECT_EQ(documents_of(options).size(), 1u);
  options.json_field = "id";
  EXPECT_EQ(message(options), file + ":1: the field \"id\" is not a string");
  folder.write("a.jsonl", "[1]\n");
  EXPECT_NE(message(options).find("must be an object"), std::string::npos);
}

TEST(TextSource, AutoDividesAFewLongTexts) {
  const TestFolder folder;
  std::string text;
  for (int i = 0; i < 4000; ++i) text += (i % 20 == 0 ? "\n\nword" : " word") + std::to_string(i);
  TextOptions options;
  options.paths = {folder.write("whole.txt", text)};
  const Documents sections = documents_of(options);
  EXPECT_GT(sections.size(), 80u);
  EXPECT_LT(sections.size(), 125u);
  EXPECT_EQ(joined(sections), text);
  EXPECT_TRUE(sections[1].starts_with("word"));
  EXPECT_TRUE(sections[0].ends_with("\n\n"));

  // The same out of a gzip file and of JSON lines, and short documents are left whole.
  options.paths = {folder.write_gzip("whole.txt.gz", text)};
  EXPECT_EQ(documents_of(options), sections);
  std::string escaped;
  for (const char character : text) {
    if (character == '\n') escaped += "\\n";
    if (character != '\n') escaped += character;
  }
  options.paths = {folder.write("whole.jsonl", "{\"text\": \"" + escaped + "\"}")};
  EXPECT_EQ(documents_of(options), sections);
  options.paths.push_back(folder.write("short.txt", "A short one."));
  EXPECT_EQ(documents_of(options).back(), "A short one.");
}

TEST(TextSource, AutoLeavesManyTextsWhole) {
  const TestFolder folder;
  for (int i = 0; i < 49; ++i) folder.write(std::to_string(i) + ".txt", std::string(1000, 'a'));
  TextOptions options;
  options.paths = {folder.path()};
  EXPECT_GT(documents_of(options).size(), 60u);
  folder.write("50.txt", std::string(1000, 'a'));
  EXPECT_EQ(documents_of(options).size(), 50u);
}

TEST(TextSource, DocumentsMayBeLongerThanTheBuffer) {
  const TestFolder folder;
  const std::string longest(1'000'000, 'x');
  TextOptions options;
  options.paths = {folder.write("a.txt", "a\n\n" + longest + "\n\nb")};
  options.documents = "paragraph";
  EXPECT_EQ(documents_of(options), (Documents{"a", longest, "b"}));
}

TEST(TextSource, RefusesBadOptionsAndEmptyText) {
  const TestFolder folder;
  TextOptions options;
  options.paths = {folder.write("a.txt", " \n\t\n")};
  EXPECT_NE(message(options).find("nothing but white space"), std::string::npos);
  folder.write("a.txt", "text");
  options.documents = "sentence";
  EXPECT_EQ(message(options),
            "unknown kind of documents \"sentence\"; choose auto, file, "
            "paragraph, line or separator:STRING");
  options.documents = "separator:";
  EXPECT_NE(message(options).find("separator between documents is empty"), std::string::npos);
}

}  // namespace
}  // namespace andrea
