/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_output.c - writes the result of a search for a smaller scenario to files. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "output.h"
#include "scenario.h"
#include "scenario_write.h"
#include "shrink.h"

/* The first line of both files. */
static const char mark[] = "# Written by uturn cosim --shrink";

/* Returns -1 and fills *e if there is a file that we have not written. */
static int check_file(const char *path, struct ut_error *e) {
  char begin[sizeof mark] = "";
  struct stat there;
  if (lstat(path, &there))
    return ut_output_check(path, UT_OUTPUT_REGULAR, e);
  FILE *f = S_ISREG(there.st_mode) ? fopen(path, "r") : NULL;
  const size_t read = f ? fread(begin, 1, sizeof mark - 1, f) : 0;
  if (f)
    fclose(f);
  if (read != sizeof mark - 1 || strcmp(begin, mark))
    return ut_fail(e, UT_BAD_INPUT, "%s: is there already, and no shrunk scenario; choose another name by --shrink-to",
                   path);
  return ut_output_check(path, UT_OUTPUT_REGULAR, e);
}

/* PREFIX.ending; NULL: out of memory. */
static char *name_of(const char *prefix, const char *ending) {
  char *path;
  return asprintf(&path, "%s.%s", prefix, ending) < 0 ? NULL : path;
}

int ut_shrink_check_files(const char *prefix, struct ut_error *e) {
  char *scenario = name_of(prefix, "yaml"), *trace = name_of(prefix, "trace");
  const int result = !scenario || !trace ? ut_fail_memory(e) : check_file(scenario, e) || check_file(trace, e) ? -1 : 0;
  free(scenario);
  free(trace);
  return result;
}

static int write_trace(const struct ut_shrink_result *result, const char *path, struct ut_error *e) {
  struct ut_output out;
  if (ut_output_open(&out, path, UT_OUTPUT_REGULAR, e))
    return -1;
  fprintf(out.file, "%s: cycle source destination flits\n", mark);
  ut_case_print_packets(out.file, result->packet, result->packets);
  return ut_output_close(&out, e);
}

static int write_scenario(const struct ut_shrink_result *result, const char *path, const char *command,
                          struct ut_error *e) {
  struct ut_output out;
  const struct ut_failure *failure = &result->last;
  char size[UT_SHRINK_SIZE_TEXT];
  if (ut_output_open(&out, path, UT_OUTPUT_REGULAR, e))
    return -1;
  fprintf(out.file, "%s: %s\n", mark, ut_shrink_size_text(&result->after, size));
  if (*failure->where)
    fprintf(out.file, "# cycle %" PRIu64 ": switch %s %s: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", failure->cycle,
            failure->where, failure->register_path, failure->device, failure->golden);
  else
    fprintf(out.file, "# cycle %" PRIu64 ": packets are missing from the accounts\n", failure->cycle);
  fprintf(out.file, "# %s\n", command);
  ut_scenario_write_short(out.file, result->scenario);
  return ut_output_close(&out, e);
}

/* Makes the scenario name the final files. */
static bool rename_scenario(struct ut_scenario *scenario, char **path, const char *trace) {
  char *file = scenario->traffic.file ? strdup(trace) : NULL;
  if (scenario->traffic.file && !file)
    return false;
  free(scenario->traffic.file);
  scenario->traffic.file = file;
  free(scenario->path);
  scenario->path = *path;
  *path = NULL;
  return true;
}

int ut_shrink_write(struct ut_shrink_result *shrink_result, const char *prefix, const char *command,
                    struct ut_error *e) {
  char *scenario = name_of(prefix, "yaml"), *trace = name_of(prefix, "trace"), *path = name_of(prefix, "yaml");
  int result =
      scenario && trace && path && (!shrink_result->traced || rename_scenario(shrink_result->scenario, &path, trace))
          ? ut_shrink_check_files(prefix, e)
          : ut_fail_memory(e);
  if (!result && shrink_result->traced)
    result = write_trace(shrink_result, trace, e);
  if (!result)
    result = write_scenario(shrink_result, scenario, command, e);
  free(scenario);
  free(trace);
  free(path);
  return result;
}
