/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c - see dump.h */
#include "dump.h"

#include <stdio.h>
#include <stdlib.h>

#include "dump_words.h"
#include "outages.h"
#include "rtl.h"

/* So long before the window we begin to watch which packets pass by. */
enum { WATCHED_BEFORE = 200 };

/* A register on both sides. */
struct pair {
  struct ut_dump_number rtl, golden, differs;
};

struct dumped_switch {
  struct ut_register_view view; /* what its registers hold in this cycle */
  struct pair *pair;            /* [registers] */
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

/* ---- variables */

/* Each register in the scopes of its path. */
static void declare_registers(const struct ut_dump_file *f, struct dumped_switch *s) {
  char open[UT_REGISTER_PATH_SIZE + 1] = "", scopes[sizeof open];
  for (size_t i = 0; i < s->view.registers; i++) {
    const struct ut_register_name *r = &s->view.name[i];
    snprintf(scopes, sizeof scopes, "%s.", r->path);
    ut_dump_change_scope(f, open, scopes);
    snprintf(open, sizeof open, "%s", scopes);
    ut_dump_words_note(s->words, r->path, i);
    s->pair[i] = (struct pair){.rtl = ut_dump_number(f, "rtl", r->bits),
                               .golden = ut_dump_number(f, "golden", r->bits),
                               .differs = ut_dump_number(f, "differs", 1)};
  }
  ut_dump_change_scope(f, open, "");
}

/* false: out of memory. */
static bool prepare(const struct ut_dump *d, struct dumped_switch *s) {
  if (!ut_lockstep_see(d->lockstep, &s->view))
    return false;
  s->pair = calloc(s->view.registers, sizeof *s->pair);
  s->words = ut_dump_words_new(&d->lockstep->golden, s->view.sw);
  return s->pair && s->words;
}

/* The scopes `lockstep` and `words`. */
static void declare(struct ut_dump *d) {
  char name[UT_RTL_SCOPE_SIZE];
  ut_dump_scope(&d->file, "lockstep");
  d->differs = ut_dump_number(&d->file, "differs", 1);
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    ut_dump_scope(&d->file, ut_rtl_scope(d->lockstep->dut, s->view.sw, name));
    s->differs = ut_dump_number(&d->file, "differs", 1);
    declare_registers(&d->file, s);
    ut_dump_scope(&d->file, NULL);
  }
  ut_dump_scope(&d->file, NULL);
  ut_dump_scope(&d->file, "words");
  d->events = ut_dump_text(&d->file, "events");
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    ut_dump_scope(&d->file, ut_rtl_scope(d->lockstep->dut, s->view.sw, name));
    ut_dump_words_declare(s->words, &d->file);
    ut_dump_scope(&d->file, NULL);
  }
  ut_dump_scope(&d->file, NULL);
}

/* ---- values */

void ut_dump_look(struct ut_dump *d) {
  const uint64_t cycle = d->lockstep->golden.cycle;
  if (cycle > d->last || cycle + WATCHED_BEFORE < d->first)
    return;
  for (struct dumped_switch *s = d->dumped; s < d->dumped + d->count; s++) {
    ut_lockstep_see(d->lockstep, &s->view);
    ut_dump_words_look(s->words, s->view.device);
  }
  d->seen = cycle;
  d->pending = cycle >= d->first;
  d->network_differs = d->lockstep->dut->differs != UINT32_MAX;
}

uint64_t ut_dump_next(const struct ut_dump *d, uint64_t cycle) {
  const uint64_t first = d->first > WATCHED_BEFORE ? d->first - WATCHED_BEFORE - 1 : 0;
  if (cycle > d->last)
    return UINT64_MAX;
  return cycle > first ? cycle : first;
}

static void write_switch(const struct ut_dump_file *f, struct dumped_switch *s) {
  bool differs = false;
  for (size_t i = 0; i < s->view.registers; i++) {
    const uint64_t rtl = s->view.device[i], golden = s->view.golden[i];
    const bool here = rtl != golden;
    ut_dump_write_number(f, &s->pair[i].rtl, rtl);
    ut_dump_write_number(f, &s->pair[i].golden, golden);
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
    d->file.api->trace_dump(d->file.trace, d->seen * UT_DUMP_CYCLE_PS);
    write_ours(d);
  }
  for (uint32_t i = 0; i < r->count; i++)
    ut_rtl_api(r, i)->trace_fall(r->model[i]);
  if (d->pending)
    d->file.api->trace_dump(d->file.trace, d->seen * UT_DUMP_CYCLE_PS + UT_DUMP_CYCLE_PS / 2);
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
      ut_rtl_drop_credit(r, &b->in[i], credit);
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
    d->dumped[i].view.sw = w->switches[i];
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
    ut_register_view_free(&s->view);
    free(s->pair);
    free(s->words);
  }
  free(d->outage);
  free(d->dumped);
  free(d);
}
