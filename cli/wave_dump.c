/* wave_dump.c - see wave_dump.h */
#define _GNU_SOURCE
#include "wave_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim.h"
#include "dump.h"
#include "fst_file.h"
#include "number.h"
#include "output.h"

/* ---- options */

enum { KEY_WAVE = 0x220, KEY_WINDOW, KEY_SWITCHES };
enum { BEFORE = 60, AFTER_FAULT = 140, AFTER_MISMATCH = 10, DEFAULT_LAST = 200 };

static const struct argp_option options[] = {
    {"wave", KEY_WAVE, "FILE.fst", 0, "dump waves; the run is repeated up to the window's end with a traced model", 0},
    {"wave-window", KEY_WINDOW, "A:B|fault|mismatch", 0,
     "cycles to dump: A to B, around the first fault (default if there is one), or around the first mismatch", 0},
    {"wave-switches", KEY_SWITCHES, "L.I,...|all", 0,
     "switches to dump; default: those of the first fault or mismatch, else all", 0},
    {0},
};

static void parse_window(struct ut_wave_options *o, const char *text, struct argp_state *state) {
  const char *c = text;
  o->window = UT_WINDOW_CYCLES;
  if (!strcmp(text, "fault"))
    o->window = UT_WINDOW_FAULT;
  else if (!strcmp(text, "mismatch"))
    o->window = UT_WINDOW_MISMATCH;
  else if (!ut_number_read(&c, UT_MAX_WAVE_CYCLE, &o->first) || *c++ != ':' ||
           !ut_number_is(c, UT_MAX_WAVE_CYCLE, &o->last) || o->first > o->last)
    argp_error(state, "--wave-window '%s': expected A:B (cycles), fault or mismatch", text);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct ut_wave_options *o = state->input;
  switch (key) {
  case KEY_WAVE: o->path = ut_parse_file(arg, "--wave", ".fst", state); return 0;
  case KEY_WINDOW: parse_window(o, arg, state); return 0;
  case KEY_SWITCHES: o->switches = arg; return 0;
  case ARGP_KEY_END:
    if (!o->path && (o->window || o->switches))
      argp_error(state, "%s is for --wave FILE.fst", o->window ? "--wave-window" : "--wave-switches");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ut_wave_argp = {options, parse, 0, 0, 0, 0, 0};

/* ---- what is dumped */

bool ut_parse_switch(const char *text, const struct ut_topology *t, uint32_t *sw) {
  uint64_t level, index;
  if (!ut_number_read(&text, UINT32_MAX, &level) || *text++ != '.' || !ut_number_is(text, UINT32_MAX, &index))
    return false;
  *sw = ut_topology_switch(t, (unsigned)level, (unsigned)index);
  return *sw != UINT32_MAX;
}

static void add(struct ut_wave *w, uint32_t *list, uint32_t sw) {
  for (unsigned i = 0; i < w->count; i++)
    if (list[i] == sw)
      return; /* Verilator takes a switch once */
  list[w->count++] = sw;
}

static void add_peer(struct ut_wave *w, uint32_t *list, const struct ut_peer *p) {
  if (p->kind == UT_PEER_SWITCH)
    add(w, list, p->index);
}

/* The switches that --wave-switches lists. */
static int add_listed(struct ut_wave *w, uint32_t *list, const char *text, const struct ut_topology *t,
                      struct ut_error *e) {
  char *copy = strdup(text), *rest = copy;
  uint32_t sw;
  int result = copy ? 0 : ut_fail(e, UT_BAD_INPUT, "not enough memory");
  for (char *part; !result && (part = strsep(&rest, ","));)
    if (ut_parse_switch(part, t, &sw))
      add(w, list, sw);
    else
      result = ut_fail(e, UT_BAD_INPUT, "--wave-switches: there is no switch '%s' (LEVEL.INDEX)", part);
  free(copy);
  return result;
}

/* center: the switch of the fault or mismatch, or UINT32_MAX. */
static int choose_switches(const struct ut_wave_options *o, const struct ut_topology *t, uint32_t center,
                           struct ut_wave *w, uint32_t **list, struct ut_error *e) {
  w->switches = *list = calloc(t->switches, sizeof **list);
  if (!*list)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory");
  if (o->switches && strcmp(o->switches, "all"))
    return add_listed(w, *list, o->switches, t, e);
  if (center == UINT32_MAX || o->switches) {
    for (; w->count < t->switches; w->count++)
      (*list)[w->count] = w->count;
    return 0;
  }
  add(w, *list, center); /* and its neighbours */
  for (unsigned p = 0; p < t->po; p++)
    add_peer(w, *list, &t->peer[(size_t)center * t->po + p]);
  for (unsigned p = 0; p < t->pi; p++) {
    const struct ut_peer from = ut_topology_source(t, center, p);
    add_peer(w, *list, &from);
  }
  return 0;
}

static enum ut_wave_window window_of(const struct ut_wave_options *o, const struct ut_faults *f, bool mismatch) {
  if (o->window != UT_WINDOW_DEFAULT)
    return o->window;
  return mismatch ? UT_WINDOW_MISMATCH : f->events ? UT_WINDOW_FAULT : UT_WINDOW_CYCLES;
}

/* The cycles of the window; returns the switch in its middle, or UINT32_MAX. */
static uint32_t choose_cycles(const struct ut_wave_options *o, const struct ut_lockstep *l, struct ut_wave *w) {
  const struct ut_topology *t = &l->golden.topology;
  const struct ut_faults *f = &l->golden.faults;
  const enum ut_wave_window window = window_of(o, f, l->mismatches);
  if (window == UT_WINDOW_CYCLES) {
    w->first = o->window ? o->first : 0;
    w->last = o->window ? o->last : DEFAULT_LAST;
    return UINT32_MAX;
  }
  const bool mismatch = window == UT_WINDOW_MISMATCH;
  const struct ut_component *what = mismatch ? NULL : &f->event[0].what;
  const uint64_t at = mismatch ? l->golden.cycle : f->event[0].cycle;
  w->first = at > BEFORE ? at - BEFORE : 0;
  w->last = at + (mismatch ? AFTER_MISMATCH : AFTER_FAULT);
  if (mismatch)
    return l->mismatch_switch;
  /* of a link its upper end: around it packets turn */
  const bool upper = what->kind == UT_FAULT_LINK && t->peer[what->channel].kind == UT_PEER_SWITCH;
  return upper ? t->peer[what->channel].index : what->sw;
}

static int check_window(const struct ut_wave_options *o, const struct ut_scenario *s, const struct ut_faults *f,
                        struct ut_error *e) {
  const uint64_t longest = ut_network_planned(s) + (s->run.drain ? s->run.drain_limit_cycles : 0);
  const enum ut_wave_window window = window_of(o, f, false);
  if (window == UT_WINDOW_FAULT && !f->events)
    return ut_fail(e, UT_BAD_INPUT, "--wave-window fault: the scenario has no faults");
  if (window == UT_WINDOW_FAULT && f->event[0].cycle >= longest)
    return ut_fail(e, UT_BAD_INPUT, "--wave-window: the first fault is in cycle %" PRIu64 ", the run has %" PRIu64,
                   f->event[0].cycle, longest);
  if (o->window == UT_WINDOW_CYCLES && o->first >= longest)
    return ut_fail(e, UT_BAD_INPUT, "--wave-window %" PRIu64 ":%" PRIu64 ": the run has %" PRIu64 " cycles at most",
                   o->first, o->last, longest);
  return 0;
}

int ut_wave_check(const struct ut_wave_options *o, const struct ut_scenario *s, struct ut_error *e) {
  struct ut_topology t;
  struct ut_faults faults = {0};
  struct ut_wave wave = {0};
  uint32_t *list = NULL;
  if (!o->path)
    return 0;
  if (ut_topology_init(&t, s, e))
    return -1;
  int result = ut_faults_init(&faults, s, &t, e) || check_window(o, s, &faults, e) ||
                       choose_switches(o, &t, UINT32_MAX, &wave, &list, e) ||
                       ut_output_check(o->path, UT_OUTPUT_REGULAR, e)
                   ? -1
                   : 0;
  free(list);
  ut_faults_free(&faults);
  ut_topology_free(&t);
  return result;
}

/* ---- the run that is dumped */

/* In the process that dumps; returns its exit status. */
static int make(const struct ut_scenario *s, const struct ut_models *models, const struct ut_wave *wave,
                const struct ut_lockstep *done) {
  struct ut_elaborator none = {0};
  struct ut_watchdog watchdog = {0};
  struct ut_lockstep l;
  struct ut_error e;
  if (ut_lockstep_init(&l, s, models, &e))
    return ut_print_error(&e);
  if (done->spec && !l.spec && !ut_lockstep_use_spec(&l)) {
    ut_lockstep_fini(&l);
    return ut_fail_memory(&e), ut_print_error(&e);
  }
  l.plant = done->plant;
  if (l.plant.cycle >= done->golden.cycle)
    l.plant.cycle = UINT64_MAX;
  int status = ut_dump_open(&l, wave, &e) ? ut_print_error(&e) : UT_OK;
  if (status == UT_OK)
    ut_cosim_run(&l, &none, wave->last, &watchdog, NULL);
  while (l.mismatches && l.golden.cycle <= wave->last && !ut_interrupted && !l.golden.failure && !l.rtl.failure)
    ut_lockstep_step(&l); /* what follows from the difference */
  ut_lockstep_fini(&l);
  return status == UT_OK && ut_interrupted ? UT_INTERRUPTED : status;
}

/* Has it made; what was written is complete, or *e says why not. */
static int make_apart(const struct ut_scenario *s, const struct ut_models *models, const struct ut_wave *wave,
                      const struct ut_lockstep *done, int *status, struct ut_error *e) {
  static const char full[] = "is there room on its disk and in /tmp, and no `ulimit -f`?";
  int ended = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    _exit(make(s, models, wave, done));
  while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
    ;
  if (child < 0)
    return ut_fail(e, UT_INTERNAL, "the process that dumps cannot be started: %s", strerror(errno));
  if (WIFSIGNALED(ended))
    return ut_fail(e, UT_BAD_INPUT, "the dump was ended by '%s'; %s", strsignal(WTERMSIG(ended)), full);
  *status = WEXITSTATUS(ended);
  if (*status == UT_OK && ut_fst_check(wave->path, e))
    return ut_fail(e, UT_BAD_INPUT, "the dump could not be written completely; %s", full);
  return 0;
}

/* What Verilator's writer has beside its file, while it writes. */
static void remove_rest(const char *part) {
  char *rest;
  if (asprintf(&rest, "%s.hier", part) < 0)
    return;
  remove(rest);
  free(rest);
}

static int write_dump(const struct ut_wave_options *o, const struct ut_scenario *s, const struct ut_models *models,
                      struct ut_wave *wave, const struct ut_lockstep *done) {
  struct ut_output out;
  struct ut_error e;
  int status = UT_OK;
  if (ut_output_open(&out, o->path, UT_OUTPUT_REGULAR, &e))
    return ut_print_error(&e);
  wave->path = out.part;
  const int failed = make_apart(s, models, wave, done, &status, &e);
  remove_rest(out.part);
  if (failed || status != UT_OK) {
    ut_output_drop(&out);
    if (!failed)
      return status;
    fprintf(stderr, "uturn: %s: %s\n", o->path, e.text);
    return e.code;
  }
  if (ut_output_close(&out, &e))
    return ut_print_error(&e);
  fprintf(stderr, "uturn: %s holds cycles %" PRIu64 " to %" PRIu64 " of %u switches; show it with: uturn wave %s\n",
          o->path, wave->first, wave->last, wave->count, o->path);
  return UT_OK;
}

int ut_wave_dump(const struct ut_wave_options *o, const struct ut_device *device, const struct ut_scenario *s,
                 const struct ut_lockstep *done) {
  struct ut_device traced = *device;
  struct ut_models models;
  struct ut_wave wave = {0};
  struct ut_error e;
  uint32_t *list = NULL;
  int status = UT_OK;
  if (o->window == UT_WINDOW_MISMATCH && !done->mismatches) {
    ut_fail(&e, UT_BAD_INPUT, "--wave-window mismatch: there was no mismatch");
    return ut_print_error(&e);
  }
  const uint32_t center = choose_cycles(o, done, &wave);
  if (!done->mismatches && wave.last > done->golden.cycle) /* behind a mismatch both sides go on */
    wave.last = done->golden.cycle;
  if (wave.first >= done->golden.cycle && !done->mismatches) {
    ut_fail(&e, UT_BAD_INPUT, "--wave-window %" PRIu64 ":%" PRIu64 ": the run has ended in cycle %" PRIu64, wave.first,
            wave.last, done->golden.cycle);
    return ut_print_error(&e);
  }
  if (choose_switches(o, &done->golden.topology, center, &wave, &list, &e)) {
    free(list);
    return ut_print_error(&e);
  }
  traced.traced = true;
  traced.lanes = false; /* which behave alike, but only Verilator dumps */
  if (ut_get_models(s, &traced, &models, &status))
    status = write_dump(o, s, &models, &wave, done);
  ut_free_models(&models);
  free(list);
  return status;
}
