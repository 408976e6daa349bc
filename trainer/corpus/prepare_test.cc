#include "trainer/corpus/prepare.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// Stands in for apt-get and dpkg-deb, so that no test needs a network: scripts found first in PATH.
class StandIns {
 public:
  StandIns() : path_(::getenv("PATH")) {
    use("apt-get",
        "while [ \"$1\" != download ]; do shift; done; shift\n"
        "for package; do echo > ${package}_1.0_all.deb; done\n");
    // The package's only file is a `bible` that prints two chapters.
    use("dpkg-deb",
        "if [ \"$1\" = -f ]; then echo 4.38; exit; fi\n"
        "mkdir -p \"$3/usr/bin\" \"$3/usr/lib\"\n"
        "cat > \"$3/usr/bin/bible\" <<'END'\n"
        "#!/bin/sh\n"
        "[ \"$*\" = '-p usr/lib/ -l0 Gen1:1-Rev22:21' ] || exit 1\n"
        "printf '\\nGenesis 1\\n\\n  1 In the beginning.\\n\\nExodus 1\\n\\n  1 Now.\\n'\n"
        "END\n"
        "chmod +x \"$3/usr/bin/bible\"\n");
    ::setenv("PATH", (programs().string() + ":" + path_).c_str(), 1);
  }
  ~StandIns() { ::setenv("PATH", path_.c_str(), 1); }

  void use(const std::string& program, const std::string& script) const {
    const std::string file = folder_.write("programs/" + program, "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
  }

  fs::path programs() const { return folder_.path() / "programs"; }

  // Where the tests prepare their texts; its name has a space on purpose.
  fs::path place() const { return folder_.path() / "a place"; }

  // The names in that place, hidden ones too.
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(place())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  TestFolder folder_;
  std::string path_;
};

std::string failure(const fs::path& folder) {
  return message_of<Error>([&] { prepare_kjv(folder); });
}

TEST(Prepare, MakesATextOnce) {
  const StandIns stand_ins;
  const fs::path folder = stand_ins.place() / "kjv";
  const PreparedText made = prepare_kjv(folder);
  EXPECT_FALSE(made.was_there);
  EXPECT_EQ(read_file(folder / "01_genesis/001.txt"), "Genesis 1\n\nIn the beginning.\n");
  EXPECT_EQ(read_file(folder / "02_exodus/001.txt"), "Exodus 1\n\nNow.\n");
  EXPECT_EQ(read_file(folder / "PROVENANCE"), made.provenance);
  EXPECT_NE(made.provenance.find("package: bible-kjv 4.38, bible-kjv-text 4.38\n"),
            std::string::npos);
  EXPECT_NE(
      made.provenance.find("files: 2\nbytes: 44\nsha256: "
                           "dc695000316a096064db7cb92b37539ae994a5933891ca10916dbb2d3d6f438d"),
      std::string::npos)
      << made.provenance;
  EXPECT_EQ(stand_ins.entries(), (std::vector<std::string>{"kjv"}));

  stand_ins.use("apt-get", "exit 1\n");
  const PreparedText again = prepare_kjv(folder / "");
  EXPECT_TRUE(again.was_there);
  EXPECT_EQ(again.provenance, made.provenance);
}

TEST(Prepare, ClearsUpAfterAnInterruptedRun) {
  const StandIns stand_ins;
  const fs::path left = stand_ins.place() / ".kjv.unfinished/texts/03_half";
  fs::create_directories(left);
  fs::create_directories(stand_ins.place() / "kjv");  // An empty folder is taken.
  prepare_kjv(stand_ins.place() / "kjv");
  EXPECT_EQ(stand_ins.entries(), (std::vector<std::string>{"kjv"}));
  EXPECT_FALSE(fs::exists(stand_ins.place() / "kjv/03_half"));
}

TEST(Prepare, TouchesNothingElse) {
  const StandIns stand_ins;
  const fs::path folder = stand_ins.place() / "kjv";
  prepare_kjv(folder);
  EXPECT_THROW(prepare_austen(folder), Error);
  fs::create_directories(stand_ins.place() / "mine");
  write_file(stand_ins.place() / "mine/diary.txt", "dear diary");
  EXPECT_NE(failure(stand_ins.place() / "mine").find("holds something else"), std::string::npos);
  EXPECT_NE(failure(stand_ins.place() / "mine/diary.txt").find("is a file"), std::string::npos);
  EXPECT_EQ(read_file(stand_ins.place() / "mine/diary.txt"), "dear diary");
}

TEST(Prepare, ExplainsWhatWentWrongAndLeavesNothing) {
  const StandIns stand_ins;
  const fs::path folder = stand_ins.place() / "kjv";
  const auto expect = [&](const std::string& apt_error, const std::string& explanation) {
    stand_ins.use("apt-get", "echo \"" + apt_error + "\" >&2; exit 100\n");
    EXPECT_NE(failure(folder).find(explanation), std::string::npos) << failure(folder);
    EXPECT_EQ(stand_ins.entries(), std::vector<std::string>());
  };
  expect("E: Unable to locate package bible-kjv", "apt-get update");
  expect("E: Failed to fetch x  404  Not Found", "apt-get update");
  expect("E: Failed to fetch x  Temporary failure resolving 'host'", "no network");
  expect("E: Failed to fetch x  write (28: No space left on device)", "the disk is full");
  expect("E: Something else", "E: Something else");

  stand_ins.use("apt-get", "exit 0\n");
  EXPECT_NE(failure(folder).find("downloaded no package bible-kjv"), std::string::npos);
}

TEST(Prepare, ExplainsDamagedPackages) {
  const StandIns stand_ins;
  const fs::path folder = stand_ins.place() / "kjv";
  stand_ins.use("dpkg-deb", "echo not an archive >&2; exit 2\n");
  EXPECT_NE(failure(folder).find("could not unpack bible-kjv_1.0_all.deb: not an archive"),
            std::string::npos);
  stand_ins.use("dpkg-deb", "[ $1 = -f ] && echo 1.0; exit 0\n");  // Without the files we know.
  EXPECT_NE(failure(folder).find("there is no program"), std::string::npos);
  EXPECT_NE(message_of<Error>([&] { prepare_austen(folder); }).find("Rdata.rdb"),
            std::string::npos);
  EXPECT_EQ(stand_ins.entries(), std::vector<std::string>());
}

TEST(Prepare, NeedsApt) {
  const StandIns stand_ins;
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_NE(failure(stand_ins.place() / "kjv").find("there is no apt-get"), std::string::npos);
}

TEST(Prepare, NeedsAPlaceToWrite) {
  const StandIns stand_ins;
  EXPECT_NE(failure("/proc/kjv").find("cannot create the folder"), std::string::npos);
}

}  // namespace
}  // namespace andrea
