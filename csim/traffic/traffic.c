/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.c - see traffic.h */
#include "traffic.h"

#include <stdlib.h>

#include "scenario.h"
#include "scenario_refusal.h"
#include "terminal_loads.h"
#include "topology.h"
#include "traffic_draw.h"

static int check(const struct ut_scenario *scenario, unsigned terminals, struct ut_error *e) {
  double load = scenario->traffic.load_flits_per_cycle;
  if (terminals < 1 || terminals > UT_MAX_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "traffic: %u terminals, must be 1..%d", terminals, UT_MAX_TERMINALS);
  if (scenario->sw.packet_flits < 1 || scenario->sw.packet_flits > UT_MAX_PACKET)
    return ut_fail(e, UT_BAD_INPUT, "traffic: packet_flits is %u, must be 1..%d", scenario->sw.packet_flits,
                   UT_MAX_PACKET);
  if (!(load >= 0 && load <= UT_MAX_TERMINAL_LINKS))
    return ut_fail(e, UT_BAD_INPUT, "traffic: load_flits_per_cycle is %.15g, must be 0..%d", load,
                   UT_MAX_TERMINAL_LINKS);
  return ut_pattern_check(&(struct ut_check){.s = scenario, .e = e}, terminals);
}

/* Most gaps of uniform Bernoulli traffic follow from the first bits of the draw alone: where both ends of their range
 * give the same gap. */
static void fill_gaps(struct ut_traffic *traffic) {
  const unsigned rest = 40 - UT_GAP_BITS;
  for (uint64_t i = 0; i < UINT64_C(1) << UT_GAP_BITS; i++) {
    double longest = ut_exponential_of(i << rest) * traffic->mean_gap;
    double shortest = ut_exponential_of(((i + 1) << rest) - 1) * traffic->mean_gap;
    bool same = !traffic->poisson && traffic->uniform && traffic->others && traffic->mean_gap >= 0 &&
                !traffic->mean_gaps && longest < UT_GAP_UNKNOWN && (uint64_t)longest == (uint64_t)shortest;
    traffic->gap[i] = same ? (uint16_t)longest : UT_GAP_UNKNOWN;
  }
}

/* Makes destinations of terminals of those of units.  From the last one on: the map holds the units' in its beginning.
 */
static void spread_units(struct ut_traffic *traffic, enum ut_group_member member) {
  const uint32_t size = traffic->units.terminals;
  for (uint32_t source = traffic->terminals; source-- > 0;)
    traffic->map[source] =
        (uint16_t)(traffic->map[source / size] * size + (member == UT_MEMBER_SAME ? source % size : 0));
  traffic->spread = member == UT_MEMBER_RANDOM ? size : 0;
}

/* Reads what each terminal sends, where they are not alike. */
static int load_gaps(struct ut_traffic *traffic, const struct ut_scenario *scenario, struct ut_error *e) {
  const bool rates = traffic->pattern->read_rates;
  const char *path = rates ? scenario->traffic.file : scenario->traffic.terminal_loads_file;
  if (!rates && !path)
    return 0;
  struct ut_terminal_load *load = calloc(traffic->terminals, sizeof *load);
  int result = !load ? ut_fail(e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", (unsigned)traffic->terminals)
               : rates ? traffic->pattern->read_rates(traffic, path, load, e)
                       : ut_terminal_loads_read(load, traffic->terminals, path, e);
  if (!result)
    result = ut_terminal_loads_apply(traffic, scenario, load, path, e);
  free(load);
  return result;
}

/* For patterns that draw no packets.  A workload has none: workload.h. */
static int load_destinations(struct ut_traffic *traffic, const struct ut_scenario *scenario, struct ut_error *e) {
  const bool fixed = ut_pattern_is_fixed(traffic->pattern);
  if (fixed || (traffic->pattern->read && !traffic->pattern->trace)) {
    traffic->map = calloc(traffic->terminals, sizeof *traffic->map);
    if (!traffic->map)
      return ut_fail(e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", (unsigned)traffic->terminals);
  }
  if (fixed)
    ut_pattern_fill(scenario, traffic->terminals, traffic->map);
  if (traffic->pattern->read && traffic->pattern->read(traffic, scenario->traffic.file, e))
    return -1;
  if (traffic->units.terminals > 1)
    spread_units(traffic, scenario->traffic.member);
  return 0;
}

int ut_traffic_init(struct ut_traffic *traffic, const struct ut_scenario *scenario, unsigned terminals,
                    struct ut_error *e) {
  *traffic = (struct ut_traffic){0};
  if (check(scenario, terminals, e))
    return -1;
  traffic->pattern = scenario->traffic.pattern;
  traffic->uniform = traffic->pattern == &ut_pattern_uniform;
  traffic->draw = traffic->pattern->draw;
  traffic->poisson = scenario->traffic.process == UT_POISSON;
  traffic->terminals = terminals;
  traffic->units = ut_pattern_units(scenario, terminals);
  traffic->hot_spots = scenario->traffic.hot_spots;
  traffic->hot_spot_fraction = scenario->traffic.hot_spot_fraction;
  const struct ut_length_rule rule = ut_scenario_lengths(scenario);
  if (ut_lengths_init(&traffic->lengths, &rule, e))
    return -1;
  traffic->mean_gap = ut_mean_gap(scenario->traffic.load_flits_per_cycle / traffic->lengths.mean, traffic->poisson);
  traffic->others = terminals - 1;
  traffic->unfair = traffic->others ? (UINT32_C(1) << 24) % traffic->others : 0;
  traffic->seed = scenario->run.seed;
  traffic->packet_flits = (uint16_t)scenario->sw.packet_flits;
  traffic->shortest_flits = (uint16_t)(scenario->sw.shortest_packet_flits ? scenario->sw.shortest_packet_flits : 1);
  int result = traffic->uniform || traffic->draw ? 0 : load_destinations(traffic, scenario, e);
  if (!result)
    result = load_gaps(traffic, scenario, e);
  fill_gaps(traffic);
  if (result)
    ut_traffic_free(traffic);
  return result;
}

void ut_traffic_free(struct ut_traffic *traffic) {
  ut_lengths_free(&traffic->lengths);
  free(traffic->map);
  free(traffic->trace);
  free(traffic->trace_first);
  free(traffic->mean_gaps);
  free(traffic->pair);
  free(traffic->pair_first);
  *traffic = (struct ut_traffic){0};
}

void ut_traffic_source_init(struct ut_traffic_source *source, const struct ut_traffic *traffic, unsigned terminal) {
  *source =
      (struct ut_traffic_source){.terminal = terminal,
                                 .used = UT_DRAWS,
                                 .next = traffic->trace_first ? traffic->trace_first[terminal] : 0,
                                 .mean_gap = traffic->mean_gaps ? traffic->mean_gaps[terminal] : traffic->mean_gap};
  ut_random_init(&source->random, traffic->seed, UT_RANDOM_TRAFFIC, terminal);
  ut_random_init(&source->lengths, traffic->seed, UT_RANDOM_LENGTHS, terminal);
}

static uint16_t destination(const struct ut_traffic *traffic, struct ut_traffic_source *source, uint32_t bits) {
  if (traffic->uniform)
    return ut_traffic_any_other(traffic, source, bits);
  if (!traffic->map)
    return traffic->draw(traffic, source, bits);
  const uint32_t member = traffic->spread ? ut_traffic_below(traffic, source, bits, traffic->spread) : 0;
  return (uint16_t)(traffic->map[source->terminal] + member);
}

/* Returns the cycles to the next packet, from 40 random bits, and moves the source there. */
static bool next_cycle(const struct ut_traffic *traffic, struct ut_traffic_source *source, uint64_t bits,
                       uint64_t *cycle) {
  double gap = source->fraction + ut_exponential_of(bits) * source->mean_gap;
  if (gap >= 0x1p62 || source->cycle >= UINT64_C(1) << 62) {
    source->cycle = UINT64_C(1) << 62; /* and never again */
    return false;
  }
  uint64_t whole = (uint64_t)(int64_t)gap;
  *cycle = source->cycle + whole;
  if (traffic->poisson) {
    source->cycle = *cycle;
    source->fraction = gap - (double)whole;
  } else {
    source->cycle = *cycle + 1;
  }
  return true;
}

static __attribute__((noinline)) uint16_t draw_length(const struct ut_traffic *traffic,
                                                      struct ut_traffic_source *source) {
  const uint64_t high = ut_random_u32(&source->lengths);
  const uint64_t bits = high << 32 | ut_random_u32(&source->lengths);
  return (uint16_t)ut_lengths_of(&traffic->lengths, bits >> (64 - UT_LENGTH_BITS));
}

static bool next_in_general(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                            struct ut_packet_request *out) {
  do {
    const uint64_t bits = ut_traffic_bits(traffic, source);
    uint64_t cycle;
    if (!next_cycle(traffic, source, bits >> 24, &cycle))
      return false;
    *out = (struct ut_packet_request){
        .cycle = cycle, .dst = destination(traffic, source, bits & 0xffffff), .flits = traffic->packet_flits};
  } while (traffic->pattern->sends && !traffic->pattern->sends(traffic, source, out->cycle));
  if (traffic->lengths.at_most)
    out->flits = draw_length(traffic, source);
  return true;
}

static bool next_in_trace(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                          struct ut_packet_request *out) {
  if (source->next >= traffic->trace_first[source->terminal + 1])
    return false;
  const struct ut_trace_entry *entry = &traffic->trace[source->next++];
  *out = (struct ut_packet_request){.cycle = entry->cycle, .dst = entry->dst, .flits = entry->flits};
  return true;
}

static __attribute__((noinline)) bool next_of_any(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                                                  struct ut_packet_request *out) {
  return traffic->trace_first ? next_in_trace(traffic, source, out)
                              : source->mean_gap >= 0 && next_in_general(traffic, source, out);
}

/* Draws several packets of the most common kind, the same as in the general case: uniform Bernoulli traffic, gaps that
 * follow from their first bits, destinations without bias; from random bits that have been drawn in advance. */
static unsigned next_common(const struct ut_traffic *traffic, struct ut_traffic_source *source, unsigned count,
                            struct ut_packet_request *out) {
  const uint64_t *bits = source->bits + source->used, others = traffic->others, unfair = traffic->unfair;
  const uint32_t terminal = source->terminal;
  uint64_t cycle = source->cycle;
  const unsigned most = count < UT_DRAWS - source->used ? count : UT_DRAWS - source->used;
  unsigned i = 0;
  for (; i < most; i++) {
    const unsigned gap = traffic->gap[bits[i] >> (64 - UT_GAP_BITS)];
    const uint64_t product = (bits[i] & 0xffffff) * others;
    if (gap == UT_GAP_UNKNOWN || (product & 0xffffff) < unfair)
      break;
    const uint32_t other = (uint32_t)(product >> 24);
    cycle += gap;
    out[i] = (struct ut_packet_request){cycle++, (uint16_t)(other + (other >= terminal)), traffic->packet_flits};
  }
  source->used += i;
  source->cycle = cycle;
  for (unsigned j = 0; traffic->lengths.at_most && j < i; j++)
    out[j].flits = draw_length(traffic, source);
  return i;
}

static __attribute__((noinline)) unsigned next_one_by_one(const struct ut_traffic *traffic,
                                                          struct ut_traffic_source *source, unsigned count,
                                                          struct ut_packet_request out[]) {
  unsigned i = 0;
  while (i < count && next_of_any(traffic, source, &out[i]))
    i++;
  return i;
}

unsigned ut_traffic_draw(const struct ut_traffic *traffic, struct ut_traffic_source *source, unsigned count,
                         struct ut_packet_request out[]) {
  unsigned i = 0;
  if (!traffic->uniform)
    return next_one_by_one(traffic, source, count, out);
  while (i < count) {
    const unsigned common = next_common(traffic, source, count - i, out + i);
    i += common;
    if (source->used == UT_DRAWS && source->mean_gap >= 0)
      ut_traffic_draw_again(traffic, source);
    else if (i < count && !next_of_any(traffic, source, &out[i++]))
      return i - 1;
  }
  return i;
}

bool ut_traffic_next(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                     struct ut_packet_request *out) {
  return ut_traffic_draw(traffic, source, 1, out) == 1;
}
