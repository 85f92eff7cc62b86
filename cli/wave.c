/* SPDX-License-Identifier: Apache-2.0 */
/* wave.c - `uturn wave`: shows a dump in GTKWave with a generated layout and translate filters, or renders it as a PNG.
 */
#define _GNU_SOURCE
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fst_file.h"
#include "output.h"

struct wave_options {
  const char *dump, *png;
};

#define UT_INPUT struct wave_options
static const struct ut_option options[] = {
    {.argument = "FILE.fst",
     .wants = "dump",
     UT_TEXT(dump),
     .missing = "which dump?  Make one with: ./uturn cosim scenarios/demo.yaml --wave demo.fst"},
    {"png", 'p', "FILE.png", "render without a screen into this PNG file", UT_FILE(png)},
    {0},
};
const struct ut_syntax ut_syntax_wave = {
    "FILE.fst",
    "Opens FILE.fst in GTKWave: flits, VC states as words, re-route vectors, states of nodes and link "
    "faults of the dumped switches.",
    options, NULL};

int ut_cmd_wave(int argc, char **argv) {
  struct wave_options options = {0};
  struct ut_error e;
  char *script = NULL;
  int status;
  if (ut_parse(&ut_syntax_wave, argc, argv, &options, &status))
    return status;
  if (ut_fst_check(options.dump, NULL, &e)) {
    status = ut_print_error(&e);
    fprintf(stderr, "a dump is made with: ./uturn cosim scenarios/demo.yaml --wave demo.fst\n");
    return status;
  }
  if (options.png && ut_output_check(options.png, UT_OUTPUT_REGULAR, &e))
    return ut_print_error(&e);
  if (asprintf(&script, "%s/waves/show", ut_root_dir()) < 0)
    return ut_print_no_memory();
  execl(script, script, "--", options.dump, options.png, (char *)NULL);
  ut_fail(&e, UT_BAD_INPUT, "%s: cannot be started: %s; UTURN_ROOT must be the repository", script, strerror(errno));
  return ut_print_error(&e);
}
