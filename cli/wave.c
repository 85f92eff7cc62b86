/* wave.c - `uturn wave`: shows a dump in GTKWave with a generated layout and translate filters, or renders it as a PNG.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wave_options {
  const char *dump, *png;
};

static const struct argp_option options[] = {{"png", 'p', "FILE", 0, "render without a screen into this PNG file", 0},
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct wave_options *o = state->input;
  switch (key) {
  case 'p': o->png = arg; break;
  case ARGP_KEY_ARG:
    if (o->dump)
      argp_error(state, "one dump at a time: '%s' is too many", arg);
    o->dump = arg;
    break;
  case ARGP_KEY_END:
    if (!o->dump)
      argp_error(state, "which dump?  Make one with: uturn cosim scenarios/demo.yaml --wave demo.fst");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}
const struct argp ut_argp_wave = {
    options,
    parse,
    "FILE.fst",
    "Opens FILE.fst in GTKWave: flits, VC states as words, re-route vectors, states of nodes and link "
    "faults of the dumped switches.",
    0,
    0,
    0};

int ut_cmd_wave(int argc, char **argv) {
  struct wave_options o = {0};
  char script[1024];
  int status;
  if (ut_parse(&ut_argp_wave, argc, argv, &o, &status))
    return status;
  if (access(o.dump, R_OK)) {
    fprintf(stderr, "uturn: %s: cannot be read; make a dump with: uturn cosim scenarios/demo.yaml --wave %s\n", o.dump,
            o.dump);
    return UT_BAD_INPUT;
  }
  snprintf(script, sizeof script, "%s/waves/show", ut_root_dir());
  execl(script, script, o.dump, o.png, (char *)NULL);
  perror(script);
  return UT_INTERNAL;
}
