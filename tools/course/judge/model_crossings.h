// File: model_crossings.h
//
// How those types of lesson 07 cross (crossing.h) that have constructors.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_MODEL_CROSSINGS_H_
#define ANDREA_TOOLS_COURSE_JUDGE_MODEL_CROSSINGS_H_

#include <vector>

#include "kernels/parameter_layout.h"
#include "lessons/07_full_model/model_memory.h"
#include "tools/course/judge/crossing.h"

namespace andrea::judge {

// All of a layout follows from its model.
template <>
struct Crossing<ParameterLayout> {
  static void put(Sender& to, const ParameterLayout& value) {
    Crossing<ModelConfig>::put(to, value.config());
  }
  static ParameterLayout get(Receiver& from) {
    return ParameterLayout(Crossing<ModelConfig>::get(from));
  }
};

template <>
struct Crossing<lesson07::ForwardMemory> {
  static void put(Sender& to, const lesson07::ForwardMemory& value) {
    Crossing<std::vector<float*>>::put(to, value.streams);
    Crossing<std::vector<void*>>::put(to, value.blocks);
    Crossing<float*>::put(to, value.normed);
    Crossing<void*>::put(to, value.norm_saved);
  }
  static lesson07::ForwardMemory get(Receiver& from) {
    lesson07::ForwardMemory value;
    value.streams = Crossing<std::vector<float*>>::get(from);
    value.blocks = Crossing<std::vector<void*>>::get(from);
    value.normed = Crossing<float*>::get(from);
    value.norm_saved = Crossing<void*>::get(from);
    return value;
  }
};

template <>
struct Crossing<lesson07::BackwardMemory> {
  static void put(Sender& to, const lesson07::BackwardMemory& value) {
    Crossing<float*>::put(to, value.dnormed);
    Crossing<float*>::put(to, value.dstream);
  }
  static lesson07::BackwardMemory get(Receiver& from) {
    lesson07::BackwardMemory value;
    value.dnormed = Crossing<float*>::get(from);
    value.dstream = Crossing<float*>::get(from);
    return value;
  }
};

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_MODEL_CROSSINGS_H_
