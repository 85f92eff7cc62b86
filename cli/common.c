/* SPDX-License-Identifier: Apache-2.0 */
/* common.c - what the subcommands share. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "commands.h"
#include "ending.h"
#include "fault_text.h"
#include "model_cache.h"
#include "nearest.h"
#include "number.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_check.h"
#include "scenario_keys.h"
#include "scenario_read.h"
#include "slice.h"
#include "steady.h"
#include "synthesis.h"
#include "topology_build.h"

volatile sig_atomic_t ut_interrupted;

void ut_catch_interrupt(void) {
  ut_ending_catch(&ut_interrupted);
}

int ut_print_error(const struct ut_error *e) {
  char here[PATH_MAX];
  const bool gone = e->code == UT_BAD_INPUT && !getcwd(here, sizeof here) && errno == ENOENT;
  fprintf(stderr, "uturn: %s%s\n", e->text, gone ? "; the current folder has been removed: change to another one" : "");
  return e->code;
}

int ut_print_no_memory(void) {
  struct ut_error e;
  ut_fail_memory(&e);
  return ut_print_error(&e);
}

/* ---- options */

enum { KEY_JSON = 0x100, KEY_SEED, KEY_CYCLES, KEY_LOAD, KEY_FAULT };
static const struct argp_option scenario_options[] = {
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else", 0},
    {"seed", KEY_SEED, "N", 0, "instead of run.seed of the scenario", 0},
    {"cycles", KEY_CYCLES, "N", 0, "simulate N cycles and do not drain, instead of warm-up, measurement and drain", 0},
    {"fault", KEY_FAULT, "NAME", 0,
     "one more fault, named as net, prove and tolerance print it: 'link 0.6-1.5', or 'switch 2.9 in cycles 100-199'; "
     "may "
     "be given several times",
     0},
    {"load", KEY_LOAD, "X", 0, "instead of traffic.load_flits_per_cycle", 0},
    {0},
};

uint64_t ut_parse_number(const char *text, const char *option, struct argp_state *state) {
  uint64_t n = 0;
  if (!ut_number_is(text, UINT64_MAX, &n))
    argp_error(state, "%s wants a whole number, not '%s'", option, text);
  return n;
}

uint64_t ut_parse_count(const char *text, const char *option, struct argp_state *state) {
  uint64_t n = ut_parse_number(text, option, state);
  if (!n)
    argp_error(state, "%s wants at least 1", option);
  return n;
}

unsigned ut_parse_small_count(const char *text, const char *option, struct argp_state *state) {
  const uint64_t n = ut_parse_count(text, option, state);
  if (n > UT_MAX_SMALL_COUNT)
    argp_error(state, "%s %s: there can be %d at most", option, text, UT_MAX_SMALL_COUNT);
  return (unsigned)n;
}

void ut_parse_range(const char *text, const char *option, unsigned range[2], struct argp_state *state) {
  enum { MOST = 1000000 };
  const char *c = text;
  uint64_t from, to;
  bool good = ut_number_read(&c, MOST, &from);
  to = from;
  if (good && !strncmp(c, "..", 2)) {
    c += 2;
    good = ut_number_read(&c, MOST, &to);
  }
  if (!good || *c || from > to)
    argp_error(state, "%s wants N or A..B (A to B), not '%s'", option, text);
  range[0] = (unsigned)from;
  range[1] = (unsigned)to;
}

void ut_parse_loads(const char *text, const char *option, struct ut_load_range *loads, struct argp_state *state) {
  int end = 0;
  if (strspn(text, "0123456789.eE:-") != strlen(text) ||
      sscanf(text, "%lf:%lf:%lf%n", &loads->from, &loads->to, &loads->step, &end) != 3 || text[end] ||
      !(loads->from > 0) || !(loads->to >= loads->from) || !(loads->step > 0) || !isfinite(loads->to))
    argp_error(state, "%s %s: as in 0.05:0.6:0.05, from above 0 to what is not below, in steps", option, text);
}

const char *ut_parse_file(const char *text, const char *option, const char *ending, struct argp_state *state) {
  const size_t length = strlen(text), wanted = strlen(ending);
  const bool named = length > wanted && !strcmp(text + length - wanted, ending);
  if (!named && strncmp(text, "/dev/", 5)) /* a device has no other name; what it takes is another question */
    argp_error(state, "%s wants a file named *%s, not '%s'", option, ending, text);
  return text;
}

static error_t parse_scenario_option(int key, char *arg, struct argp_state *state) {
  struct ut_scenario_options *o = state->input;
  switch (key) {
  case KEY_JSON: o->json = true; break;
  case KEY_SEED: o->seed = ut_parse_number(arg, "--seed", state), o->seed_set = true; break;
  case KEY_CYCLES:
    o->cycles = ut_parse_number(arg, "--cycles", state);
    if (!o->cycles || o->cycles > UT_MAX_CYCLES)
      argp_error(state, "--cycles %s: there can be 1 to %llu", arg, (unsigned long long)UT_MAX_CYCLES);
    break;
  case KEY_LOAD:
    o->load_set = true;
    if (!ut_real_is(arg, &o->load))
      argp_error(state, "--load wants flits per cycle and terminal, as in 0.3, not '%s'", arg);
    break;
  case KEY_FAULT:
    if (o->faults == UT_MAX_FAULT_OPTIONS)
      argp_error(state, "--fault: there can be %d at most; a scenario can have more", UT_MAX_FAULT_OPTIONS);
    o->fault[o->faults++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (o->path)
      argp_error(state, "one scenario at a time: '%s' is too many", arg);
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path)
      argp_error(state, "which scenario?  For example scenarios/demo.yaml");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_scenario_argp = {scenario_options, parse_scenario_option, 0, 0, 0, 0, 0};

enum { KEY_ELABORATE = 0x180 };
static const struct argp_option elaborate_options[] = {
    {"elaborate", KEY_ELABORATE, "long|always|never", 0,
     "compile the golden switch for its parameters: 'long' runs, while they go on (default); 'always', before the run; "
     "or 'never'; the results are the same",
     0},
    {0},
};

static error_t parse_elaborate_option(int key, char *arg, struct argp_state *state) {
  static const char *const names[] = {
      [UT_ELABORATE_LONG] = "long", [UT_ELABORATE_ALWAYS] = "always", [UT_ELABORATE_NEVER] = "never"};
  enum ut_elaborate_when *when = state->input;
  if (key != KEY_ELABORATE)
    return ARGP_ERR_UNKNOWN;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(arg, names[i])) {
      *when = (enum ut_elaborate_when)i;
      return 0;
    }
  argp_error(state, "--elaborate knows 'long', 'always' and 'never', not '%s'", arg);
  return 0;
}

const struct argp ut_elaborate_argp = {elaborate_options, parse_elaborate_option, 0, 0, 0, 0, 0};

enum { KEY_THREADS = 0x190 };
static const struct argp_option threads_options[] = {
    {"threads", KEY_THREADS, "N", 0,
     "threads that share the work; default: as many as pay for this network, at most one for each core; the results "
     "are "
     "the same",
     0},
    {0},
};

static error_t parse_threads_option(int key, char *arg, struct argp_state *state) {
  unsigned *threads = state->input;
  if (key != KEY_THREADS)
    return ARGP_ERR_UNKNOWN;
  const uint64_t count = ut_parse_count(arg, "--threads", state);
  if (count > UT_MAX_THREADS)
    argp_error(state, "--threads %s: there can be %d at most", arg, UT_MAX_THREADS);
  *threads = (unsigned)count;
  return 0;
}

const struct argp ut_threads_argp = {threads_options, parse_threads_option, 0, 0, 0, 0, 0};

/* One more fault. */
static int add_fault(struct ut_scenario *s, const struct ut_topology *t, const char *text, struct ut_error *e) {
  struct ut_fault *list = realloc(s->faults, (s->fault_count + 1) * sizeof *list);
  if (!list)
    return ut_fail_memory(e);
  s->faults = list;
  if (ut_fault_read(&list[s->fault_count], t, text, e))
    return -1;
  s->fault_count++;
  return 0;
}

/* The faults of --fault, behind those of the scenario; an option may name several, with "; " between. */
static int add_faults(const struct ut_scenario_options *o, struct ut_scenario *s, struct ut_error *e) {
  if (!o->faults)
    return 0;
  int status = 0;
  for (unsigned i = 0; i < o->faults && !status; i++) {
    const char *text = o->fault[i], *end;
    do {
      end = strstr(text, "; ");
      char *one = strndup(text, end ? (size_t)(end - text) : strlen(text));
      status = one ? add_fault(s, ut_scenario_topology(s), one, e) : ut_fail_memory(e);
      free(one);
      text = end ? end + strlen("; ") : NULL;
    } while (text && !status);
  }
  return status ? -1 : ut_scenario_check_faults(s, e);
}

/* What the options change. */
static int apply(const struct ut_scenario_options *o, struct ut_scenario *s, struct ut_error *e) {
  if (o->seed_set)
    s->run.seed = o->seed;
  if (add_faults(o, s, e) || ut_bypass_planes(s, e) || ut_plan_scenario(s, e)) /* random faults follow the seed */
    return -1;
  if (o->load_set) {
    s->traffic.load_flits_per_cycle = o->load;
    if (ut_scenario_check_load(s, e))
      return -1;
  }
  if (o->cycles) {
    if (s->run.warmup_cycles >= o->cycles)
      s->run.warmup_cycles = 0;
    s->run.measure_cycles = o->cycles - s->run.warmup_cycles;
    s->run.max_cycles = o->cycles;
    s->run.drain = false;
  }
  return 0;
}

struct ut_scenario *ut_scenario_open(const struct ut_scenario_options *o, struct ut_error *e) {
  struct ut_scenario *s = ut_scenario_load(o->path, e);
  if (!s || apply(o, s, e) == 0)
    return s;
  ut_scenario_free(s);
  return NULL;
}

struct ut_scenario *ut_open_scenario(const struct ut_scenario_options *o, int *status) {
  struct ut_error e;
  struct ut_scenario *s = ut_scenario_open(o, &e);
  if (!s)
    *status = ut_print_error(&e);
  return s;
}

/* ---- models */

const char *ut_root_dir(void) {
  const char *root = getenv("UTURN_ROOT");
  return root ? root : UTURN_SOURCE_DIR;
}

void ut_elaborate_end(struct ut_elaborator *a) {
  struct ut_error e;
  if (a->unmodelled)
    fprintf(stderr, "uturn: the model does not know this '%s' yet: the spec ran in its place, which is slower\n",
            a->unmodelled);
  if (ut_elaborator_end(a, &e))
    fprintf(stderr, "uturn: the golden switch has not been compiled for its parameters, so it was slower: %s\n",
            e.text);
}

static char *build_model(const struct ut_shape *shape, const struct ut_device *d, unsigned lanes, struct ut_error *e) {
  ut_cache_progress *progress = ut_build_progress();
  struct ut_synthesis_request synthesis = {.shape = shape,
                                           .root_dir = ut_root_dir(),
                                           .rtl_dir = d->rtl_dir,
                                           .liberty = d->liberty,
                                           .simple = !d->gate,
                                           .interrupted = &ut_interrupted};
  struct ut_model_request model = {.shape = shape,
                                   .root_dir = ut_root_dir(),
                                   .rtl_dir = d->rtl_dir,
                                   .traced = d->traced,
                                   .covered = d->covered,
                                   .lanes = lanes,
                                   .counted = d->counted,
                                   .interrupted = &ut_interrupted};
  const bool gates = d->gate || lanes;
  char *netlist = gates ? (d->blocks ? ut_block_netlist_get : ut_netlist_get)(&synthesis, progress, NULL, e) : NULL;
  model.netlist = netlist;
  char *path = gates && !netlist ? NULL : ut_model_cache_get(&model, progress, NULL, e);
  free(netlist);
  return path;
}

int ut_models_get(const struct ut_scenario *s, const struct ut_device *device, struct ut_models *models,
                  struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  *models = (struct ut_models){0};
  const int count = ut_scenario_elaborations(s, elaboration, shape, e);
  bool ok = count > 0;
  uint32_t most = device->copies; /* lanes of an elaboration */
  for (int i = 0; i < count; i++)
    most = elaboration[i].count > most && !device->copies ? elaboration[i].count : most;
  for (int i = 0; i < count && ok; i++) {
    models->path[i] = build_model(&shape[i], device, device->lanes ? ut_slice_words(most) : 0, e);
    ok = models->path[i] != NULL;
  }
  return ok ? 0 : -1;
}

bool ut_get_models(const struct ut_scenario *s, const struct ut_device *device, struct ut_models *models, int *status) {
  struct ut_error e;
  if (!ut_models_get(s, device, models, &e))
    return true;
  *status = ut_print_error(&e);
  return false;
}
