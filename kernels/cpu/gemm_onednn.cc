#include <omp.h>

#include <cstddef>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "kernels/cpu/gemm.h"

namespace andrea::cpu {
namespace {

// oneDNN compiles a kernel for each shape, number of threads and set of attributes; they are kept.
struct Key {
  GemmShape shape;
  bool bias;
  int threads;

  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const GemmShape& s = key.shape;
    std::size_t hash = 0;
    for (const int part : {s.m, s.n, s.k, s.lda, s.ldb, s.ldc, int{s.transpose_a},
                           int{s.transpose_b}, int{s.add}, int{key.bias}, key.threads}) {
      hash = hash * 1000003 + static_cast<std::size_t>(part);
    }
    return hash;
  }
};

struct Kernel {
  dnnl::matmul primitive;
  dnnl::memory a, b, bias, c;
};

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

// A row-major matrix seen as it is stored or transposed.
dnnl::memory::desc matrix(int rows, int columns, int leading, bool transposed) {
  const dnnl::memory::dims strides =
      transposed ? dnnl::memory::dims{1, leading} : dnnl::memory::dims{leading, 1};
  return {{rows, columns}, dnnl::memory::data_type::f32, strides};
}

Kernel build(const Key& key) {
  const GemmShape& s = key.shape;
  const auto a = matrix(s.m, s.k, s.lda, s.transpose_a);
  const auto b = matrix(s.k, s.n, s.ldb, s.transpose_b);
  const auto bias = key.bias ? matrix(1, s.n, s.n, false) : dnnl::memory::desc();
  const auto c = matrix(s.m, s.n, s.ldc, false);

  dnnl::primitive_attr attributes;
  if (s.add) {
    dnnl::post_ops post;
    post.append_sum(1.0f);
    attributes.set_post_ops(post);
  }
  const dnnl::matmul::desc description =
      key.bias ? dnnl::matmul::desc(a, b, bias, c) : dnnl::matmul::desc(a, b, c);
  return {dnnl::matmul(dnnl::matmul::primitive_desc(description, attributes, engine())),
          dnnl::memory(a, engine(), nullptr), dnnl::memory(b, engine(), nullptr),
          key.bias ? dnnl::memory(bias, engine(), nullptr) : dnnl::memory(),
          dnnl::memory(c, engine(), nullptr)};
}

}  // namespace

void gemm(const GemmShape& shape, const float* a, const float* b, const float* bias, float* c) {
  // Each thread has its own table and stream: attention calls this from inside parallel regions.
  thread_local std::unordered_map<Key, Kernel, KeyHash> kernels;
  thread_local dnnl::stream stream(engine());

  const Key key{shape, bias != nullptr, omp_in_parallel() ? 1 : omp_get_max_threads()};
  auto found = kernels.find(key);
  if (found == kernels.end()) found = kernels.emplace(key, build(key)).first;
  Kernel& kernel = found->second;

  kernel.a.set_data_handle(const_cast<float*>(a));
  kernel.b.set_data_handle(const_cast<float*>(b));
  kernel.c.set_data_handle(c);
  std::unordered_map<int, dnnl::memory> arguments = {
      {DNNL_ARG_SRC, kernel.a}, {DNNL_ARG_WEIGHTS, kernel.b}, {DNNL_ARG_DST, kernel.c}};
  if (bias != nullptr) {
    kernel.bias.set_data_handle(const_cast<float*>(bias));
    arguments.emplace(DNNL_ARG_BIAS, kernel.bias);
  }
  kernel.primitive.execute(stream, arguments);
}

}  // namespace andrea::cpu
