/* SPDX-License-Identifier: Apache-2.0 */
/* fault_sets.c - see fault_sets.h */
#include "fault_sets.h"

#include "combinations.h"
#include "faults.h"
#include "random.h"
#include "scenario_facts.h"

static uint64_t product(uint64_t a, uint64_t b) {
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static int add_block(struct ut_fault_space *space, unsigned links, unsigned switches,
                     const struct ut_fault_request *request, struct ut_error *e) {
  if (space->blocks == UT_MAX_BLOCKS)
    return ut_fail(e, UT_BAD_INPUT, "more than %d combinations of link and switch faults; ask for fewer at a time",
                   UT_MAX_BLOCKS);
  struct ut_fault_block *block = &space->block[space->blocks++];
  *block = (struct ut_fault_block){.links = links, .switches = switches, .first = space->count};
  block->all = product(ut_binomial(space->links.count, links), ut_binomial(space->switches, switches));
  block->exhaustive = block->all <= request->limit;
  block->count = block->exhaustive ? block->all : request->samples;
  if (block->count > UINT64_MAX / 4 - space->count)
    return ut_fail(e, UT_BAD_INPUT, "there are too many sets of %u link and %u switch faults to try all; use --samples",
                   links, switches);
  space->count += block->count;
  return 0;
}

int ut_fault_space_init(struct ut_fault_space *space, const struct ut_topology *topo,
                        const struct ut_fault_request *request, struct ut_error *e) {
  const unsigned classes = request->classes ? request->classes : UT_CLASS_NETWORK;
  *space = (struct ut_fault_space){.topology = topo, .seed = request->seed, .links = ut_links_of(topo, classes)};
  while (topo->up_ports && space->first_switch < topo->switches && topo->level[space->first_switch] == 0)
    space->first_switch++;
  space->switches = topo->switches - space->first_switch;
  if (request->links[1] > space->links.count || request->links[1] > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%u link faults wanted; this %s has %u links%s, and at most %d can be examined",
                   request->links[1], topo->kind, (unsigned)space->links.count,
                   classes == UT_CLASS_NETWORK ? " between switches" : " that may fail", UT_MAX_FAULTS);
  if (request->switches[1] > space->switches || request->switches[1] > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT,
                   "%u switch faults wanted; this %s has %u switches%s, and at "
                   "most %d can be examined",
                   request->switches[1], topo->kind, (unsigned)space->switches,
                   topo->up_ports ? " above the leaf level" : "", UT_MAX_FAULTS);
  for (unsigned total = request->total[0]; total <= request->total[1]; total++)
    for (unsigned switches = request->switches[0]; switches <= request->switches[1] && switches <= total; switches++) {
      unsigned links = total - switches;
      if (links < request->links[0] || links > request->links[1])
        continue;
      if (add_block(space, links, switches, request, e))
        return -1;
    }
  if (!space->count)
    return ut_fail(e, UT_BAD_INPUT, "no fault set has those numbers of faults");
  return 0;
}

static int collect_fixed(struct ut_fault_set *set, const struct ut_topology *topo, const struct ut_faults *faults,
                         const char *path, struct ut_error *e) {
  char name[UT_SWITCH_NAME_SIZE];
  for (uint32_t i = 0; i < topo->channels; i++)
    if (topo->bidirectional && topo->peer[i].kind != UT_PEER_NONE &&
        !faults->channel_down[i] != !faults->channel_down[ut_topology_twin(topo, i)])
      return ut_fail(e, UT_BAD_INPUT, "%s: one direction of a link fails; links are examined as a whole", path);
  /* If links have one direction, a terminal may have another way in or out, and knows it. */
  for (uint32_t i = 0; topo->bidirectional && i < topo->terminals * topo->injections; i++)
    if (faults->channel_down[ut_topology_injection(topo, 0, 0) + i])
      return ut_fail(e, UT_BAD_INPUT, "%s: %s link of terminal %u fails; %s", path, topo->injections > 1 ? "a" : "the",
                     (unsigned)(i / topo->injections),
                     topo->injections > 1 ? "only links between switches are examined" : "nothing can go round that");
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (ut_faults_switch_up(faults, sw))
      continue;
    if (topo->up_ports && topo->level[sw] == 0)
      return ut_fail(e, UT_BAD_INPUT, "%s: leaf switch %s fails; nothing can go round that", path,
                     ut_topology_switch_name(topo, sw, name));
    if (set->switches < UT_MAX_FAULTS)
      set->sw[set->switches] = sw;
    set->switches++;
  }
  const struct ut_link_range all = ut_links_of(topo, UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION);
  for (uint32_t i = 0; i < all.count; i++)
    if (faults->channel_down[ut_link_channel(topo, i)]) {
      if (set->links < UT_MAX_FAULTS)
        set->link[set->links] = i;
      set->links++;
    }
  if (set->links > UT_MAX_FAULTS || set->switches > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%s: more than %d faults at a time cannot be examined", path, UT_MAX_FAULTS);
  return 0;
}

int ut_fault_space_of_scenario(struct ut_fault_space *space, const struct ut_topology *topo,
                               const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_faults faults;
  *space = (struct ut_fault_space){.topology = topo, .count = 1, .blocks = 1, .is_fixed = true};
  if (ut_faults_init(&faults, scenario, topo, e))
    return -1;
  while (ut_faults_next(&faults, UINT64_MAX - 1))
    ;
  int status = faults.channel_down ? collect_fixed(&space->fixed, topo, &faults, ut_scenario_path(scenario), e) : 0;
  ut_faults_free(&faults);
  space->block[0] = (struct ut_fault_block){
      .links = space->fixed.links, .switches = space->fixed.switches, .count = 1, .all = 1, .exhaustive = true};
  return status;
}

const struct ut_fault_block *ut_fault_space_get(const struct ut_fault_space *space, uint64_t index,
                                                struct ut_fault_set *set) {
  unsigned i = 0;
  if (space->is_fixed) {
    *set = space->fixed;
    return &space->block[0];
  }
  while (i + 1 < space->blocks && index >= space->block[i + 1].first)
    i++;
  const struct ut_fault_block *block = &space->block[i];
  index -= block->first;
  set->links = block->links;
  set->switches = block->switches;
  const uint32_t links = space->links.count;
  if (block->exhaustive) {
    uint64_t combinations = ut_binomial(space->switches, block->switches);
    ut_combination_get(index / combinations, links, block->links, set->link);
    ut_combination_get(index % combinations, space->switches, block->switches, set->sw);
  } else {
    struct ut_random random;
    /* the key includes sample and number of faults, so that a sample does not depend on what else is requested */
    uint64_t key = space->seed ^ (uint64_t)(block->links << 8 | block->switches) << 48 ^ (index >> 32) << 24;
    ut_random_init(&random, key, UT_RANDOM_SAMPLING, (uint32_t)index);
    ut_combination_draw(&random, links, block->links, set->link);
    ut_combination_draw(&random, space->switches, block->switches, set->sw);
  }
  for (unsigned j = 0; j < set->links; j++)
    set->link[j] += space->links.first;
  for (unsigned j = 0; j < set->switches; j++)
    set->sw[j] += space->first_switch;
  return block;
}
