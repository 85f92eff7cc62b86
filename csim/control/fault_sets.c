/* SPDX-License-Identifier: Apache-2.0 */
/* fault_sets.c - see fault_sets.h */
#include "fault_sets.h"

#include "combinations.h"
#include "faults.h"
#include "random.h"
#include "scenario.h"

static uint64_t product(uint64_t a, uint64_t b) {
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static int add_block(struct ut_fault_space *f, unsigned links, unsigned switches,
                     const struct ut_fault_request *request, struct ut_error *e) {
  if (f->blocks == UT_MAX_BLOCKS)
    return ut_fail(e, UT_BAD_INPUT, "more than %d combinations of link and switch faults; ask for fewer at a time",
                   UT_MAX_BLOCKS);
  struct ut_fault_block *b = &f->block[f->blocks++];
  *b = (struct ut_fault_block){.links = links, .switches = switches, .first = f->count};
  b->all = product(ut_binomial(f->links.count, links), ut_binomial(f->switches, switches));
  b->exhaustive = b->all <= request->limit;
  b->count = b->exhaustive ? b->all : request->samples;
  if (b->count > UINT64_MAX / 4 - f->count)
    return ut_fail(e, UT_BAD_INPUT, "there are too many sets of %u link and %u switch faults to try all; use --samples",
                   links, switches);
  f->count += b->count;
  return 0;
}

int ut_fault_space_init(struct ut_fault_space *f, const struct ut_topology *t, const struct ut_fault_request *request,
                        struct ut_error *e) {
  const unsigned classes = request->classes ? request->classes : UT_CLASS_NETWORK;
  *f = (struct ut_fault_space){.topology = t, .seed = request->seed, .links = ut_links_of(t, classes)};
  while (t->up_ports && f->first_switch < t->switches && t->level[f->first_switch] == 0)
    f->first_switch++;
  f->switches = t->switches - f->first_switch;
  if (request->links[1] > f->links.count || request->links[1] > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%u link faults wanted; this %s has %u links%s, and at most %d can be examined",
                   request->links[1], t->kind, (unsigned)f->links.count,
                   classes == UT_CLASS_NETWORK ? " between switches" : " that may fail", UT_MAX_FAULTS);
  if (request->switches[1] > f->switches || request->switches[1] > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT,
                   "%u switch faults wanted; this %s has %u switches%s, and at "
                   "most %d can be examined",
                   request->switches[1], t->kind, (unsigned)f->switches, t->up_ports ? " above the leaf level" : "",
                   UT_MAX_FAULTS);
  for (unsigned total = request->total[0]; total <= request->total[1]; total++)
    for (unsigned switches = request->switches[0]; switches <= request->switches[1] && switches <= total; switches++) {
      unsigned links = total - switches;
      if (links < request->links[0] || links > request->links[1])
        continue;
      if (add_block(f, links, switches, request, e))
        return -1;
    }
  if (!f->count)
    return ut_fail(e, UT_BAD_INPUT, "no fault set has those numbers of faults");
  return 0;
}

static int collect_fixed(struct ut_fault_set *set, const struct ut_topology *t, const struct ut_faults *faults,
                         const char *path, struct ut_error *e) {
  char name[UT_SWITCH_NAME_SIZE];
  for (uint32_t i = 0; i < t->channels; i++)
    if (t->bidirectional && t->peer[i].kind != UT_PEER_NONE &&
        !faults->channel_down[i] != !faults->channel_down[ut_topology_twin(t, i)])
      return ut_fail(e, UT_BAD_INPUT, "%s: one direction of a link fails; links are examined as a whole", path);
  /* Where links have one direction a terminal may have another way in or out, and is told of it. */
  for (uint32_t i = 0; t->bidirectional && i < t->terminals * t->injections; i++)
    if (faults->channel_down[ut_topology_injection(t, 0, 0) + i])
      return ut_fail(e, UT_BAD_INPUT, "%s: %s link of terminal %u fails; %s", path, t->injections > 1 ? "a" : "the",
                     (unsigned)(i / t->injections),
                     t->injections > 1 ? "only links between switches are examined" : "nothing can go round that");
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    if (ut_faults_switch_up(faults, sw))
      continue;
    if (t->up_ports && t->level[sw] == 0)
      return ut_fail(e, UT_BAD_INPUT, "%s: leaf switch %s fails; nothing can go round that", path,
                     ut_topology_switch_name(t, sw, name));
    if (set->switches < UT_MAX_FAULTS)
      set->sw[set->switches] = sw;
    set->switches++;
  }
  const struct ut_link_range all = ut_links_of(t, UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION);
  for (uint32_t i = 0; i < all.count; i++)
    if (faults->channel_down[ut_link_channel(t, i)]) {
      if (set->links < UT_MAX_FAULTS)
        set->link[set->links] = i;
      set->links++;
    }
  if (set->links > UT_MAX_FAULTS || set->switches > UT_MAX_FAULTS)
    return ut_fail(e, UT_BAD_INPUT, "%s: more than %d faults at a time cannot be examined", path, UT_MAX_FAULTS);
  return 0;
}

int ut_fault_space_of_scenario(struct ut_fault_space *f, const struct ut_topology *t, const struct ut_scenario *s,
                               struct ut_error *e) {
  struct ut_faults faults;
  *f = (struct ut_fault_space){.topology = t, .count = 1, .blocks = 1, .is_fixed = true};
  if (ut_faults_init(&faults, s, t, e))
    return -1;
  while (ut_faults_next(&faults, UINT64_MAX - 1))
    ;
  int status = faults.channel_down ? collect_fixed(&f->fixed, t, &faults, s->path, e) : 0;
  ut_faults_free(&faults);
  f->block[0] = (struct ut_fault_block){
      .links = f->fixed.links, .switches = f->fixed.switches, .count = 1, .all = 1, .exhaustive = true};
  return status;
}

const struct ut_fault_block *ut_fault_space_get(const struct ut_fault_space *f, uint64_t index,
                                                struct ut_fault_set *set) {
  unsigned i = 0;
  if (f->is_fixed) {
    *set = f->fixed;
    return &f->block[0];
  }
  while (i + 1 < f->blocks && index >= f->block[i + 1].first)
    i++;
  const struct ut_fault_block *b = &f->block[i];
  index -= b->first;
  set->links = b->links;
  set->switches = b->switches;
  const uint32_t links = f->links.count;
  if (b->exhaustive) {
    uint64_t combinations = ut_binomial(f->switches, b->switches);
    ut_combination_get(index / combinations, links, b->links, set->link);
    ut_combination_get(index % combinations, f->switches, b->switches, set->sw);
  } else {
    struct ut_random random;
    /* sample and number of faults in the key: a sample does not depend on what else is asked for */
    uint64_t key = f->seed ^ (uint64_t)(b->links << 8 | b->switches) << 48 ^ (index >> 32) << 24;
    ut_random_init(&random, key, UT_RANDOM_SAMPLING, (uint32_t)index);
    ut_combination_draw(&random, links, b->links, set->link);
    ut_combination_draw(&random, f->switches, b->switches, set->sw);
  }
  for (unsigned j = 0; j < set->links; j++)
    set->link[j] += f->links.first;
  for (unsigned j = 0; j < set->switches; j++)
    set->sw[j] += f->first_switch;
  return b;
}
