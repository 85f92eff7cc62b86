/* SPDX-License-Identifier: Apache-2.0 */
/* test_model_cache.c - tb/model_cache with a stand-in switch and shim in a folder of its own.
 *
 * Needs verilator and a C++ compiler.  About fifteen small builds: half a minute.
 */
#define _GNU_SOURCE
#include "model_cache.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cache_fixture.h"
#include "cache_folder.h"

#define DECLARED(parameter, member) ", " #parameter " = 1"
#define PARAMETERS UT_FOR_EACH_PARAMETER(DECLARED)
static const char switch_v[] = "`include \"width.vh\"\n"
                               "module ut_switch #(parameter STEPS = 1" PARAMETERS ")\n"
                               " (input clk_i, input [PI*W-1:0] data_i, output reg [PO*W-1:0] data_o);\n"
                               "  always @(posedge clk_i) data_o <= {PO{data_i[W-1:0] + `STEP}};\n"
                               "endmodule\n";
static const char width_vh[] = "`define STEP 64'd5\n";
static const char shim_cpp[] =
    "#include \"shim.h\"\n"
    "#include \"shape_gen.h\"\n"
    "#include \"Vut_switch.h\"\n"
    "#include \"verilated.h\"\n"
    "#if UT_TRACED\n#include \"verilated_fst_c.h\"\n#endif\n"
    "#define EXPORT extern \"C\" __attribute__((visibility(\"default\")))\n"
    "EXPORT int stand_in_step(int x) {\n"
    "  VerilatedContext context; Vut_switch s(&context, \"s\");\n"
    "  s.clk_i = 0; s.data_i[0] = (unsigned)x; s.eval(); s.clk_i = 1; s.eval();\n"
    "  return (int)s.data_o[0] + SHIM_STEP;\n"
    "}\n"
    "EXPORT int stand_in_lists(void) {\n"
    "  int n = UT_PI + UT_DEPTH + 1000 * UT_TRACED;\n"
    "#define X(i) + 1\n"
    "  n += 0 UT_FOR_IP(X) UT_FOR_OP(X) UT_FOR_VC(X) UT_FOR_WORDS(X) UT_FOR_IVC_IP_FLAT(X) UT_FOR_OVC_OP_FLAT(X);\n"
    "#undef X\n"
    "#define X(p, v) + 10 * p + v\n"
    "  n += 0 UT_FOR_IP_IVC(X) UT_FOR_OP_OVC(X);\n"
    "  return n;\n"
    "}\n";

static const struct ut_shape shape = {
    .pi = 3, .po = 4, .v = 2, .depth = 7, .w = 128, .max_packet = 2, .alloc_cycles = 1};

static char root[PATH_MAX / 2];
static struct ut_error error;

/* ---- helpers ---- */

static void write_text(const char *relative, const char *text) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", root, relative);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static void count(void *ctx, const char *message) {
  *(int *)ctx += strstr(message, "Verilating") != NULL;
}

static struct ut_model_request plain(void) {
  return (struct ut_model_request){.shape = &shape, .root_dir = root};
}

/* Path of the model; *builds counts how often it was built. */
static char *get(const struct ut_model_request *r, int *builds) {
  memset(&error, 0, sizeof error);
  *builds = 0;
  char *path = ut_model_cache_get(r, count, builds, &error);
  if (!path)
    print_message("%s\n", error.text);
  return path;
}

static char *get_plain(int *builds) {
  struct ut_model_request r = plain();
  return get(&r, builds);
}

static void assert_fails(const struct ut_model_request *r, enum ut_exit code, const char *part) {
  int builds;
  assert_null(get(r, &builds));
  assert_int_equal(error.code, code);
  assert_non_null(strstr(error.text, part));
}

/* In a process of its own: a thread that has called Verilator's library keeps it loaded. */
static int call(const char *path, const char *name, int argument) {
  int result = -1, out[2], status;
  assert_int_equal(pipe(out), 0);
  fflush(NULL);
  const pid_t pid = fork();
  if (!pid) {
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so)
      print_message("%s\n", dlerror());
    int (*function)(int) = NULL;
    if (so)
      *(void **)&function = dlsym(so, name);
    result = function ? function(argument) : -1;
    _exit(write(out[1], &result, sizeof result) != sizeof result);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_int_equal(read(out[0], &result, sizeof result), sizeof result);
  close(out[0]), close(out[1]);
  return result;
}

/* Runs `body` in a child that is not root, because root may read and write everything. */
static void as_ordinary_user(void (*body)(void)) {
  fflush(NULL);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    if (!getuid() && (setgid(65534) || setuid(65534)))
      _exit(99);
    body();
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- fixture: fresh sources for every test, one cache for all ---- */

static int start(void **state) {
  (void)state;
  if (cache_fixture_start())
    return -1;
  snprintf(root, sizeof root, "%s/root", base);
  const char *const folders[] = {"", "/rtl", "/tb", "/csim", "/csim/switch"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", root, folders[i]);
    if (mkdir(path, 0755))
      return -1;
  }
  return compiler_stand_in("bin", "clang++") || compiler_stand_in("bin", "g++") ? 0 : -1;
}

static int fresh(void **state) {
  (void)state;
  write_text("rtl/ut_switch.v", switch_v);
  write_text("rtl/width.vh", width_vh);
  write_text("tb/shim.cpp", shim_cpp);
  write_text("tb/shim.h", "#include \"step.h\"\n");
  write_text("csim/switch/step.h", "#define SHIM_STEP 1000\n");
  cache_fixture_fresh();
  return 0;
}

/* ---- tests ---- */

static void builds_and_loads(void **state) {
  (void)state;
  int builds;
  char *path = get_plain(&builds);
  assert_non_null(path);
  assert_int_equal(builds, 1);
  assert_int_equal(strncmp(path, cache, strlen(cache)), 0);
  assert_int_equal(call(path, "stand_in_step", 7), 7 + 5 + 1000);
  /* sizes of the flat lists, then the sums over (port, vc) of 10 * port + vc */
  assert_int_equal(call(path, "stand_in_lists", 0), 3 + 7 + (3 + 4 + 2 + 2 + 6 + 8) + (60 + 3) + (120 + 4));
  const char *const beside[] = {"complete", "build.log", "parameters.txt"};
  for (size_t i = 0; i < 3; i++) {
    char other[PATH_MAX];
    snprintf(other, sizeof other, "%.*s/%s", (int)(strrchr(path, '/') - path), path, beside[i]);
    assert_int_equal(access(other, R_OK), 0);
  }
  assert_int_equal(count_names(".tmp"), 0);
  free(path);
}

static void second_call_builds_nothing(void **state) {
  (void)state;
  int builds;
  struct stat before, after;
  char *path = get_plain(&builds);
  assert_non_null(path);
  assert_int_equal(stat(path, &before), 0);
  touch(hang); /* whoever compiles would not come back */
  char *again = get_plain(&builds);
  assert_string_equal(path, again);
  assert_int_equal(builds, 0);
  assert_int_equal(stat(path, &after), 0);
  assert_int_equal(before.st_ino, after.st_ino);
  assert_int_equal(before.st_ctime, after.st_ctime);
  free(path), free(again);
}

static void key_follows_the_contents(void **state) {
  (void)state;
  int builds;
  char *first = get_plain(&builds);
  write_text("csim/switch/other.h", "/* nobody includes this one */\n");
  char *same = get_plain(&builds);
  assert_string_equal(first, same);
  assert_int_equal(builds, 0);
  write_text("csim/switch/step.h", "#define SHIM_STEP 2000\n"); /* included by a header that the shim includes */
  char *shim = get_plain(&builds);
  assert_int_equal(builds, 1);
  assert_int_equal(call(shim, "stand_in_step", 7), 7 + 5 + 2000);
  write_text("rtl/width.vh", "`define STEP 64'd6\n");
  char *rtl = get_plain(&builds);
  assert_int_equal(builds, 1);
  assert_int_equal(call(rtl, "stand_in_step", 7), 7 + 6 + 2000);
  assert_string_not_equal(shim, rtl);
  fresh(NULL);
  char *again = get_plain(&builds);
  assert_int_equal(builds, 0);
  assert_string_equal(first, again);
  free(first), free(same), free(shim), free(rtl), free(again);
}

static void own_rtl_folder(void **state) {
  (void)state;
  int builds;
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/my rtl's", base); /* a name that a shell would trip over */
  mkdir(folder, 0755);
  write_text("../my rtl's/ut_switch.v", switch_v);
  write_text("../my rtl's/width.vh", "`define STEP 64'd8\n");
  struct ut_model_request r = plain();
  r.rtl_dir = folder;
  char *path = get(&r, &builds);
  assert_non_null(path);
  assert_int_equal(call(path, "stand_in_step", 7), 7 + 8 + 1000);
  free(path);
  r.rtl_dir = base;
  assert_fails(&r, UT_BAD_INPUT, "has no ut_switch.v");
}

static void traced_is_another_model(void **state) {
  (void)state;
  int builds;
  struct ut_model_request r = plain();
  r.traced = true;
  char *path = get(&r, &builds), *bare = get_plain(&builds);
  assert_non_null(path);
  assert_string_not_equal(path, bare);
  assert_true(call(path, "stand_in_lists", 0) >= 1000);
  free(path), free(bare);
}

static void damaged_model_is_rebuilt(void **state) {
  (void)state;
  int builds;
  char *path = get_plain(&builds), *again;
  assert_int_equal(truncate(path, 1000), 0);
  assert_non_null(again = get_plain(&builds));
  assert_int_equal(builds, 1);
  assert_int_equal(call(again, "stand_in_step", 7), 1012);
  free(again);

  int fd = open(path, O_WRONLY); /* one wrong byte, same size */
  assert_int_equal(pwrite(fd, "\377\376", 2, 600), 2);
  close(fd);
  assert_non_null(again = get_plain(&builds));
  assert_int_equal(builds, 1);
  assert_int_equal(call(again, "stand_in_step", 7), 1012);
  assert_int_equal(count_names(".tmp"), 0);
  free(again), free(path);
}

static void two_processes_build_once(void **state) {
  (void)state;
  int builds = 0, total = 0;
  write_text("rtl/width.vh", "`define STEP 64'd11\n");
  fflush(NULL);
  pid_t pid[3];
  for (int i = 0; i < 3; i++) {
    pid[i] = fork();
    if (!pid[i]) {
      char *path = get_plain(&builds);
      _exit(path ? builds : 9);
    }
  }
  for (int i = 0; i < 3; i++) {
    int status;
    assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    total += WEXITSTATUS(status);
  }
  assert_int_equal(total, 1);
  char *path = get_plain(&builds);
  assert_int_equal(builds, 0);
  free(path);
}

static void wrong_rtl_is_quoted(void **state) {
  (void)state;
  struct ut_model_request r = plain();
  write_text("rtl/ut_switch.v", "module ut_switch;\n  wire a = ;\nendmodule\n");
  assert_fails(&r, UT_BAD_INPUT, "%Error: rtl/ut_switch.v:2:");
  assert_non_null(strstr(error.text, ".log"));
  assert_null(strstr(error.text, "--top-module")); /* what the tool said, not how it was called */
  assert_int_equal(count_names(".tmp"), 0);
  write_text("rtl/ut_switch.v", switch_v);
  write_text("tb/shim.cpp", "int f() { return missing_name; }\n");
  assert_fails(&r, UT_BAD_INPUT, "src/tb/shim.cpp:1:");
  write_text(
      "tb/shim.cpp",
      "int undefined_function(); __attribute__((visibility(\"default\"))) int f() { return undefined_function(); }\n");
  assert_fails(&r, UT_BAD_INPUT, "undefined_function");
  fresh(NULL);
}

static void unreadable(void) {
  int builds;
  if (ut_model_cache_get(&(struct ut_model_request){.shape = &shape, .root_dir = root}, count, &builds, &error))
    _exit(1);
  print_message("%s\n", error.text);
  fflush(NULL);
  _exit(error.code == UT_BAD_INPUT && strstr(error.text, cache) && strstr(error.text, "Permission denied") ? 0 : 2);
}

static void ready_without_writing(void) {
  int builds;
  char *path = get_plain(&builds);
  _exit(path && !builds ? 0 : 1);
}

static void cache_permissions(void **state) {
  (void)state;
  int builds;
  char *path = get_plain(&builds);
  chmod(cache, 0555);
  as_ordinary_user(ready_without_writing);
  write_text("rtl/width.vh", "`define STEP 64'd12\n");
  as_ordinary_user(unreadable); /* it would have to build, and may not */
  chmod(cache, 0);
  as_ordinary_user(unreadable);
  chmod(cache, 0755);
  free(path);
}

static void cache_path_is_a_file(void **state) {
  (void)state;
  char path[PATH_MAX];
  struct ut_model_request r = plain();
  snprintf(path, sizeof path, "%s/rtl/ut_switch.v", root);
  setenv("UTURN_CACHE", path, 1);
  assert_fails(&r, UT_BAD_INPUT, path);
  assert_non_null(strstr(error.text, "Not a directory"));
  snprintf(path, sizeof path, "%s/rtl/ut_switch.v/below", root);
  setenv("UTURN_CACHE", path, 1);
  assert_fails(&r, UT_BAD_INPUT, "rtl/ut_switch.v");
}

static void cache_folder_by_environment(void **state) {
  (void)state;
  const char *old_xdg = getenv("XDG_CACHE_HOME"), *old_home = getenv("HOME");
  char *xdg = old_xdg ? strdup(old_xdg) : NULL, *home = old_home ? strdup(old_home) : NULL, here[PATH_MAX],
       expected[PATH_MAX + 8];
  char *dir = ut_cache_name();
  assert_string_equal(dir, cache);
  free(dir);
  setenv("UTURN_CACHE", "mine", 1);
  assert_non_null(getcwd(here, sizeof here));
  snprintf(expected, sizeof expected, "%s/mine", here);
  assert_string_equal(dir = ut_cache_name(), expected);
  free(dir);
  unsetenv("UTURN_CACHE");
  setenv("XDG_CACHE_HOME", "/x", 1);
  assert_string_equal(dir = ut_cache_name(), "/x/uturn");
  free(dir);
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/h", 1);
  assert_string_equal(dir = ut_cache_name(), "/h/.cache/uturn");
  free(dir);
  unsetenv("HOME");
  snprintf(expected, sizeof expected, "/tmp/uturn-%lu", (unsigned long)getuid());
  assert_string_equal(dir = ut_cache_name(), expected);
  free(dir);
  if (xdg)
    setenv("XDG_CACHE_HOME", xdg, 1);
  if (home)
    setenv("HOME", home, 1);
  free(xdg), free(home);
}

static void missing_tools(void **state) {
  (void)state;
  char *path = strdup(getenv("PATH")), only[PATH_MAX], link_name[PATH_MAX + 16];
  struct ut_model_request r = plain();
  setenv("PATH", "", 1);
  assert_fails(&r, UT_BAD_INPUT, "install verilator");
  snprintf(only, sizeof only, "%s/only", base); /* a PATH with a verilator but no compiler */
  snprintf(link_name, sizeof link_name, "%s/verilator", only);
  mkdir(only, 0755);
  assert_int_equal(symlink("/bin/true", link_name), 0);
  setenv("PATH", only, 1);
  assert_fails(&r, UT_BAD_INPUT, "clang");
  setenv("PATH", path, 1);
  free(path);
}

static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static void interrupted_build_leaves_nothing(void **state) {
  (void)state;
  struct ut_model_request r = plain();
  r.interrupted = &interrupted;
  write_text("rtl/width.vh", "`define STEP 64'd13\n");
  touch(hang);
  interrupted = 0;
  signal(SIGUSR1, interrupt);
  fflush(NULL);
  const pid_t pid = fork();
  if (!pid) {
    in_the_end(compiler_hangs);
    _exit(kill(getppid(), SIGUSR1));
  }
  assert_fails(&r, UT_INTERRUPTED, "interrupted");
  signal(SIGUSR1, SIG_DFL);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  assert_int_equal(count_names(".tmp"), 0);
  assert_true(in_the_end(nobody_builds));
}

/* Another model than the one whose build was killed, ready: even that call clears away. */
static bool cleared_away(void) {
  int builds;
  free(get_plain(&builds));
  assert_int_equal(builds, 0);
  return count_names(".tmp") == 0;
}

/* The owner of a build dies without a chance to clean up: its compilers die too, and the next call clears away what it
 * left. */
static void killed_build_is_cleared_away(void **state) {
  (void)state;
  int builds;
  free(get_plain(&builds));
  write_text("rtl/width.vh", "`define STEP 64'd14\n");
  touch(hang);
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    free(get_plain(&builds));
    _exit(0);
  }
  assert_true(in_the_end(compiler_hangs));
  assert_false(nobody_builds());
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  assert_int_equal(count_names(".tmp"), 1);
  write_text("rtl/width.vh", width_vh);
  assert_true(in_the_end(cleared_away)); /* the monitor holds the lock until it has died too */
  assert_true(in_the_end(nobody_builds));
  unlink(hang);
  write_text("rtl/width.vh", "`define STEP 64'd14\n");
  char *path = get_plain(&builds);
  assert_int_equal(builds, 1);
  assert_int_equal(call(path, "stand_in_step", 7), 1021);
  free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(builds_and_loads, fresh),
      cmocka_unit_test_setup(second_call_builds_nothing, fresh),
      cmocka_unit_test_setup(key_follows_the_contents, fresh),
      cmocka_unit_test_setup(own_rtl_folder, fresh),
      cmocka_unit_test_setup(traced_is_another_model, fresh),
      cmocka_unit_test_setup(damaged_model_is_rebuilt, fresh),
      cmocka_unit_test_setup(two_processes_build_once, fresh),
      cmocka_unit_test_setup(wrong_rtl_is_quoted, fresh),
      cmocka_unit_test_setup(cache_permissions, fresh),
      cmocka_unit_test_setup(cache_path_is_a_file, fresh),
      cmocka_unit_test_setup(cache_folder_by_environment, fresh),
      cmocka_unit_test_setup(missing_tools, fresh),
      cmocka_unit_test_setup(interrupted_build_leaves_nothing, fresh),
      cmocka_unit_test_setup(killed_build_is_cleared_away, fresh),
  };
  return cmocka_run_group_tests_name("tb/model_cache", tests, start, cache_fixture_finish);
}
