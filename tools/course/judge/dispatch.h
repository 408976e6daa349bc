// File: dispatch.h
//
// The student's side of a call: the functions by their names. The table is generated
// (proxies_main.cc) from the same declarations as the judge's proxies.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_DISPATCH_H_
#define ANDREA_TOOLS_COURSE_JUDGE_DISPATCH_H_

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tools/course/judge/crossing.h"

namespace andrea::judge {

struct Entry {
  std::string name;
  void (*answer)(Receiver& arguments, Sender& result);
};

// Of this program.
const std::vector<Entry>& entries();

template <typename Function>
struct Answering;

template <typename Result, typename... Parameters>
struct Answering<Result (*)(Parameters...)> {
  static void answer(Result (*function)(Parameters...), Receiver& from, Sender& to) {
    // Braces, so that the arguments are read from the first to the last.
    std::tuple<std::decay_t<Parameters>...> arguments{
        Crossing<std::decay_t<Parameters>>::get(from)...};
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, arguments);
    } else {
      Crossing<std::decay_t<Result>>::put(to, std::apply(function, arguments));
    }
  }
};

template <auto function>
void answer(Receiver& arguments, Sender& result) {
  Answering<decltype(function)>::answer(function, arguments, result);
}

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_DISPATCH_H_
