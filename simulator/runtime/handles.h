// File: handles.h
//
// The objects that a program knows by a handle (streams, events, graphs), so that a handle that was
// destroyed, or never was one, is told from a good one without looking into it.

#ifndef ANDREA_SIMULATOR_RUNTIME_HANDLES_H_
#define ANDREA_SIMULATOR_RUNTIME_HANDLES_H_

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace simulator {

template <typename T>
class Handles {
 public:
  // Keeps the object, whose address is the handle.
  T* add(std::unique_ptr<T> object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    T* const handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }

  // Whether it is one of them, and not yet destroyed.
  bool has(const T* handle) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return objects_.count(handle) != 0;
  }

  // Gives the object up; nullptr where there is none.
  std::unique_ptr<T> remove(const T* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::unique_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const T*, std::unique_ptr<T>> objects_;
};

// The one collection of handles of this type. Never destroyed: other static objects may end streams
// and events when the program ends.
template <typename T>
Handles<T>& handles() {
  static Handles<T>* const kHandles = new Handles<T>;
  return *kHandles;
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_HANDLES_H_
