/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycle.h"
#include "dump.h"
#include "memory_text.h"
#include "rtl.h"
#include "scenario_facts.h"

int ut_lockstep_init(struct ut_lockstep *lockstep, const struct ut_scenario *scenario, const struct ut_models *models,
                     struct ut_error *e) {
  memset(lockstep, 0, sizeof *lockstep);
  lockstep->injected_bug.cycle = lockstep->probed = UINT64_MAX;
  if (ut_network_init(&lockstep->golden, scenario, NULL, e))
    return -1;
  lockstep->dut = ut_rtl_open(models, lockstep->golden.topology, ut_scenario_seed(scenario), e);
  if (!lockstep->dut || ut_network_init(&lockstep->rtl, scenario, ut_rtl_backend(lockstep->dut), e)) {
    ut_lockstep_fini(lockstep);
    return -1;
  }
  ut_network_follow(&lockstep->rtl, &lockstep->golden);
  lockstep->dut->v = lockstep->golden.v;
  for (uint32_t i = 0; i < lockstep->dut->count; i++) {
    const struct ut_group *group = ut_network_group(&lockstep->golden, i);
    const struct ut_model_api *api = ut_rtl_api(lockstep->dut, i);
    if (!api->adopt(lockstep->dut->model[i], group, ut_switch_of(group, i))) {
      ut_lockstep_fini(lockstep);
      return ut_fail(e, UT_BAD_INPUT, "not enough memory to compare %u switches; try a smaller network",
                     lockstep->dut->count);
    }
    if (i == group->first) {
      const unsigned bits = api->state_bits(lockstep->dut->model[i], group, ut_switch_of(group, i));
      lockstep->state_bits = bits > lockstep->state_bits ? bits : lockstep->state_bits;
    }
  }
  if (ut_network_unmodelled(&lockstep->golden) &&
      !ut_lockstep_use_spec(lockstep)) { /* this switch does not contain what was copied from the RTL */
    ut_lockstep_fini(lockstep);
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for the spec; try a smaller network");
  }
  return 0;
}

void ut_lockstep_fini(struct ut_lockstep *lockstep) {
  if (lockstep->rtl.wires.ring)
    ut_network_fini(&lockstep->rtl);
  if (lockstep->dut)
    ut_dump_close(lockstep->dut->dump);
  ut_rtl_close(lockstep->dut);
  if (lockstep->golden.wires.ring)
    ut_network_fini(&lockstep->golden);
  free(lockstep->report);
  memset(lockstep, 0, sizeof *lockstep);
}

/* ---- the report of a failure */

struct writer {
  const struct ut_lockstep *lockstep;
  FILE *file;
  unsigned count;
};

/* Stores the first failure; mismatch.h tells more. */
static void write_difference(void *ctx, const char *path, uint64_t rtl, uint64_t golden) {
  struct writer *writer = ctx;
  const struct ut_lockstep *lockstep = writer->lockstep;
  char name[UT_SWITCH_NAME_SIZE];
  if (writer->count++ == 0)
    fprintf(writer->file, "cycle %" PRIu64 ": switch %s %s: %s holds 0x%" PRIx64 ", %s expected 0x%" PRIx64 "\n",
            lockstep->golden.cycle, ut_topology_switch_name(lockstep->golden.topology, lockstep->mismatch_switch, name),
            path, lockstep->gates ? "netlist" : "RTL", rtl, lockstep->spec ? "spec" : "model", golden);
}

static bool fail_switch(struct ut_lockstep *lockstep, uint32_t id) {
  size_t size;
  struct writer writer = {lockstep, ut_memory_open(&lockstep->report, &size), 0};
  lockstep->mismatches++;
  lockstep->mismatch_switch = id;
  if (!writer.file)
    return false;
  ut_rtl_api(lockstep->dut, id)
      ->differences(lockstep->dut->model[id], ut_network_group(&lockstep->golden, id),
                    ut_network_switch(&lockstep->golden, id), write_difference, &writer);
  ut_memory_close(writer.file, &lockstep->report);
  return false;
}

static bool fail_accounts(struct ut_lockstep *lockstep, uint64_t counted) {
  const struct ut_accounts *accounts = &lockstep->golden.terminals.accounts;
  size_t size;
  FILE *f = ut_memory_open(&lockstep->report, &size);
  lockstep->mismatches++;
  lockstep->mismatch_switch = UINT32_MAX;
  if (!f)
    return false;
  fprintf(f,
          "cycle %" PRIu64 ": packets are missing from the accounts: injected %" PRIu64 ", delivered %" PRIu64
          ", discarded %" PRIu64 ", but %" PRIu64 " heads are in flight\n",
          lockstep->golden.cycle, accounts->injected, accounts->delivered, ut_accounts_discarded(accounts), counted);
  ut_memory_close(f, &lockstep->report);
  return false;
}

/* ---- */

void ut_lockstep_flippable(const struct ut_lockstep *lockstep, uint32_t sw, ut_model_flippable *f, void *ctx) {
  ut_rtl_api(lockstep->dut, sw)->flippable(lockstep->dut->model[sw], f, ctx);
}

void ut_lockstep_record(const struct ut_lockstep *lockstep) {
  struct ut_register_record *record = lockstep->record;
  if (!record || lockstep->golden.cycle < record->from || lockstep->golden.cycle >= record->until)
    return;
  for (unsigned i = 0; i < record->switches; i++)
    ut_lockstep_see(lockstep, &record->of[i].view);
  record->failure |= !ut_register_record_take(record, lockstep->golden.cycle);
}

static void plant(struct ut_lockstep *lockstep) {
  if (lockstep->injected_bug.cycle != lockstep->golden.cycle)
    return;
  struct ut_rtl *rtl = lockstep->dut;
  if (lockstep->injected_bug.register_path[0])
    lockstep->injected_bug.missed = !ut_rtl_api(rtl, lockstep->injected_bug.sw)
                                         ->flip(rtl->model[lockstep->injected_bug.sw],
                                                lockstep->injected_bug.register_path, lockstep->injected_bug.bit);
  else
    rtl->robbed = lockstep->injected_bug.sw;
}

/* Disturbs the golden switches whose RTL twins will be stepped in the next cycle; their blocks may step others, too. */
static void find_stepped(struct ut_network *net) {
  const struct ut_reach reach = {.flits = ut_wires_flits(&net->wires, net->cycle, 0),
                                 .credits = ut_wires_credits(&net->wires, net->cycle, 0)};
  for (unsigned e = 0; e < net->topology->elaborations; e++) {
    const struct ut_group *group = &net->group[e];
    const struct ut_form *form = &group->form;
    const uint64_t lanes = form->each_bits < 6 ? (UINT64_C(1) << (1u << form->each_bits)) - 1 : ~UINT64_C(0);
    for (uint32_t i = 0; i < group->blocks; i++) {
      const struct ut_block *block = ut_block_at(group, i, *form);
      uint8_t *stepped = net->stepped + group->first + block->first;
      uint64_t busy = ut_block_has_pending_events(block, 0, *form) ? ~UINT64_C(0) : 0;
      for (unsigned word = 0; word < form->sets; word++) /* several switches in a word, or one in several */
        busy |= ut_block_busy(block, word, ut_wires_come(&reach, block->lane + 64 * word, *form), *form);
      for (unsigned s = 0; s < 1u << form->block_bits && s < group->count - block->first; s++)
        stepped[s] = (busy >> (s << form->each_bits) & lanes) != 0;
    }
  }
}

bool ut_lockstep_use(struct ut_lockstep *lockstep, struct ut_threads *threads) {
  return ut_network_use(&lockstep->golden, threads) && ut_network_use(&lockstep->rtl, threads);
}

bool ut_lockstep_use_spec(struct ut_lockstep *lockstep) {
  lockstep->spec = true;
  return ut_network_use_spec(&lockstep->golden, UT_SPEC_STEPS);
}

/* ---- cycles in which nothing happens */

/* Returns whether idle cycles may be left out: no class counts the cycles of the RTL switches or watches their
 * clocks. */
static bool may_jump(const struct ut_lockstep *lockstep) {
  bool may = !lockstep->dut->watched && !lockstep->mismatches;
  for (unsigned i = 0; i < lockstep->golden.topology->elaborations; i++)
    may &= !lockstep->dut->class[i].api->forget;
  return may;
}

/* Steps, and so compares, all switches in the next cycle. */
static void probe(struct ut_lockstep *lockstep) {
  struct ut_network *net = &lockstep->rtl;
  for (uint32_t i = 0; i < net->topology->switches; i++)
    net->awake[i] |= !ut_bitmap_get(net->failed, i);
  lockstep->probed = net->cycle;
}

/* Returns the last cycle before the next one in which a caller looks at, or an event changes, the networks. */
static uint64_t limit(const struct ut_lockstep *lockstep, uint64_t look) {
  const struct ut_register_record *record = lockstep->record;
  const uint64_t cycle = lockstep->golden.cycle;
  uint64_t last = look - 1;
  if (lockstep->injected_bug.cycle >= cycle)
    last = ut_earlier(last, lockstep->injected_bug.cycle);
  if (record && record->from > cycle)
    last = ut_earlier(last, record->from - 1);
  return lockstep->dut->dump ? ut_earlier(last, ut_dump_next(lockstep->dut->dump, cycle)) : last;
}

void ut_lockstep_skip(struct ut_lockstep *lockstep, uint64_t look) {
  struct ut_network *g = &lockstep->golden, *r = &lockstep->rtl;
  const enum ut_rest rest = may_jump(lockstep) ? ut_network_rest(g) : UT_MOVES;
  if (rest == UT_MOVES || !ut_network_is_at_rest(r))
    return;
  if (rest == UT_RESTS) {
    probe(lockstep);
  } else if (lockstep->probed + 1 == g->cycle) {
    const uint64_t cycle = ut_earlier(ut_network_next_event(g), limit(lockstep, look));
    ut_network_jump(g, cycle);
    ut_network_jump(r, cycle);
  }
}

bool ut_lockstep_step(struct ut_lockstep *lockstep) {
  struct ut_network *g = &lockstep->golden, *r = &lockstep->rtl;
  const size_t words = (g->topology->switches + 7) / 8;
  const uint64_t *gs = (const uint64_t *)g->stepped, *rs = (const uint64_t *)r->stepped;
  plant(lockstep);
  if (lockstep->mismatches)
    atomic_store(&lockstep->dut->differs, UINT32_MAX); /* after the first one: the registers that differ in this
                                                          cycle */
  find_stepped(g);
  ut_network_step(g);
  lockstep->dut->golden = g;
  if (lockstep->dut->dump)
    ut_dump_step(lockstep->dut->dump);
  else
    ut_network_step(r);
  uint32_t open = UINT32_MAX; /* a switch whose comparison is still to be completed by conclude() */
  for (size_t w = 0; w < words; w++) {
    lockstep->compared += (unsigned)__builtin_popcountll(gs[w] | rs[w]);
    for (uint64_t work = gs[w] | rs[w]; work; work &= work - 1) { /* bytes of value 1 */
      uint32_t id = (uint32_t)(w * 8) + (uint32_t)__builtin_ctzll(work) / 8;
      if (r->stepped[id] && !ut_bitmap_get(r->failed, id))
        continue;
      /* only the golden switch was stepped, or it has failed */
      if (open != UINT32_MAX && ut_rtl_together(lockstep->dut, open) != ut_rtl_together(lockstep->dut, id))
        ut_rtl_conclude(lockstep->dut, open);
      open = id;
      ut_rtl_compare(lockstep->dut, id);
    }
  }
  if (open != UINT32_MAX)
    ut_rtl_conclude(lockstep->dut, open);
  lockstep->dut->golden = NULL; /* the RTL network may also be stepped alone */
  if (lockstep->dut->dump)
    ut_dump_look(lockstep->dut->dump);
  ut_lockstep_record(lockstep);
  if (lockstep->mismatches)
    return false;
  if (lockstep->dut->differs != UINT32_MAX)
    return fail_switch(lockstep, lockstep->dut->differs);
  /* without faults nothing is discarded: a packet that is missing stays missing */
  if (!g->faults.events && g->cycle % 16)
    return true;
  uint64_t counted = ut_network_in_flight(g);
  if (counted != ut_network_outstanding(g))
    return fail_accounts(lockstep, counted);
  return true;
}
