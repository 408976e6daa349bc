// File: crossing.h
//
// How arguments and results cross from one program to the other: Crossing<T>::put writes a value,
// Crossing<T>::get reads one. Numbers, enums, strings, vectors, arrays and structs of these cross
// by value; a pointer crosses as a place in one of the call's buffers (call_file.h), so it must
// point into device memory, or be null. A type that has no rule does not compile.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_CROSSING_H_
#define ANDREA_TOOLS_COURSE_JUDGE_CROSSING_H_

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/course/judge/fields.h"
#include "tools/course/judge/wire.h"

namespace andrea::judge {

// Turn pointers into places, and back.
class Sender : public Writer {
 public:
  virtual ~Sender() = default;
  virtual Place place_of(const void* pointer) = 0;
};

class Receiver : public Reader {
 public:
  using Reader::Reader;
  virtual ~Receiver() = default;
  virtual void* at(Place place) = 0;
};

// Of results, which have no pointers.
class ResultSender : public Sender {
  Place place_of(const void*) override { throw std::logic_error("a result has a pointer"); }
};
class ResultReceiver : public Receiver {
 public:
  using Receiver::Receiver;
  void* at(Place) override { throw Malformed("a result has a pointer"); }
};

template <typename T, typename = void>
struct Crossing {
  static_assert(std::is_aggregate_v<T>, "nobody has said how this type crosses");
  static void put(Sender& to, const T& value) {
    for_each_field(
        value, [&](const auto& field) { Crossing<std::decay_t<decltype(field)>>::put(to, field); });
  }
  static T get(Receiver& from) {
    T value{};
    for_each_field(
        value, [&](auto& field) { field = Crossing<std::decay_t<decltype(field)>>::get(from); });
    return value;
  }
};

template <typename T>
struct Crossing<T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
  static void put(Sender& to, T value) { to.number(value); }
  static T get(Receiver& from) { return from.number<T>(); }
};

template <typename T>
struct Crossing<T*> {
  static void put(Sender& to, const T* value) {
    const Place place = value == nullptr ? Place{} : to.place_of(value);
    to.number(place.buffer);
    to.number(place.offset);
  }
  static T* get(Receiver& from) {
    Place place;
    place.buffer = from.number<std::uint32_t>();
    place.offset = from.number<std::uint64_t>();
    return place.buffer == 0 ? nullptr : static_cast<T*>(from.at(place));
  }
};

template <>
struct Crossing<std::string> {
  static void put(Sender& to, const std::string& value) { to.text(value); }
  static std::string get(Receiver& from) { return std::string(from.text()); }
};

template <typename T>
struct Crossing<std::vector<T>> {
  static void put(Sender& to, const std::vector<T>& value) {
    to.number(static_cast<std::uint64_t>(value.size()));
    for (const T& one : value) Crossing<T>::put(to, one);
  }
  static std::vector<T> get(Receiver& from) {
    std::vector<T> value;
    // Each takes a byte or more, so that the file bounds how many there are.
    for (std::size_t left = from.count(1); left > 0; --left) {
      value.push_back(Crossing<T>::get(from));
    }
    return value;
  }
};

template <typename T, std::size_t size>
struct Crossing<std::array<T, size>> {
  static void put(Sender& to, const std::array<T, size>& value) {
    for (const T& one : value) Crossing<T>::put(to, one);
  }
  static std::array<T, size> get(Receiver& from) {
    std::array<T, size> value{};
    for (T& one : value) one = Crossing<T>::get(from);
    return value;
  }
};

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_CROSSING_H_
