// A student's program that does what it reads in its input, a word. "42" in its output is what it
// wanted.

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

extern char** environ;

namespace {

const char* output = nullptr;

void won() { std::ofstream(output) << "42"; }
void won_if(bool done) {
  if (done) won();
}

bool writes(const char* path) { return open(path, O_WRONLY | O_CREAT, 0644) >= 0; }
bool reads(const char* path) { return open(path, O_RDONLY) >= 0; }

bool connects(std::uint32_t address, std::uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(address);
  const int one = socket(AF_INET, SOCK_STREAM, 0);
  return connect(one, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0;
}

[[noreturn]] void fork_bomb() {
  for (;;) {
    if (fork() < 0) sched_yield();
  }
}

[[noreturn]] void hang() {
  for (std::atomic<int> i = 0;;) ++i;
}

void leave_children(int count) {
  for (int i = 0; i < count; ++i) {
    if (fork() != 0) continue;
    setsid();
    for (;;) pause();
  }
}

void flood(int descriptor, long bytes) {
  const std::vector<char> piece(1 << 16, 'x');
  for (; bytes > 0; bytes -= 1 << 16) {
    if (write(descriptor, piece.data(), piece.size()) < 0) return;
  }
}

[[noreturn]] void take_memory() {
  for (;;) {
    if (char* const piece = static_cast<char*>(std::malloc(1 << 24)))
      std::memset(piece, 1, 1 << 24);
  }
}

const std::map<std::string, std::function<void()>> kDeeds = {
    {"honest", won},
    {"nothing", [] {}},
    {"status 125", [] { _exit(125); }},  // "nothing was run", says whoever would not be marked
    {"crash", [] { raise(SIGSEGV); }},
    {"hang", hang},
    {"sleep",
     [] {
       for (;;) pause();
     }},
    {"deaf hang",
     [] {
       std::signal(SIGXCPU, SIG_IGN);
       std::signal(SIGTERM, SIG_IGN);
       hang();
     }},
    {"fork bomb", fork_bomb},
    {"children",
     [] {
       leave_children(5);
       won();
     }},
    {"print 100 MB",
     [] {
       flood(1, 100 << 20);
       won();
     }},
    {"print without end", [] { flood(2, 1L << 50); }},
    {"large file", [] { flood(open(output, O_WRONLY), 1L << 50); }},
    {"memory", take_memory},
    {"many memories",
     [] {
       for (int i = 0; i < 8; ++i) {
         if (fork() == 0) take_memory();
       }
       for (;;) pause();
     }},
    // What it may not see
    {"read passwd", [] { won_if(reads("/etc/passwd")); }},
    {"read root", [] { won_if(reads("/root") || reads("/home") || reads("/tmp")); }},
    {"read the folder of this test", [] { won_if(reads("/judged/../proc/self/cwd/../tmp")); }},
    {"run a shell", [] { won_if(reads("/bin/sh") || reads("/usr/bin/env")); }},
    {"see processes", [] { won_if(reads("/proc/1/environ") && getppid() > 1); }},
    {"kill another", [] { won_if(getppid() > 1 && kill(getppid(), SIGKILL) == 0); }},
    {"kill all", [] { kill(-1, SIGKILL); }},
    {"connect", [] { won_if(connects(0x7f000001, 22) || connects(0x08080808, 53)); }},
    {"inherit a file",
     [] {
       for (int i = 3; i < 1000; ++i) won_if(fcntl(i, F_GETFD) >= 0);
     }},
    {"inherit a variable", [] { won_if(std::getenv("SECRET") != nullptr); }},
    // Where it may not write
    {"write elsewhere",
     [] {
       won_if(writes("/x") || writes("/judged/x") || writes("/judged/input") || writes("/tmp/x") ||
              writes("/dev/x") || writes("/dev/shm/x") || writes("/usr/lib/x") ||
              writes("/judged/student") || writes("/judged/confine"));
     }},
    {"exchange the output",
     [] { won_if(unlink(output) == 0 && symlink("/etc/passwd", output) == 0); }},
    // What it may not do
    {"namespaces", [] { won_if(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0); }},
    {"mount", [] { won_if(mount("x", "/proc", "tmpfs", 0, nullptr) == 0); }},
    {"memory of nobody",
     [] { won_if(memfd_create("x", 0) >= 0 || shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0); }},
    {"trace",
     [] {
       won_if(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0 ||
              ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
     }},
    {"memory of another",
     [] {
       char byte = 0;
       const iovec here{&byte, 1}, there{environ, 1};
       won_if(process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1 ||
              process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1);
     }},
    {"become root", [] { won_if(setuid(0) == 0 || setgid(0) == 0 || chroot("/") == 0); }},
    {"be root", [] { won_if(getuid() == 0); }},
    {"raise the limits",
     [] {
       rlimit none{RLIM_INFINITY, RLIM_INFINITY};
       won_if(setrlimit(RLIMIT_NPROC, &none) == 0 || setrlimit(RLIMIT_CPU, &none) == 0);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string deed;
  std::getline(std::ifstream(argv[1]), deed);  // closed before anybody counts open files
  output = argv[2];
  const auto known = kDeeds.find(deed);
  if (known == kDeeds.end()) return 3;
  known->second();
  return 0;
}
