// Parts of C++ that device code lacks.

#include <typeinfo>

struct Base {
  virtual ~Base() {}
};
struct Derived : Base {};

__device__ int checked(int a) {
  if (a < 0) throw a;  // finding: device code has no exceptions
  return a;
}

__global__ void kernel(int* p, Base* base) {
  try {  // finding: device code has no exceptions
    p[0] = 1;
  } catch (...) {
  }
  p[1] = typeid(int) == typeid(float);             // finding: no typeid | no typeid
  p[2] = dynamic_cast<Derived*>(base) != nullptr;  // finding: no dynamic_cast
  thread_local int a;                              // finding: no thread_local
  p[3] = a;
}
