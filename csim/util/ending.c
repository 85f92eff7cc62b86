/* SPDX-License-Identifier: Apache-2.0 */
/* ending.c - see ending.h.  The handler calls only async-signal-safe functions: it allocates no memory and uses no
 * stream. */
#define _GNU_SOURCE
#include "ending.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CHILDREN = 1024, MOST_TEMPORARIES = 64 };

static atomic_int child[MOST_CHILDREN]; /* 0: none */

enum { FREE, TAKEN, NOTED };
static struct {
  atomic_int state;
  char path[PATH_MAX];
} temporary[MOST_TEMPORARIES];
static _Atomic pid_t owner; /* of both; a process that is forked in another way owns none of them */

static volatile sig_atomic_t *volatile interrupted;
static volatile sig_atomic_t interrupted_by;

/* ---- removing */

struct entry { /* of getdents64 */
  uint64_t inode;
  int64_t next;
  unsigned short length;
  unsigned char type;
  char name[];
};

static void remove_all(int folder, const char *name, unsigned depth);

static void remove_entries(int folder, unsigned depth) {
  _Alignas(struct entry) char list[2048];
  long bytes;
  while ((bytes = syscall(SYS_getdents64, folder, list, sizeof list)) > 0)
    for (long at = 0; at < bytes;) {
      const struct entry *entry = (const struct entry *)(const void *)(list + at);
      at += entry->length;
      if (strcmp(entry->name, ".") && strcmp(entry->name, ".."))
        remove_all(folder, entry->name, depth);
    }
}

/* Removes a file, or a folder with its contents. */
static void remove_all(int folder, const char *name, unsigned depth) {
  if (!unlinkat(folder, name, 0) || errno == ENOENT || !depth)
    return;
  const int inside = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inside < 0)
    return;
  remove_entries(inside, depth - 1);
  close(inside);
  unlinkat(folder, name, AT_REMOVEDIR);
}

static void remove_temporaries(void) {
  enum { DEEPEST = 8, TRIES = 3 };
  const struct timespec pause = {.tv_nsec = 20000000}; /* a killed compiler may still be closing its files */
  for (unsigned i = 0; i < MOST_TEMPORARIES && getpid() == owner; i++)
    if (temporary[i].state == NOTED)
      for (unsigned tries = 0; tries < TRIES && !faccessat(AT_FDCWD, temporary[i].path, F_OK, 0); tries++) {
        if (tries)
          nanosleep(&pause, NULL);
        remove_all(AT_FDCWD, temporary[i].path, DEEPEST);
      }
}

/* ---- ending */

/* Sends a signal to a child or, if it leads a process group, to the group. */
static void tell(pid_t pid, int number) {
  kill(-pid, number);
  kill(pid, number);
}

/* Waits for a child to end, for some time, so that it can remove its own temporary files; then kills it, with the rest
 * of its group. */
static void end_child(pid_t pid, bool reap) {
  enum { PATIENCE = 100 };
  const struct timespec pause = {.tv_nsec = 5000000};
  siginfo_t ended = {0};
  const int how = WEXITED | WNOWAIT;
  for (unsigned i = 0; i < PATIENCE && !waitid(P_PID, (id_t)pid, &ended, how | WNOHANG) && !ended.si_pid; i++)
    nanosleep(&pause, NULL);
  tell(pid, SIGKILL);
  while (reap && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
    ;
}

static void end_children(void) {
  if (getpid() != owner)
    return;
  for (unsigned i = 0; i < MOST_CHILDREN; i++)
    if (child[i])
      tell(child[i], SIGTERM);
  for (unsigned i = 0; i < MOST_CHILDREN; i++)
    if (child[i])
      end_child(child[i], true);
}

/* Restores the default action and raises the signal. */
static void end_by(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

static bool lets_finish(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

static void on_signal(int number) {
  const int error = errno;
  if (interrupted && lets_finish(number)) {
    interrupted_by = number;
    *interrupted = 1;
    errno = error;
    return;
  }
  end_children();
  remove_temporaries();
  end_by(number);
}

/* At the exit, last of all. */
static void finish(int status, void *unused) {
  (void)unused;
  if (status != UT_INTERRUPTED || !interrupted_by || getpid() != owner)
    return;
  fflush(NULL);
  end_by(interrupted_by);
}

/* Signals that end no process, cannot be caught, or stop and continue a job. */
static bool ends_nobody(int number) {
  static const int these[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGSTOP,
                              SIGTSTP, SIGTTIN, SIGTTOU, SIGKILL,  SIGXFSZ /* an error of writing: standard.h */};
  for (size_t i = 0; i < sizeof these / sizeof *these; i++)
    if (number == these[i])
      return true;
  return false;
}

void ut_ending_start(void) {
  static char other_stack[65536]; /* for the end of a program that has used up its own */
  const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  owner = getpid();
  sigaltstack(&stack, NULL);
  for (int number = 1; number <= SIGRTMAX; number++) {
    if (ends_nobody(number) || sigaction(number, NULL, &before) || (before.sa_flags & SA_SIGINFO))
      continue;
    const bool shell = before.sa_handler == SIG_IGN && (number == SIGINT || number == SIGQUIT);
    if (before.sa_handler == SIG_DFL || shell)
      sigaction(number, &action, NULL);
  }
  on_exit(finish, NULL);
}

void ut_ending_catch(volatile sig_atomic_t *flag) {
  interrupted = flag;
}

/* ---- children */

pid_t ut_child_fork(void) {
  const pid_t parent = getpid();
  sigset_t all, before; /* until it is noted: a signal in between would not end it */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (owner != parent)
    owner = parent;
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* too late to be informed */
      _exit(126);
    owner = getpid();
    for (unsigned i = 0; i < MOST_CHILDREN; i++)
      child[i] = 0;
    for (unsigned i = 0; i < MOST_TEMPORARIES; i++)
      temporary[i].state = FREE;
  }
  for (unsigned i = 0; pid > 0 && i < MOST_CHILDREN; i++) {
    int none = 0;
    if (atomic_compare_exchange_strong(&child[i], &none, pid))
      break;
  }
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return pid;
}

int ut_child_fail(const char *what, struct ut_error *e) {
  const int error = errno;
  return ut_fail(e, UT_BAD_INPUT, "no process can be started for %s: %s; %s", what, strerror(error),
                 error == EAGAIN ? "end others, or raise `ulimit -u`" : "is there enough memory?");
}

pid_t ut_child_wait(pid_t pid, int *status, int options, struct rusage *usage) {
  siginfo_t ended = {0};
  /* the child is removed from our list first, because its number can be used again afterwards */
  if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT | (options & WNOHANG)))
    return -1;
  if (!ended.si_pid)
    return 0;
  for (unsigned i = 0; i < MOST_CHILDREN; i++) {
    int this = pid;
    if (atomic_compare_exchange_strong(&child[i], &this, 0))
      break;
  }
  return wait4(pid, status, options, usage);
}

void ut_child_tell(pid_t pid) {
  tell(pid, SIGTERM);
}

void ut_child_end(pid_t pid) {
  ut_child_tell(pid);
  end_child(pid, false);
  while (ut_child_wait(pid, NULL, 0, NULL) < 0 && errno == EINTR)
    ;
}

int ut_child_join(pid_t pid) {
  enum { LONGEST_NS = 20000000 };
  struct timespec pause = {.tv_nsec = 1000000};
  int status = 0;
  bool told = false;
  pid_t got;
  while ((got = ut_child_wait(pid, &status, WNOHANG, NULL)) == 0 || (got < 0 && errno == EINTR)) {
    if (interrupted && *interrupted && !told)
      told = !kill(pid, SIGINT);
    nanosleep(&pause, NULL); /* a signal shortens it: that is wanted */
    if (pause.tv_nsec < LONGEST_NS)
      pause.tv_nsec += 1000000;
  }
  return status;
}

/* ---- temporary files */

void ut_temporary_add(const char *path) {
  static atomic_bool at_exit;
  if (strlen(path) >= PATH_MAX)
    return;
  if (!atomic_exchange(&at_exit, true)) {
    owner = getpid();
    atexit(remove_temporaries);
  }
  for (unsigned i = 0; i < MOST_TEMPORARIES; i++) {
    int free = FREE;
    if (!atomic_compare_exchange_strong(&temporary[i].state, &free, TAKEN))
      continue;
    strcpy(temporary[i].path, path);
    temporary[i].state = NOTED;
    return;
  }
}

void ut_temporary_forget(const char *path) {
  for (unsigned i = 0; i < MOST_TEMPORARIES; i++)
    if (temporary[i].state == NOTED && !strcmp(temporary[i].path, path)) {
      temporary[i].state = FREE;
      return;
    }
}
