// The C and C++ libraries in device code.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

__global__ void kernel(int* p, char* text) {
  std::cout << p[0] << std::endl;  // finding: Device code prints with printf
  fprintf(stderr, "%d", p[0]);    // finding: calls fprintf, which exists on the host only
  puts("a");                      // finding: calls puts
  p[0] = rand();                  // finding: calls rand
  p[1] = strlen(text);            // finding: calls strlen
  cudaMemcpy(p, p + 4, 4, cudaMemcpyDeviceToDevice);  // finding: calls cudaMemcpy
  if (p[0] > 3) exit(1);          // finding: calls exit
}
