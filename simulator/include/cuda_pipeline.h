// File: cuda_pipeline.h
//
// The functions of cuda_pipeline_primitives.h, and the older class round them,
// nvcuda::experimental::pipeline. <cuda/pipeline> is what CUDA has in its place now.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_H_

#include <cuda_pipeline_primitives.h>

#ifdef __CUDACC__

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  std::size_t commit() {
    __pipeline_commit();
    return __committed_++;
  }
  void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
  // For the group whose number commit returned.
  void wait(std::size_t __group) {
    __pipeline_wait_prior(__committed_ > __group + 1 ? __committed_ - __group - 1 : 0);
  }
  template <unsigned __last>
  void wait_prior() {
    __pipeline_wait_prior(__last);
  }

 private:
  std::size_t __committed_ = 0;
};

template <typename __T>
inline void memcpy_async(__T& __to, const __T& __from, pipeline&, __SIMULATOR_WHERE) {
  __simulator::__begin_copy(&__to, &__from, sizeof(__T), sizeof(__T), {__file, __line});
}

}  // namespace experimental
}  // namespace nvcuda

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_PIPELINE_H_
