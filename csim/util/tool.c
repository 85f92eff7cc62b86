/* SPDX-License-Identifier: Apache-2.0 */
/* tool.c - see tool.h */
#define _GNU_SOURCE
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ending.h"

/* ---- finding ---- */

/* Returns the next absolute entry of a PATH, and where the others begin; NULL: there is none. */
static const char *next_entry(const char **path, size_t *length) {
  while (*path) {
    const char *entry = *path;
    *length = strcspn(entry, ":");
    *path = entry[*length] ? entry + *length + 1 : NULL;
    if (entry[0] == '/')
      return entry;
  }
  return NULL;
}

bool ut_tool_find(const char *name, char *out) {
  const char *path = getenv("PATH"), *entry;
  size_t n;
  while ((entry = next_entry(&path, &n))) {
    struct stat st;
    if (n < PATH_MAX && snprintf(out, PATH_MAX, "%.*s/%s", (int)n, entry, name) < PATH_MAX && !access(out, X_OK) &&
        !stat(out, &st) && S_ISREG(st.st_mode))
      return true;
  }
  return false;
}

int ut_tool_need(const char *name, const char *package, const char *what, char *out, struct ut_error *e) {
  if (ut_tool_find(name, out))
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s needs `%s`, which is not in PATH (relative entries do not count): install it (Debian: apt-get "
                 "install %s) or correct PATH",
                 what, name, package);
}

void ut_tool_clean_environment(void) {
  unsetenv("POSIXLY_CORRECT");
  unsetenv("ARGP_HELP_FMT");
  const char *path = getenv("PATH"), *entry;
  char *clean = path ? malloc(strlen(path) + 1) : NULL;
  size_t used = 0, n;
  while (clean && (entry = next_entry(&path, &n))) {
    used += (size_t)sprintf(clean + used, "%s%.*s", used ? ":" : "", (int)n, entry);
  }
  if (used)
    setenv("PATH", clean, 1);
  else
    unsetenv("PATH"); /* an empty one is the current folder */
  free(clean);
}

/* ---- running ---- */

static bool is_variable(const char *setting, const char *name) {
  const size_t n = strlen(name);
  return !strncmp(setting, name, n) && setting[n] == '=';
}

/* Variables that change what our tools do, or make them write files: gnuplot's terminal, options of make and clang. */
static bool is_option(const char *setting) {
  static const char *const names[] = {"LC_ALL",
                                      "GNUTERM",
                                      "MAKEFLAGS",
                                      "MFLAGS",
                                      "GNUMAKEFLAGS",
                                      "MAKEFILES",
                                      "DEPENDENCIES_OUTPUT",
                                      "SUNPRO_DEPENDENCIES",
                                      "CCC_OVERRIDE_OPTIONS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_variable(setting, names[i]))
      return true;
  return false;
}

/* Returns our environment with replacements for the program: malloc'd array of borrowed strings. */
static char **environment_of(const struct ut_tool *tool) {
  /* Debian's name of a home folder that does not exist; clang leaves files in TMPDIR when it crashes. */
  static char locale[] = "LC_ALL=C", temporary[] = "TMPDIR=.", home[] = "HOME=/nonexistent",
              crash[] = "LLVM_DISABLE_SYMBOLIZATION=1";
  size_t n = 0, m = 0;
  while (environ[n])
    n++;
  char **env = malloc((n + 5) * sizeof *env);
  for (size_t i = 0; env && i < n; i++) {
    const char *v = environ[i];
    if (!is_option(v) && !(tool->private_folder && is_variable(v, "TMPDIR")) &&
        (tool->has_home || (!is_variable(v, "HOME") && !is_variable(v, "XDG_CONFIG_HOME"))))
      env[m++] = environ[i];
  }
  if (!env)
    return NULL;
  env[m++] = locale;
  env[m++] = crash;
  if (tool->private_folder)
    env[m++] = temporary;
  if (!tool->has_home)
    env[m++] = home;
  env[m] = NULL;
  return env;
}

static void kill_group(int signal_number) {
  (void)signal_number;
  kill(0, SIGKILL);
}

/* Standard streams and folder of the program.  The descriptors are copied out of the way of the three first. */
static bool take_place(const struct ut_tool *tool) {
  const int in = tool->in < 0 ? open("/dev/null", O_RDONLY) : fcntl(tool->in, F_DUPFD_CLOEXEC, 3);
  const int out = fcntl(tool->out, F_DUPFD_CLOEXEC, 3), err = fcntl(tool->err, F_DUPFD_CLOEXEC, 3);
  return in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0 &&
         (!tool->folder || !chdir(tool->folder));
}

/* The monitor process between us and the program; does not return. */
static void monitor(const struct ut_tool *tool, char **env, pid_t parent) {
  static const int defaults[] = {SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2};
  sigset_t none;
  setpgid(0, 0);
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    signal(defaults[i], SIG_DFL);
  signal(SIGTERM, kill_group);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent || !take_place(tool))
    _exit(126);
  const pid_t program = fork();
  if (!program) {
    signal(SIGTERM, SIG_DFL);
    execve(tool->command[0], tool->command, env);
    static const char text[] = "cannot be started\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(127);
  }
  int status = 126 << 8;
  while (program > 0 && waitpid(program, &status, 0) < 0 && errno == EINTR)
    ;
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

pid_t ut_tool_start(const struct ut_tool *tool) {
  char **env = environment_of(tool);
  if (!env) {
    errno = ENOMEM;
    return -1;
  }
  const pid_t parent = getpid(), child = ut_child_fork();
  if (child == 0)
    monitor(tool, env, parent); /* only async-signal-safe calls from here on */
  if (child > 0)
    setpgid(child, child); /* whoever is first */
  free(env);
  return child;
}

void ut_tool_stop(pid_t pid) {
  kill(-pid, SIGKILL);
  while (ut_child_wait(pid, NULL, 0, NULL) < 0 && errno == EINTR)
    ;
}

/* ---- asking ---- */

/* All of a file in memory (malloc'd, with a NUL behind it); NULL: out of memory. */
static char *contents(int fd, size_t *size) {
  struct stat st;
  *size = 0;
  char *text = fstat(fd, &st) ? NULL : malloc((size_t)st.st_size + 1);
  while (text && *size < (size_t)st.st_size) {
    const ssize_t got = pread(fd, text + *size, (size_t)st.st_size - *size, (off_t)*size);
    if (got > 0)
      *size += (size_t)got;
    else if (got == 0 || errno != EINTR)
      break;
  }
  if (text)
    text[*size] = '\0';
  return text;
}

static bool put(int fd, const char *text, size_t size) {
  for (size_t n = 0; n < size;) {
    const ssize_t put = write(fd, text + n, size - n);
    if (put >= 0)
      n += (size_t)put;
    else if (errno != EINTR)
      return false;
  }
  return lseek(fd, 0, SEEK_SET) == 0;
}

/* Waits for its end.  -1 and *e: it was interrupted, and does not run any more. */
static int wait_for(pid_t pid, const volatile sig_atomic_t *interrupted, int *status, struct ut_error *e) {
  useconds_t pause = 1000;
  pid_t got;
  while ((got = ut_child_wait(pid, status, WNOHANG, NULL)) == 0 || (got < 0 && errno == EINTR)) {
    const bool signalled = usleep(pause) && errno == EINTR;
    if (interrupted ? *interrupted : signalled) {
      ut_tool_stop(pid);
      return ut_fail(e, UT_INTERRUPTED, "interrupted");
    }
    pause = pause < 20000 ? pause + 1000 : 20000;
  }
  *status = got < 0 ? 126 : WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
  return 0;
}

static int run_to_its_end(struct ut_tool *tool, const char *input, size_t size,
                          const volatile sig_atomic_t *interrupted, int *status, struct ut_error *e) {
  if (tool->in < 0 || tool->out < 0 || tool->err < 0 || !put(tool->in, input, size))
    return ut_fail(e, UT_BAD_INPUT, "no memory for what %s reads and writes: %s", tool->command[0], strerror(errno));
  const pid_t pid = ut_tool_start(tool);
  if (pid < 0)
    return ut_child_fail(tool->command[0], e);
  return wait_for(pid, interrupted, status, e);
}

int ut_tool_ask(struct ut_tool *tool, const char *input, size_t size, const volatile sig_atomic_t *interrupted,
                struct ut_tool_answer *answer, struct ut_error *e) {
  size_t length;
  int *const stream[] = {&tool->in, &tool->out, &tool->err};
  for (int i = 0; i < 3; i++)
    *stream[i] = memfd_create("stream", MFD_CLOEXEC);
  *answer = (struct ut_tool_answer){0};
  int status = run_to_its_end(tool, input, size, interrupted, &answer->status, e);
  if (!status) {
    answer->data = contents(tool->out, &answer->size);
    answer->said = contents(tool->err, &length);
    if (!answer->data || !answer->said)
      status = ut_fail_memory(e);
  }
  for (int i = 0; i < 3; i++)
    if (*stream[i] >= 0)
      close(*stream[i]);
  if (status)
    ut_tool_answer_free(answer);
  return status;
}

void ut_tool_answer_free(struct ut_tool_answer *answer) {
  free(answer->data);
  free(answer->said);
  *answer = (struct ut_tool_answer){0};
}

int ut_tool_show(char *const command[], int in) {
  int status = 126 << 8;
  fflush(NULL);
  const pid_t pid = ut_child_fork();
  if (pid == 0) {
    if (dup2(in, STDIN_FILENO) >= 0)
      execv(command[0], command);
    _exit(127);
  }
  while (pid > 0 && ut_child_wait(pid, &status, 0, NULL) < 0 && errno == EINTR)
    ;
  return pid < 0 ? -1 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ut_tool_first_error(const char *said, char line[UT_TOOL_LINE + 1]) {
  static const char *const marks[] = {"%Error", "error: ", "ERROR: ", "Error"};
  const char *mark = NULL;
  for (size_t i = 0; i < sizeof marks / sizeof *marks && !mark; i++)
    mark = strstr(said, marks[i]);
  if (!mark)
    mark = said + strspn(said, " \t\r\n");
  while (mark > said && mark[-1] != '\n')
    mark--;
  size_t length = strcspn(mark, "\n");
  length = length > UT_TOOL_LINE ? UT_TOOL_LINE : length;
  while (length && isspace((unsigned char)mark[length - 1]))
    length--;
  memcpy(line, mark, length);
  line[length] = '\0';
}
