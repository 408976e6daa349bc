// Leaves a process behind, in a session of its own, that holds the judge's pipes.
extern "C" int fork(void);
extern "C" int setsid(void);
extern "C" int pause(void);
// ---- map
if (fork() == 0) {
  setsid();
  for (;;) pause();
}
