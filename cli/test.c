/* SPDX-License-Identifier: Apache-2.0 */
/* test.c - `uturn test`: runs the test suite, or what a change touches of it, with ctest and prints one closing line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_files.h"
#include "cli.h"
#include "tool.h"

struct test_options {
  bool fast, changed, list;
  const char *base; /* NULL: the last commit */
};

#define UT_INPUT struct test_options
static const struct ut_option options[] = {
    {.argument = "BASE", .wants = "commit", UT_TEXT(base)},
    {"changed", 'c', NULL, "only the tests that the changes since commit BASE touch; default: what is not committed",
     UT_FLAG(changed)},
    {"fast", 'f', NULL, "leave out the slow tests: under five minutes", UT_FLAG(fast)},
    {"list", 'l', NULL, "run nothing, list the tests, and with --changed a file because of which each is touched",
     UT_FLAG(list)},
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct test_options *options = input;
  return options->base && !options->changed ? ut_fail(e, UT_BAD_INPUT, "'%s': a commit is for --changed", options->base)
                                            : 0;
}

const struct ut_syntax ut_syntax_test = {"[BASE]", "Runs the test suite.", options, check};

/* The answer of tools/changed_tests, a line for each test: its number, its name, a file.  NULL and *e; to be freed. */
static char *ask_changed(const char *base, struct ut_error *e) {
  char script[PATH_MAX], python[PATH_MAX];
  if (ut_tool_need("python3", "python3", "--changed", python, e) ||
      ut_path_set(e, script, "%s/tools/changed_tests", ut_root_dir()))
    return NULL;
  struct ut_tool_answer answer;
  char *command[] = {python, script, UTURN_BUILD_DIR, (char *)base, NULL};
  if (ut_tool_ask(&(struct ut_tool){.command = command, .has_home = true}, "", 0, NULL, &answer, e))
    return NULL;
  char line[UT_TOOL_LINE + 1];
  ut_tool_first_error(answer.said, line);
  char *text = answer.status ? NULL : strdup(answer.data);
  if (answer.status)
    ut_fail(e, UT_BAD_INPUT, "%s", *line ? line : "tools/changed_tests has failed");
  else if (!text)
    ut_fail_memory(e);
  ut_tool_answer_free(&answer);
  return text;
}

/* As the option -I of ctest wants it: no range, then numbers.  NULL and *e; to be freed. */
static char *numbers_of(const char *tests, struct ut_error *e) {
  char *text = malloc(strlen(tests) + sizeof "0,0,0"), *end = text;
  if (!text)
    return ut_fail_memory(e), NULL;
  end += sprintf(end, "0,0,0");
  for (const char *line = tests; *line; line += strcspn(line, "\n") + 1)
    end += sprintf(end, ",%.*s", (int)strcspn(line, "\t"), line);
  return text;
}

/* Starts ctest; what it says is to be read from *out.  numbers: as its -I has them, NULL: all.  Its process, or -1 and
 * *e. */
static pid_t start(const struct test_options *options, char *numbers, FILE **out, struct ut_error *e) {
  char ctest[PATH_MAX];
  int ends[2], words = 5;
  char *command[12] = {ctest, "--test-dir", UTURN_BUILD_DIR, "--output-on-failure", "-j2"};
  if (numbers)
    command[words++] = "-I", command[words++] = numbers;
  if (options->fast)
    command[words++] = "-LE", command[words++] = "slow";
  if (options->list)
    command[words++] = "-N";
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

/* Runs ctest to its end; returns the exit status. */
static int run(const struct test_options *options, char *numbers) {
  int status, passed = 0, failed = 0;
  char line[4096];
  struct ut_error e;
  FILE *f;
  const pid_t pid = start(options, numbers, &f, &e);
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
  if (options->list)
    return WIFEXITED(status) && !WEXITSTATUS(status) ? UT_OK : UT_INTERNAL;
  if (!passed && !failed) {
    ut_fail(&e, UT_BAD_INPUT, "ctest has run no test, status %d; build all of it anew: rm -r %s",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), UTURN_BUILD_DIR);
    return ut_print_error(&e);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && passed ? UT_OK : UT_INTERNAL;
}

int ut_cmd_test(int argc, char **argv) {
  struct test_options options = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_test, argc, argv, &options, &status))
    return status;
  if (!options.changed)
    return run(&options, NULL);
  char *tests = ask_changed(options.base ? options.base : "HEAD", &e), *numbers = tests ? numbers_of(tests, &e) : NULL;
  if (!numbers)
    status = ut_print_error(&e);
  else if (!*tests)
    puts("no test is touched");
  else if (options.list)
    for (const char *line = tests; *line; line += strcspn(line, "\n") + 1) {
      const char *name = line + strcspn(line, "\t") + 1, *file = name + strcspn(name, "\t") + 1;
      printf("%-34.*s %.*s\n", (int)(file - name - 1), name, (int)strcspn(file, "\n"), file);
    }
  else
    status = run(&options, numbers);
  free(numbers);
  free(tests);
  return status;
}
