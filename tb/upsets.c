/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.c - see upsets.h */
#include "upsets.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "random.h"
#include "scenario.h"

/* Cycles without any movement after which what still waits counts as waiting for ever; and cycles without movement in
 * copy 0 after which what still moves in other copies counts as moving for ever. */
enum { QUIET = 600, ENDLESS = 2000 };
#define NONE SIZE_MAX

const char *ut_upset_outcome_name(enum ut_upset_outcome outcome) {
  static const char *const names[UT_UPSET_OUTCOMES] = {"open",      "masked",       "latent", "delayed",
                                                       "corrupted", "misdelivered", "lost",   "stuck"};
  return names[outcome];
}

static int by_cycle(const void *x, const void *y) {
  const struct ut_upset *a = x, *b = y;
  return (a->cycle > b->cycle) - (a->cycle < b->cycle);
}

void ut_upsets_draw(struct ut_upset *upset, size_t count, const struct ut_scenario *scenario,
                    const struct ut_topology *topo, const size_t flip_flops[UT_MAX_ELABORATIONS]) {
  struct ut_random random;
  uint64_t all = 0;
  for (unsigned i = 0; i < topo->elaborations; i++)
    all += topo->elaboration[i].count * flip_flops[i];
  ut_random_init(&random, scenario->run.seed, UT_RANDOM_UPSETS, 0);
  for (size_t n = 0; n < count; n++) {
    const uint64_t first = scenario->run.warmup_cycles;
    uint64_t at = ut_random_below(&random, (uint32_t)all);
    unsigned i = 0;
    upset[n].cycle = first + ut_random_below(&random, (uint32_t)scenario->run.measure_cycles);
    for (; at >= topo->elaboration[i].count * flip_flops[i]; i++)
      at -= topo->elaboration[i].count * flip_flops[i];
    upset[n].sw = topo->elaboration[i].first + (uint32_t)(at / flip_flops[i]);
    upset[n].flip_flop = (unsigned)(at % flip_flops[i]);
  }
  qsort(upset, count, sizeof *upset, by_cycle);
}

/* ---- one copy compared with copy 0 */

/* An injection in progress. */
struct trial {
  size_t upset;              /* NONE: the copy is free */
  uint64_t since;            /* cycle */
  bool shown, error;         /* terminals have seen a difference; error_o */
  bool latent;               /* terminals have not seen one for long, although flip-flops differed */
  uint64_t corrupt, missing; /* before it */
  uint64_t arrived;          /* since then: sum of arrivals_of(), minus that of copy 0 */
  uint64_t moved;            /* moves_of() in the last cycle */
  unsigned quiet;            /* for how many cycles it has not changed */
};

struct pass {
  const struct ut_upset_campaign *campaign;
  const size_t *share; /* the injections of this process, by cycle */
  size_t count;
  uint8_t *outcome; /* [campaign->count] */
  struct ut_item_source *source;
  struct ut_copies copies;
  struct trial trial[UT_MOST_TOGETHER];
  unsigned open;
};

/* Returns whether the arrivals at terminals differ in this cycle, without the rt field of a header, which terminals do
 * not read. */
static bool arrivals_differ(const struct ut_network *a, const struct ut_network *b) {
  const struct ut_wires *v = &a->wires, *w = &b->wires;
  const uint32_t first = v->terminals, lanes = a->terminals.lanes;
  const uint8_t *flits = ut_wires_flits(v, a->cycle, first);
  if (memcmp(flits, ut_wires_flits(w, b->cycle, first), lanes) ||
      memcmp(ut_wires_credits(v, a->cycle, first), ut_wires_credits(w, b->cycle, first), lanes))
    return true;
  bool differ = false;
  for (uint32_t i = 0; i < lanes && !differ; i++) {
    if (!flits[i])
      continue;
    const uint64_t *x = ut_wires_flit(v, first + i, ut_position_at(v->write, first + i, v->wide));
    const uint64_t *y = ut_wires_flit(w, first + i, ut_position_at(w->write, first + i, w->wide));
    const uint64_t rt = flits[i] & UT_KIND_HEAD ? ~(uint64_t)0 << UT_HEADER_RT_LSB : 0;
    differ = ((x[0] ^ y[0]) & ~rt) || memcmp(x + 1, y + 1, (v->words - 1) * sizeof *x);
  }
  return differ;
}

/* Returns a sum over the heads that arrive at terminals in this cycle, of values for packet and terminal; it does not
 * depend on the order. */
static uint64_t arrivals_of(const struct ut_network *net) {
  const struct ut_wires *wires = &net->wires;
  const uint8_t *flits = ut_wires_flits(wires, net->cycle, wires->terminals);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < net->terminals.lanes; i++)
    if (flits[i] & UT_KIND_HEAD) {
      const uint32_t input = wires->terminals + i;
      uint64_t x = *ut_wires_flit(wires, input, ut_position_at(wires->write, input, wires->wide));
      x = (x & ~(~(uint64_t)0 << UT_HEADER_RT_LSB)) | (uint64_t)net->terminals.at[i] << UT_HEADER_RT_LSB;
      x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
      sum += x ^ x >> 29;
    }
  return sum;
}

/* Returns the packets that have been sent and have not arrived. */
static uint64_t missing_of(const struct ut_network *net) {
  return net->terminals.accounts.injected - net->terminals.accounts.delivered;
}
/* Returns a number that grows whenever a flit moves. */
static uint64_t moves_of(const struct ut_network *net) {
  return net->flit_hops + net->terminals.accounts.injected_flits + net->terminals.received_flits;
}

/* over: the run has ended, and the copy differs from copy 0. */
static enum ut_upset_outcome outcome_of(const struct pass *pass, unsigned i, bool over) {
  const struct ut_copy *copy = &pass->copies.copy[i], *good = pass->copies.copy;
  const struct ut_terminals *terminals = &copy->network.terminals;
  const struct trial *trial = &pass->trial[i];
  const bool waits = (copy->busy && !good->busy) || trial->quiet < QUIET ||
                     ut_terminals_queued(terminals) > ut_terminals_queued(&good->network.terminals);
  if (trial->latent)
    return UT_UPSET_LATENT;
  if (over && waits)
    return UT_UPSET_STUCK;
  if (missing_of(&copy->network) - missing_of(&good->network) != trial->missing)
    return UT_UPSET_LOST;
  if (terminals->accounts.corrupt != trial->corrupt)
    return UT_UPSET_CORRUPTED;
  if (trial->arrived)
    return UT_UPSET_MISDELIVERED;
  return trial->shown ? UT_UPSET_DELAYED : over ? UT_UPSET_LATENT : UT_UPSET_MASKED;
}

static void end_trial(struct pass *pass, unsigned i, bool over) {
  struct trial *trial = &pass->trial[i];
  pass->outcome[trial->upset] = (uint8_t)(outcome_of(pass, i, over) | (trial->error ? UT_UPSET_ERROR : 0));
  trial->upset = NONE;
  pass->open--;
  ut_item_source_did(pass->source, 1);
}

/* ---- a run with many injections */

static void inject(struct pass *pass, size_t upset) {
  const struct ut_upset *flip = &pass->campaign->upset[upset];
  unsigned i = 1;
  while (i < pass->copies.count && pass->trial[i].upset != NONE)
    i++;
  if (i == pass->copies.count) /* done in another run */
    return;
  const struct ut_network *net = &pass->copies.copy[i].network;
  pass->trial[i] = (struct trial){.upset = upset,
                                  .since = net->cycle,
                                  .corrupt = net->terminals.accounts.corrupt,
                                  .missing = missing_of(net) - missing_of(&pass->copies.copy->network)};
  ut_copies_upset(&pass->copies, i, flip->sw, flip->flip_flop);
  pass->open++;
}

/* Before a cycle. */
static void look_at_arrivals(struct pass *pass) {
  const struct ut_network *good = &pass->copies.copy->network;
  const uint64_t arrived = arrivals_of(good);
  for (unsigned i = 1; i < pass->copies.count; i++) {
    struct trial *trial = &pass->trial[i];
    if (trial->upset == NONE)
      continue;
    ut_copies_wake(&pass->copies.copy[i]); /* idle_o may be wrong */
    trial->shown = trial->shown || arrivals_differ(good, &pass->copies.copy[i].network);
    trial->arrived += trial->shown ? arrivals_of(&pass->copies.copy[i].network) - arrived : 0;
  }
}

/* Returns whether everything outside of a copy's switches is as in copy 0. */
static bool is_quiet(const struct pass *pass, unsigned i) {
  const struct ut_network *net = &pass->copies.copy[i].network, *good = &pass->copies.copy->network;
  return ut_network_wires_agree(net, good) && ut_terminals_agree(&net->terminals, &good->terminals);
}

/* After a cycle: updates the injection of a copy, whose flip-flops differ from those of copy 0 or not. */
static void look_at_copy(struct pass *pass, unsigned i, bool differs) {
  const struct ut_copy *copy = &pass->copies.copy[i];
  struct trial *trial = &pass->trial[i];
  const uint64_t moved = moves_of(&copy->network);
  trial->quiet = moved == trial->moved ? trial->quiet + 1 : 0;
  trial->moved = moved;
  trial->error |= copy->error;
  const bool late = !trial->shown && copy->network.cycle - trial->since >= UT_UPSET_PATIENCE;
  if ((differs && !late) || trial->latent || (!differs && pass->campaign->once) || !is_quiet(pass, i))
    return;
  trial->latent = differs;
  if (pass->campaign->once)
    return;
  if (differs)
    ut_copies_restore(&pass->copies, i);
  end_trial(pass, i, false);
}

static void look_at_states(struct pass *pass) {
  uint64_t differing[UT_MOST_TOGETHER / 64];
  ut_copies_differing(&pass->copies, differing);
  for (unsigned i = 1; i < pass->copies.count; i++)
    if (pass->trial[i].upset != NONE)
      look_at_copy(pass, i, differing[i / 64] >> i % 64 & 1);
}

/* Returns whether there is nothing more to inject or to observe: or copy 0 has nothing left to do, and all copies that
 * differ from it wait, or have moved for long enough. */
static bool is_over(const struct pass *pass, bool injected, unsigned quiet) {
  const struct ut_network *good = &pass->copies.copy->network;
  if (!pass->open || good->cycle < good->terminals.window_end || quiet < QUIET / 2)
    return !pass->open && injected;
  bool over = true;
  for (unsigned i = 1; i < pass->copies.count; i++)
    over = over && (pass->trial[i].upset == NONE || pass->trial[i].quiet >= QUIET);
  return over || quiet >= ENDLESS;
}

/* Runs once through the scenario and starts injections as long as there are free copies. */
static int run(struct pass *pass, struct ut_error *e) {
  const struct ut_upset_campaign *campaign = pass->campaign;
  const struct ut_network *good = &pass->copies.copy->network;
  uint64_t moved = 0;
  unsigned quiet = 0;
  for (size_t next = 0; !is_over(pass, next == pass->count, quiet);) {
    for (; next < pass->count && campaign->upset[pass->share[next]].cycle == good->cycle; next++)
      if (pass->outcome[pass->share[next]] == UT_UPSET_OPEN)
        inject(pass, pass->share[next]);
    look_at_arrivals(pass);
    ut_copies_step(&pass->copies);
    look_at_states(pass);
    quiet = moves_of(good) == moved ? quiet + 1 : 0;
    moved = moves_of(good);
    if (campaign->interrupted && *campaign->interrupted)
      return ut_fail(e, UT_INTERRUPTED, "interrupted");
    for (unsigned i = 0; i < pass->copies.count; i++)
      if (pass->copies.copy[i].network.failure)
        return ut_fail_memory(e);
  }
  uint64_t differing[UT_MOST_TOGETHER / 64];
  ut_copies_differing(&pass->copies, differing);
  for (unsigned i = 1; i < pass->copies.count; i++)
    if (pass->trial[i].upset != NONE)
      end_trial(pass, i, differing[i / 64] >> i % 64 & 1 || !is_quiet(pass, i));
  return 0;
}

/* Checks that the network of golden switches has done in as many cycles what copy 0 has done. */
static int check(const struct pass *pass, struct ut_error *e) {
  const struct ut_network *good = &pass->copies.copy->network;
  struct ut_network golden;
  if (ut_network_init(&golden, pass->campaign->scenario, NULL, e))
    return -1;
  while (golden.cycle < good->cycle && !golden.failure)
    ut_network_step(&golden);
  const struct ut_accounts *g = &golden.terminals.accounts, *t = &good->terminals.accounts;
  const bool same = golden.flit_hops == good->flit_hops && g->delivered == t->delivered && g->injected == t->injected &&
                    golden.terminals.received_flits == good->terminals.received_flits && !t->corrupt;
  const bool failure = golden.failure;
  ut_network_fini(&golden);
  if (failure)
    return ut_fail_memory(e);
  return same ? 0
              : ut_fail(e, UT_MISMATCH, "%s: the netlist without upsets does something else than the golden model",
                        pass->campaign->scenario->path);
}

static bool is_left(const struct pass *pass) {
  bool left = false;
  for (size_t i = 0; i < pass->count && !left; i++)
    left = pass->outcome[pass->share[i]] == UT_UPSET_OPEN;
  return left;
}

/* Work item i of n: every n-th injection, from number i on. */
static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct ut_upset_campaign *campaign = ctx;
  uint64_t from, to;
  struct pass *pass = calloc(1, sizeof *pass);
  size_t *share = calloc(campaign->count + 1, sizeof *share);
  int status = pass && share ? 0 : ut_fail_memory(e);
  while (!status && ut_item_source_take(source, &from, &to)) {
    *pass = (struct pass){.campaign = campaign, .source = source, .share = share, .outcome = result};
    for (size_t i = (size_t)from; i < campaign->count; i += source->items)
      share[pass->count++] = i;
    for (bool first = true; !status && is_left(pass); first = false) {
      for (unsigned i = 0; i < UT_MOST_TOGETHER; i++)
        pass->trial[i].upset = NONE;
      status = ut_copies_open(&pass->copies, campaign->scenario, campaign->models, e) || run(pass, e) ||
                       (first && check(pass, e))
                   ? -1
                   : 0;
      ut_copies_close(&pass->copies);
    }
  }
  free(share);
  free(pass);
  return status;
}

static void show(void *ctx, uint64_t done, uint64_t of) {
  const struct ut_upset_campaign *campaign = ctx;
  if (campaign->progress)
    campaign->progress(campaign->ctx, done, of);
}

int ut_upsets_run(const struct ut_upset_campaign *campaign, uint8_t *outcome, struct ut_error *e) {
  struct ut_parallel parallel = {.workers = campaign->workers,
                                 .chunk = 1,
                                 .units = campaign->count,
                                 .result_size = campaign->count,
                                 .stop = campaign->interrupted,
                                 .progress = show,
                                 .ctx = (void *)(uintptr_t)campaign};
  parallel.items = parallel.workers ? parallel.workers : (uint64_t)ut_threads_cores();
  const unsigned workers = ut_parallel_workers(&parallel);
  uint8_t *results = calloc(workers, campaign->count + 1);
  const int status = results ? ut_parallel_run(&parallel, work, results, e) : ut_fail_memory(e);
  for (size_t i = 0; i < campaign->count && !status; i++) {
    outcome[i] = UT_UPSET_OPEN;
    for (unsigned w = 0; w < workers; w++)
      outcome[i] |= results[w * campaign->count + i];
  }
  free(results);
  return status;
}
