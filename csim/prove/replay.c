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
#include "replay_parts.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_values.h"
#include "scenario_write.h"
#include "switch.h"

enum { FIRST_CYCLE = 20, SENDING_CYCLES = 3000, ALL_SENDING_CYCLES = 10000, DRAIN_CYCLES = 3000, WATCHDOG = 100 };
/* Length of wormhole packets that can hold all channels of a cycle. */
enum { CHANNELS_HELD = 8, MOST_FLITS = 128, MOST_PAIRS_ALONE = 8 };
enum { FOCUSED_TRIES = 12, RANDOM_TRIES = 24, MAX_PAIRS = 4096 };

struct pair {
  uint32_t src, dst;
};

/* One run that is tried. */
struct attempt {
  bool focused; /* only these pairs send; otherwise all terminals, to random destinations */
  unsigned number, depth, flits;
  double load;
  unsigned gap;    /* focused: cycles between packets of a source */
  unsigned subset; /* focused: set of pairs that send one packet at once; 0: all pairs, many packets */
};

struct replay {
  struct ut_prover *p;
  const struct ut_counter_example *c;
  const char *path;
  char *trace_path;
  struct ut_output trace; /* file of the last focused attempt, which is renamed at the end */
  struct attempt last;
  struct pair pair[MAX_PAIRS];
  size_t pairs;
  uint64_t cycle; /* of the deadlock */
  uint64_t count; /* packets discarded, or in flight at the end */
};

/* ---- files */

void ut_replay_faults(struct ut_fault *fault, const struct ut_topology *topo, const struct ut_fault_set *set) {
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *link = &topo->link[set->link[i]];
    *fault++ = (struct ut_fault){.kind = UT_FAULT_LINK,
                                 .until_cycle = UINT64_MAX,
                                 .level = topo->level[link->lower],
                                 .index = (unsigned)topo->position[link->lower],
                                 .port = link->lower_port};
  }
  for (unsigned i = 0; i < set->switches; i++)
    *fault++ = (struct ut_fault){.kind = UT_FAULT_SWITCH,
                                 .until_cycle = UINT64_MAX,
                                 .level = topo->level[set->sw[i]],
                                 .index = (unsigned)topo->position[set->sw[i]]};
}

void ut_replay_forget(struct ut_scenario *scenario, const char *section) {
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->size && strncmp(key->path, section, strlen(section)) == 0)
      ut_value_fill(scenario, key, NULL);
}

static void fill_switch(struct ut_scenario *scenario, const struct replay *replay, const struct attempt *attempt) {
  const bool bubble = replay->p->explorer.group[0].form.bubble; /* its unit depends on the shortest packet */
  if (!bubble)
    scenario->sw.shortest_packet_flits = 1;
  else if (scenario->sw.shortest_packet_flits >= scenario->sw.packet_flits)
    scenario->sw.shortest_packet_flits = attempt->flits;
  scenario->sw.distribution = UT_LENGTHS_FIXED;
  scenario->sw.depth_flits = attempt->depth;
  scenario->sw.packet_flits = attempt->flits;
}

static void fill_routing(struct ut_scenario *scenario, const struct replay *replay) {
  if (replay->p->explorer.group[0].form.tables) { /* the faults exist from the first cycle on: new tables at once */
    ut_replay_forget(scenario, "routing.manager_");
    scenario->routing.tables = replay->p->explorer.replans ? UT_TABLES_RECONFIGURED : UT_TABLES_STATIC;
    if (replay->p->explorer.replans)
      scenario->routing.manager_switch_cycles = 0;
  }
  if (replay->p->modelled) /* the faults may be outside the model; they are shown all the same */
    scenario->routing.beyond_fault_model = true;
  scenario->routing.plane_bypass = false; /* planes that were switched off are not in the network any more */
}

/* Sets the network that was examined, with the traffic of the attempt; the trace has that name. */
static void write_scenario(FILE *f, const struct replay *replay, const struct attempt *attempt, char *trace) {
  struct ut_fault faults[2 * UT_MAX_FAULTS];
  struct ut_scenario scenario = *replay->p->scenario;
  fprintf(f, "# Written by `uturn prove --replay`: shows the counter-example of kind '%s' of %s.\n",
          ut_failure_name[replay->c->kind], scenario.path);
  scenario.path = (char *)(uintptr_t)replay->path;
  fill_switch(&scenario, replay, attempt);
  fill_routing(&scenario, replay);
  ut_replay_forget(&scenario, "traffic.");
  scenario.traffic.pattern = attempt->focused ? &ut_pattern_trace : &ut_pattern_uniform;
  scenario.traffic.load_flits_per_cycle = attempt->focused ? 0 : attempt->load;
  scenario.traffic.file = trace;
  scenario.traffic.terminal_loads_file = NULL;
  ut_replay_faults(faults, replay->p->topology, &replay->c->set);
  scenario.faults = faults;
  scenario.fault_count = replay->c->set.links + replay->c->set.switches;
  scenario.run.warmup_cycles = FIRST_CYCLE;
  scenario.run.measure_cycles = attempt->focused ? SENDING_CYCLES : ALL_SENDING_CYCLES;
  scenario.run.drain = true;
  scenario.run.drain_limit_cycles = DRAIN_CYCLES;
  scenario.run.watchdog_cycles = WATCHDOG;
  scenario.run.seed = attempt->number + 1;
  ut_scenario_write(f, &scenario);
}

/* Makes each source of a pair send to its destinations, in an order drawn for this attempt. */
static void write_trace(FILE *f, const struct replay *replay, const struct attempt *attempt) {
  const struct ut_scenario *scenario = replay->p->scenario;
  struct ut_random random;
  ut_random_init(&random, scenario->run.seed, UT_RANDOM_SAMPLING, attempt->number);
  for (size_t i = 0; i < replay->pairs && attempt->subset; i++)
    if (i < MOST_PAIRS_ALONE && attempt->subset >> i & 1)
      fprintf(f, "%d %u %u %u\n", FIRST_CYCLE, (unsigned)replay->pair[i].src, (unsigned)replay->pair[i].dst,
              attempt->flits);
  for (unsigned cycle = FIRST_CYCLE; cycle < SENDING_CYCLES && !attempt->subset; cycle += attempt->gap)
    for (uint32_t src = 0; src < replay->p->topology->terminals; src++) {
      uint32_t choices = 0;
      for (size_t i = 0; i < replay->pairs; i++)
        choices += replay->pair[i].src == src;
      if (!choices)
        continue;
      uint32_t wanted = ut_random_below(&random, choices);
      for (size_t i = 0; i < replay->pairs; i++)
        if (replay->pair[i].src == src && wanted-- == 0)
          fprintf(f, "%u %u %u %u\n", cycle, (unsigned)src, (unsigned)replay->pair[i].dst, attempt->flits);
    }
}

/* Returns the attempt as a scenario.  Its trace is a file next to the final one: until the search is over, no file of
 * the user is touched.  NULL and *e on failure. */
static struct ut_scenario *scenario_of(struct replay *replay, const struct attempt *attempt, struct ut_error *e) {
  char trace[PATH_MAX] = "", *text = NULL;
  size_t length = 0;
  if (attempt->focused) {
    if (!replay->trace.file && ut_output_open(&replay->trace, replay->trace_path, UT_OUTPUT_REGULAR, e))
      return NULL;
    rewind(replay->trace.file);
    write_trace(replay->trace.file, replay, attempt);
    if (fflush(replay->trace.file) || ftruncate(fileno(replay->trace.file), ftell(replay->trace.file)) ||
        !realpath(replay->trace.part, trace)) {
      ut_fail(e, UT_BAD_INPUT, "%s cannot be written: %m", replay->trace_path);
      return NULL;
    }
  }
  FILE *f = ut_memory_open(&text, &length);
  if (!f) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the replay");
    return NULL;
  }
  write_scenario(f, replay, attempt, trace);
  struct ut_scenario *scenario = NULL;
  if (ut_memory_close(f, &text))
    ut_fail(e, UT_BAD_INPUT, "out of memory for the replay");
  else
    scenario = ut_scenario_parse(text, length, replay->path, e);
  free(text);
  return scenario;
}

/* Renames the files of the last attempt; the trace first, so that no scenario names one that does not exist. */
static int keep_last(struct replay *replay, struct ut_error *e) {
  struct ut_output out;
  if (!replay->last.focused)
    ut_output_drop(&replay->trace);
  else if (ut_output_close(&replay->trace, e))
    return -1;
  if (ut_output_open(&out, replay->path, UT_OUTPUT_REGULAR, e)) /* it is read again */
    return -1;
  write_scenario(out.file, replay, &replay->last, replay->trace_path);
  return ut_output_close(&out, e);
}

/* ---- runs */

/* Counts the packets that each source has sent into the network. */
static void note_sent(const struct ut_terminals *terminals, uint64_t *sent) {
  for (uint32_t i = 0; i < terminals->count; i++)
    sent[i] = terminals->terminal[i].injected;
}

/* Counts those of them that are still in flight. */
static uint64_t left_of(const struct ut_terminals *terminals, const uint64_t *sent) {
  uint64_t left = 0;
  for (uint32_t i = 0; i < terminals->count; i++)
    for (uint64_t k = terminals->terminal[i].base; k < sent[i]; k++)
      left += terminals->terminal[i].record[k & terminals->terminal[i].mask].live;
  return left;
}

/* Returns 1 if the golden model shows the failure in this attempt, 0 if not, -1 on error. */
static int attempt(struct replay *replay, const struct attempt *trial, const volatile sig_atomic_t *stop,
                   struct ut_error *e) {
  struct ut_network net;
  struct ut_watchdog watchdog = {0};
  struct ut_scenario *scenario = scenario_of(replay, trial, e);
  if (!scenario)
    return -1;
  replay->last = *trial;
  if (ut_network_init(&net, scenario, NULL, e)) {
    ut_scenario_free(scenario);
    return -1;
  }
  uint64_t *sent = calloc(net.topology->terminals, sizeof *sent); /* when the draining begins */
  if (!sent) {
    ut_network_fini(&net);
    ut_scenario_free(scenario);
    return ut_fail_memory(e);
  }
  const uint64_t last = FIRST_CYCLE + (trial->focused ? SENDING_CYCLES : ALL_SENDING_CYCLES);
  bool deadlock = false, shown = false;
  while (!ut_network_done(&net) && !deadlock && !net.failure && !(stop && *stop)) {
    ut_network_step(&net);
    deadlock = ut_watchdog_check(&watchdog, &net);
    if (net.cycle == last)
      note_sent(&net.terminals, sent);
  }
  replay->cycle = net.cycle;
  switch (replay->c->kind) {
  case UT_FAILURE_DISCARD: replay->count = net.terminals.accounts.discarded[UT_DISCARD_UNREACHABLE]; break;
  case UT_FAILURE_WRONG: replay->count = net.terminals.accounts.corrupt; break;
  case UT_FAILURE_LOOP:
    replay->count = deadlock ? 0 : left_of(&net.terminals, sent);
    break; /* other packets may be in flight */
  default: replay->count = 0; break;
  }
  shown = replay->c->kind == UT_FAILURE_CYCLE ? deadlock : replay->count > 0;
  free(sent);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&net);
  ut_scenario_free(scenario);
  return shown;
}

/* ---- the search */

static void add_pair(struct replay *replay, uint32_t src, uint32_t dst) {
  if (src == dst || replay->pairs == MAX_PAIRS)
    return;
  for (size_t i = 0; i < replay->pairs; i++)
    if (replay->pair[i].src == src && replay->pair[i].dst == dst)
      return;
  replay->pair[replay->pairs++] = (struct pair){src, dst};
}

static void collect_pairs(struct replay *replay) {
  const struct ut_counter_example *example = replay->c;
  if (example->kind != UT_FAILURE_CYCLE) {
    add_pair(replay, example->src, example->dst);
    return;
  }
  for (size_t i = 0; i < example->steps; i++)
    add_pair(replay, example->step[i].src, example->step[i].dst);
  for (size_t i = 0; i < example->mores; i++)
    add_pair(replay, example->more[i].src, example->more[i].dst);
}

/* Tries packets that are longer than all buffers of the cycle, one each of some pairs: they hold all their channels at
 * once, and no other packet is in their way.  Returns like search(). */
static int search_long(struct replay *replay, unsigned *tries, const volatile sig_atomic_t *stop, struct ut_error *e) {
  const struct ut_scenario *scenario = replay->p->scenario;
  const size_t pairs = replay->pairs < MOST_PAIRS_ALONE ? replay->pairs : MOST_PAIRS_ALONE;
  struct attempt trial = {
      .focused = true, .depth = scenario->sw.depth_flits, .flits = CHANNELS_HELD * scenario->sw.depth_flits};
  trial.flits = trial.flits > MOST_FLITS                  ? MOST_FLITS
                : trial.flits < scenario->sw.packet_flits ? scenario->sw.packet_flits
                                                          : trial.flits;
  for (unsigned packets = 2; packets <= pairs; packets++)
    for (trial.subset = 1; trial.subset < 1u << pairs && !(stop && *stop); trial.subset++) {
      if ((unsigned)__builtin_popcount(trial.subset) != packets)
        continue;
      int shown = attempt(replay, &trial, stop, e);
      ++*tries;
      if (shown)
        return shown;
    }
  return 0;
}

/* Makes attempts, those that show the counter-example itself first; *tries counts them. */
static int search(struct replay *replay, unsigned *tries, const volatile sig_atomic_t *stop, struct ut_error *e) {
  const struct ut_scenario *scenario = replay->p->scenario;
  /* for one packet; the bubble rule needs space for two */
  unsigned small = scenario->sw.packet_flits << replay->p->explorer.group[0].form.bubble,
           own = scenario->sw.depth_flits, flits = scenario->sw.packet_flits;
  static const double load[3] = {1, 0.6, 0.3};
  if (scenario->sw.switching == UT_WORMHOLE && replay->c->kind == UT_FAILURE_CYCLE) {
    const int shown = search_long(replay, tries, stop, e);
    if (shown)
      return shown;
  }
  for (unsigned round = 0; round < 4; round++) {
    bool focused = round % 2 == 0;
    if (round >= 2 && own == small) /* the smallest buffers fill up soonest */
      continue;
    struct attempt trial = {.focused = focused, .depth = round < 2 ? own : small, .flits = flits};
    for (trial.number = 0; trial.number < (focused ? FOCUSED_TRIES : RANDOM_TRIES); trial.number++) {
      trial.load = load[trial.number % 3];
      /* a packet that goes round blocks others: one packet alone first, then more of them */
      trial.gap =
          replay->c->kind == UT_FAILURE_LOOP ? (unsigned)SENDING_CYCLES >> trial.number : scenario->sw.packet_flits;
      if (trial.gap < scenario->sw.packet_flits)
        trial.gap = scenario->sw.packet_flits;
      int shown = attempt(replay, &trial, stop, e);
      ++*tries;
      if (shown)
        return shown;
      if (stop && *stop)
        return 0;
      if (focused && replay->pairs == 1 && trial.gap == scenario->sw.packet_flits)
        break; /* the order is always the same */
    }
  }
  struct attempt first = {.focused = true, .depth = own, .gap = small, .flits = flits}; /* keeps the files of this
                                                                                           attempt */
  return attempt(replay, &first, stop, e);
}

int ut_replay_write(struct ut_prover *prover, const struct ut_counter_example *example, const char *path,
                    const volatile sig_atomic_t *stop, struct ut_replay_report *report, struct ut_error *e) {
  struct replay replay = {.p = prover, .c = example, .path = path};
  unsigned tries = 0;
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  int length = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  *report = (struct ut_replay_report){0};
  if (asprintf(&replay.trace_path, "%.*s.trace", length, path) < 0)
    return ut_fail_memory(e);
  collect_pairs(&replay);
  const bool visible = example->kind != UT_FAILURE_ESCAPE && example->kind != UT_FAILURE_BUBBLE;
  const struct attempt only = {.focused = true,
                               .depth = prover->scenario->sw.depth_flits,
                               .flits = prover->scenario->sw.packet_flits,
                               .subset = 1};
  int shown = visible ? search(&replay, &tries, stop, e) : attempt(&replay, &only, stop, e);
  if (shown < 0 || keep_last(&replay, e)) {
    ut_output_drop(&replay.trace);
    free(replay.trace_path);
    return -1;
  }
  report->shown = shown == 1;
  size_t size = sizeof report->text;
  if (shown == 1)
    switch (example->kind) {
    case UT_FAILURE_CYCLE:
      snprintf(report->text, size, "cosim ends with a deadlock, exit status 4, in cycle %" PRIu64, replay.cycle);
      break;
    case UT_FAILURE_LOOP:
      snprintf(report->text, size, "%" PRIu64 " packets go round for ever: in flight when cosim ends", replay.count);
      break;
    case UT_FAILURE_DISCARD:
      snprintf(report->text, size, "cosim discards %" PRIu64 " packets as unreachable", replay.count);
      break;
    default: snprintf(report->text, size, "%" PRIu64 " packets arrive where they should not", replay.count); break;
    }
  else if (example->kind == UT_FAILURE_NUMBERING || !visible)
    snprintf(report->text, size, "'%s' is nothing that a simulation shows; the packet is in the trace",
             ut_failure_name[example->kind]);
  else
    snprintf(report->text, size,
             "written, but none of %u runs of the golden model showed the failure: it needs rarer choices", tries);
  free(replay.trace_path);
  return 0;
}
