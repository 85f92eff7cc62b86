/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - see replay.h
 *
 * The prover's adversary makes choices that the selection function makes in its own way, so one packet is not enough.
 * The pairs of the counter-example send as fast as they can, in some order, or all terminals send at random; the golden
 * model tries a number of such runs until one shows the failure.  The RTL equals the golden model in every cycle, so
 * `cosim` then shows it too.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deadlock.h"
#include "memory_text.h"
#include "output.h"
#include "pattern.h"
#include "random.h"
#include "scenario_read.h"
#include "scenario_values.h"
#include "scenario_write.h"
#include "switch.h"

enum { FIRST_CYCLE = 20, SENDING_CYCLES = 3000, ALL_SENDING_CYCLES = 10000, DRAIN_CYCLES = 3000, WATCHDOG = 100 };
/* Wormhole packets long enough to hold all channels of a cycle. */
enum { CHANNELS_HELD = 8, MOST_FLITS = 128, MOST_PAIRS_ALONE = 8 };
enum { FOCUSED_TRIES = 12, RANDOM_TRIES = 24, MAX_PAIRS = 4096 };

struct pair {
  uint32_t src, dst;
};

/* One run that is tried. */
struct attempt {
  bool focused; /* only the pairs send; else all terminals, to random ones */
  unsigned number, depth, flits;
  double load;
  unsigned gap;    /* focused: cycles between packets of a source */
  unsigned subset; /* focused: these pairs, a bit each, send one packet at the same time; 0: all pairs, many packets */
};

struct replay {
  struct ut_prover *p;
  const struct ut_counter_example *c;
  const char *path;
  char *trace_path;
  struct ut_output trace; /* of the last focused attempt; takes its name at the end */
  struct attempt last;
  struct pair pair[MAX_PAIRS];
  size_t pairs;
  uint64_t cycle; /* of the deadlock */
  uint64_t count; /* packets discarded, or in flight at the end */
};

/* ---- files */

/* The faults of the set, from cycle 0 on. */
static void fill_faults(struct ut_fault *fault, const struct ut_topology *t, const struct ut_fault_set *set) {
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *link = &t->link[set->link[i]];
    *fault++ = (struct ut_fault){.kind = UT_FAULT_LINK,
                                 .until_cycle = UINT64_MAX,
                                 .level = t->level[link->lower],
                                 .index = (unsigned)t->position[link->lower],
                                 .port = link->lower_port};
  }
  for (unsigned i = 0; i < set->switches; i++)
    *fault++ = (struct ut_fault){.kind = UT_FAULT_SWITCH,
                                 .until_cycle = UINT64_MAX,
                                 .level = t->level[set->sw[i]],
                                 .index = (unsigned)t->position[set->sw[i]]};
}

/* The keys of that section as if the scenario said nothing of them. */
static void forget(struct ut_scenario *s, const char *section) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->size && strncmp(key->path, section, strlen(section)) == 0)
      ut_value_fill(s, key, NULL);
}

static void fill_switch(struct ut_scenario *s, const struct replay *r, const struct attempt *a) {
  const bool bubble = r->p->explorer.group[0].form.bubble; /* what it counts in depends on the shortest packet */
  if (!bubble)
    s->sw.shortest_packet_flits = 1;
  else if (s->sw.shortest_packet_flits >= s->sw.packet_flits)
    s->sw.shortest_packet_flits = a->flits;
  s->sw.distribution = UT_LENGTHS_FIXED;
  s->sw.depth_flits = a->depth;
  s->sw.packet_flits = a->flits;
}

static void fill_routing(struct ut_scenario *s, const struct replay *r) {
  if (r->p->explorer.group[0].form.tables) { /* the faults are there from the first cycle on: new tables at once */
    forget(s, "routing.manager_");
    s->routing.tables = r->p->explorer.replans ? UT_TABLES_RECONFIGURED : UT_TABLES_STATIC;
    if (r->p->explorer.replans)
      s->routing.manager_switch_cycles = 0;
  }
  if (r->p->modelled) /* what fails may be outside the model, and is shown all the same */
    s->routing.beyond_fault_model = true;
  s->routing.plane_bypass = false; /* planes that were switched off are no longer there */
}

/* What was examined, with the traffic of the attempt; the trace under that name. */
static void write_scenario(FILE *f, const struct replay *r, const struct attempt *a, char *trace) {
  struct ut_fault faults[2 * UT_MAX_FAULTS];
  struct ut_scenario s = *r->p->scenario;
  fprintf(f, "# Written by `uturn prove --replay`: shows the counter-example of kind '%s' of %s.\n",
          ut_failure_name[r->c->kind], s.path);
  s.path = (char *)(uintptr_t)r->path;
  fill_switch(&s, r, a);
  fill_routing(&s, r);
  forget(&s, "traffic.");
  s.traffic.pattern = a->focused ? &ut_pattern_trace : &ut_pattern_uniform;
  s.traffic.load_flits_per_cycle = a->focused ? 0 : a->load;
  s.traffic.file = trace;
  fill_faults(faults, r->p->topology, &r->c->set);
  s.faults = faults;
  s.fault_count = r->c->set.links + r->c->set.switches;
  s.run.warmup_cycles = FIRST_CYCLE;
  s.run.measure_cycles = a->focused ? SENDING_CYCLES : ALL_SENDING_CYCLES;
  s.run.drain = true;
  s.run.drain_limit_cycles = DRAIN_CYCLES;
  s.run.watchdog_cycles = WATCHDOG;
  s.run.seed = a->number + 1;
  ut_scenario_write(f, &s);
}

/* Each source of a pair sends to its destinations, in an order drawn for this attempt. */
static void write_trace(FILE *f, const struct replay *r, const struct attempt *a) {
  const struct ut_scenario *s = r->p->scenario;
  struct ut_random random;
  ut_random_init(&random, s->run.seed, UT_RANDOM_SAMPLING, a->number);
  for (size_t i = 0; i < r->pairs && a->subset; i++)
    if (i < MOST_PAIRS_ALONE && a->subset >> i & 1)
      fprintf(f, "%d %u %u %u\n", FIRST_CYCLE, (unsigned)r->pair[i].src, (unsigned)r->pair[i].dst, a->flits);
  for (unsigned cycle = FIRST_CYCLE; cycle < SENDING_CYCLES && !a->subset; cycle += a->gap)
    for (uint32_t src = 0; src < r->p->topology->terminals; src++) {
      uint32_t choices = 0;
      for (size_t i = 0; i < r->pairs; i++)
        choices += r->pair[i].src == src;
      if (!choices)
        continue;
      uint32_t wanted = ut_random_below(&random, choices);
      for (size_t i = 0; i < r->pairs; i++)
        if (r->pair[i].src == src && wanted-- == 0)
          fprintf(f, "%u %u %u %u\n", cycle, (unsigned)src, (unsigned)r->pair[i].dst, a->flits);
    }
}

/* The attempt as a scenario.  Its trace is a file beside the one that will have the name: until the search is over,
 * nothing of the user's is touched.  NULL and *e on failure. */
static struct ut_scenario *scenario_of(struct replay *r, const struct attempt *a, struct ut_error *e) {
  char trace[PATH_MAX] = "", *text = NULL;
  size_t length = 0;
  if (a->focused) {
    if (!r->trace.file && ut_output_open(&r->trace, r->trace_path, UT_OUTPUT_REGULAR, e))
      return NULL;
    rewind(r->trace.file);
    write_trace(r->trace.file, r, a);
    if (fflush(r->trace.file) || ftruncate(fileno(r->trace.file), ftell(r->trace.file)) ||
        !realpath(r->trace.part, trace)) {
      ut_fail(e, UT_BAD_INPUT, "%s cannot be written: %m", r->trace_path);
      return NULL;
    }
  }
  FILE *f = ut_memory_open(&text, &length);
  if (!f) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the replay");
    return NULL;
  }
  write_scenario(f, r, a, trace);
  struct ut_scenario *s = NULL;
  if (ut_memory_close(f, &text))
    ut_fail(e, UT_BAD_INPUT, "out of memory for the replay");
  else
    s = ut_scenario_parse(text, length, r->path, e);
  free(text);
  return s;
}

/* The last attempt under its names; the trace first, so that no scenario names one that is not there. */
static int keep_last(struct replay *r, struct ut_error *e) {
  struct ut_output out;
  if (!r->last.focused)
    ut_output_drop(&r->trace);
  else if (ut_output_close(&r->trace, e))
    return -1;
  if (ut_output_open(&out, r->path, UT_OUTPUT_REGULAR, e)) /* it is read again */
    return -1;
  write_scenario(out.file, r, &r->last, r->trace_path);
  return ut_output_close(&out, e);
}

/* ---- runs */

/* Packets that each source had sent into the network. */
static void note_sent(const struct ut_terminals *t, uint64_t *sent) {
  for (uint32_t i = 0; i < t->count; i++)
    sent[i] = t->terminal[i].injected;
}

/* Those of them that are still there. */
static uint64_t left_of(const struct ut_terminals *t, const uint64_t *sent) {
  uint64_t left = 0;
  for (uint32_t i = 0; i < t->count; i++)
    for (uint64_t k = t->terminal[i].base; k < sent[i]; k++)
      left += t->terminal[i].record[k & t->terminal[i].mask].live;
  return left;
}

/* 1: the golden model shows the failure in this attempt; 0: it does not; -1: error. */
static int attempt(struct replay *r, const struct attempt *a, const volatile sig_atomic_t *stop, struct ut_error *e) {
  struct ut_network n;
  struct ut_watchdog watchdog = {0};
  struct ut_scenario *s = scenario_of(r, a, e);
  if (!s)
    return -1;
  r->last = *a;
  if (ut_network_init(&n, s, NULL, e)) {
    ut_scenario_free(s);
    return -1;
  }
  uint64_t *sent = calloc(n.topology.terminals, sizeof *sent); /* when the draining begins */
  if (!sent) {
    ut_network_fini(&n);
    ut_scenario_free(s);
    return ut_fail_memory(e);
  }
  const uint64_t last = FIRST_CYCLE + (a->focused ? SENDING_CYCLES : ALL_SENDING_CYCLES);
  bool deadlock = false, shown = false;
  while (!ut_network_done(&n) && !deadlock && !n.failure && !(stop && *stop)) {
    ut_network_step(&n);
    deadlock = ut_watchdog_check(&watchdog, &n);
    if (n.cycle == last)
      note_sent(&n.terminals, sent);
  }
  r->cycle = n.cycle;
  switch (r->c->kind) {
  case UT_FAILURE_DISCARD: r->count = n.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE]; break;
  case UT_FAILURE_WRONG: r->count = n.terminals.accounts.corrupt; break;
  case UT_FAILURE_LOOP: r->count = deadlock ? 0 : left_of(&n.terminals, sent); break; /* others may be on their way */
  default: r->count = 0; break;
  }
  shown = r->c->kind == UT_FAILURE_CYCLE ? deadlock : r->count > 0;
  free(sent);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&n);
  ut_scenario_free(s);
  return shown;
}

/* ---- the search */

static void add_pair(struct replay *r, uint32_t src, uint32_t dst) {
  if (src == dst || r->pairs == MAX_PAIRS)
    return;
  for (size_t i = 0; i < r->pairs; i++)
    if (r->pair[i].src == src && r->pair[i].dst == dst)
      return;
  r->pair[r->pairs++] = (struct pair){src, dst};
}

static void collect_pairs(struct replay *r) {
  const struct ut_counter_example *c = r->c;
  if (c->kind != UT_FAILURE_CYCLE) {
    add_pair(r, c->src, c->dst);
    return;
  }
  for (size_t i = 0; i < c->steps; i++)
    add_pair(r, c->step[i].src, c->step[i].dst);
  for (size_t i = 0; i < c->mores; i++)
    add_pair(r, c->more[i].src, c->more[i].dst);
}

/* Packets that are longer than all buffers of the cycle, one of each of some pairs: they hold all their channels at
 * once, and nothing else is in their way.  As search(). */
static int search_long(struct replay *r, unsigned *tries, const volatile sig_atomic_t *stop, struct ut_error *e) {
  const struct ut_scenario *s = r->p->scenario;
  const size_t pairs = r->pairs < MOST_PAIRS_ALONE ? r->pairs : MOST_PAIRS_ALONE;
  struct attempt a = {.focused = true, .depth = s->sw.depth_flits, .flits = CHANNELS_HELD * s->sw.depth_flits};
  a.flits = a.flits > MOST_FLITS ? MOST_FLITS : a.flits < s->sw.packet_flits ? s->sw.packet_flits : a.flits;
  for (unsigned packets = 2; packets <= pairs; packets++)
    for (a.subset = 1; a.subset < 1u << pairs && !(stop && *stop); a.subset++) {
      if ((unsigned)__builtin_popcount(a.subset) != packets)
        continue;
      int shown = attempt(r, &a, stop, e);
      ++*tries;
      if (shown)
        return shown;
    }
  return 0;
}

/* Attempts, those that show the counter-example itself first; *tries counts them. */
static int search(struct replay *r, unsigned *tries, const volatile sig_atomic_t *stop, struct ut_error *e) {
  const struct ut_scenario *s = r->p->scenario;
  /* of one packet; the bubble rule needs room for two */
  unsigned small = s->sw.packet_flits << r->p->explorer.group[0].form.bubble, own = s->sw.depth_flits,
           flits = s->sw.packet_flits;
  static const double load[3] = {1, 0.6, 0.3};
  if (s->sw.switching == UT_WORMHOLE && r->c->kind == UT_FAILURE_CYCLE) {
    const int shown = search_long(r, tries, stop, e);
    if (shown)
      return shown;
  }
  for (unsigned round = 0; round < 4; round++) {
    bool focused = round % 2 == 0;
    if (round >= 2 && own == small) /* the smallest buffers fill up sooner */
      continue;
    struct attempt a = {.focused = focused, .depth = round < 2 ? own : small, .flits = flits};
    for (a.number = 0; a.number < (focused ? FOCUSED_TRIES : RANDOM_TRIES); a.number++) {
      a.load = load[a.number % 3];
      /* what goes round blocks others: one packet alone first, then more of them */
      a.gap = r->c->kind == UT_FAILURE_LOOP ? (unsigned)SENDING_CYCLES >> a.number : s->sw.packet_flits;
      if (a.gap < s->sw.packet_flits)
        a.gap = s->sw.packet_flits;
      int shown = attempt(r, &a, stop, e);
      ++*tries;
      if (shown)
        return shown;
      if (stop && *stop)
        return 0;
      if (focused && r->pairs == 1 && a.gap == s->sw.packet_flits)
        break; /* the order is always the same */
    }
  }
  struct attempt first = {.focused = true, .depth = own, .gap = small, .flits = flits}; /* leave that one */
  return attempt(r, &first, stop, e);
}

int ut_replay_write(struct ut_prover *p, const struct ut_counter_example *c, const char *path,
                    const volatile sig_atomic_t *stop, struct ut_replay_report *report, struct ut_error *e) {
  struct replay r = {.p = p, .c = c, .path = path};
  unsigned tries = 0;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  int length = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  *report = (struct ut_replay_report){0};
  if (asprintf(&r.trace_path, "%.*s.trace", length, path) < 0)
    return ut_fail_memory(e);
  collect_pairs(&r);
  const bool visible = c->kind != UT_FAILURE_ESCAPE && c->kind != UT_FAILURE_BUBBLE;
  const struct attempt only = {
      .focused = true, .depth = p->scenario->sw.depth_flits, .flits = p->scenario->sw.packet_flits, .subset = 1};
  int shown = visible ? search(&r, &tries, stop, e) : attempt(&r, &only, stop, e);
  if (shown < 0 || keep_last(&r, e)) {
    ut_output_drop(&r.trace);
    free(r.trace_path);
    return -1;
  }
  report->shown = shown == 1;
  size_t size = sizeof report->text;
  if (shown == 1)
    switch (c->kind) {
    case UT_FAILURE_CYCLE:
      snprintf(report->text, size, "cosim ends with a deadlock, exit status 4, in cycle %" PRIu64, r.cycle);
      break;
    case UT_FAILURE_LOOP:
      snprintf(report->text, size, "%" PRIu64 " packets go round for ever: in flight when cosim ends", r.count);
      break;
    case UT_FAILURE_DISCARD:
      snprintf(report->text, size, "cosim discards %" PRIu64 " packets as unreachable", r.count);
      break;
    default: snprintf(report->text, size, "%" PRIu64 " packets arrive where they should not", r.count); break;
    }
  else if (c->kind == UT_FAILURE_NUMBERING || !visible)
    snprintf(report->text, size, "'%s' is nothing that a simulation shows; the packet is in the trace",
             ut_failure_name[c->kind]);
  else
    snprintf(report->text, size,
             "written, but none of %u runs of the golden model showed the failure: it needs rarer choices", tries);
  free(r.trace_path);
  return 0;
}
