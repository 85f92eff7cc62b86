/* SPDX-License-Identifier: Apache-2.0 */
/* full_disk.c - a disk that becomes full, for tests: LD_PRELOADed, it lets so many calls that change a file succeed and
 * then fails all of them with ENOSPC, in the process and in those that it starts.
 *
 * UT_DISK_STATE names a file with struct state, which this makes if it is empty: all processes count in it.
 * UT_DISK_CALLS=N   so many succeed
 * UT_DISK_UNDER=DIR only files below DIR count; default: all but those that standard output and standard error are
 *
 * A filter of system calls (seccomp) stops each call that could change a file, wherever in the C library it comes from:
 * stdio does not call write() by a name that could be taken over.  The handler makes the call itself, from a page at an
 * address that the filter lets pass.  Processes that are started inherit the filter, and load this as well.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

struct state {
  atomic_long calls, failed;
};

/* Where calls may come from: below all programs.  Above one that stands at a fixed address the kernel places its heap
 * by chance, up to a gigabyte away. */
#define PAGE ((void *)0x200000UL)

static struct state *state;
static long allowed = -1;
static char under[PATH_MAX];
static size_t under_length;

/* mov rax, rdi; rdi.. = rsi..; syscall; ret: as syscall(2) of the C library. */
static const unsigned char code[] = {0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x4d,
                                     0x89, 0xc2, 0x4d, 0x89, 0xc8, 0x4c, 0x8b, 0x4c, 0x24, 0x08, 0x0f, 0x05, 0xc3};
typedef long raw_call(long number, long a, long b, long c, long d, long e, long f);

static long raw(long number, const long *a) {
  return ((raw_call *)PAGE)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Whether what this descriptor is has a place on the disk that fills up. */
static bool on_disk(int fd) {
  char link[64], path[PATH_MAX];
  struct stat s;
  if (fd == STDOUT_FILENO || fd == STDERR_FILENO || fstat(fd, &s) || !S_ISREG(s.st_mode))
    return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || !strncmp(path, "/memfd:", 7))
    return false;
  path[length] = '\0';
  return !under_length || !strncmp(path, under, under_length);
}

static bool of_disk(const char *path) {
  char whole[PATH_MAX];
  if (!under_length || path[0] != '/')
    return !under_length || (getcwd(whole, sizeof whole) && !strncmp(whole, under, under_length));
  return !strncmp(path, under, under_length);
}

static bool is_full(void) {
  const bool full = atomic_fetch_add(&state->calls, 1) >= allowed;
  if (full)
    atomic_fetch_add(&state->failed, 1);
  return full;
}

/* Whether the call needs room on the disk. */
static bool needs_room(long number, const long *a) {
  switch (number) {
  case SYS_write:
  case SYS_pwrite64:
  case SYS_writev:
  case SYS_pwritev:
  case SYS_fallocate:
  case SYS_fsync:
  case SYS_fdatasync: return on_disk((int)a[0]);
  case SYS_ftruncate: return a[1] > 0 && on_disk((int)a[0]);
  case SYS_sendfile: return on_disk((int)a[0]);
  case SYS_copy_file_range: return on_disk((int)a[2]);
  case SYS_open: return a[1] & O_CREAT && access((const char *)a[0], F_OK) && of_disk((const char *)a[0]);
  case SYS_openat:
    return a[2] & O_CREAT && (int)a[0] == AT_FDCWD && access((const char *)a[1], F_OK) && of_disk((const char *)a[1]);
  case SYS_rename: return of_disk((const char *)a[1]);
  case SYS_renameat:
  case SYS_renameat2: return of_disk((const char *)a[3]);
  case SYS_mkdir: return access((const char *)a[0], F_OK) && of_disk((const char *)a[0]);
  default: return false;
  }
}

static void on_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  ucontext_t *u = context;
  greg_t *r = u->uc_mcontext.gregs;
  const long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
  const int error = errno;
  if (needs_room(info->si_syscall, a) && is_full())
    r[REG_RAX] = -ENOSPC;
  else
    r[REG_RAX] = raw(info->si_syscall, a);
  errno = error;
}

/* Compilers take every signal that means a crash; this one is ours. */
int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  static int (*next)(int, const struct sigaction *, struct sigaction *);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "sigaction");
  return next(signal, signal == SIGSYS && state ? NULL : action, before);
}

static void die(const char *what) {
  dprintf(STDERR_FILENO, "full_disk: %s: %s\n", what, strerror(errno));
  _exit(99);
}

/* What the loader of a program does, before this is loaded, must pass: it creates nothing. */
static void filter(void) {
  static const int watched[] = {SYS_write,  SYS_pwrite64,  SYS_writev,    SYS_pwritev,  SYS_fallocate,
                                SYS_fsync,  SYS_fdatasync, SYS_ftruncate, SYS_sendfile, SYS_copy_file_range,
                                SYS_rename, SYS_renameat,  SYS_renameat2, SYS_mkdir};
  enum { COUNT = sizeof watched / sizeof *watched };
#define LOAD(member, offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member) + (offset))
#define JUMP(how, value, yes, no) BPF_JUMP(BPF_JMP | (how) | BPF_K, value, yes, no)
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)
  struct sock_filter list[COUNT], f[32 + COUNT];
  const struct sock_filter from_page[] = {LOAD(instruction_pointer, 4),
                                          JUMP(BPF_JEQ, 0, 0, 4),
                                          LOAD(instruction_pointer, 0),
                                          BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xfffff000),
                                          JUMP(BPF_JEQ, (uint32_t)(uintptr_t)PAGE, 0, 1),
                                          END(SECCOMP_RET_ALLOW)};
  const struct sock_filter creates[] = {LOAD(nr, 0),
                                        JUMP(BPF_JEQ, SYS_open, 0, 3),
                                        LOAD(args[1], 0),
                                        JUMP(BPF_JSET, O_CREAT, 0, 1),
                                        END(SECCOMP_RET_TRAP),
                                        LOAD(nr, 0),
                                        JUMP(BPF_JEQ, SYS_openat, 0, 3),
                                        LOAD(args[2], 0),
                                        JUMP(BPF_JSET, O_CREAT, 0, 1),
                                        END(SECCOMP_RET_TRAP),
                                        LOAD(nr, 0)};
  const struct sock_filter ends[] = {END(SECCOMP_RET_ALLOW), END(SECCOMP_RET_TRAP)};
  for (size_t i = 0; i < COUNT; i++)
    list[i] = (struct sock_filter)JUMP(BPF_JEQ, (uint32_t)watched[i], (uint8_t)(COUNT - i), 0);
  struct sock_filter *end = f;
#define ADD(part) (memcpy(end, part, sizeof part), end += sizeof part / sizeof *part)
  ADD(from_page);
  ADD(creates);
  ADD(list);
  ADD(ends);
  const struct sock_fprog program = {.len = (unsigned short)(end - f), .filter = f};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    die("no filter of system calls");
}

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("UT_DISK_STATE"), *calls = getenv("UT_DISK_CALLS"), *folder = getenv("UT_DISK_UNDER");
  if (!name || !calls)
    return;
  allowed = strtol(calls, NULL, 10);
  if (folder)
    under_length = (size_t)snprintf(under, sizeof under, "%s", folder);
  void *page = mmap(PAGE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page != PAGE)
    die("no page");
  memcpy(page, code, sizeof code);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  const struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
  if (sigaction(SIGSYS, &action, NULL))
    die("no handler");
  const bool first = !getenv("UT_DISK_FILTER");
  const int fd = open(name, O_RDWR | O_CLOEXEC);
  if (fd < 0 || (first && ftruncate(fd, sizeof *state)))
    die(name);
  state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (state == MAP_FAILED)
    die("no state");
  if (first) {
    setenv("UT_DISK_FILTER", "1", 1);
    filter();
  }
}
