// Ends the program in a kernel.
extern "C" void _exit(int);

__global__ void leave_kernel() { _exit(0); }
// ---- map
leave_kernel<<<1, 1>>>();
