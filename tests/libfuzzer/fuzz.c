/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.c - one program for all targets: fuzz --target=NAME CORPUS... [options of libFuzzer].  libFuzzer has the main
 * function, and leaves alone what begins with two dashes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
  const char *name;
  fuzz_target *run;
} targets[] = {
    {"scenario", fuzz_scenario},         {"trace", fuzz_trace}, {"permutation", fuzz_permutation},
    {"dependencies", fuzz_dependencies}, {"goal", fuzz_goal},   {"sweep", fuzz_sweep},
    {"liberty", fuzz_liberty},           {"run", fuzz_run},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static fuzz_target *chosen; /* libFuzzer calls a function without an argument of ours */

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  static const char option[] = "--target=";
  for (int i = 1; i < *argc; i++)
    if (!strncmp((*argv)[i], option, sizeof option - 1))
      for (size_t t = 0; t < TARGETS; t++)
        if (!strcmp((*argv)[i] + sizeof option - 1, targets[t].name))
          chosen = targets[t].run;
  if (chosen)
    return 0;
  fprintf(stderr, "fuzz: --target=NAME is expected, one of:");
  for (size_t t = 0; t < TARGETS; t++)
    fprintf(stderr, " %s", targets[t].name);
  fprintf(stderr, "\n");
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  chosen(data, size);
  return 0;
}
