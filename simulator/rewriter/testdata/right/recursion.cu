// Recursion and forward declarations.

__device__ int fibonacci(int n);
__device__ void quicksort(int* x, int left, int right);
void print(const int* x, int n);

__global__ void kernel(int* x, int n) {
  quicksort(x, 0, n - 1);
  x[0] = fibonacci(n);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ void swap(int& a, int& b) {
  int c = a;
  a = b;
  b = c;
}

__device__ void quicksort(int* x, int left, int right) {
  if (left >= right) return;
  int i = left, j = right, pivot = x[(left + right) / 2];
  while (i <= j) {
    while (x[i] < pivot) ++i;
    while (x[j] > pivot) --j;
    if (i <= j) swap(x[i++], x[j--]);
  }
  quicksort(x, left, j);
  quicksort(x, i, right);
}

void print(const int* x, int n) {
  if (n > 0) print(x + 1, n - 1);
}

int main() {
  kernel<<<1, 1>>>(nullptr, 3);
  print(nullptr, 0);
}
