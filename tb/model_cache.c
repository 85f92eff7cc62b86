/* model_cache.c - see model_cache.h.
 *
 * Order of this file: small helpers, files, the snapshot of the sources, running tools, the key, entries and locks, the
 * build.
 *
 * Measured for a 7-port, 4-VC, 16-flit class (5.8 MB of generated C++, two cores): functions that run once ("Slow") at
 * -O0 cost 1.0 s of compiler time instead of 4.0 s and no run time; one translation unit for all the rest, several, or
 * one with the shim in it run at the same speed, so it is cut in two of equal size, one for each compiler process.
 */
#define _GNU_SOURCE
#include "model_cache.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_PARALLEL = 2, MAX_JOBS = 8, KEY_CHARS = 32, TAIL_LINES = 15, TAIL_CHARS = 1300, LINE_CHARS = 240 };

/* Part of every key: change it when the build steps change in a way that no flag shows. */
static const char build_recipe[] = "uturn model 1";

static const char *const verilator_flags[] = {"--cc",
                                              "--top-module",
                                              "switch",
                                              "--prefix",
                                              "Vswitch",
                                              "-O3",
                                              "--x-assign",
                                              "fast",
                                              "--x-initial",
                                              "unique",
                                              "--no-timing",
                                              "-Wno-fatal",
                                              "--output-split",
                                              "10000",
                                              "--output-split-cfuncs",
                                              "20000",
                                              "--Mdir",
                                              "obj",
                                              "-Irtl",
                                              NULL};
static const char *const compile_flags[] = {"-fPIC",
                                            "-std=c++17",
                                            "-fvisibility=hidden",
                                            "-DVL_TIME_CONTEXT",
                                            "-w",
                                            "-I",
                                            "obj",
                                            "-I",
                                            "src/csim/switch",
                                            "-I",
                                            "src/tb",
                                            NULL};
static const char *const link_flags[] = {"-shared", "-fPIC", "-Wl,-z,defs", "-latomic", "-pthread", NULL};

struct source {
  char *name; /* below the temporary folder: rtl/..., src/tb/..., src/csim/... */
  char *data;
  size_t size;
};

struct args {
  char **v; /* NULL-terminated */
  size_t n;
  bool failed; /* out of memory: checked once, when the command starts */
};

struct job {
  struct args command;
  const char *does; /* for messages: "compiling the shim" */
  uint64_t weight;  /* estimated cost: the heaviest starts first */
  pid_t pid;        /* 0: not started, or reaped */
  bool done;
  int log_fd;
};

struct entry {
  char key[KEY_CHARS + 1];
  const char *artefact;  /* file name in the entry: model.so, support.o */
  char path[PATH_MAX];   /* of the artefact in the cache */
  char folder[PATH_MAX]; /* cache/key */
  char tmp[PATH_MAX];    /* cache/key.tmp */
  int lock_fd;           /* -1: not held */
};

struct cache {
  const struct ut_model_request *request;
  ut_model_progress *progress;
  void *ctx;
  struct ut_error *e;
  char dir[PATH_MAX];
  char root[PATH_MAX], rtl[PATH_MAX];
  char verilator[PATH_MAX], compiler[PATH_MAX];
  char include[PATH_MAX]; /* Verilator's own C++ */
  char verilator_version[256], compiler_version[1024];
  char what[96]; /* the class in words, for progress messages */
  struct source *sources;
  size_t n_sources;
  struct entry model, support;
};

/* ---- helpers ---------------------------------------------------------------------------------------------------- */

/* Formats into `out` (PATH_MAX bytes).  Returns 0, or -1 when the path would be too long. */
static int path_set(struct ut_error *e, char *out, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int path_set(struct ut_error *e, char *out, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(out, PATH_MAX, format, ap);
  va_end(ap);
  if (n < 0 || n >= PATH_MAX)
    return ut_fail(e, UT_BAD_INPUT,
                   "the path %.200s... is too long (%d characters, limit %d): use a shorter folder name", out, n,
                   PATH_MAX - 1);
  return 0;
}

/* Words the failure `error` (an errno) of an operation on `path`, with its remedy.  Returns -1. */
static int fail_os(struct ut_error *e, int error, const char *operation, const char *path) {
  const char *remedy = NULL;
  switch (error) {
  case EACCES:
  case EPERM: remedy = "correct its owner and permissions, or set UTURN_CACHE to a folder of your own"; break;
  case EROFS: remedy = "the file system is read-only: set UTURN_CACHE to a writable folder"; break;
  case ENOSPC:
  case EDQUOT: remedy = "make room (about 20 MB for one model), or set UTURN_CACHE to a folder on another disk"; break;
  case ENOTDIR:
  case EEXIST:
    remedy = "a file stands where a folder is needed: remove it, or set UTURN_CACHE to another folder";
    break;
  case ENOENT: remedy = "check the spelling of the path"; break;
  case ELOOP:
  case ENAMETOOLONG: remedy = "set UTURN_CACHE to a simpler path"; break;
  default: return ut_fail(e, UT_INTERNAL, "model cache: cannot %s %.900s: %s", operation, path, strerror(error));
  }
  return ut_fail(e, UT_BAD_INPUT, "model cache: cannot %s %.900s: %s; %s", operation, path, strerror(error), remedy);
}

/* The same for a file or folder of the sources. */
static int fail_source(struct ut_error *e, int error, const char *operation, const char *path) {
  return ut_fail(e, error == ENOMEM ? UT_INTERNAL : UT_BAD_INPUT, "switch model: cannot %s %.900s: %s; check its %s",
                 operation, path, strerror(error), error == EACCES ? "permissions" : "name");
}

static int fail_memory(struct ut_error *e) {
  return ut_fail(e, UT_INTERNAL, "model cache: out of memory");
}

static void say(const struct cache *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const struct cache *c, const char *format, ...) {
  if (!c->progress)
    return;
  char text[256];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  c->progress(c->ctx, text);
}

static bool is_interrupted(const struct cache *c) {
  return c->request->interrupted && *c->request->interrupted;
}

static int fail_interrupted(struct ut_error *e) {
  return ut_fail(e, UT_INTERRUPTED, "interrupted while the switch model was being built; the next call builds it anew");
}

static void sleep_ms(long ms) {
  struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  nanosleep(&t, NULL); /* a signal shortens it: that is wanted */
}

static void args_add(struct args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void args_add(struct args *a, const char *format, ...) {
  char *text = NULL;
  va_list ap;
  va_start(ap, format);
  int n = vasprintf(&text, format, ap);
  va_end(ap);
  char **v = n < 0 ? NULL : realloc(a->v, (a->n + 2) * sizeof *v);
  if (!v) {
    if (n >= 0)
      free(text);
    a->failed = true;
    return;
  }
  a->v = v;
  a->v[a->n++] = text;
  a->v[a->n] = NULL;
}

static void args_add_all(struct args *a, const char *const *list) {
  for (; *list; list++)
    args_add(a, "%s", *list);
}

static void args_free(struct args *a) {
  for (size_t i = 0; i < a->n; i++)
    free(a->v[i]);
  free(a->v);
  *a = (struct args){0};
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n >= m && !strcmp(s + n - m, end);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Reads a whole regular file into a malloc'd buffer, followed by a NUL that *size does not count.  Returns 0, an errno
 * otherwise. */
static int read_file(const char *path, char **data, size_t *size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return errno;
  struct stat st;
  int error = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : !S_ISREG(st.st_mode) ? EINVAL : 0;
  size_t capacity = error ? 0 : (size_t)st.st_size + 1, n = 0;
  char *buffer = error ? NULL : malloc(capacity + 1);
  if (!error && !buffer)
    error = ENOMEM;
  while (!error) {
    ssize_t got = read(fd, buffer + n, capacity - n);
    if (got == 0)
      break;
    if (got < 0) {
      error = errno == EINTR ? 0 : errno;
      continue;
    }
    n += (size_t)got;
    if (n == capacity) { /* it grows while it is read */
      char *larger = realloc(buffer, capacity * 2 + 1);
      error = larger ? 0 : ENOMEM;
      buffer = larger ? larger : buffer;
      capacity *= 2;
    }
  }
  close(fd);
  if (error) {
    free(buffer);
    return error;
  }
  buffer[n] = '\0';
  *data = buffer;
  *size = n;
  return 0;
}

/* Creates or replaces a file.  Returns 0, or -1 after filling *e. */
static int write_file(struct ut_error *e, const char *path, const char *data, size_t size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail_os(e, errno, "write", path);
  int error = 0;
  for (size_t n = 0; n < size && !error;) {
    ssize_t put = write(fd, data + n, size - n);
    if (put >= 0)
      n += (size_t)put;
    else if (errno != EINTR)
      error = errno;
  }
  if (close(fd) && !error)
    error = errno;
  return error ? fail_os(e, error, "write", path) : 0;
}

/* Creates the folder `path` and those above it.  Returns 0, or -1 after filling *e. */
static int make_folders(struct ut_error *e, const char *path, mode_t mode) {
  char part[PATH_MAX];
  if (path_set(e, part, "%s", path))
    return -1;
  for (char *p = part + 1;; p++) {
    char end = *p;
    if (end != '/' && end != '\0')
      continue;
    *p = '\0';
    struct stat st;
    int error = mkdir(part, mode) ? errno : 0;
    if (stat(part, &st))
      return fail_os(e, error ? error : errno, "create the folder", part);
    if (!S_ISDIR(st.st_mode))
      return fail_os(e, ENOTDIR, "use as a folder", part);
    if (end == '\0')
      return 0;
    *p = end;
  }
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
  (void)st, (void)flag, (void)ftw;
  remove(path);
  return 0;
}

/* Removes a folder with its contents, as far as it can. */
static void remove_tree(const char *path) {
  struct stat st;
  for (int tries = 0; tries < 3 && !lstat(path, &st); tries++) {
    if (tries)
      sleep_ms(20); /* a killed compiler may still be closing its files */
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
}

/* ---- the snapshot of the sources -------------------------------------------------------------------------------- */

static bool have_source(const struct cache *c, const char *name) {
  for (size_t i = 0; i < c->n_sources; i++)
    if (!strcmp(c->sources[i].name, name))
      return true;
  return false;
}

/* Reads `path` into the snapshot as `name`.  Returns 0; 1 when it does not exist or is no file and `optional`; -1 after
 * filling the error. */
static int add_source(struct cache *c, const char *path, const char *name, bool optional) {
  char *data = NULL;
  size_t size = 0;
  int error = read_file(path, &data, &size);
  if (error && optional && (error == ENOENT || error == ENOTDIR || error == EISDIR || error == EINVAL))
    return 1;
  if (error)
    return fail_source(c->e, error, "read", path);
  struct source *more = realloc(c->sources, (c->n_sources + 1) * sizeof *more);
  char *copy = strdup(name);
  if (more)
    c->sources = more;
  if (!more || !copy) {
    free(copy);
    free(data);
    return fail_memory(c->e);
  }
  c->sources[c->n_sources++] = (struct source){.name = copy, .data = data, .size = size};
  return 0;
}

static int compare_sources(const void *a, const void *b) {
  return strcmp(((const struct source *)a)->name, ((const struct source *)b)->name);
}

/* All *.v and *.vh of the RTL folder. */
static int add_rtl(struct cache *c) {
  DIR *d = opendir(c->rtl);
  if (!d)
    return fail_source(c->e, errno, "read the RTL folder", c->rtl);
  int status = 0;
  for (struct dirent *f; !status && (f = readdir(d));) {
    if (f->d_name[0] == '.' || (!ends_with(f->d_name, ".v") && !ends_with(f->d_name, ".vh")))
      continue;
    char path[PATH_MAX], name[PATH_MAX];
    status = path_set(c->e, path, "%s/%s", c->rtl, f->d_name) || path_set(c->e, name, "rtl/%s", f->d_name)
                 ? -1
                 : add_source(c, path, name, false);
  }
  closedir(d);
  if (!status && !have_source(c, "rtl/switch.v"))
    return ut_fail(c->e, UT_BAD_INPUT, "the RTL folder %.900s has no switch.v: name the folder of the switch's Verilog",
                   c->rtl);
  return status;
}

/* Resolves "." and ".." in a relative path, in place.  Returns false when it leaves the folder that it starts from. */
static bool normalise(char *path) {
  char *parts[64], copy[PATH_MAX], *rest = copy;
  size_t n = 0;
  snprintf(copy, sizeof copy, "%s", path);
  for (char *part; (part = strsep(&rest, "/"));) {
    if (!*part || !strcmp(part, "."))
      continue;
    if (!strcmp(part, "..") ? n-- == 0 : n == sizeof parts / sizeof *parts)
      return false;
    if (strcmp(part, ".."))
      parts[n++] = part;
  }
  char *out = path;
  for (size_t i = 0; i < n; i++)
    out += sprintf(out, i ? "/%s" : "%s", parts[i]);
  *out = '\0';
  return n > 0;
}

/* Adds the file of ours that source `from` includes as `name`, if it is one: generated and system headers are not. */
static int add_included(struct cache *c, const char *from, const char *name) {
  const char *const folders[] = {from, "csim/switch/", "tb/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char relative[PATH_MAX], path[PATH_MAX], stored[PATH_MAX];
    int folder = i ? (int)strlen(folders[i]) : (int)(strrchr(from, '/') + 1 - from);
    if (name[0] == '/' || path_set(c->e, relative, "%.*s%s", folder, folders[i], name) || !normalise(relative))
      continue;
    if (path_set(c->e, path, "%s/%s", c->root, relative) || path_set(c->e, stored, "src/%s", relative))
      return -1;
    int status = have_source(c, stored) ? 0 : add_source(c, path, stored, true);
    if (status <= 0)
      return status;
  }
  return 0;
}

/* tb/shim.cpp and every file below the root that it includes, however deep. */
static int add_shim(struct cache *c) {
  char path[PATH_MAX];
  size_t next = c->n_sources;
  if (path_set(c->e, path, "%s/tb/shim.cpp", c->root) || add_source(c, path, "src/tb/shim.cpp", false))
    return -1;
  for (; next < c->n_sources; next++) {
    for (const char *line = c->sources[next].data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
      const char *p = line + strspn(line, " \t");
      if (*p++ != '#')
        continue;
      p += strspn(p, " \t");
      if (strncmp(p, "include", 7))
        continue;
      p += 7 + strspn(p + 7, " \t");
      const char *end = *p == '"' ? strpbrk(p + 1, "\"\n") : *p == '<' ? strpbrk(p + 1, ">\n") : NULL;
      char name[PATH_MAX], from[PATH_MAX];
      if (!end || *end == '\n' || end - p > 1000)
        continue;
      snprintf(name, sizeof name, "%.*s", (int)(end - p - 1), p + 1);
      snprintf(from, sizeof from, "%s", c->sources[next].name + strlen("src/"));
      if (add_included(c, from, name))
        return -1;
    }
  }
  return 0;
}

/* Writes the snapshot below `folder`. */
static int write_sources(struct cache *c, const char *folder) {
  for (size_t i = 0; i < c->n_sources; i++) {
    char path[PATH_MAX];
    if (path_set(c->e, path, "%s/%s", folder, c->sources[i].name))
      return -1;
    char *slash = strrchr(path, '/');
    *slash = '\0';
    if (make_folders(c->e, path, 0777))
      return -1;
    *slash = '/';
    if (write_file(c->e, path, c->sources[i].data, c->sources[i].size))
      return -1;
  }
  return 0;
}

/* ---- running tools ---------------------------------------------------------------------------------------------- */

/* Finds `name` in PATH.  Returns false when it is not there. */
static bool find_tool(const char *name, char *out) {
  const char *path = getenv("PATH");
  for (const char *p = path; p && *p;) {
    size_t n = strcspn(p, ":");
    struct stat st;
    if (n && n < PATH_MAX && snprintf(out, PATH_MAX, "%.*s/%s", (int)n, p, name) < PATH_MAX && !access(out, X_OK) &&
        !stat(out, &st) && S_ISREG(st.st_mode))
      return out[0] == '/'; /* a relative entry of PATH would not survive our change of folder */
    p += n + (p[n] == ':');
  }
  return false;
}

static void kill_group(int signal_number) {
  (void)signal_number;
  kill(0, SIGKILL);
}

/* Starts a command in folder `cwd` with its output in `out_fd`.  Between us and the tool stands a monitor process, the
 * head of a process group of its own: when we die, however, or kill the group, all processes that the tool has started
 * die too. Only async-signal-safe calls after fork.  Returns the monitor's pid, or -1 with errno. */
static pid_t spawn(char *const argv[], char *const env[], const char *cwd, int out_fd) {
  pid_t parent = getpid(), monitor = fork();
  if (monitor) {
    if (monitor > 0)
      setpgid(monitor, monitor);
    return monitor;
  }
  static const int defaults[] = {SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2};
  setpgid(0, 0);
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    signal(defaults[i], SIG_DFL);
  signal(SIGTERM, kill_group);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  int in_fd = open("/dev/null", O_RDONLY);
  if (getppid() != parent || in_fd < 0 || dup2(in_fd, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(out_fd, 2) < 0 ||
      chdir(cwd))
    _exit(126);
  pid_t tool = fork();
  if (!tool) {
    signal(SIGTERM, SIG_DFL);
    execve(argv[0], argv, env);
    static const char text[] = "cannot be started\n";
    ssize_t ignored = write(2, text, sizeof text - 1);
    (void)ignored;
    _exit(127);
  }
  int status = 126 << 8;
  while (tool > 0 && waitpid(tool, &status, 0) < 0 && errno == EINTR)
    ;
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* The environment with LC_ALL=C: messages are searched for known texts.  malloc'd array of borrowed strings. */
static char **tool_environment(void) {
  static char locale[] = "LC_ALL=C";
  size_t n = 0, m = 0;
  while (environ[n])
    n++;
  char **env = malloc((n + 2) * sizeof *env);
  for (size_t i = 0; env && i < n; i++)
    if (strncmp(environ[i], "LC_ALL=", 7))
      env[m++] = environ[i];
  if (env) {
    env[m++] = locale;
    env[m] = NULL;
  }
  return env;
}

static void stop_job(struct job *j) {
  if (j->pid <= 0)
    return;
  kill(-j->pid, SIGKILL);
  while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  j->pid = 0;
}

/* Runs the jobs in folder `cwd`, at most MAX_PARALLEL at once, in the given order.  Returns -1 when all ended well; the
 * index of the first one that failed, its exit status in *status (128 + signal); -2 after filling the error.  None runs
 * on return. */
static int run_jobs(struct cache *c, struct job *jobs, int n, const char *cwd, int *status) {
  char **env = tool_environment();
  int result = env ? -1 : -2, running = 0, ended = 0;
  long pause = 1;
  if (!env)
    fail_memory(c->e);
  while (result == -1 && ended < n) {
    if (is_interrupted(c)) {
      fail_interrupted(c->e);
      result = -2;
      break;
    }
    bool changed = false;
    for (int i = 0; i < n && result == -1; i++) {
      struct job *j = &jobs[i];
      if (!j->done && j->pid == 0 && running < MAX_PARALLEL) {
        j->pid = j->command.failed ? -1 : spawn(j->command.v, env, cwd, j->log_fd);
        if (j->pid < 0) {
          ut_fail(c->e, UT_INTERNAL, "model cache: cannot start %s: %s", j->command.failed ? "a tool" : j->command.v[0],
                  j->command.failed ? "out of memory" : strerror(errno));
          result = -2;
        }
        running++;
        changed = true;
      } else if (j->pid > 0) {
        pid_t got = waitpid(j->pid, status, WNOHANG);
        if (got == 0 || (got < 0 && errno == EINTR))
          continue;
        *status = got < 0 ? 126 : WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
        j->pid = 0;
        j->done = changed = true;
        running--;
        ended++;
        if (*status)
          result = i;
        else if (ended < n)
          say(c, "%s: %d of %d compiled", c->what, ended, n);
      }
    }
    if (!changed && result == -1) {
      sleep_ms(pause);
      pause = pause < 20 ? pause + 1 : 20;
    }
  }
  for (int i = 0; i < n; i++)
    stop_job(&jobs[i]);
  free(env);
  return result;
}

/* The output of `tool argument`, without the last line feed. */
static int tool_says(struct cache *c, const char *tool, const char *argument, const char *argument2, char *out,
                     size_t size) {
  struct job j = {.log_fd = memfd_create("uturn", MFD_CLOEXEC)};
  if (j.log_fd < 0)
    return ut_fail(c->e, UT_INTERNAL, "model cache: cannot create a memory file: %s", strerror(errno));
  args_add(&j.command, "%s", tool);
  args_add(&j.command, "%s", argument);
  if (argument2)
    args_add(&j.command, "%s", argument2);
  int status = 0, result = run_jobs(c, &j, 1, "/", &status);
  ssize_t n = result == -2 ? 0 : pread(j.log_fd, out, size - 1, 0);
  out[n > 0 ? n : 0] = '\0';
  while (n > 0 && isspace((unsigned char)out[n - 1]))
    out[--n] = '\0';
  close(j.log_fd);
  args_free(&j.command);
  if (result >= 0)
    return ut_fail(c->e, UT_BAD_INPUT, "`%.300s %s %s` fails with status %d: %.600s; reinstall the tool", tool,
                   argument, argument2 ? argument2 : "", status, out);
  return result == -2 ? -1 : 0;
}

static int find_tools(struct cache *c) {
  if (!find_tool("verilator", c->verilator))
    return ut_fail(c->e, UT_BAD_INPUT,
                   "the switch model needs `verilator`, which is not in PATH: install it "
                   "(Debian: apt-get install verilator) or correct PATH");
  if (!find_tool("clang++", c->compiler) && !find_tool("g++", c->compiler))
    return ut_fail(c->e, UT_BAD_INPUT,
                   "the switch model needs `clang++` or `g++`, and neither is in PATH: install one "
                   "(Debian: apt-get install clang) or correct PATH");
  return tool_says(c, c->verilator, "--version", NULL, c->verilator_version, sizeof c->verilator_version) ||
                 tool_says(c, c->compiler, "--version", NULL, c->compiler_version, sizeof c->compiler_version)
             ? -1
             : 0;
}

/* ---- the key ---------------------------------------------------------------------------------------------------- */

/* Every item goes in with its length, so that no two different lists give the same bytes. */
static void hash_bytes(XXH3_state_t *h, const void *data, size_t size) {
  uint64_t n = size;
  XXH3_128bits_update(h, &n, sizeof n);
  XXH3_128bits_update(h, data, size);
}

static void hash_text(XXH3_state_t *h, const char *text) {
  hash_bytes(h, text, strlen(text));
}

static void hash_list(XXH3_state_t *h, const char *const *list) {
  for (; *list; list++)
    hash_text(h, *list);
  hash_text(h, "");
}

static void hash_hex(XXH128_hash_t hash, char *out) {
  snprintf(out, KEY_CHARS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}

struct parameter {
  const char *name;
  unsigned value;
};
enum { N_PARAMETERS = 13 };

static void list_parameters(const struct ut_shape *s, struct parameter p[N_PARAMETERS]) {
  const struct parameter list[N_PARAMETERS] = {
      {"PI", s->pi},
      {"PO", s->po},
      {"V", s->v},
      {"DEPTH", s->depth},
      {"W", s->w},
      {"MAX_PACKET", s->max_packet},
      {"SWITCHING", s->switching},
      {"ROUTE", s->route},
      {"ALGORITHM", s->algorithm},
      {"ROUTE_CYCLES", s->route_cycles},
      {"ALLOC_CYCLES", s->alloc_cycles},
      {"XBAR", s->xbar},
      {"DESTINATIONS", s->destinations},
  };
  memcpy(p, list, sizeof list);
}

/* parameters.txt: what a reader of the cache wants to know.  malloc'd, NULL: out of memory. */
static char *describe(const struct cache *c) {
  struct parameter p[N_PARAMETERS];
  list_parameters(c->request->shape, p);
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return NULL;
  for (int i = 0; i < N_PARAMETERS; i++)
    fprintf(f, "%s %u\n", p[i].name, p[i].value);
  fprintf(f, "TRACED %d\n\n%s\n\n%s\n", c->request->traced, c->verilator_version, c->compiler_version);
  if (fclose(f)) {
    free(text);
    return NULL;
  }
  return text;
}

static int set_entry(struct cache *c, struct entry *n, XXH3_state_t *h, const char *artefact) {
  n->artefact = artefact;
  hash_hex(XXH3_128bits_digest(h), n->key);
  return path_set(c->e, n->folder, "%s/%s", c->dir, n->key) || path_set(c->e, n->tmp, "%s/%s.tmp", c->dir, n->key) ||
                 path_set(c->e, n->path, "%s/%s", n->folder, artefact)
             ? -1
             : 0;
}

/* Both keys: of the tools' part (Verilator's own C++, compiled once) and of the model. */
static int set_keys(struct cache *c) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return fail_memory(c->e);
  const char *root = getenv("VERILATOR_ROOT");
  XXH3_128bits_reset(h);
  hash_text(h, build_recipe);
  hash_text(h, root ? root : "");
  hash_text(h, c->verilator);
  hash_text(h, c->verilator_version);
  hash_text(h, c->compiler);
  hash_text(h, c->compiler_version);
  hash_text(h, c->request->traced ? "traced" : "bare");
  hash_list(h, compile_flags);
  int status = set_entry(c, &c->support, h, "support.o");

  struct parameter p[N_PARAMETERS];
  list_parameters(c->request->shape, p);
  hash_list(h, verilator_flags);
  hash_list(h, link_flags);
  for (int i = 0; i < N_PARAMETERS; i++) {
    hash_text(h, p[i].name);
    hash_bytes(h, &p[i].value, sizeof p[i].value);
  }
  qsort(c->sources, c->n_sources, sizeof *c->sources, compare_sources);
  for (size_t i = 0; i < c->n_sources; i++) {
    hash_text(h, c->sources[i].name);
    hash_bytes(h, c->sources[i].data, c->sources[i].size);
  }
  if (!status)
    status = set_entry(c, &c->model, h, "model.so");
  XXH3_freeState(h);
  return status;
}

/* ---- entries and locks ------------------------------------------------------------------------------------------ */

/* The text of `complete` for the artefact at `path`.  Returns 0, an errno otherwise. */
static int seal(const char *path, char out[96]) {
  char *data, hex[KEY_CHARS + 1];
  size_t size;
  int error = read_file(path, &data, &size);
  if (error)
    return error;
  hash_hex(XXH3_128bits(data, size), hex);
  snprintf(out, 96, "size %zu\nxxh128 %s\n", size, hex);
  free(data);
  return 0;
}

/* True when the entry is there, complete, and its artefact is what was built. */
static bool is_ready(const struct entry *n) {
  char path[PATH_MAX + 16], *said = NULL, found[96];
  size_t size;
  snprintf(path, sizeof path, "%s/complete", n->folder);
  if (read_file(path, &said, &size))
    return false;
  bool ready = !seal(n->path, found) && !strcmp(said, found);
  free(said);
  return ready;
}

/* Opens the lock file of a key.  Returns the descriptor, or -1 with errno. */
static int open_lock(const char *dir, const char *key) {
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s.lock", dir, key);
  if (n < 0 || n >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EACCES) {
    fd = open(path, O_RDONLY | O_CLOEXEC); /* another user's, in a shared cache */
    if (fd < 0)
      errno = EACCES;
  }
  return fd;
}

static void unlock(struct entry *n) {
  if (n->lock_fd >= 0)
    close(n->lock_fd);
  n->lock_fd = -1;
}

/* Takes the entry's lock, waiting for another builder.  Returns 0, or -1 after filling the error. */
static int lock(struct cache *c, struct entry *n) {
  n->lock_fd = open_lock(c->dir, n->key);
  if (n->lock_fd < 0)
    return fail_os(c->e, errno, "create a lock file in", c->dir);
  for (int waits = 0; flock(n->lock_fd, LOCK_EX | LOCK_NB); waits++) {
    int error = errno;
    if (error != EWOULDBLOCK && error != EINTR) {
      unlock(n);
      return fail_os(c->e, error, "lock an entry of", c->dir);
    }
    if (is_interrupted(c)) {
      unlock(n);
      return fail_interrupted(c->e);
    }
    if (waits == 10)
      say(c, "%s: another process is building it; waiting", c->what);
    sleep_ms(20);
  }
  return 0;
}

/* Removes the temporary folders of processes that died: those whose lock is free. */
static void sweep(const struct cache *c) {
  DIR *d = opendir(c->dir);
  if (!d)
    return;
  for (struct dirent *f; (f = readdir(d));) {
    char key[KEY_CHARS + 1], path[PATH_MAX + 300];
    if (strlen(f->d_name) != KEY_CHARS + 4 || strspn(f->d_name, "0123456789abcdef") != KEY_CHARS ||
        !ends_with(f->d_name, ".tmp"))
      continue;
    snprintf(key, sizeof key, "%.*s", KEY_CHARS, f->d_name);
    snprintf(path, sizeof path, "%s/%s", c->dir, f->d_name);
    int fd = open_lock(c->dir, key);
    if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
      remove_tree(path);
    if (fd >= 0)
      close(fd);
  }
  closedir(d);
}

/* Creates the empty folders tmp/ and tmp/entry/.  The lock is held. */
static int begin_entry(struct cache *c, const struct entry *n) {
  char path[PATH_MAX];
  remove_tree(n->tmp);
  return path_set(c->e, path, "%s/entry", n->tmp) || make_folders(c->e, path, 0777) ? -1 : 0;
}

/* Seals tmp/entry/ and moves it into place; whatever stood there was no complete entry. */
static int commit_entry(struct cache *c, const struct entry *n) {
  char from[PATH_MAX], path[PATH_MAX], text[96];
  if (path_set(c->e, from, "%s/entry", n->tmp) || path_set(c->e, path, "%s/%s", from, n->artefact))
    return -1;
  int error = seal(path, text);
  if (error)
    return fail_os(c->e, error, "read back", path);
  if (path_set(c->e, path, "%s/complete", from) || write_file(c->e, path, text, strlen(text)) ||
      path_set(c->e, path, "%s/stale", n->tmp))
    return -1;
  if (rename(n->folder, path) && errno != ENOENT)
    return fail_os(c->e, errno, "replace the damaged entry", n->folder);
  if (rename(from, n->folder))
    return fail_os(c->e, errno, "move the finished model to", n->folder);
  remove_tree(n->tmp);
  return 0;
}

/* ---- the build -------------------------------------------------------------------------------------------------- */

/* One X-macro list: X(0) X(1) ... or, with `inner`, X(0,0) X(0,1) ... */
static void print_list(FILE *f, const char *name, unsigned outer, unsigned inner) {
  fprintf(f, "#define UT_FOR_%s(X)", name);
  for (unsigned i = 0; i < outer; i++)
    for (unsigned j = 0; j < (inner ? inner : 1); j++)
      if (inner)
        fprintf(f, " X(%u, %u)", i, j);
      else
        fprintf(f, " X(%u)", i);
  fputc('\n', f);
}

/* obj/shape_gen.h: the parameters as macros for the shim. */
static int write_shape_header(struct cache *c) {
  const struct ut_shape *s = c->request->shape;
  struct parameter p[N_PARAMETERS];
  char path[PATH_MAX], *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return fail_memory(c->e);
  list_parameters(s, p);
  fputs("/* Generated by tb/model_cache.c: the parameters of this class, and lists to unroll over them. */\n", f);
  fputs("#ifndef UT_SHAPE_GEN_H\n#define UT_SHAPE_GEN_H\n", f);
  for (int i = 0; i < N_PARAMETERS; i++)
    fprintf(f, "#define UT_%s %u\n", p[i].name, p[i].value);
  fprintf(f, "#define UT_WORDS %u /* 64-bit words of a flit */\n#define UT_TRACED %d\n", s->w / 64, c->request->traced);
  print_list(f, "IP", s->pi, 0);
  print_list(f, "OP", s->po, 0);
  print_list(f, "VC", s->v, 0);
  print_list(f, "WORDS", s->w / 64, 0);
  print_list(f, "IP_IVC", s->pi, s->v);
  print_list(f, "OP_OVC", s->po, s->v);
  print_list(f, "IVC_IP_FLAT", s->pi * s->v, 0);
  print_list(f, "OVC_OP_FLAT", s->po * s->v, 0);
  fputs("#endif\n", f);
  int status = fclose(f) ? fail_memory(c->e) : path_set(c->e, path, "%s/obj/shape_gen.h", c->model.tmp);
  if (!status)
    status = write_file(c->e, path, text, size);
  free(text);
  return status;
}

/* Appends to build.log: the command, then what it said. */
static int log_job(struct cache *c, struct job *j) {
  char path[PATH_MAX], buffer[4096];
  if (path_set(c->e, path, "%s/build.log", c->model.tmp))
    return -1;
  FILE *f = fopen(path, "ae");
  if (!f)
    return fail_os(c->e, errno, "write", path);
  fputc('$', f);
  for (size_t i = 0; i < j->command.n; i++)
    fprintf(f, " %s", j->command.v[i]);
  fputc('\n', f);
  ssize_t n;
  for (off_t at = 0; (n = pread(j->log_fd, buffer, sizeof buffer, at)) > 0; at += n)
    fwrite(buffer, 1, (size_t)n, f);
  bool failed = ferror(f);
  return fclose(f) || failed ? fail_os(c->e, errno ? errno : EIO, "write", path) : 0;
}

/* Words a failed tool: its first error line, the last lines of build.log, and where the log now is. */
static int fail_build(struct cache *c, const struct job *j, int status) {
  char from[PATH_MAX], to[PATH_MAX], why[64] = "", tail[TAIL_CHARS + 1], first[LINE_CHARS + 2] = "", *log = NULL;
  size_t size = 0;
  if (path_set(c->e, from, "%s/build.log", c->model.tmp) || path_set(c->e, to, "%s/%s.log", c->dir, c->model.key))
    return -1;
  rename(from, to);
  if (read_file(to, &log, &size))
    return ut_fail(c->e, UT_INTERNAL, "%s failed with status %d, and its log %.900s cannot be read", j->does, status,
                   to);
  if (strstr(log, "No space left on device") || strstr(log, "Disk quota exceeded")) {
    free(log);
    return fail_os(c->e, ENOSPC, "build the switch model in", c->dir);
  }
  if (status > 128)
    snprintf(why, sizeof why, " (killed by signal %d%s)", status - 128,
             status == 128 + SIGKILL ? ": out of memory?" : "");
  size_t own = 0, begin = size, lines = 0, taken = 0; /* own: where the failed tool's words begin, after its command */
  for (const char *p = log; p; p = strstr(p + 1, "\n$ "))
    own = (size_t)(strchr(p + 1, '\n') ? strchr(p + 1, '\n') + 1 - log : p - log);
  while (begin > own && lines < TAIL_LINES)
    if (log[--begin] == '\n' && begin + 1 < size)
      lines++;
  begin += lines == TAIL_LINES;
  while (size - begin > TAIL_CHARS) { /* too long for a message: the latest lines count */
    const char *next = strchr(log + begin, '\n');
    begin = next && next[1] ? (size_t)(next + 1 - log) : size - TAIL_CHARS;
  }
  memcpy(tail, log + begin, taken = size - begin);
  while (taken && isspace((unsigned char)tail[taken - 1]))
    taken--;
  tail[taken] = '\0';
  const char *mark = strstr(log + own, "%Error");
  if (!mark)
    mark = strstr(log + own, "error: ");
  if (mark && (size_t)(mark - log) < begin) {
    while (mark > log + own && mark[-1] != '\n')
      mark--;
    int length = (int)strcspn(mark, "\n");
    snprintf(first, sizeof first, "%.*s\n", length > LINE_CHARS ? LINE_CHARS : length, mark);
  }
  free(log);
  return ut_fail(c->e, UT_INTERNAL, "%s failed%s; RTL: %.150s; whole log: %.250s\n%s%s", j->does, why, c->rtl, to,
                 first, tail);
}

/* Opens a nameless log for each job, runs them in the model's temporary folder, keeps what they said. */
static int run_logged(struct cache *c, struct job *jobs, int n) {
  int tool_status = 0, status = 0, opened = 0;
  for (; opened < n && !status; opened++) {
    jobs[opened].log_fd = memfd_create("uturn", MFD_CLOEXEC);
    if (jobs[opened].log_fd < 0)
      status = ut_fail(c->e, UT_INTERNAL, "model cache: cannot create a memory file: %s", strerror(errno));
  }
  int failed = status ? -2 : run_jobs(c, jobs, n, c->model.tmp, &tool_status);
  if (failed == -2)
    status = -1;
  for (int i = 0; i < n && !status; i++)
    if (i != failed)
      status = log_job(c, &jobs[i]);
  if (!status && failed >= 0) /* last, so that the end of the log is its own */
    status = log_job(c, &jobs[failed]) ? -1 : fail_build(c, &jobs[failed], tool_status);
  for (int i = 0; i < opened; i++)
    if (jobs[i].log_fd >= 0)
      close(jobs[i].log_fd);
  return status;
}

static int verilate(struct cache *c) {
  struct parameter p[N_PARAMETERS];
  struct job j = {.does = "Verilating the switch"};
  list_parameters(c->request->shape, p);
  args_add(&j.command, "%s", c->verilator);
  args_add_all(&j.command, verilator_flags);
  if (c->request->traced)
    args_add(&j.command, "--trace-fst");
  for (int i = 0; i < N_PARAMETERS; i++)
    args_add(&j.command, "-G%s=%u", p[i].name, p[i].value);
  args_add(&j.command, "rtl/switch.v");
  say(c, "%s: Verilating", c->what);
  int status = run_logged(c, &j, 1);
  args_free(&j.command);
  return status;
}

struct generated {
  char name[256];
  uint64_t size;
};

static int compare_generated(const void *a, const void *b) {
  const struct generated *x = a, *y = b;
  return x->size != y->size ? (x->size < y->size ? 1 : -1) : strcmp(x->name, y->name);
}

/* Groups Verilator's *.cpp into translation units obj/unit_<i>.cc: 0 and 1 what runs every cycle, 2 what runs once.
 * weight[i]: bytes in it, 0: there is no such unit. */
static int group_units(struct cache *c, uint64_t weight[3]) {
  enum { MAX_FILES = 512 };
  const uint64_t worth_a_second_unit = 800000;
  char path[PATH_MAX];
  if (path_set(c->e, path, "%s/obj", c->model.tmp))
    return -1;
  struct generated *files = calloc(MAX_FILES, sizeof *files);
  DIR *d = files ? opendir(path) : NULL;
  if (!d) {
    free(files);
    return files ? fail_os(c->e, errno, "read", path) : fail_memory(c->e);
  }
  size_t n = 0;
  uint64_t fast = 0;
  for (struct dirent *f; (f = readdir(d)) && n < MAX_FILES;) {
    struct stat st;
    if (!ends_with(f->d_name, ".cpp") || fstatat(dirfd(d), f->d_name, &st, 0))
      continue;
    snprintf(files[n].name, sizeof files[n].name, "%s", f->d_name);
    files[n++].size = (uint64_t)st.st_size;
    fast += strstr(f->d_name, "__Slow") ? 0 : (uint64_t)st.st_size;
  }
  closedir(d);
  int status = n == MAX_FILES
                   ? ut_fail(c->e, UT_INTERNAL, "Verilator generated more than %d files in %.900s", MAX_FILES - 1, path)
                   : 0;
  qsort(files, n, sizeof *files, compare_generated);
  char *text[3] = {NULL};
  size_t size[3];
  FILE *unit[3];
  for (int u = 0; u < 3; u++)
    unit[u] = open_memstream(&text[u], &size[u]);
  if (!unit[0] || !unit[1] || !unit[2])
    status = fail_memory(c->e);
  for (size_t i = 0; i < n && !status; i++) {
    int u = strstr(files[i].name, "__Slow") ? 2 : fast > worth_a_second_unit && weight[1] < weight[0];
    weight[u] += files[i].size;
    fprintf(unit[u], "#include \"%s\"\n", files[i].name);
  }
  for (int u = 0; u < 3; u++) {
    if (unit[u] && fclose(unit[u]) && !status)
      status = fail_memory(c->e);
    if (!status && weight[u])
      status = path_set(c->e, path, "%s/obj/unit_%d.cc", c->model.tmp, u) || write_file(c->e, path, text[u], size[u])
                   ? -1
                   : 0;
    free(text[u]);
  }
  free(files);
  return status;
}

/* A compilation `in` -> `out`, both below the model's temporary folder or absolute. */
static void add_compilation(const struct cache *c, struct job *jobs, int *n, uint64_t weight, const char *does,
                            const char *level, const char *in, const char *out) {
  struct job *j = &jobs[(*n)++];
  *j = (struct job){.does = does, .weight = weight};
  args_add(&j->command, "%s", c->compiler);
  args_add(&j->command, "%s", level);
  args_add_all(&j->command, compile_flags);
  args_add(&j->command, "-I");
  args_add(&j->command, "%s", c->include);
  args_add(&j->command, "-I");
  args_add(&j->command, "%s/vltstd", c->include);
  args_add(&j->command, "-c");
  args_add(&j->command, "%s", in);
  args_add(&j->command, "-o");
  args_add(&j->command, "%s", out);
}

static int compare_jobs(const void *a, const void *b) {
  const struct job *x = a, *y = b;
  return x->weight < y->weight ? 1 : x->weight > y->weight ? -1 : 0;
}

/* Writes the translation unit of Verilator's own C++ (the same for every class) and adds its compilation. */
static int add_support(struct cache *c, struct job *jobs, int *n) {
  char in[PATH_MAX], out[PATH_MAX], text[256];
  snprintf(text, sizeof text, "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n%s",
           c->request->traced ? "#include \"verilated_fst_c.cpp\"\n" : "");
  if (begin_entry(c, &c->support) || path_set(c->e, in, "%s/support.cc", c->support.tmp) ||
      path_set(c->e, out, "%s/entry/support.o", c->support.tmp) || write_file(c->e, in, text, strlen(text)))
    return -1;
  add_compilation(c, jobs, n, 700000, "compiling Verilator's run-time library", "-O2", in, out);
  return 0;
}

static int compile(struct cache *c) {
  static const char *const unit_in[] = {"obj/unit_0.cc", "obj/unit_1.cc", "obj/unit_2.cc"};
  static const char *const unit_out[] = {"obj/unit_0.o", "obj/unit_1.o", "obj/unit_2.o"};
  uint64_t weight[3] = {0};
  struct job jobs[MAX_JOBS];
  int n = 0, status = group_units(c, weight);
  /* Two builders of different models may both want the support object: the second waits here, a few seconds once per
   * cache. */
  bool with_support = !status && !is_ready(&c->support);
  if (with_support) {
    status = lock(c, &c->support);
    with_support = !status && !is_ready(&c->support);
  }
  if (!with_support)
    unlock(&c->support);
  if (!status && with_support)
    status = add_support(c, jobs, &n);
  if (!status) {
    add_compilation(c, jobs, &n, 500000, "compiling tb/shim.cpp", "-O2", "src/tb/shim.cpp", "obj/shim.o");
    for (int u = 0; u < 3; u++)
      if (weight[u])
        add_compilation(c, jobs, &n, u == 2 ? weight[u] / 5 : weight[u], "compiling the Verilated switch",
                        u == 2 ? "-O0" : "-O2", unit_in[u], unit_out[u]);
    qsort(jobs, (size_t)n, sizeof *jobs, compare_jobs);
    say(c, "%s: compiling %d units", c->what, n);
    status = run_logged(c, jobs, n);
  }
  for (int i = 0; i < n; i++)
    args_free(&jobs[i].command);
  if (with_support) {
    if (!status)
      status = commit_entry(c, &c->support);
    if (status)
      remove_tree(c->support.tmp);
    unlock(&c->support);
  }
  if (status)
    return -1;

  struct job j = {.does = "linking the switch model"};
  args_add(&j.command, "%s", c->compiler);
  for (int u = 0; u < 2; u++)
    if (weight[u])
      args_add(&j.command, "%s", unit_out[u]);
  args_add(&j.command, "obj/shim.o");
  args_add(&j.command, "%s", c->support.path);
  if (weight[2]) /* last: an inline function that several have must not be taken from the unoptimised one */
    args_add(&j.command, "%s", unit_out[2]);
  args_add_all(&j.command, link_flags);
  if (c->request->traced)
    args_add(&j.command, "-lz");
  args_add(&j.command, "-o");
  args_add(&j.command, "entry/model.so");
  status = run_logged(c, &j, 1);
  args_free(&j.command);
  return status;
}

/* Builds the model's entry.  Its lock is held. */
static int build(struct cache *c) {
  char root[PATH_MAX - 16], from[PATH_MAX], to[PATH_MAX];
  if (tool_says(c, c->verilator, "--getenv", "VERILATOR_ROOT", root, sizeof root) ||
      path_set(c->e, c->include, "%s/include", root))
    return -1;
  char *parameters = describe(c);
  int status = parameters ? 0 : fail_memory(c->e);
  if (!status)
    status = begin_entry(c, &c->model) || write_sources(c, c->model.tmp) ||
                     path_set(c->e, to, "%s/entry/parameters.txt", c->model.tmp) ||
                     write_file(c->e, to, parameters, strlen(parameters)) || verilate(c) || write_shape_header(c) ||
                     compile(c) || path_set(c->e, from, "%s/build.log", c->model.tmp) ||
                     path_set(c->e, to, "%s/entry/build.log", c->model.tmp)
                 ? -1
                 : 0;
  free(parameters);
  if (!status && rename(from, to))
    status = fail_os(c->e, errno, "move", from);
  if (!status)
    status = commit_entry(c, &c->model);
  if (status)
    remove_tree(c->model.tmp);
  else if (!path_set(NULL, to, "%s/%s.log", c->dir, c->model.key))
    unlink(to); /* of an earlier failure */
  return status;
}

/* ---- the interface ---------------------------------------------------------------------------------------------- */

/* The name of the cache folder.  *of_tmp: it is the one below /tmp. */
static int name_cache(struct ut_error *e, char *out, bool *of_tmp) {
  const char *own = getenv("UTURN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char here[PATH_MAX];
  *of_tmp = false;
  if (own && own[0] == '/')
    return path_set(e, out, "%s", own);
  if (own && own[0])
    return getcwd(here, sizeof here) ? path_set(e, out, "%s/%s", here, own)
                                     : fail_os(e, errno, "find", "the current folder");
  if (xdg && xdg[0] == '/')
    return path_set(e, out, "%s/uturn", xdg);
  if (home && home[0] == '/' && home[1])
    return path_set(e, out, "%s/.cache/uturn", home);
  *of_tmp = true;
  return path_set(e, out, "/tmp/uturn-%lu", (unsigned long)getuid());
}

static int open_cache(struct cache *c) {
  bool of_tmp;
  struct stat st;
  if (name_cache(c->e, c->dir, &of_tmp) || make_folders(c->e, c->dir, of_tmp ? 0700 : 0777))
    return -1;
  /* Anybody can create names below /tmp, and what lies here is executed. */
  if (of_tmp && (lstat(c->dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 022)))
    return ut_fail(c->e, UT_BAD_INPUT,
                   "the cache folder %s is not yours alone: remove it, or set UTURN_CACHE to another folder", c->dir);
  if (access(c->dir, R_OK | X_OK))
    return fail_os(c->e, errno, "read the cache folder", c->dir);
  return 0;
}

static int check_request(struct cache *c) {
  const struct ut_model_request *r = c->request;
  const struct ut_shape *s = r->shape;
  if (!s || !r->root_dir || s->pi < 1 || s->pi > UT_MAX_PORTS || s->po < 1 || s->po > UT_MAX_PORTS || s->v < 1 ||
      s->v > UT_MAX_VCS || s->w % 64 || s->w < 64 || s->w > 64 * UT_MAX_FLIT_WORDS)
    return ut_fail(c->e, UT_INTERNAL, "model cache: the request has no root folder or no legal shape");
  if (!realpath(r->root_dir, c->root))
    return fail_source(c->e, errno, "find the root folder", r->root_dir);
  char rtl[PATH_MAX];
  if (r->rtl_dir ? path_set(c->e, rtl, "%s", r->rtl_dir) : path_set(c->e, rtl, "%s/rtl", c->root))
    return -1;
  if (!realpath(rtl, c->rtl))
    return fail_source(c->e, errno, "find the RTL folder", rtl);
  snprintf(c->what, sizeof c->what, "switch model %ux%u ports, %u VC%s of %u flits%s", s->pi, s->po, s->v,
           s->v > 1 ? "s" : "", s->depth, r->traced ? ", traced" : "");
  return 0;
}

static int get(struct cache *c) {
  if (check_request(c) || open_cache(c) || find_tools(c) || add_rtl(c) || add_shim(c) || set_keys(c))
    return -1;
  sweep(c);
  if (is_ready(&c->model))
    return 0;
  if (lock(c, &c->model))
    return -1;
  int status = is_ready(&c->model) ? 0 : build(c);
  unlock(&c->model);
  return status;
}

char *ut_model_cache_get(const struct ut_model_request *request, ut_model_progress *progress, void *ctx,
                         struct ut_error *e) {
  struct cache *c = calloc(1, sizeof *c);
  if (!c) {
    fail_memory(e);
    return NULL;
  }
  c->request = request;
  c->progress = progress;
  c->ctx = ctx;
  c->e = e;
  c->model.lock_fd = c->support.lock_fd = -1;
  char *path = get(c) ? NULL : strdup(c->model.path);
  for (size_t i = 0; i < c->n_sources; i++) {
    free(c->sources[i].name);
    free(c->sources[i].data);
  }
  free(c->sources);
  free(c);
  return path;
}

char *ut_model_cache_dir(void) {
  char path[PATH_MAX];
  bool of_tmp;
  return name_cache(NULL, path, &of_tmp) ? NULL : strdup(path);
}
