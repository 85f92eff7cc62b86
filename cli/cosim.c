/* cosim.c - `uturn cosim`: RTL and golden model in lockstep. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "deadlock.h"
#include "inside.h"

enum { KEY_DUT = 0x200, KEY_LIBERTY, KEY_WAVE, KEY_WINDOW, KEY_SWITCHES, KEY_RTL, KEY_PLANT };

struct cosim_options {
  struct ut_scenario_options scenario;
  struct ut_device device;
  enum ut_elaborate_when elaborate;
  unsigned threads;
  const char *wave, *window, *switches, *plant;
  struct ut_inside_options inside;
};

static const struct argp_option options[] = {
    {"dut", KEY_DUT, "rtl|gate", 0,
     "device under test: the Verilog RTL (default), or the netlist of standard cells that it is synthesized to", 0},
    {"liberty", KEY_LIBERTY, "osu018|osu035|FILE", 0, "the cells of --dut gate, default osu018", 0},
    {"wave", KEY_WAVE, "FILE.fst", 0, "dump waves; the run is repeated up to the window's end with a traced model", 0},
    {"wave-window", KEY_WINDOW, "A:B|fault|mismatch", 0,
     "cycles to dump: A to B, around the first fault (default if there is one), or around the first mismatch", 0},
    {"wave-switches", KEY_SWITCHES, "L.I,...|all", 0,
     "switches to dump; default: those of the first fault or mismatch, else all", 0},
    {"rtl", KEY_RTL, "DIR", 0, "folder of ut_switch.v, instead of rtl/: your own changed RTL", 0},
    {"plant", KEY_PLANT, "CYCLE:L.I:REGISTER:BIT|CYCLE:L.I:credit", OPTION_HIDDEN,
     "flip a bit of the RTL, or lose a credit: tests the checker", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct cosim_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->scenario;
    state->child_inputs[1] = &o->elaborate;
    state->child_inputs[2] = &o->threads;
    state->child_inputs[3] = &o->inside;
    break;
  case KEY_DUT:
    o->device.gate = !strcmp(arg, "gate");
    if (!o->device.gate && strcmp(arg, "rtl"))
      argp_error(state, "--dut knows 'rtl' and 'gate', not '%s'", arg);
    break;
  case KEY_LIBERTY: o->device.liberty = arg; break;
  case KEY_WAVE: o->wave = arg; break;
  case KEY_WINDOW: o->window = arg; break;
  case KEY_SWITCHES: o->switches = arg; break;
  case KEY_RTL: o->device.rtl_dir = arg; break;
  case KEY_PLANT: o->plant = arg; break;
  case ARGP_KEY_END:
    if (o->device.gate && o->wave)
      argp_error(state, "--wave shows the RTL; the gates behave alike, so leave out --dut gate");
    if (o->device.liberty && !o->device.gate)
      argp_error(state, "--liberty is for --dut gate");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&ut_scenario_argp, 0, NULL, 0},
                                             {&ut_elaborate_argp, 0, NULL, 0},
                                             {&ut_threads_argp, 0, NULL, 0},
                                             {&ut_inside_argp, 0, NULL, 0},
                                             {0}};
const struct argp ut_argp_cosim = {
    options,
    parse,
    "SCENARIO",
    "Simulates SCENARIO with RTL and golden model side by side and compares every register of "
    "every switch in every cycle.  The first difference ends the run with exit status 3.",
    children,
    0,
    0};

/* "L.I" of that topology; false: no such switch. */
static bool parse_switch(const char *text, const struct ut_topology *t, uint32_t *sw) {
  unsigned level, index;
  char rest;
  if (sscanf(text, "%u.%u%c", &level, &index, &rest) != 2)
    return false;
  *sw = ut_topology_switch(t, level, index);
  return *sw != UINT32_MAX;
}

static int parse_plant(const char *text, const struct ut_topology *t, struct ut_plant *p, struct ut_error *e) {
  char name[32], what[64];
  unsigned bit = 0;
  int fields = sscanf(text, "%" SCNu64 ":%31[^:]:%63[^:]:%u", &p->cycle, name, what, &bit);
  if (fields < 3 || !parse_switch(name, t, &p->sw))
    return ut_fail(e, UT_BAD_INPUT, "--plant '%s': expected CYCLE:L.I:REGISTER:BIT or CYCLE:L.I:credit", text);
  p->bit = bit;
  snprintf(p->register_path, sizeof p->register_path, "%s", strcmp(what, "credit") ? what : "");
  return 0;
}

struct outcome {
  bool ok, deadlock;
  double wall_s;
};

/* Runs until the scenario, the first failure or `last` ends it.  inside NULL: nobody looks. */
static struct outcome run(struct ut_lockstep *l, struct ut_elaborator *a, uint64_t last, struct ut_watchdog *watchdog,
                          struct ut_inside *inside) {
  struct outcome r = {.ok = true};
  bool good = true;
  struct ut_progress progress;
  ut_progress_start(&progress);
  while (r.ok && good && !r.deadlock && !ut_interrupted && !ut_network_done(&l->golden) && l->golden.cycle <= last &&
         !l->golden.failure && !l->rtl.failure) {
    ut_elaborator_use(a, &l->golden);
    r.ok = ut_lockstep_step(l);
    good = !inside || ut_inside_observe(inside);
    r.deadlock = r.ok && ut_watchdog_check(watchdog, &l->golden);
    if (l->golden.cycle % 256 == 0)
      ut_progress_show(&progress, l->golden.cycle, ut_network_planned(l->golden.scenario));
  }
  ut_progress_end(&progress);
  r.wall_s = ut_now() - progress.start;
  l->golden.failure |= !ut_lockstep_use(l, NULL); /* all latencies in one place */
  return r;
}

/* Adds a switch to the list that begins with the one in the middle, once. */
static void add_neighbour(struct ut_wave *w, uint32_t *list, const struct ut_peer *p) {
  if (p->kind != UT_PEER_SWITCH)
    return;
  for (unsigned i = 0; i < w->count; i++)
    if (list[i] == p->index)
      return;
  list[w->count++] = p->index;
}

/* Fills the window and the switches to dump; *list is to be freed. */
static int choose_wave(const struct cosim_options *o, const struct ut_lockstep *l, struct ut_wave *w, uint32_t **list,
                       struct ut_error *e) {
  const struct ut_topology *t = &l->golden.topology;
  const struct ut_faults *f = &l->golden.faults;
  const char *window = o->window ? o->window : l->mismatches ? "mismatch" : f->events ? "fault" : "0:200";
  uint32_t center = UINT32_MAX;
  uint64_t at = 0;
  w->path = o->wave;
  if (!strcmp(window, "mismatch")) {
    if (!l->mismatches)
      return ut_fail(e, UT_BAD_INPUT, "--wave-window mismatch: there was no mismatch");
    at = l->golden.cycle;
    center = l->mismatch_switch;
  } else if (!strcmp(window, "fault")) {
    if (!f->events)
      return ut_fail(e, UT_BAD_INPUT, "--wave-window fault: the scenario has no faults");
    const struct ut_component *what = &f->event[0].what;
    at = f->event[0].cycle;
    center = what->sw;
    /* of a link its upper end: around it packets turn */
    if (what->kind == UT_FAULT_LINK && t->peer[what->channel].kind == UT_PEER_SWITCH)
      center = t->peer[what->channel].index;
  } else if (sscanf(window, "%" SCNu64 ":%" SCNu64, &w->first, &w->last) != 2 || w->last < w->first) {
    return ut_fail(e, UT_BAD_INPUT, "--wave-window '%s': expected A:B (cycles), fault or mismatch", window);
  }
  if (center != UINT32_MAX) {
    w->first = at > 60 ? at - 60 : 0;
    w->last = at + (l->mismatches ? 10 : 140);
  }
  *list = calloc(t->switches, sizeof **list);
  if (!*list)
    return ut_fail(e, UT_INTERNAL, "not enough memory");
  w->switches = *list;
  if (o->switches && strcmp(o->switches, "all")) {
    char *copy = strdup(o->switches), *rest = copy;
    for (char *part; copy && (part = strsep(&rest, ","));)
      if (w->count == t->switches || !parse_switch(part, t, &(*list)[w->count++])) {
        ut_fail(e, UT_BAD_INPUT, "--wave-switches: there is no switch '%s' (LEVEL.INDEX)", part);
        free(copy);
        return -1;
      }
    free(copy);
  } else if (center != UINT32_MAX && !o->switches) { /* the switch and its neighbours */
    (*list)[w->count++] = center;
    for (unsigned p = 0; p < t->po; p++)
      add_neighbour(w, *list, &t->peer[(size_t)center * t->po + p]);
    for (unsigned p = 0; p < t->pi; p++) {
      const struct ut_peer from = ut_topology_source(t, center, p);
      add_neighbour(w, *list, &from);
    }
  } else {
    for (; w->count < t->switches; w->count++)
      (*list)[w->count] = w->count;
  }
  return 0;
}

/* The run once more up to the window's end, with a traced model. */
static int dump(const struct cosim_options *o, const struct ut_scenario *s, struct ut_elaborator *a,
                const struct ut_lockstep *done) {
  struct ut_lockstep l;
  struct ut_wave wave = {0};
  struct ut_error e;
  struct ut_watchdog watchdog = {0};
  uint32_t *list = NULL;
  int status = UT_OK;
  if (choose_wave(o, done, &wave, &list, &e)) {
    free(list);
    return ut_print_error(&e);
  }
  struct ut_device traced = o->device;
  traced.traced = true;
  struct ut_models models;
  const bool built = ut_get_models(s, &traced, &models, &status);
  if (built && ut_lockstep_init(&l, s, &models, &e) == 0) {
    l.plant = done->plant;
    if (l.plant.cycle >= done->golden.cycle)
      l.plant.cycle = UINT64_MAX;
    if (ut_rtl_wave(l.dut, &wave, &e) == 0)
      run(&l, a, wave.last, &watchdog, NULL);
    else
      status = ut_print_error(&e);
    ut_lockstep_fini(&l);
    if (status == UT_OK)
      fprintf(stderr, "uturn: %s holds cycles %" PRIu64 " to %" PRIu64 " of %u switches; show it with: uturn wave %s\n",
              o->wave, wave.first, wave.last, wave.count, o->wave);
  } else if (built) {
    status = ut_print_error(&e);
  }
  ut_watchdog_free(&watchdog);
  free(list);
  ut_free_models(&models);
  return status;
}

/* The command that does the same again. */
static void print_again(const struct cosim_options *o, const struct ut_scenario *s) {
  fprintf(stderr, "reproduce%s: uturn cosim %s --seed %" PRIu64, o->device.gate ? "" : " and look", o->scenario.path,
          s->run.seed);
  if (o->scenario.load_set)
    fprintf(stderr, " --load %g", o->scenario.load);
  if (o->scenario.cycles)
    fprintf(stderr, " --cycles %" PRIu64, o->scenario.cycles);
  if (o->device.rtl_dir)
    fprintf(stderr, " --rtl %s", o->device.rtl_dir);
  if (o->plant)
    fprintf(stderr, " --plant %s", o->plant);
  if (o->device.liberty)
    fprintf(stderr, " --liberty %s", o->device.liberty);
  fprintf(stderr, o->device.gate ? " --dut gate\n" : " --wave mismatch.fst --wave-window mismatch\n");
}

/* Can that file be written?  Leaves it as it was. */
static bool writable(const char *path) {
  bool there = access(path, F_OK) == 0;
  FILE *f = fopen(path, there ? "r+b" : "wb");
  if (!f)
    return false;
  fclose(f);
  return there || remove(path) == 0;
}

/* Both networks, with threads. */
static int start(struct ut_lockstep *l, struct ut_threads **threads, const struct ut_scenario *s,
                 const struct ut_models *models, unsigned count, struct ut_error *e) {
  if (ut_lockstep_init(l, s, models, e))
    return -1;
  *threads = ut_threads_start(count ? count : ut_network_threads(&l->rtl, ut_threads_cores()));
  if (*threads && ut_lockstep_use(l, *threads))
    return 0;
  ut_lockstep_fini(l);
  ut_threads_end(*threads);
  return ut_fail(e, UT_INTERNAL, "%s: not enough memory for threads", s->path);
}

/* Prints the results; returns the exit status. */
static int conclude(const struct ut_lockstep *l, const struct outcome *r, const struct ut_watchdog *watchdog,
                    const struct cosim_options *o) {
  const struct ut_report report = {.network = &l->golden,
                                   .lockstep = l,
                                   .deadlock = r->deadlock,
                                   .interrupted = ut_interrupted,
                                   .wall_s = r->wall_s};
  const uint64_t corrupt = l->golden.terminals.accounts.corrupt + l->rtl.terminals.accounts.corrupt;
  ut_report_print(&report, o->scenario.json);
  if (!r->ok) {
    fputs(l->report ? l->report : "mismatch\n", stderr);
    print_again(o, l->golden.scenario);
    return UT_MISMATCH;
  }
  if (r->deadlock) {
    ut_watchdog_print(watchdog, stderr);
    return UT_DEADLOCK;
  }
  if (l->golden.failure || l->rtl.failure) {
    fprintf(stderr, "uturn: not enough memory for the source queues; lower the load or the number of cycles\n");
    return UT_INTERNAL;
  }
  if (corrupt) {
    fprintf(stderr, "uturn: %" PRIu64 " packets arrived corrupt\n", corrupt);
    return UT_MISMATCH;
  }
  return ut_interrupted ? UT_INTERRUPTED : ut_workload_status(&l->golden);
}

int ut_cmd_cosim(int argc, char **argv) {
  struct cosim_options o = {0};
  struct ut_lockstep l;
  struct ut_error e;
  struct ut_models models = {0};
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  struct ut_inside inside = {0};
  int status;
  if (ut_parse(&ut_argp_cosim, argc, argv, &o, &status))
    return status;
  if (o.wave && !writable(o.wave)) {
    fprintf(stderr, "uturn: %s: cannot be written; give another file to --wave\n", o.wave);
    return UT_BAD_INPUT;
  }
  struct ut_scenario *s = ut_open_scenario(&o.scenario, &status);
  if (!s)
    return status;
  ut_catch_interrupt();
  const bool built =
      ut_elaborate_start(&elaborator, s, o.elaborate, &status) && ut_get_models(s, &o.device, &models, &status);
  if (!built || start(&l, &threads, s, &models, o.threads, &e)) {
    ut_elaborate_end(&elaborator);
    ut_free_models(&models);
    ut_scenario_free(s);
    return built ? ut_print_error(&e) : status;
  }
  ut_free_models(&models);
  l.gates = o.device.gate;
  struct ut_watchdog watchdog = {0};
  const bool ready = (!o.plant || !parse_plant(o.plant, &l.golden.topology, &l.plant, &e)) &&
                     !ut_inside_start(&inside, &o.inside, &l.golden, &e);
  struct outcome r = {.ok = true};
  if (ready)
    r = run(&l, &elaborator, UINT64_MAX, &watchdog, &inside);
  const bool written = !ut_inside_end(&inside, ready ? &e : NULL) && ready;
  status = written ? UT_OK : ut_print_error(&e);
  if (written || !r.ok)
    status = conclude(&l, &r, &watchdog, &o);
  if (l.plant.missed) {
    fprintf(stderr, "uturn: --plant '%s': the checker cannot flip that register\n", o.plant);
    status = UT_BAD_INPUT;
  }
  if (o.wave && ready && !ut_interrupted) {
    int dumped = dump(&o, s, &elaborator, &l);
    status = dumped != UT_OK ? dumped : status;
  }
  ut_watchdog_free(&watchdog);
  ut_lockstep_fini(&l);
  ut_threads_end(threads);
  ut_elaborate_end(&elaborator);
  ut_scenario_free(s);
  return status;
}
