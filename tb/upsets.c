/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.c - see upsets.h */
#include "upsets.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "random.h"
#include "scenario.h"

/* Cycles in which nothing moves, until what still waits is taken to wait for ever; and in which nothing moves in copy
 * 0, until what still moves elsewhere is taken to do so for ever. */
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

void ut_upsets_draw(struct ut_upset *upset, size_t count, const struct ut_scenario *s, const struct ut_topology *t,
                    const size_t flip_flops[UT_MAX_ELABORATIONS]) {
  struct ut_random random;
  uint64_t all = 0;
  for (unsigned i = 0; i < t->elaborations; i++)
    all += t->elaboration[i].count * flip_flops[i];
  ut_random_init(&random, s->run.seed, UT_RANDOM_UPSETS, 0);
  for (size_t n = 0; n < count; n++) {
    const uint64_t first = s->run.warmup_cycles;
    uint64_t at = ut_random_below(&random, (uint32_t)all);
    unsigned i = 0;
    upset[n].cycle = first + ut_random_below(&random, (uint32_t)s->run.measure_cycles);
    for (; at >= t->elaboration[i].count * flip_flops[i]; i++)
      at -= t->elaboration[i].count * flip_flops[i];
    upset[n].sw = t->elaboration[i].first + (uint32_t)(at / flip_flops[i]);
    upset[n].flip_flop = (unsigned)(at % flip_flops[i]);
  }
  qsort(upset, count, sizeof *upset, by_cycle);
}

/* ---- a copy beside copy 0 */

/* An injection under way. */
struct trial {
  size_t upset;              /* NONE: the copy is free */
  uint64_t since;            /* cycle */
  bool shown, error;         /* terminals have seen a difference; error_o */
  bool latent;               /* they had not for long, although flip-flops differed */
  uint64_t corrupt, missing; /* before it */
  uint64_t arrived;          /* since it is shown: sum of arrivals_of(), less that of copy 0 */
  uint64_t moved;            /* as moves_of() in the last cycle, */
  unsigned quiet;            /* and for so many cycles */
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

/* What arrives at terminals in this cycle; but for the rt field of a header, at which terminals do not look. */
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

/* A sum of what stands for each head that arrives at a terminal in this cycle, and where: it does not depend on the
 * order. */
static uint64_t arrivals_of(const struct ut_network *n) {
  const struct ut_wires *w = &n->wires;
  const uint8_t *flits = ut_wires_flits(w, n->cycle, w->terminals);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->terminals.lanes; i++)
    if (flits[i] & UT_KIND_HEAD) {
      const uint32_t input = w->terminals + i;
      uint64_t x = *ut_wires_flit(w, input, ut_position_at(w->write, input, w->wide));
      x = (x & ~(~(uint64_t)0 << UT_HEADER_RT_LSB)) | (uint64_t)n->terminals.at[i] << UT_HEADER_RT_LSB;
      x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
      sum += x ^ x >> 29;
    }
  return sum;
}

/* Packets that have been sent and have not arrived. */
static uint64_t missing_of(const struct ut_network *n) {
  return n->terminals.accounts.injected - n->terminals.accounts.delivered;
}
/* Grows when a flit moves. */
static uint64_t moves_of(const struct ut_network *n) {
  return n->flit_hops + n->terminals.accounts.injected_flits + n->terminals.received_flits;
}

/* over: the run has ended, and the copy is not as copy 0 is. */
static enum ut_upset_outcome outcome_of(const struct pass *p, unsigned i, bool over) {
  const struct ut_copy *copy = &p->copies.copy[i], *good = p->copies.copy;
  const struct ut_terminals *t = &copy->network.terminals;
  const struct trial *x = &p->trial[i];
  const bool waits = (copy->busy && !good->busy) || x->quiet < QUIET ||
                     ut_terminals_queued(t) > ut_terminals_queued(&good->network.terminals);
  if (x->latent)
    return UT_UPSET_LATENT;
  if (over && waits)
    return UT_UPSET_STUCK;
  if (missing_of(&copy->network) - missing_of(&good->network) != x->missing)
    return UT_UPSET_LOST;
  if (t->accounts.corrupt != x->corrupt)
    return UT_UPSET_CORRUPTED;
  if (x->arrived)
    return UT_UPSET_MISDELIVERED;
  return x->shown ? UT_UPSET_DELAYED : over ? UT_UPSET_LATENT : UT_UPSET_MASKED;
}

static void end_trial(struct pass *p, unsigned i, bool over) {
  struct trial *x = &p->trial[i];
  p->outcome[x->upset] = (uint8_t)(outcome_of(p, i, over) | (x->error ? UT_UPSET_ERROR : 0));
  x->upset = NONE;
  p->open--;
  ut_item_source_did(p->source, 1);
}

/* ---- a run with many injections */

static void inject(struct pass *p, size_t upset) {
  const struct ut_upset *u = &p->campaign->upset[upset];
  unsigned i = 1;
  while (i < p->copies.count && p->trial[i].upset != NONE)
    i++;
  if (i == p->copies.count) /* in another run */
    return;
  const struct ut_network *n = &p->copies.copy[i].network;
  p->trial[i] = (struct trial){.upset = upset,
                               .since = n->cycle,
                               .corrupt = n->terminals.accounts.corrupt,
                               .missing = missing_of(n) - missing_of(&p->copies.copy->network)};
  ut_copies_upset(&p->copies, i, u->sw, u->flip_flop);
  p->open++;
}

/* Before a cycle. */
static void look_at_arrivals(struct pass *p) {
  const struct ut_network *good = &p->copies.copy->network;
  const uint64_t arrived = arrivals_of(good);
  for (unsigned i = 1; i < p->copies.count; i++) {
    struct trial *x = &p->trial[i];
    if (x->upset == NONE)
      continue;
    ut_copies_wake(&p->copies.copy[i]); /* idle_o may be wrong */
    x->shown = x->shown || arrivals_differ(good, &p->copies.copy[i].network);
    x->arrived += x->shown ? arrivals_of(&p->copies.copy[i].network) - arrived : 0;
  }
}

/* Nothing that is outside of its switches makes a copy do something else than copy 0. */
static bool is_quiet(const struct pass *p, unsigned i) {
  const struct ut_network *n = &p->copies.copy[i].network, *good = &p->copies.copy->network;
  return ut_network_wires_agree(n, good) && ut_terminals_agree(&n->terminals, &good->terminals);
}

/* After a cycle, a copy whose flip-flops differ from those of copy 0 or not. */
static void look_at_copy(struct pass *p, unsigned i, bool differs) {
  const struct ut_copy *copy = &p->copies.copy[i];
  struct trial *x = &p->trial[i];
  const uint64_t moved = moves_of(&copy->network);
  x->quiet = moved == x->moved ? x->quiet + 1 : 0;
  x->moved = moved;
  x->error |= copy->error;
  const bool late = !x->shown && copy->network.cycle - x->since >= UT_UPSET_PATIENCE;
  if ((differs && !late) || x->latent || (!differs && p->campaign->once) || !is_quiet(p, i))
    return;
  x->latent = differs;
  if (p->campaign->once)
    return;
  if (differs)
    ut_copies_restore(&p->copies, i);
  end_trial(p, i, false);
}

static void look_at_states(struct pass *p) {
  uint64_t differing[UT_MOST_TOGETHER / 64];
  ut_copies_differing(&p->copies, differing);
  for (unsigned i = 1; i < p->copies.count; i++)
    if (p->trial[i].upset != NONE)
      look_at_copy(p, i, differing[i / 64] >> i % 64 & 1);
}

/* There is nothing more to inject or to see; or copy 0 has nothing left to do, and all others that are not as it is
 * wait, or have moved for long enough. */
static bool is_over(const struct pass *p, bool injected, unsigned quiet) {
  const struct ut_network *good = &p->copies.copy->network;
  if (!p->open || good->cycle < good->terminals.window_end || quiet < QUIET / 2)
    return !p->open && injected;
  bool over = true;
  for (unsigned i = 1; i < p->copies.count; i++)
    over = over && (p->trial[i].upset == NONE || p->trial[i].quiet >= QUIET);
  return over || quiet >= ENDLESS;
}

/* Goes once through the scenario; takes injections as long as there are free copies. */
static int run(struct pass *p, struct ut_error *e) {
  const struct ut_upset_campaign *c = p->campaign;
  const struct ut_network *good = &p->copies.copy->network;
  uint64_t moved = 0;
  unsigned quiet = 0;
  for (size_t next = 0; !is_over(p, next == p->count, quiet);) {
    for (; next < p->count && c->upset[p->share[next]].cycle == good->cycle; next++)
      if (p->outcome[p->share[next]] == UT_UPSET_OPEN)
        inject(p, p->share[next]);
    look_at_arrivals(p);
    ut_copies_step(&p->copies);
    look_at_states(p);
    quiet = moves_of(good) == moved ? quiet + 1 : 0;
    moved = moves_of(good);
    if (c->interrupted && *c->interrupted)
      return ut_fail(e, UT_INTERRUPTED, "interrupted");
    for (unsigned i = 0; i < p->copies.count; i++)
      if (p->copies.copy[i].network.failure)
        return ut_fail_memory(e);
  }
  uint64_t differing[UT_MOST_TOGETHER / 64];
  ut_copies_differing(&p->copies, differing);
  for (unsigned i = 1; i < p->copies.count; i++)
    if (p->trial[i].upset != NONE)
      end_trial(p, i, differing[i / 64] >> i % 64 & 1 || !is_quiet(p, i));
  return 0;
}

/* The network of golden switches does in as many cycles what copy 0 has done. */
static int check(const struct pass *p, struct ut_error *e) {
  const struct ut_network *good = &p->copies.copy->network;
  struct ut_network golden;
  if (ut_network_init(&golden, p->campaign->scenario, NULL, e))
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
                        p->campaign->scenario->path);
}

static bool is_left(const struct pass *p) {
  bool left = false;
  for (size_t i = 0; i < p->count && !left; i++)
    left = p->outcome[p->share[i]] == UT_UPSET_OPEN;
  return left;
}

/* Item i of so many: every so many injections, from number i on. */
static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct ut_upset_campaign *c = ctx;
  uint64_t from, to;
  struct pass *p = calloc(1, sizeof *p);
  size_t *share = calloc(c->count + 1, sizeof *share);
  int status = p && share ? 0 : ut_fail_memory(e);
  while (!status && ut_item_source_take(source, &from, &to)) {
    *p = (struct pass){.campaign = c, .source = source, .share = share, .outcome = result};
    for (size_t i = (size_t)from; i < c->count; i += source->items)
      share[p->count++] = i;
    for (bool first = true; !status && is_left(p); first = false) {
      for (unsigned i = 0; i < UT_MOST_TOGETHER; i++)
        p->trial[i].upset = NONE;
      status = ut_copies_open(&p->copies, c->scenario, c->models, e) || run(p, e) || (first && check(p, e)) ? -1 : 0;
      ut_copies_close(&p->copies);
    }
  }
  free(share);
  free(p);
  return status;
}

static void show(void *ctx, uint64_t done, uint64_t of) {
  const struct ut_upset_campaign *c = ctx;
  if (c->progress)
    c->progress(c->ctx, done, of);
}

int ut_upsets_run(const struct ut_upset_campaign *c, uint8_t *outcome, struct ut_error *e) {
  struct ut_parallel p = {.workers = c->workers,
                          .chunk = 1,
                          .units = c->count,
                          .result_size = c->count,
                          .stop = c->interrupted,
                          .progress = show,
                          .ctx = (void *)(uintptr_t)c};
  p.items = p.workers ? p.workers : (uint64_t)ut_threads_cores();
  const unsigned workers = ut_parallel_workers(&p);
  uint8_t *results = calloc(workers, c->count + 1);
  const int status = results ? ut_parallel_run(&p, work, results, e) : ut_fail_memory(e);
  for (size_t i = 0; i < c->count && !status; i++) {
    outcome[i] = UT_UPSET_OPEN;
    for (unsigned w = 0; w < workers; w++)
      outcome[i] |= results[w * c->count + i];
  }
  free(results);
  return status;
}
