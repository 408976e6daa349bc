#include "simulator/tool/linker_messages.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "simulator/tool/message_text.h"

namespace simulator {

std::string readable_linker_messages(std::string_view text, const std::string& current_folder,
                                     const std::vector<std::string>& sources) {
  std::string shown;
  std::set<std::string> told;
  bool is_undefined = false;
  const auto tell = [&](const std::string& line) {
    if (told.insert(line).second) shown += line + '\n';
  };
  for (std::string line : lines_of(text)) {
    // "/usr/bin/ld: object.o: in function `main':" says less than the line that follows.
    if (contains(line, ": in function `") || line.starts_with("collect2: ")) continue;
    const std::size_t undefined = line.find("undefined reference to `");
    const std::size_t multiple = line.find("multiple definition of `");
    if (contains(line, "undefined reference to `main'")) {
      tell("error: there is no main in " + sources.front() +
           (sources.size() > 1 ? " or the other files" : "") + ": a program starts in int main()");
      continue;
    }
    replace_all(line, current_folder + "/", "");
    if (undefined != std::string::npos) {
      is_undefined = true;
      Message place;
      const std::size_t at = line.find(": undefined reference");
      const bool has_place = at != std::string::npos &&
                             read_place(line.substr(0, at) + ":   ", place) &&
                             std::find(sources.begin(), sources.end(), place.path) != sources.end();
      tell((has_place ? line.substr(0, at) + ": error" : std::string("error")) + ": " +
           "undefined reference to" + line.substr(line.find(" `", at)));
    } else if (multiple != std::string::npos) {
      const std::size_t begin = line.find('`') + 1;
      tell("error: `" + line.substr(begin, line.find(';') - begin) +
           " is defined in more than one of the files");
    } else {
      if (const std::size_t at = line.find("cannot find -l"); at != std::string::npos) {
        line = "error: " + line.substr(at) + "; give the folder of the library by -L";
      }
      tell(line);
    }
  }
  if (is_undefined) {
    shown +=
        "note: declared, but defined in none of the files given: name the file that defines it as "
        "well, or its library by -l\n";
  }
  return shown;
}

}  // namespace simulator
