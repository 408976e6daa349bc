// Ends the program by a call that no table of symbols shows.
// ---- map
__asm__ volatile("syscall" ::"a"(231L), "D"(0L) : "rcx", "r11", "memory");
