/* dump.c - see dump.h */
#include "dump.h"

#include <stdio.h>
#include <stdlib.h>

#include "dump_words.h"
#include "outages.h"
#include "rtl.h"

/* A dump counts in ps.  A cycle of one ns: its number is what a viewer shows. */
enum { CYCLE_PS = 1000 };
/* So long before the window we begin to watch which packets pass by. */
enum { WATCHED_BEFORE = 200 };

/* A register on both sides. */
struct pair {
  struct ut_dump_number rtl, golden, differs;
};

struct dumped_switch {
  uint32_t sw;
  size_t registers;
  struct pair *pair;      /* [registers] */
  uint64_t *rtl, *golden; /* [registers]: what they hold in this cycle */
  struct ut_dump_words *words;
  struct ut_dump_number differs;
};

struct ut_dump {
  struct ut_lockstep *lockstep;
  struct ut_dump_file file;
  uint64_t first, last;
  uint64_t seen; /* the cycle that was looked at last, */
  bool pending;  /* which is to be written */
  bool network_differs;
  struct dumped_switch *dumped; /* [count] */
  unsigned count;
  struct ut_outage *outage;
  size_t outages;
  struct ut_dump_number differs;
  struct ut_dump_text events;
};

/* Who visits the registers of a switch. */
struct visit {
  const struct ut_dump_file *file;
  struct dumped_switch *dumped;
  size_t next;    /* register */
  char path[160]; /* scopes of the last one that was declared */
};

static void visit_registers(const struct ut_dump *d, struct dumped_switch *s, ut_model_register *f) {
  const struct ut_lockstep *l = d->lockstep;
  struct visit v = {.file = &d->file, .dumped = s};
  ut_rtl_api(l->dut, s->sw)
      ->registers(l->dut->model[s->sw], ut_network_group(&l->golden, s->sw), ut_network_switch(&l->golden, s->sw), f,
                  &v);
  ut_dump_change_scope(&d->file, v.path, "");
}

/* ---- variables */

static void count_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden) {
  struct visit *v = ctx;
  (void)path, (void)bits, (void)rtl, (void)golden;
  v->dumped->registers++;
}

static void declare_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden) {
  struct visit *v = ctx;
  char scopes[sizeof v->path];
  (void)rtl, (void)golden;
  snprintf(scopes, sizeof scopes, "%s.", path);
  ut_dump_change_scope(v->file, v->path, scopes);
  snprintf(v->path, sizeof v->path, "%s", scopes);
  ut_dump_words_note(v->dumped->words, path, v->next);
  v->dumped->pair[v->next++] = (struct pair){.rtl = ut_dump_number(v->file, "rtl", bits),
                                             .golden = ut_dump_number(v->file, "golden", bits),
                                             .differs = ut_dump_number(v->file, "differs", 1)};
}

/* false: out of memory. */
static bool prepare(const struct ut_dump *d, struct dumped_switch *s) {
  visit_registers(d, s, count_register);
  s->pair = calloc(s->registers, sizeof *s->pair);
  s->rtl = calloc(s->registers, sizeof *s->rtl);
  s->golden = calloc(s->registers, sizeof *s->golden);
  s->words = ut_dump_words_new(&d->lockstep->golden, s->sw);
  return s->pair && s->rtl && s->golden && s->words;
}

/* The scopes `lockstep` and `words`. */
static void declare(struct ut_dump *d) {
  char name[UT_RTL_SCOPE_SIZE];
  ut_dump_scope(&d->file, "lockstep");
  d->differs = ut_dump_number(&d->file, "differs", 1);
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    ut_dump_scope(&d->file, ut_rtl_scope(d->lockstep->dut, s->sw, name));
    s->differs = ut_dump_number(&d->file, "differs", 1);
    visit_registers(d, s, declare_register);
    ut_dump_scope(&d->file, NULL);
  }
  ut_dump_scope(&d->file, NULL);
  ut_dump_scope(&d->file, "words");
  d->events = ut_dump_text(&d->file, "events");
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    ut_dump_scope(&d->file, ut_rtl_scope(d->lockstep->dut, s->sw, name));
    ut_dump_words_declare(s->words, &d->file);
    ut_dump_scope(&d->file, NULL);
  }
  ut_dump_scope(&d->file, NULL);
}

/* ---- values */

static void read_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden) {
  struct visit *v = ctx;
  (void)path, (void)bits;
  v->dumped->rtl[v->next] = rtl;
  v->dumped->golden[v->next++] = golden;
}

void ut_dump_look(struct ut_dump *d) {
  const uint64_t cycle = d->lockstep->golden.cycle;
  if (cycle > d->last || cycle + WATCHED_BEFORE < d->first)
    return;
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    visit_registers(d, s, read_register);
    ut_dump_words_look(s->words, s->rtl);
  }
  d->seen = cycle;
  d->pending = cycle >= d->first;
  d->network_differs = d->lockstep->dut->differs != UINT32_MAX;
}

static void write_switch(const struct ut_dump_file *f, struct dumped_switch *s) {
  bool differs = false;
  for (size_t i = 0; i < s->registers; i++) {
    const bool here = s->rtl[i] != s->golden[i];
    ut_dump_write_number(f, &s->pair[i].rtl, s->rtl[i]);
    ut_dump_write_number(f, &s->pair[i].golden, s->golden[i]);
    ut_dump_write_number(f, &s->pair[i].differs, here);
    differs |= here;
  }
  ut_dump_write_number(f, &s->differs, differs);
  ut_dump_words_write(s->words, f);
}

/* Behind what Verilator has written of that cycle. */
static void write_ours(struct ut_dump *d) {
  char events[UT_DUMP_TEXT_SIZE];
  const bool first = d->seen == d->first;
  ut_dump_events(&d->lockstep->golden.topology, d->outage, d->outages, d->seen, first, events);
  if (events[0] || first) /* stands until the next one */
    ut_dump_write_text(&d->file, &d->events, events);
  ut_dump_write_number(&d->file, &d->differs, d->network_differs);
  for (unsigned i = 0; i < d->count; i++)
    write_switch(&d->file, &d->dumped[i]);
}

/* The cycle that was seen last, if it is of the window, and the falling edge. */
static void write_cycle(struct ut_dump *d) {
  const struct ut_rtl *r = d->lockstep->dut;
  if (d->pending) {
    d->file.api->trace_dump(d->file.trace, d->seen * CYCLE_PS);
    write_ours(d);
  }
  for (uint32_t i = 0; i < r->count; i++)
    ut_rtl_api(r, i)->trace_fall(r->model[i]);
  if (d->pending)
    d->file.api->trace_dump(d->file.trace, d->seen * CYCLE_PS + CYCLE_PS / 2);
  d->pending = false;
}

void ut_dump_step(struct ut_dump *d) {
  struct ut_rtl *r = d->lockstep->dut;
  struct ut_network *n = &d->lockstep->rtl;
  ut_mask credit[UT_MAX_VCS];
  unsigned count;
  const struct ut_batch *b = ut_network_offer(n, &count);
  for (unsigned i = 0; i < count; i++) {
    if (b->sw[i] == r->robbed)
      ut_rtl_rob(r, &b->in[i], credit);
    ut_rtl_api(r, b->sw[i])->trace_settle(r->model[b->sw[i]], &b->in[i]);
  }
  write_cycle(d);
  for (unsigned i = 0; i < count; i++)
    r->backend.step(r, &b->sw[i], 1, &b->in[i], &b->out[i]);
  ut_network_accept(n, count);
}

/* ---- */

/* false: out of memory. */
static bool start(struct ut_dump *d, const struct ut_wave *w) {
  const struct ut_rtl *r = d->lockstep->dut;
  bool good = ut_outages_find(&d->lockstep->golden.faults, w->first, w->last, &d->outage, &d->outages);
  d->dumped = calloc(w->count, sizeof *d->dumped);
  d->count = d->dumped ? w->count : 0;
  for (unsigned i = 0; i < d->count; i++) {
    d->dumped[i].sw = w->switches[i];
    good &= prepare(d, &d->dumped[i]);
  }
  if (!good || !d->dumped)
    return false;
  d->file.trace = d->file.api->trace_new();
  for (unsigned i = 0; i < w->count; i++)
    ut_rtl_api(r, w->switches[i])->trace_add(d->file.trace, r->model[w->switches[i]]);
  d->file.api->trace_open(d->file.trace, w->path);
  declare(d);
  return true;
}

int ut_dump_open(struct ut_lockstep *l, const struct ut_wave *w, struct ut_error *e) {
  const struct ut_model_api *api = l->dut->class[0].api;
  if (!api->trace_open)
    return ut_fail(e, UT_INTERNAL, "this model was built without wave dumps");
  struct ut_dump *d = calloc(1, sizeof *d);
  if (!d)
    return ut_fail_memory(e);
  *d = (struct ut_dump){.lockstep = l, .file.api = api, .first = w->first, .last = w->last};
  if (!start(d, w)) {
    ut_dump_close(d);
    return ut_fail_memory(e);
  }
  l->dut->dump = d;
  ut_dump_look(d); /* as the run begins */
  return 0;
}

void ut_dump_close(struct ut_dump *d) {
  if (!d)
    return;
  if (d->file.trace && d->pending)
    write_cycle(d);
  if (d->file.trace)
    d->file.api->trace_close(d->file.trace);
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    free(s->pair);
    free(s->rtl);
    free(s->golden);
    free(s->words);
  }
  free(d->outage);
  free(d->dumped);
  free(d);
}
