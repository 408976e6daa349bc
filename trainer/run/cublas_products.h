// File: cublas_products.h
//
// The three matrix products of a linear layer by cuBLAS, in any precision, and nothing else of it:
// what a card's best is measured by.

#ifndef ANDREA_TRAINER_RUN_CUBLAS_PRODUCTS_H_
#define ANDREA_TRAINER_RUN_CUBLAS_PRODUCTS_H_

#include <cublas_v2.h>

#include <cstdint>

#include "kernels/device_buffer.h"
#include "kernels/model_config.h"

namespace andrea {

class CublasProducts {
 public:
  // For N rows of up to `widest` numbers, and weights of up to `largest`. Its buffers hold random
  // numbers.
  CublasProducts(Precision precision, int N, int widest, std::int64_t largest);
  ~CublasProducts();
  CublasProducts(const CublasProducts&) = delete;
  CublasProducts& operator=(const CublasProducts&) = delete;

  // y = x W, then dx = dy W^T and dW = x^T dy for the dy that was there. Error of the library: it
  // ends the program.
  void enqueue_linear(int in, int out);

  // What is multiplied, and what came of it, in the type of the precision.
  DeviceBuffer<char>& x() { return x_; }
  DeviceBuffer<char>& dy() { return dy_; }
  DeviceBuffer<char>& weight() { return weight_; }
  const DeviceBuffer<char>& y() const { return y_; }
  const DeviceBuffer<char>& dx() const { return dx_; }
  const DeviceBuffer<float>& dweight() const { return dweight_; }

 private:
  cudaDataType_t type_;  // of activations and weights
  cublasComputeType_t compute_;
  int N_;
  cublasHandle_t handle_;
  DeviceBuffer<char> x_, y_, dx_, dy_, weight_;
  DeviceBuffer<float> dweight_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_CUBLAS_PRODUCTS_H_
