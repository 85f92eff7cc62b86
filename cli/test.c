/* test.c - `uturn test`: runs the test suite with ctest and prints one closing line. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "tool.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
  bool *fast = state->input;
  (void)arg;
  if (key != 'f')
    return ARGP_ERR_UNKNOWN;
  *fast = true;
  return 0;
}
static const struct argp_option options[] = {{"fast", 'f', 0, 0, "leave out the slow tests: under five minutes", 0},
                                             {0}};
const struct argp ut_argp_test = {options, parse, 0, "Runs the test suite.", 0, 0, 0};

/* Starts ctest; what it says is to be read from *out.  Its process, or -1 and *e. */
static pid_t start(bool fast, FILE **out, struct ut_error *e) {
  char ctest[PATH_MAX];
  int ends[2];
  char *command[] = {ctest, "--test-dir",        UTURN_BUILD_DIR, "--output-on-failure",
                     "-j2", fast ? "-LE" : NULL, "slow",          NULL};
  if (ut_tool_need("ctest", "cmake", "the test suite", ctest, e))
    return -1;
  if (pipe2(ends, O_CLOEXEC)) {
    ut_fail(e, UT_BAD_INPUT, "no pipe: %s", strerror(errno));
    return -1;
  }
  const pid_t pid =
      ut_tool_start(&(struct ut_tool){.command = command, .has_home = true, .in = -1, .out = ends[1], .err = ends[1]});
  close(ends[1]);
  *out = fdopen(ends[0], "r");
  if (pid < 0)
    ut_fail(e, UT_BAD_INPUT, "%s: cannot be started: %s", ctest, strerror(errno));
  return pid;
}

int ut_cmd_test(int argc, char **argv) {
  bool fast = false;
  int status, passed = 0, failed = 0;
  char line[4096];
  struct ut_error e;
  FILE *f;
  if (ut_parse(&ut_argp_test, argc, argv, &fast, &status))
    return status;
  const pid_t pid = start(fast, &f, &e);
  if (pid < 0)
    return ut_print_error(&e);
  while (fgets(line, sizeof line, f)) {
    int percent, bad, all;
    if (sscanf(line, "%d%% tests passed, %d tests failed out of %d", &percent, &bad, &all) == 3) {
      passed = all - bad;
      failed = bad;
    }
    fputs(line, stdout);
    fflush(stdout);
  }
  fclose(f);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (!passed && !failed) {
    ut_fail(&e, UT_BAD_INPUT, "ctest has run no test, status %d; build all of it anew: rm -r %s",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), UTURN_BUILD_DIR);
    return ut_print_error(&e);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && passed ? UT_OK : UT_INTERNAL;
}
