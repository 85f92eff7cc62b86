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
#include "scenario.h"

int ut_lockstep_init(struct ut_lockstep *l, const struct ut_scenario *s, const struct ut_models *models,
                     struct ut_error *e) {
  memset(l, 0, sizeof *l);
  l->injected_bug.cycle = l->probed = UINT64_MAX;
  if (ut_network_init(&l->golden, s, NULL, e))
    return -1;
  l->dut = ut_rtl_open(models, &l->golden.topology, s->run.seed, e);
  if (!l->dut || ut_network_init(&l->rtl, s, ut_rtl_backend(l->dut), e)) {
    ut_lockstep_fini(l);
    return -1;
  }
  ut_network_follow(&l->rtl, &l->golden);
  l->dut->v = l->golden.v;
  for (uint32_t i = 0; i < l->dut->count; i++) {
    const struct ut_group *g = ut_network_group(&l->golden, i);
    const struct ut_model_api *api = ut_rtl_api(l->dut, i);
    if (!api->adopt(l->dut->model[i], g, ut_switch_of(g, i))) {
      ut_lockstep_fini(l);
      return ut_fail(e, UT_BAD_INPUT, "not enough memory to compare %u switches; try a smaller network", l->dut->count);
    }
    if (i == g->first) {
      const unsigned bits = api->state_bits(l->dut->model[i], g, ut_switch_of(g, i));
      l->state_bits = bits > l->state_bits ? bits : l->state_bits;
    }
  }
  if (ut_network_unmodelled(&l->golden) && !ut_lockstep_use_spec(l)) { /* it has not seen what was adopted */
    ut_lockstep_fini(l);
    return ut_fail(e, UT_BAD_INPUT, "not enough memory for the spec; try a smaller network");
  }
  return 0;
}

void ut_lockstep_fini(struct ut_lockstep *l) {
  if (l->rtl.wires.ring)
    ut_network_fini(&l->rtl);
  if (l->dut)
    ut_dump_close(l->dut->dump);
  ut_rtl_close(l->dut);
  if (l->golden.wires.ring)
    ut_network_fini(&l->golden);
  free(l->report);
  memset(l, 0, sizeof *l);
}

/* ---- the report of a failure */

struct writer {
  const struct ut_lockstep *lockstep;
  FILE *file;
  unsigned count;
};

/* The first one; mismatch.h tells more. */
static void write_difference(void *ctx, const char *path, uint64_t rtl, uint64_t golden) {
  struct writer *w = ctx;
  const struct ut_lockstep *l = w->lockstep;
  char name[UT_SWITCH_NAME_SIZE];
  if (w->count++ == 0)
    fprintf(w->file, "cycle %" PRIu64 ": switch %s %s: %s holds 0x%" PRIx64 ", %s expected 0x%" PRIx64 "\n",
            l->golden.cycle, ut_topology_switch_name(&l->golden.topology, l->mismatch_switch, name), path,
            l->gates ? "netlist" : "RTL", rtl, l->spec ? "spec" : "model", golden);
}

static bool fail_switch(struct ut_lockstep *l, uint32_t id) {
  size_t size;
  struct writer w = {l, ut_memory_open(&l->report, &size), 0};
  l->mismatches++;
  l->mismatch_switch = id;
  if (!w.file)
    return false;
  ut_rtl_api(l->dut, id)
      ->differences(l->dut->model[id], ut_network_group(&l->golden, id), ut_network_switch(&l->golden, id),
                    write_difference, &w);
  ut_memory_close(w.file, &l->report);
  return false;
}

static bool fail_accounts(struct ut_lockstep *l, uint64_t counted) {
  const struct ut_accounts *a = &l->golden.terminals.accounts;
  size_t size;
  FILE *f = ut_memory_open(&l->report, &size);
  l->mismatches++;
  l->mismatch_switch = UINT32_MAX;
  if (!f)
    return false;
  fprintf(f,
          "cycle %" PRIu64 ": packets are missing from the accounts: injected %" PRIu64 ", delivered %" PRIu64
          ", discarded %" PRIu64 ", but %" PRIu64 " heads are in flight\n",
          l->golden.cycle, a->injected, a->delivered, ut_accounts_discarded(a), counted);
  ut_memory_close(f, &l->report);
  return false;
}

/* ---- */

void ut_lockstep_flippable(const struct ut_lockstep *l, uint32_t sw, ut_model_flippable *f, void *ctx) {
  ut_rtl_api(l->dut, sw)->flippable(l->dut->model[sw], f, ctx);
}

void ut_lockstep_record(const struct ut_lockstep *l) {
  struct ut_register_record *r = l->record;
  if (!r || l->golden.cycle < r->from || l->golden.cycle >= r->until)
    return;
  for (unsigned i = 0; i < r->switches; i++)
    ut_lockstep_see(l, &r->of[i].view);
  r->failure |= !ut_register_record_take(r, l->golden.cycle);
}

static void plant(struct ut_lockstep *l) {
  if (l->injected_bug.cycle != l->golden.cycle)
    return;
  struct ut_rtl *d = l->dut;
  if (l->injected_bug.register_path[0])
    l->injected_bug.missed =
        !ut_rtl_api(d, l->injected_bug.sw)
             ->flip(d->model[l->injected_bug.sw], l->injected_bug.register_path, l->injected_bug.bit);
  else
    d->robbed = l->injected_bug.sw;
}

/* The golden switches to which something happens in the next cycle; their blocks may step others, too. */
static void find_stepped(struct ut_network *n) {
  const struct ut_reach reach = {.flits = ut_wires_flits(&n->wires, n->cycle, 0),
                                 .credits = ut_wires_credits(&n->wires, n->cycle, 0)};
  for (unsigned e = 0; e < n->topology.elaborations; e++) {
    const struct ut_group *g = &n->group[e];
    const struct ut_form *x = &g->form;
    const uint64_t lanes = x->each_bits < 6 ? (UINT64_C(1) << (1u << x->each_bits)) - 1 : ~UINT64_C(0);
    for (uint32_t i = 0; i < g->blocks; i++) {
      const struct ut_block *b = ut_block_at(g, i, *x);
      uint8_t *stepped = n->stepped + g->first + b->first;
      uint64_t busy = ut_block_has_pending_events(b, 0, *x) ? ~UINT64_C(0) : 0;
      for (unsigned word = 0; word < x->sets; word++) /* several switches in one word, or one in some */
        busy |= ut_block_busy(b, word, ut_wires_come(&reach, b->lane + 64 * word, *x), *x);
      for (unsigned s = 0; s < 1u << x->block_bits && s < g->count - b->first; s++)
        stepped[s] = (busy >> (s << x->each_bits) & lanes) != 0;
    }
  }
}

bool ut_lockstep_use(struct ut_lockstep *l, struct ut_threads *threads) {
  return ut_network_use(&l->golden, threads) && ut_network_use(&l->rtl, threads);
}

bool ut_lockstep_use_spec(struct ut_lockstep *l) {
  l->spec = true;
  return ut_network_use_spec(&l->golden, UT_SPEC_STEPS);
}

/* ---- cycles in which nothing happens */

/* Nobody counts the cycles of the RTL switches, or sees their clocks. */
static bool may_jump(const struct ut_lockstep *l) {
  bool may = !l->dut->watched && !l->mismatches;
  for (unsigned i = 0; i < l->golden.topology.elaborations; i++)
    may &= !l->dut->class[i].api->forget;
  return may;
}

/* Steps all switches in the next cycle, and so compares them. */
static void probe(struct ut_lockstep *l) {
  struct ut_network *r = &l->rtl;
  for (uint32_t i = 0; i < r->topology.switches; i++)
    r->awake[i] |= !ut_bitmap_get(r->failed, i);
  l->probed = r->cycle;
}

/* The last cycle before the next one in which somebody looks, or does, something. */
static uint64_t limit(const struct ut_lockstep *l, uint64_t look) {
  const struct ut_register_record *record = l->record;
  const uint64_t cycle = l->golden.cycle;
  uint64_t last = look - 1;
  if (l->injected_bug.cycle >= cycle)
    last = ut_earlier(last, l->injected_bug.cycle);
  if (record && record->from > cycle)
    last = ut_earlier(last, record->from - 1);
  return l->dut->dump ? ut_earlier(last, ut_dump_next(l->dut->dump, cycle)) : last;
}

void ut_lockstep_skip(struct ut_lockstep *l, uint64_t look) {
  struct ut_network *g = &l->golden, *r = &l->rtl;
  const enum ut_rest rest = may_jump(l) ? ut_network_rest(g) : UT_MOVES;
  if (rest == UT_MOVES || !ut_network_is_at_rest(r))
    return;
  if (rest == UT_RESTS) {
    probe(l);
  } else if (l->probed + 1 == g->cycle) {
    const uint64_t cycle = ut_earlier(ut_network_next_event(g), limit(l, look));
    ut_network_jump(g, cycle);
    ut_network_jump(r, cycle);
  }
}

bool ut_lockstep_step(struct ut_lockstep *l) {
  struct ut_network *g = &l->golden, *r = &l->rtl;
  const size_t words = (g->topology.switches + 7) / 8;
  const uint64_t *gs = (const uint64_t *)g->stepped, *rs = (const uint64_t *)r->stepped;
  plant(l);
  if (l->mismatches)
    atomic_store(&l->dut->differs, UINT32_MAX); /* behind the first one: what differs in this cycle */
  find_stepped(g);
  ut_network_step(g);
  l->dut->golden = g;
  if (l->dut->dump)
    ut_dump_step(l->dut->dump);
  else
    ut_network_step(r);
  uint32_t open = UINT32_MAX; /* one of those whose comparison is to be concluded */
  for (size_t w = 0; w < words; w++) {
    l->compared += (unsigned)__builtin_popcountll(gs[w] | rs[w]);
    for (uint64_t work = gs[w] | rs[w]; work; work &= work - 1) { /* bytes of value 1 */
      uint32_t id = (uint32_t)(w * 8) + (uint32_t)__builtin_ctzll(work) / 8;
      if (r->stepped[id] && !ut_bitmap_get(r->failed, id))
        continue;
      /* only the golden one was stepped, or it has failed */
      if (open != UINT32_MAX && ut_rtl_together(l->dut, open) != ut_rtl_together(l->dut, id))
        ut_rtl_conclude(l->dut, open);
      open = id;
      ut_rtl_compare(l->dut, id);
    }
  }
  if (open != UINT32_MAX)
    ut_rtl_conclude(l->dut, open);
  l->dut->golden = NULL; /* the RTL network may also be stepped alone */
  if (l->dut->dump)
    ut_dump_look(l->dut->dump);
  ut_lockstep_record(l);
  if (l->mismatches)
    return false;
  if (l->dut->differs != UINT32_MAX)
    return fail_switch(l, l->dut->differs);
  /* without faults nothing discards: a packet that is missing stays missing */
  if (!g->faults.events && g->cycle % 16)
    return true;
  uint64_t counted = ut_network_in_flight(g);
  if (counted != ut_network_outstanding(g))
    return fail_accounts(l, counted);
  return true;
}
