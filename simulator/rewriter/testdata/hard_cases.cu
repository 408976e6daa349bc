// Launches that are hard to find, each valid CUDA. The test compiles the rewritten file with
// calls_instead_of_launches.h and compares what the kernels were called with.
// In a comment: kernel<<<1, 1>>>(0);

#include "simulator/rewriter/testdata/hard_cases.h"

#include <sstream>

#ifndef __NVCC__
#include "simulator/rewriter/testdata/calls_instead_of_launches.h"
#endif

static std::vector<std::string> calls;
static std::vector<int> lines;

// Kernels of the test note what they get; under nvcc they only have to compile.
#ifdef __NVCC__
#define NOTE(name, ...)
#else
template <typename... Values>
void note(const char* name, Values... values) {
  std::ostringstream text;
  text << name;
  ((text << ' ' << values), ...);
  calls.push_back(text.str());
}
#define NOTE(...) note(__VA_ARGS__)
#endif

struct Pair {
  int first, second;
};
template <typename T>
struct Box {
  static constexpr int size = 3;
};
template <typename T>
constexpr int width = 2;

__global__ void plain() { NOTE("plain"); }
__global__ void one(int a) { NOTE("one", a); }
__global__ void two(int a, int b) { NOTE("two", a, b); }
__global__ void pair(Pair p, int b) { NOTE("pair", p.first, p.second, b); }
__global__ void scale_kernel(float* x, float factor) { NOTE("scale", x == nullptr, factor); }
template <int N, typename T>
__global__ void numbered(T a) {
  NOTE("numbered", N, a);
}
template <typename T>
__global__ void boxed() {
  NOTE("boxed", T::size);
}
template <typename T>
__global__ void dynamic(T value) {
  extern __shared__ T s[];
  extern float __shared__ rows[][4], more[];
  extern __shared__ __align__(16) double d[];
  extern __shared__ int v[] __attribute__((aligned(16)));
  if (value > 0) s[0] = value;
  NOTE("dynamic", s[0], sizeof(rows[0]), (void*)more == (void*)v, (void*)d == (void*)s);
}
namespace inner {
namespace deeper {
__global__ void kernel(int a) { NOTE("deeper", a); }
}  // namespace deeper
}  // namespace inner
namespace {
template <typename T>
__global__ void hidden(T größe) {
  extern __shared__ int hidden_memory[];
  hidden_memory[1] = größe;
  NOTE("hidden", hidden_memory[1]);
}
}  // namespace

__noinline__ __host__ __device__ int answer() { return 42; }

using Kernel = void (*)(int);
struct Table {
  Kernel kernels[2] = {one, inner::deeper::kernel};
  template <int N>
  Kernel get() const {
    return kernels[N];
  }
  void launch() { this->template get<1>()<<<1, 1>>>(11); }
};
Kernel choose(bool first) { return first ? one : inner::deeper::kernel; }

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define LAUNCH_PASTED(name, ...) \
  name##_kernel                  \
      <<<1,                      \
         32>>>(__VA_ARGS__)
#define CHECK(x)           \
  do {                     \
    (x);                   \
    lines.push_back(__LINE__); \
  } while (0)
#define SHAPE 2, 3

template <typename AnyTable>
void dependent(const AnyTable& table) {
  table.template get<(4 > 3 ? 0 : 1)>()<<<1, 1>>>(16);
}

void launches(float* x, int n) {
  Table table, *pointer = &table, tables[2];
  Kernel function = one;
  plain<<<1, 2>>>();
  plain<<<SHAPE>>>(/* nothing */);
  numbered<(4 > 3 ? 2 : 1), int><<<n >> 1, n > 3 ? 32 : 64>>>(1);
  numbered<1 << 3><<<1, 1>>>(2);
  boxed<Box<int>><<<1, 1>>>();
  boxed<Box<Box<int> > > << <Box<Box<Box<int>>>::size, 1'0 >> >();
  one<<<width<int>, 1>>>('<');
  pair<<<dim3{1, 2}, {3, 4}>>>({1, 2}, {});
  scale_kernel<<<1, 1>>>(NULL, 0);
  scale_kernel<<<1, 1>>>(0, 2);
  function<<<1, 1>>>(3);
  (*function)<<<1, 1>>>(4);
  (n > 3 ? one : function)<<<1, 1>>>(5);
  table.kernels[1]<<<1, 1>>>(6);
  pointer->kernels[0]<<<1, 1>>>(7);
  tables[1].get<1>()<<<1, 1>>>(8);
  choose(false)<<<1, 1>>>(9);
  if (n) ::one<<<1, 1>>>(10); else (*function)<<<1, 1>>>(0);
  if (n > 100) (*function)<<<1, 1>>>(0); else inner::deeper::kernel<<<1, 1>>>(10);
  table.launch();
  dependent(table);
  for (int i = 0; i < 2; ++i) one<<<1, 1>>>(i);
  [&] { two<<<1, 1>>>(n, n); }();
  auto body = [](int a) { return one<<<1, 1>>>(a); };
  body(12);
  (void)one<<<1, 1>>>(13);
  n ? one<<<1, 1>>>(14) : (void)0;
  int größe = 17;
  hidden<<<1, 1>>>(größe);
  LAUNCH(two, 1, 2, 1, 2);
  LAUNCH(plain, 1, 2);
  LAUNCH_PASTED(scale, x, 3);
  CHECK((two<<<1, 1>>>(3, 4)));
  two<<<1, 1>>>(5
#ifdef NEVER_DEFINED
                , 6
#else
                , 7
#endif
  );
#ifdef NEVER_DEFINED
  two<<<1, 1>>>(8,
#else
  two<<<3, 1>>>(9,
#endif
                10);
  one
#ifdef NEVER_DEFINED
      <<<1, 1>>>
#else
      <<<4, 4>>>
#endif
      (15);
  two<<<1,  // a comment with >>>
        1>>>(__LINE__,
             __LINE__);
  dynamic<float><<<1, 1, 16>>>(answer());
}

#if 0
this is not C++: <<<
#endif

std::vector<std::string> run_hard_cases() {
  calls.clear();
  float x = 0;
  launches(&x, 4);
  // Text that only looks like a launch.
  std::ostringstream text;
  text << R"(kernel<<<1, 1>>>(a))" << "<<<" << '<' << (1 < 2) << (1 << 2);
  calls.push_back(text.str());
  return calls;
}

std::vector<int> lines_of_launches() { return lines; }
