/* test.c - `uturn test`: runs the test suite with ctest and prints one closing line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

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

int ut_cmd_test(int argc, char **argv) {
  bool fast = false;
  int status, passed = 0, failed = 0;
  char command[4096], line[4096];
  if (ut_parse(&ut_argp_test, argc, argv, &fast, &status))
    return status;
  snprintf(command, sizeof command, "ctest --test-dir '%s' --output-on-failure -j2%s 2>&1", UTURN_BUILD_DIR,
           fast ? " -LE slow" : "");
  FILE *f = popen(command, "r");
  if (!f) {
    perror("uturn: ctest");
    return UT_INTERNAL;
  }
  while (fgets(line, sizeof line, f)) {
    int percent, bad, all;
    if (sscanf(line, "%d%% tests passed, %d tests failed out of %d", &percent, &bad, &all) == 3) {
      passed = all - bad;
      failed = bad;
    }
    fputs(line, stdout);
    fflush(stdout);
  }
  status = pclose(f);
  printf("%d passed, %d failed\n", passed, failed);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && passed ? UT_OK : UT_INTERNAL;
}
