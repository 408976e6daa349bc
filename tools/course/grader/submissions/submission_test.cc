#include "tools/course/grader/submissions/submission.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tools/course/grader/submissions/picker.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernel = "lessons/00_first_kernel/kernel.cu";

Wanted lesson_00() { return {{kKernel, "lessons/00_first_kernel/answers.md"}, true}; }

struct Entry {
  std::string name, text;
  std::string link = "";       // a symbolic link to that
  std::string hard_link = "";  // likewise
  std::int64_t claimed_size = -1;
};

// `format`: a suffix, as ".tar.gz".
void write_archive(const fs::path& path, const std::vector<Entry>& entries) {
  archive* const out = archive_write_new();
  if (path.extension() == ".zip") {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_gnutar(out);
    if (path.extension() == ".gz") archive_write_add_filter_gzip(out);
  }
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  for (const Entry& one : entries) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, one.name.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_filetype(entry, one.link.empty() ? AE_IFREG : AE_IFLNK);
    if (!one.link.empty()) archive_entry_set_symlink(entry, one.link.c_str());
    if (!one.hard_link.empty()) archive_entry_set_hardlink(entry, one.hard_link.c_str());
    archive_entry_set_size(
        entry, one.claimed_size < 0 ? static_cast<la_int64_t>(one.text.size()) : one.claimed_size);
    archive_write_header(out, entry);
    archive_write_data(out, one.text.data(), one.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

// The one submission of the folder.
Submission only(const TestFolder& folder, const Wanted& wanted = lesson_00()) {
  Submissions all = read_submissions(folder.path(), wanted);
  EXPECT_EQ(all.all.size(), 1u);
  return all.all.front();
}

std::string remarks(const Submission& one) {
  std::string all;
  for (const std::string& remark : one.remarks) all += remark + "\n";
  return all;
}

void git(const fs::path& folder, const std::string& arguments) {
  const std::string command = "git -C '" + folder.string() +
                              "' -c user.name=a -c user.email=a@b -c init.defaultBranch=main " +
                              arguments + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(Submission, AFolder) {
  const TestFolder folder;
  folder.write("ada/lessons/00_first_kernel/kernel.cu", "hers");
  folder.write("ada/lessons/00_first_kernel/BUILD", "evil");
  folder.write("ada/lessons/00_first_kernel/kernel_test.cc", "evil");
  folder.write("ada/lessons/00_first_kernel/kernel.h", "evil");
  folder.write("ada/WORKSPACE", "evil");
  const Submission ada = only(folder);
  EXPECT_EQ(ada.name, "ada");
  EXPECT_EQ(ada.id, "ada");
  EXPECT_EQ(ada.files, (std::map<std::string, std::string>{{kKernel, "hers"}}));
  EXPECT_TRUE(ada.remarks.empty()) << remarks(ada);
}

TEST(Submission, ArchivesOfEachKind) {
  for (const std::string ending : {".zip", ".tar", ".tar.gz"}) {
    const TestFolder folder;
    write_archive(folder.path() / ("ada" + ending), {{"x/00_first_kernel/kernel.cu", "hers"}});
    const Submission ada = only(folder);
    EXPECT_EQ(ada.name, "ada");
    EXPECT_EQ(ada.files.at(kKernel), "hers") << ending;
  }
}

TEST(Submission, AnArchiveWithinAFolder) {
  const TestFolder folder;
  fs::create_directories(folder.path() / "Ada Lovelace_123_assignsubmission_file_");
  write_archive(folder.path() / "Ada Lovelace_123_assignsubmission_file_/work.zip",
                {{"lessons/00_first_kernel/kernel.cu", "hers"}});
  const Submission ada = only(folder);
  EXPECT_EQ(ada.name, "Ada Lovelace_123_assignsubmission_file_");
  EXPECT_EQ(ada.files.at(kKernel), "hers");
}

TEST(Submission, FilesAtTheTopOfOneLesson) {
  const TestFolder folder;
  folder.write("ada/kernel.cu", "hers");
  EXPECT_EQ(only(folder).files.at(kKernel), "hers");
  Wanted several = lesson_00();
  several.at_the_top = false;
  EXPECT_TRUE(only(folder, several).files.empty());
}

TEST(Submission, TheBetterOfTwoCopies) {
  const TestFolder folder;
  folder.write("ada/old/00_first_kernel/kernel.cu", "old");
  folder.write("ada/repository/lessons/00_first_kernel/kernel.cu", "hers");
  folder.write("ada/repository/solutions/00_first_kernel/kernel.cu", "the solution");
  EXPECT_EQ(only(folder).files.at(kKernel), "hers");
}

TEST(Submission, TwoCopiesAsGoodAreTold) {
  const TestFolder folder;
  folder.write("ada/a/lessons/00_first_kernel/kernel.cu", "one");
  folder.write("ada/b/lessons/00_first_kernel/kernel.cu", "other");
  EXPECT_NE(remarks(only(folder)).find("there are two of"), std::string::npos);
}

TEST(Submission, AnOrdinaryRepositoryGivesWhatIsCommitted) {
  const TestFolder folder;
  folder.write("ada/lessons/00_first_kernel/kernel.cu", "committed");
  git(folder.path() / "ada", "init");
  git(folder.path() / "ada", "add .");
  git(folder.path() / "ada", "commit -m x");
  folder.write("ada/lessons/00_first_kernel/kernel.cu", "later");
  EXPECT_EQ(only(folder).files.at(kKernel), "committed");
  git(folder.path() / "ada", "pack-refs --all");
  git(folder.path() / "ada", "gc");
  EXPECT_EQ(only(folder).files.at(kKernel), "committed");
}

TEST(Submission, ABareRepository) {
  const TestFolder folder;
  const fs::path elsewhere = folder.path().parent_path() / "bare_source";
  fs::remove_all(elsewhere);
  fs::create_directories(elsewhere / "lessons/00_first_kernel");
  std::ofstream(elsewhere / kKernel) << "hers";
  git(elsewhere, "init");
  git(elsewhere, "add .");
  git(elsewhere, "commit -m x");
  git(elsewhere, "clone --bare . '" + (folder.path() / "ada.git").string() + "'");
  fs::remove_all(elsewhere);
  EXPECT_EQ(only(folder).files.at(kKernel), "hers");
}

// ---- What is made to do harm, or damaged: nothing is taken, and a sentence says why.

TEST(Submission, ARepositorysSettingsAreNotRead) {
  const TestFolder folder;
  folder.write("ada/lessons/00_first_kernel/kernel.cu", "hers");
  git(folder.path() / "ada", "init");
  git(folder.path() / "ada", "add .");
  git(folder.path() / "ada", "commit -m x");
  const std::string trap = (folder.path() / "trap").string();
  std::ofstream(folder.path() / "ada/.git/config", std::ios::app)
      << "[core]\n  fsmonitor = touch " << trap << "\n  sshCommand = touch " << trap
      << "\n  pager = touch " << trap << "\n[tar \"x\"]\n  command = touch " << trap << "\n";
  EXPECT_EQ(only(folder).files.at(kKernel), "hers");
  EXPECT_FALSE(fs::exists(trap));
}

TEST(Submission, ARepositoryIsNoDoorToAnother) {
  for (const bool by_alternates : {false, true}) {
    const TestFolder folder;
    folder.write(std::string("bob/") + kKernel, "his");
    git(folder.path() / "bob", "init");
    git(folder.path() / "bob", "add .");
    git(folder.path() / "bob", "commit -m x");
    git(folder.path(), "init ada");
    const fs::path ada = folder.path() / "ada/.git", bob = folder.path() / "bob/.git";
    if (by_alternates) {
      folder.write("ada/.git/objects/info/alternates", (bob / "objects").string() + "\n");
      fs::copy(bob / "refs", ada / "refs",
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    } else {
      fs::remove_all(ada / "objects");
      fs::remove_all(ada / "refs");
      fs::create_directory_symlink("../../bob/.git/objects", ada / "objects");
      fs::create_directory_symlink("../../bob/.git/refs", ada / "refs");
    }
    const Submissions all = read_submissions(folder.path(), lesson_00());
    ASSERT_EQ(all.all.size(), 2u);
    EXPECT_TRUE(all.all[0].files.empty()) << by_alternates;
    const char* const told = by_alternates ? "borrows its objects" : "of its .git is a link";
    EXPECT_NE(remarks(all.all[0]).find(told), std::string::npos) << remarks(all.all[0]);
    EXPECT_EQ(all.all[1].files.at(kKernel), "his");
  }
}

TEST(Submission, ARepositoryWithoutACommit) {
  const TestFolder folder;
  folder.write("ada/lessons/00_first_kernel/kernel.cu", "hers");
  git(folder.path() / "ada", "init");
  const Submission ada = only(folder);
  EXPECT_TRUE(ada.files.empty());
  EXPECT_NE(remarks(ada).find("no commit yet"), std::string::npos) << remarks(ada);
}

TEST(Submission, LinksAreNotFollowed) {
  const TestFolder folder;
  const std::string secret = folder.write("../secret.cu", "secret");
  fs::create_directories(folder.path() / "ada/lessons/00_first_kernel");
  fs::create_symlink(secret, folder.path() / "ada" / kKernel);
  const Submission ada = only(folder);
  EXPECT_TRUE(ada.files.empty());
  EXPECT_NE(remarks(ada).find("was not followed"), std::string::npos);

  const fs::path lesson = folder.path() / "ada/lessons/00_first_kernel";
  fs::remove_all(lesson);
  folder.write("../secret_lesson/kernel.cu", "secret");
  fs::create_directory_symlink(folder.path() / "../secret_lesson", lesson);
  EXPECT_TRUE(only(folder).files.empty());
}

TEST(Submission, LinksInArchivesAndRepositories) {
  for (const bool hard : {false, true}) {
    const TestFolder folder;
    Entry link{kKernel, "", "/etc/passwd", "", -1};
    if (hard) link = {kKernel, "", "", "/etc/passwd", -1};
    write_archive(folder.path() / "ada.tar", {link});
    const Submission ada = only(folder);
    EXPECT_TRUE(ada.files.empty());
    EXPECT_NE(remarks(ada).find("was not followed"), std::string::npos) << remarks(ada);
  }
  const TestFolder folder;
  fs::create_directories(folder.path() / "ada/lessons/00_first_kernel");
  fs::create_symlink("/etc/passwd", folder.path() / "ada" / kKernel);
  git(folder.path() / "ada", "init");
  git(folder.path() / "ada", "add .");
  git(folder.path() / "ada", "commit -m x");
  EXPECT_TRUE(only(folder).files.empty());
}

TEST(Submission, NamesThatLeadOut) {
  for (const std::string name :
       {"../../lessons/00_first_kernel/kernel.cu", "/lessons/00_first_kernel/kernel.cu"}) {
    const TestFolder folder;
    write_archive(folder.path() / "ada.tar", {{kKernel, "good"}, {name, "evil"}});
    const Submission ada = only(folder);
    EXPECT_TRUE(ada.files.empty()) << name;
    EXPECT_NE(remarks(ada).find("leads out of the archive"), std::string::npos) << remarks(ada);
  }
}

TEST(Submission, AnArchiveThatUnpacksToTooMuch) {
  const TestFolder folder;
  // Two gigabytes of zeros, two megabytes packed.
  gzFile out = gzopen((folder.path() / "ada.tar.gz").c_str(), "wb1");
  std::string head(512, '\0');
  head.replace(0, 8, "zeros.cu");
  head.replace(124, 11, "20000000000");  // octal: 2 GiB
  head.replace(156, 1, "0");
  head.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char byte : head) sum += static_cast<unsigned char>(byte);
  std::snprintf(head.data() + 148, 8, "%06o", sum);
  gzwrite(out, head.data(), 512);
  gzclose(out);
  const Submission ada = only(folder);
  EXPECT_TRUE(ada.files.empty());
  EXPECT_NE(remarks(ada).find("unpacks to more than"), std::string::npos) << remarks(ada);
}

TEST(Submission, AFileThatIsTooLarge) {
  const TestFolder folder;
  folder.write(std::string("ada/") + kKernel, std::string(kLargestFile + 1, 'x'));
  write_archive(folder.path() / "bob.zip", {{kKernel, std::string(kLargestFile + 1, 'x')}});
  for (const Submission& one : read_submissions(folder.path(), lesson_00()).all) {
    EXPECT_TRUE(one.files.empty());
    EXPECT_NE(remarks(one).find("more than the"), std::string::npos) << remarks(one);
  }
}

TEST(Submission, APipeIsNotWaitedFor) {
  const TestFolder folder;
  fs::create_directories(folder.path() / "ada/lessons/00_first_kernel");
  ASSERT_EQ(mkfifo((folder.path() / "ada" / kKernel).c_str(), 0644), 0);
  EXPECT_TRUE(only(folder).files.empty());
}

TEST(Submission, ADamagedArchive) {
  const TestFolder folder;
  folder.write("ada.zip", "PK\x03\x04 and then nothing of the kind");
  const Submission ada = only(folder);
  EXPECT_TRUE(ada.files.empty());
  EXPECT_FALSE(ada.remarks.empty());
}

// ---- Names

TEST(Submission, IdsAreSafeAndDifferent) {
  EXPECT_EQ(id_of("ada_lovelace-1"), "ada_lovelace-1");
  for (const std::string name :
       {"../../etc", "a b", "//x:y", "=cmd()", "-rf", "\xc5\x81ukasz", "..", "a\nb", ""}) {
    const std::string id = id_of(name);
    EXPECT_EQ(
        id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
        std::string::npos)
        << id;
    EXPECT_NE(id[0], '-') << id;
  }
  EXPECT_NE(id_of("a b"), id_of("a_b"));
  EXPECT_NE(id_of("a b"), id_of("a:b"));
  EXPECT_LE(id_of(std::string(1000, 'x')).size(), 80u);
}

TEST(Submission, AFolderAndAnArchiveOfOneName) {
  const TestFolder folder;
  folder.write(std::string("ada/") + kKernel, "one");
  write_archive(folder.path() / "ada.zip", {{kKernel, "other"}});
  const Submissions all = read_submissions(folder.path(), lesson_00());
  ASSERT_EQ(all.all.size(), 2u);
  EXPECT_NE(all.all[0].id, all.all[1].id);
  EXPECT_NE(all.all[0].name, all.all[1].name);
}

TEST(Submission, WhatIsLeftOutIsNamed) {
  const TestFolder folder;
  folder.write("notes.txt", "x");
  folder.write("ada.rar", "x");
  folder.write(".DS_Store", "x");
  folder.write(std::string("ada/") + kKernel, "one");
  EXPECT_EQ(read_submissions(folder.path(), lesson_00()).left_out,
            (std::vector<std::string>{"ada.rar", "notes.txt"}));
}

TEST(Submission, FoldersThatAreNone) {
  const TestFolder folder;
  const auto message = [&](const fs::path& path) {
    return message_of<Error>([&] { read_submissions(path, lesson_00()); });
  };
  EXPECT_NE(message(folder.path() / "nowhere").find("is not a folder"), std::string::npos);
  EXPECT_NE(message(folder.path()).find("holds no submission"), std::string::npos);
  folder.write(kKernel, "x");
  EXPECT_NE(message(folder.path()).find("looks like a submission itself"), std::string::npos);
}

}  // namespace
}  // namespace andrea::grader
