// Classes for both sides, with operators, constructors and inheritance.

#include <cmath>
#include <cstddef>

class Vec3 {
 public:
  __host__ __device__ Vec3() {}
  __host__ __device__ Vec3(float x, float y, float z) : e{x, y, z} {}
  __host__ __device__ inline float x() const { return e[0]; }
  __host__ __device__ float operator[](int i) const { return e[i]; }
  __host__ __device__ Vec3& operator+=(const Vec3& v);
  __host__ __device__ float length() const { return sqrtf(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]); }
  static int instances() { return 3; }

 private:
  float e[3];
};

__host__ __device__ Vec3& Vec3::operator+=(const Vec3& v) {
  e[0] += v.e[0];
  return *this;
}

__host__ __device__ inline Vec3 operator*(float t, const Vec3& v) {
  return Vec3(t * v[0], t * v[1], t * v[2]);
}

class Shape {
 public:
  __device__ virtual float area() const = 0;
};
class Disc : public Shape {
 public:
  __device__ explicit Disc(float radius) : radius_(radius) {}
  __device__ float area() const override { return 3.14159f * square(radius_); }

 private:
  __device__ static float square(float a) { return a * a; }
  float radius_;
};

float square(float a) { return a * a; }

__global__ void kernel(Vec3* v, Shape** shapes) {
  v[0] += 2.0f * v[1];
  v[0] += Vec3(1, 2, 3);
  shapes[0] = new Disc(v[0].length());
  v[1] = Vec3(shapes[0]->area(), v[0].x(), 0);
  delete shapes[0];
}

int host() { return Vec3::instances() + static_cast<int>(square(2)); }
