// Output, assertions and the heap of the device.

#include <assert.h>
#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void list(int n) {
  assert(n > 0);
  Node* head = nullptr;
  for (int i = 0; i < n; ++i) {
    Node* node = new Node{i, head};
    head = node;
  }
  int* memory = (int*)malloc(4 * sizeof(int));
  memset(memory, 0, 4 * sizeof(int));
  memcpy(memory, &head->value, sizeof(int));
  while (head) {
    printf("%d\n", head->value);
    Node* next = head->next;
    delete head;
    head = next;
  }
  free(memory);
}

int main() {
  list<<<1, 1>>>(3);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
