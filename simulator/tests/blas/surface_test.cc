// What surface.cu does, done.

#include "simulator/tests/blas/surface.cu"

#include "simulator/tests/blas/blas.h"

namespace {

class Surface : public Blas {};

TEST_F(Surface, EveryWayMultipliesMatricesInRows) {
  const int size = 9;
  const Numbers a = random_numbers(size, size, 1);
  const Numbers b = random_numbers(size, size, 2);
  const DeviceMatrix<float> device_a(a.transpose(), size), device_b(b.transpose(), size);
  for (int way = 0; way <= kWays; ++way) {
    const DeviceMatrix<float> device_c(size, size, size);
    EXPECT_EQ(way < kWays ? multiply_rows(handle_, device_a.get(), device_b.get(), device_c.get(),
                                          size, way)
                          : multiply_rows_lt(device_a.get(), device_b.get(), device_c.get(), size),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(Numbers(device_c.numbers().transpose()), a * b) << "way " << way;
  }
  const DeviceMatrix<float> x(random_numbers(size, 1, 3), size),
      y(random_numbers(size, 1, 4), size);
  EXPECT_EQ(use_vectors(handle_, size, x.get(), y.get(), device_a.get()), CUBLAS_STATUS_SUCCESS);
}

}  // namespace
