/* hunt.c - `uturn hunt`: random lockstep until RTL and golden switches differ. */
#define _GNU_SOURCE
#include "hunt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli.h"
#include "output.h"
#include "shrink_print.h"
#include "steady.h"
#include "threads.h"

enum {
  KEY_RTL = 0x200,
  KEY_MINUTES,
  KEY_SCENARIOS,
  KEY_SWITCH_CYCLES,
  KEY_SHAPES,
  KEY_EACH,
  KEY_GOLDEN,
  KEY_WRITE,
  KEY_NO_SHRINK,
  KEY_SEED,
  KEY_JSON
};
enum { DEFAULT_MINUTES = 10, ALL_FAMILIES = (1 << UT_HUNT_FAMILIES) - 1 };

struct hunt_options {
  struct ut_hunt_request request;
  const char *keep, *write;
  double minutes; /* negative: not given */
  bool json, no_shrink;
};

static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "DIR", 0, "folder of ut_switch.v, instead of rtl/: your own changed RTL", 0},
    {"minutes", KEY_MINUTES, "N", 0,
     "the budget; default 10, or none if --each, --scenarios or --switch-cycles says when it ends", 0},
    {"scenarios", KEY_SCENARIOS, "N", 0, "ends after so many scenarios", 0},
    {"switch-cycles", KEY_SWITCH_CYCLES, "N", 0, "ends when so many cycles of single switches have been compared: 1e9",
     0},
    {"families", 'f', "LIST", 0, "only these kinds of networks, as a list with commas; default: all", 0},
    {"shapes", KEY_SHAPES, "N", 0, "only so many switches: each costs a model of the RTL", 0},
    {"each", KEY_EACH, "N", 0, "N scenarios of each switch, and no more", 0},
    {"golden", KEY_GOLDEN, "spec|model", 0, "what the RTL is compared with; default: spec", 0},
    {"seed", KEY_SEED, "N", 0, "the first seed, default 1; others draw other scenarios", 0},
    {"jobs", 'j', "N", 0, "scenarios at the same time; default: one for each core", 0},
    {"output", 'o', "FILE.yaml", 0, "the scenario that fails; default: hunt.yaml", 0},
    {"no-shrink", KEY_NO_SHRINK, NULL, 0, "does not look for a smaller scenario (cosim --shrink)", 0},
    {"write", KEY_WRITE, "DIR", 0, "writes the scenarios into files there, one or --each of each switch; runs none", 0},
    {"json", KEY_JSON, NULL, 0, "the result as one JSON object", 0},
    {0},
};

/* The family of that name; UT_HUNT_FAMILIES: there is none. */
static unsigned family_of(const char *name, size_t length) {
  unsigned f = 0;
  while (f < UT_HUNT_FAMILIES &&
         (strlen(ut_hunt_families[f].name) != length || strncmp(name, ut_hunt_families[f].name, length)))
    f++;
  return f;
}

static void refuse_family(const char *name, size_t length, struct argp_state *state) {
  char known[128] = "";
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%s'", f ? ", " : "", ut_hunt_families[f].name);
  }
  argp_error(state, "--families knows %s, not '%.*s'", known, (int)length, name);
}

static unsigned parse_families(const char *text, struct argp_state *state) {
  unsigned set = 0;
  do {
    const size_t length = strcspn(text, ",");
    const unsigned f = family_of(text, length);
    if (f == UT_HUNT_FAMILIES)
      refuse_family(text, length, state);
    set |= 1u << f;
    text += length;
  } while (*text++);
  return set;
}

/* A number that may be written as 1e9. */
static double parse_amount(const char *text, const char *option, struct argp_state *state) {
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !(value >= 0) || value > 1e18)
    argp_error(state, "%s is '%s'; expected: a number, as in 10 or 1e9", option, text);
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hunt_options *o = state->input;
  struct ut_hunt_request *q = &o->request;
  switch (key) {
  case KEY_RTL: q->rtl_dir = arg; break;
  case KEY_MINUTES: o->minutes = parse_amount(arg, "--minutes", state); break;
  case KEY_SCENARIOS: q->scenarios = ut_parse_count(arg, "--scenarios", state); break;
  case KEY_SWITCH_CYCLES: q->switch_cycles = parse_amount(arg, "--switch-cycles", state); break;
  case KEY_SHAPES: q->shapes = ut_parse_small_count(arg, "--shapes", state); break;
  case KEY_EACH: q->each = ut_parse_small_count(arg, "--each", state); break;
  case 'f': q->families = parse_families(arg, state); break;
  case KEY_GOLDEN:
    q->spec = !strcmp(arg, "spec");
    if (!q->spec && strcmp(arg, "model"))
      argp_error(state, "--golden knows 'spec' and 'model', not '%s'", arg);
    break;
  case KEY_SEED: q->seed = ut_parse_number(arg, "--seed", state); break;
  case 'j': q->jobs = ut_parse_small_count(arg, "--jobs", state); break;
  case 'o': o->keep = ut_parse_file(arg, "--output", ".yaml", state); break;
  case KEY_NO_SHRINK: o->no_shrink = true; break;
  case KEY_WRITE: o->write = arg; break;
  case KEY_JSON: o->json = true; break;
  case ARGP_KEY_END:
    if (o->minutes < 0)
      o->minutes = q->scenarios || q->switch_cycles || q->each ? 0 : DEFAULT_MINUTES;
    q->seconds = o->minutes * 60;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_hunt = {
    options,
    parse,
    "",
    "Simulates random scenarios of all families - networks, traffic, faults that come and go - with RTL and golden "
    "switches side by side, on all cores, until they differ: that ends with exit status 3, and the scenario is kept.",
    NULL,
    0,
    0};

/* ---- while it runs */

static void show(void *ctx, const struct ut_hunt_tally *t, double seconds) {
  const struct hunt_options *o = ctx;
  if (ut_build_progress())
    fprintf(stderr, "\rhunt: %" PRIu64 " scenarios of %u switches, %.0f of %.0f s\033[K", t->scenarios, t->shapes,
            seconds, o->request.seconds);
}

/* ---- what it has found */

static int keep(const struct ut_hunt_find *find, const char *path, struct ut_error *e) {
  struct ut_output file;
  if (ut_output_open(&file, path, UT_OUTPUT_ANY, e))
    return -1;
  fprintf(file.file, "# found by uturn hunt among %s\n",
          ut_hunt_families[ut_hunt_shapes[find->ticket.shape].family].name);
  fputs(find->scenario, file.file);
  return ut_output_close(&file, e);
}

/* ---- the smaller scenario: beside the one that was found, NAME_small.yaml and NAME_small.trace */

struct smaller {
  struct ut_device device;
  struct ut_scenario *scenario;
  struct ut_shrink_search search;
  struct ut_shrink_result result; /* fails: there is one */
  char *prefix, *command;
};

static void name_smaller(struct smaller *m, const struct hunt_options *o) {
  const int stem = (int)(strlen(o->keep) - strlen(".yaml"));
  const char *rtl = o->request.rtl_dir;
  if (asprintf(&m->prefix, "%.*s_small", stem, o->keep) < 0)
    m->prefix = NULL;
  if (!m->prefix || asprintf(&m->command, "uturn cosim %s.yaml%s%s%s", m->prefix,
                             o->request.spec ? " --golden spec" : "", rtl ? " --rtl " : "", rtl ? rtl : "") < 0)
    m->command = NULL;
}

/* -1 and *e: there is none. */
static int shrink(struct smaller *m, const struct hunt_options *o, struct ut_error *e) {
  m->device.rtl_dir = o->request.rtl_dir;
  m->scenario = ut_scenario_open(&(struct ut_scenario_options){.path = o->keep}, e);
  m->search = (struct ut_shrink_search){.scenario = m->scenario,
                                        .device = &m->device,
                                        .spec = o->request.spec,
                                        .prefix = m->prefix,
                                        .command = m->command};
  return m->scenario ? ut_shrink_search(&m->search, &m->result, e) : -1;
}

static void free_smaller(struct smaller *m) {
  ut_shrink_free(&m->result);
  ut_scenario_free(m->scenario);
  free(m->prefix);
  free(m->command);
}

/* ---- the report */

static const char *text_of(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_string(value) ? json_string_value(value) : "";
}

static void print_find(const struct hunt_options *o, const struct ut_hunt_find *find, const struct smaller *m) {
  json_t *json = find->json ? json_loads(find->json, 0, NULL) : NULL;
  const json_t *mismatch = json_object_get(json, "mismatch"),
               *reg = json_array_get(json_object_get(mismatch, "registers"), 0);
  const char *golden = o->request.spec ? "spec" : "model";
  if (find->status == UT_DEADLOCK)
    printf("a deadlock that the algorithm claims not to have\n");
  else if (reg)
    printf("cycle %" JSON_INTEGER_FORMAT ": switch %s %s: RTL holds %s, %s expected %s\n",
           json_integer_value(json_object_get(mismatch, "cycle")), text_of(mismatch, "switch"),
           text_of(reg, "register"), text_of(reg, "rtl"), golden, text_of(reg, golden));
  else if (find->message)
    printf("%s\n", find->message);
  printf("kept as %s; all about it: uturn cosim %s%s%s%s\n", o->keep, o->keep, o->request.spec ? " --golden spec" : "",
         o->request.rtl_dir ? " --rtl " : "", o->request.rtl_dir ? o->request.rtl_dir : "");
  if (m->result.fails)
    ut_shrink_print(&m->result, &m->search, false);
  json_decref(json);
}

/* Cover points that apply, and those that are hit; of a hunt that has found nothing those that are not. */
static void print_points(const struct ut_hunt_points *p, bool missed) {
  enum { COLUMNS = 100 };
  unsigned applies = 0, hit = 0;
  int column = 0;
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    applies += p->applies[i], hit += p->hit[i];
  printf("coverage: %u of %u cover points that apply%s\n", hit, applies, missed && hit < applies ? "; not hit:" : "");
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (missed && p->applies[i] && !p->hit[i]) {
      if (column > COLUMNS)
        putchar('\n'), column = 0;
      column += printf("%s%s", column ? " " : "  ", spec_cover_texts[i].name);
    }
  if (column)
    putchar('\n');
}

static json_t *points_json(const struct ut_hunt_points *p, bool hit) {
  json_t *list = json_array();
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (p->applies[i] && p->hit[i] == hit)
      json_array_append_new(list, json_string(spec_cover_texts[i].name));
  return list;
}

static void print_tally(const struct hunt_options *o, const struct ut_hunt_result *r) {
  const struct ut_hunt_tally *t = &r->tally;
  const struct ut_hunt_numbers *s = &t->sum;
  printf("%" PRIu64 " scenario%s of %u switch%s (", t->scenarios, t->scenarios == 1 ? "" : "s", t->shapes,
         t->shapes == 1 ? "" : "es");
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++)
    printf("%s%s %" PRIu64, f ? ", " : "", ut_hunt_families[f].name, t->of_family[f]);
  printf(") in %.0f s: %s\n", r->seconds, r->find.status ? "they differ" : "no mismatch");
  printf("%.0f switch-cycles, %.0f switch states compared, %.1f Gbit of registers\n", s->switch_cycles, s->states,
         s->bits / 1e9);
  printf(
      "packets: %.0f delivered; discarded: %.0f cut_by_fault, %.0f in_failed_switch, %.0f unreachable, %.0f purged\n",
      s->delivered, s->cut_by_fault, s->in_failed_switch, s->unreachable, s->purged);
  printf("%.0f U-turns, %.0f deadlocks where they may be\n", s->u_turns, s->deadlocks);
  if (o->request.spec)
    print_points(&r->points, !r->find.status);
  if (r->same)
    printf("%u %s the same hardware as in the unchanged RTL\n", r->same, r->same == 1 ? "switch is" : "switches are");
  if (r->refused)
    printf("%u switch%s could not be run, the first one: %s\n", r->refused, r->refused == 1 ? "" : "es",
           r->reason ? r->reason : "?");
}

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static void print_json(const struct hunt_options *o, const struct ut_hunt_result *r, const struct smaller *m) {
  json_t *out = json_object();
  const struct ut_hunt_tally *t = &r->tally;
  set(out, "found", json_boolean(r->find.status));
  set(out, "seconds", json_real(r->seconds));
  set(out, "scenarios", json_integer((json_int_t)t->scenarios));
  set(out, "switches", json_integer(t->shapes));
  set(out, "unchanged_switches", json_integer(r->same));
  set(out, "refused_switches", json_integer(r->refused));
  json_t *families = json_object();
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++)
    set(families, ut_hunt_families[f].name, json_integer((json_int_t)t->of_family[f]));
  set(out, "families", families);
  set(out, "switch_cycles", json_real(t->sum.switch_cycles));
  set(out, "cycles", json_real(t->sum.cycles));
  set(out, "compared_switch_states", json_real(t->sum.states));
  set(out, "compared_bits", json_real(t->sum.bits));
  set(out, "delivered_packets", json_real(t->sum.delivered));
  set(out, "discarded_packets",
      json_real(t->sum.cut_by_fault + t->sum.in_failed_switch + t->sum.unreachable + t->sum.purged));
  set(out, "u_turns", json_real(t->sum.u_turns));
  set(out, "deadlocks", json_real(t->sum.deadlocks));
  if (o->request.spec) {
    set(out, "points_hit", points_json(&r->points, true));
    set(out, "points_missed", points_json(&r->points, false));
  }
  if (r->find.status) {
    json_t *results = r->find.json ? json_loads(r->find.json, 0, NULL) : NULL;
    set(out, "status", json_integer(r->find.status));
    set(out, "family", json_string(ut_hunt_families[ut_hunt_shapes[r->find.ticket.shape].family].name));
    set(out, "seed", json_integer((json_int_t)r->find.seed));
    set(out, "scenario", json_string(o->keep));
    json_object_set(out, "mismatch", json_object_get(results, "mismatch"));
    set(out, "shrunk", m->result.fails ? ut_shrink_json(&m->result, &m->search) : json_null());
    json_decref(results);
  }
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(out);
}

/* Keeps what was found, and looks for a smaller scenario; without one it says why, and the larger one stays. */
static int settle(const struct hunt_options *o, const struct ut_hunt_result *r, struct smaller *m, struct ut_error *e) {
  if (!r->find.status)
    return 0;
  if (keep(&r->find, o->keep, e))
    return -1;
  if (r->find.status == UT_MISMATCH && !o->no_shrink && shrink(m, o, e))
    ut_print_error(e);
  return 0;
}

/* Whether all files can be written, before anything is run for them. */
static int check_files(const struct hunt_options *o, const struct smaller *m, struct ut_error *e) {
  if (!m->command)
    return ut_fail_memory(e);
  return ut_output_check(o->keep, UT_OUTPUT_ANY, e) || (!o->no_shrink && ut_shrink_check_files(m->prefix, e)) ? -1 : 0;
}

static int hunt(struct hunt_options *o, struct smaller *m) {
  struct ut_hunt_result r;
  struct ut_error e;
  int status = ut_hunt(&o->request, &r, &e) ? ut_print_error(&e) : r.find.status;
  if (ut_build_progress())
    fprintf(stderr, "\r\033[K");
  if (settle(o, &r, m, &e))
    status = ut_print_error(&e);
  const bool says = r.tally.scenarios || status == UT_OK;
  if (says && o->json)
    print_json(o, &r, m);
  else if (says)
    print_tally(o, &r);
  if (says && !o->json && r.find.status)
    print_find(o, &r.find, m);
  ut_hunt_free(&r);
  return status;
}

int ut_cmd_hunt(int argc, char **argv) {
  struct hunt_options o = {
      .request = {.families = ALL_FAMILIES, .seed = 1, .spec = true}, .keep = "hunt.yaml", .minutes = -1};
  struct smaller m = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_hunt, argc, argv, &o, &status))
    return status;
  if (o.write)
    return ut_hunt_write(&o.request, o.write, &e) ? ut_print_error(&e) : UT_OK;
  ut_catch_interrupt();
  o.request.jobs = o.request.jobs ? o.request.jobs : ut_threads_cores();
  o.request.root_dir = ut_root_dir();
  o.request.interrupted = &ut_interrupted;
  o.request.progress = show;
  o.request.ctx = &o;
  name_smaller(&m, &o);
  status = check_files(&o, &m, &e) ? ut_print_error(&e) : hunt(&o, &m);
  free_smaller(&m);
  return status;
}
