/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c - see dump.h */
#include "dump.h"

#include <stdio.h>
#include <stdlib.h>

#include "dump_words.h"
#include "outages.h"
#include "rtl.h"

/* Cycles before the window from which on the packets that pass are tracked. */
enum { WATCHED_BEFORE = 200 };

/* A register on both sides. */
struct pair {
  struct ut_dump_number rtl, golden, differs;
};

struct dumped_switch {
  struct ut_register_view view; /* the values of its registers in this cycle */
  struct pair *pair;            /* [registers] */
  struct ut_dump_words *words;
  struct ut_dump_number differs;
};

struct ut_dump {
  struct ut_lockstep *lockstep;
  struct ut_dump_file file;
  uint64_t first, last;
  uint64_t seen; /* the last cycle that was recorded */
  bool pending;  /* a recorded cycle waits to be written */
  bool network_differs;
  struct dumped_switch *dumped; /* [count] */
  unsigned count;
  struct ut_outage *outage;
  size_t outages;
  struct ut_dump_number differs;
  struct ut_dump_text events;
};

/* ---- variables */

/* Declares each register in the scopes of its path. */
static void declare_registers(const struct ut_dump_file *file, struct dumped_switch *dumped_switch) {
  char open[UT_REGISTER_PATH_SIZE + 1] = "", scopes[sizeof open];
  for (size_t i = 0; i < dumped_switch->view.registers; i++) {
    const struct ut_register_name *name = &dumped_switch->view.name[i];
    snprintf(scopes, sizeof scopes, "%s.", name->path);
    ut_dump_change_scope(file, open, scopes);
    snprintf(open, sizeof open, "%s", scopes);
    ut_dump_words_note(dumped_switch->words, name->path, i);
    dumped_switch->pair[i] = (struct pair){.rtl = ut_dump_number(file, "rtl", name->bits),
                                           .golden = ut_dump_number(file, "golden", name->bits),
                                           .differs = ut_dump_number(file, "differs", 1)};
  }
  ut_dump_change_scope(file, open, "");
}

/* false: out of memory. */
static bool prepare(const struct ut_dump *dump, struct dumped_switch *dumped_switch) {
  if (!ut_lockstep_see(dump->lockstep, &dumped_switch->view))
    return false;
  dumped_switch->pair = calloc(dumped_switch->view.registers, sizeof *dumped_switch->pair);
  dumped_switch->words = ut_dump_words_new(&dump->lockstep->golden, dumped_switch->view.sw);
  return dumped_switch->pair && dumped_switch->words;
}

/* Declares the scopes `lockstep` and `words`. */
static void declare(struct ut_dump *dump) {
  char name[UT_RTL_SCOPE_SIZE];
  ut_dump_scope(&dump->file, "lockstep");
  dump->differs = ut_dump_number(&dump->file, "differs", 1);
  for (struct dumped_switch *dumped_switch = dump->dumped; dumped_switch < dump->dumped + dump->count;
       dumped_switch++) {
    ut_dump_scope(&dump->file, ut_rtl_scope(dump->lockstep->dut, dumped_switch->view.sw, name));
    dumped_switch->differs = ut_dump_number(&dump->file, "differs", 1);
    declare_registers(&dump->file, dumped_switch);
    ut_dump_scope(&dump->file, NULL);
  }
  ut_dump_scope(&dump->file, NULL);
  ut_dump_scope(&dump->file, "words");
  dump->events = ut_dump_text(&dump->file, "events");
  for (struct dumped_switch *dumped_switch = dump->dumped; dumped_switch < dump->dumped + dump->count;
       dumped_switch++) {
    ut_dump_scope(&dump->file, ut_rtl_scope(dump->lockstep->dut, dumped_switch->view.sw, name));
    ut_dump_words_declare(dumped_switch->words, &dump->file);
    ut_dump_scope(&dump->file, NULL);
  }
  ut_dump_scope(&dump->file, NULL);
}

/* ---- values */

void ut_dump_look(struct ut_dump *dump) {
  const uint64_t cycle = dump->lockstep->golden.cycle;
  if (cycle > dump->last || cycle + WATCHED_BEFORE < dump->first)
    return;
  for (struct dumped_switch *dumped_switch = dump->dumped; dumped_switch < dump->dumped + dump->count;
       dumped_switch++) {
    ut_lockstep_see(dump->lockstep, &dumped_switch->view);
    ut_dump_words_look(dumped_switch->words, dumped_switch->view.device);
  }
  dump->seen = cycle;
  dump->pending = cycle >= dump->first;
  dump->network_differs = dump->lockstep->dut->differs != UINT32_MAX;
}

uint64_t ut_dump_next(const struct ut_dump *dump, uint64_t cycle) {
  const uint64_t first = dump->first > WATCHED_BEFORE ? dump->first - WATCHED_BEFORE - 1 : 0;
  if (cycle > dump->last)
    return UINT64_MAX;
  return cycle > first ? cycle : first;
}

static void write_switch(const struct ut_dump_file *file, struct dumped_switch *dumped_switch) {
  bool differs = false;
  for (size_t i = 0; i < dumped_switch->view.registers; i++) {
    const uint64_t rtl = dumped_switch->view.device[i], golden = dumped_switch->view.golden[i];
    const bool here = rtl != golden;
    ut_dump_write_number(file, &dumped_switch->pair[i].rtl, rtl);
    ut_dump_write_number(file, &dumped_switch->pair[i].golden, golden);
    ut_dump_write_number(file, &dumped_switch->pair[i].differs, here);
    differs |= here;
  }
  ut_dump_write_number(file, &dumped_switch->differs, differs);
  ut_dump_words_write(dumped_switch->words, file);
}

/* Writes our values after those that Verilator has written for that cycle. */
static void write_ours(struct ut_dump *dump) {
  char events[UT_DUMP_TEXT_SIZE];
  const bool first = dump->seen == dump->first;
  ut_dump_events(dump->lockstep->golden.topology, dump->outage, dump->outages, dump->seen, first, events);
  if (events[0] || first) /* stands until the next one */
    ut_dump_write_text(&dump->file, &dump->events, events);
  ut_dump_write_number(&dump->file, &dump->differs, dump->network_differs);
  for (unsigned i = 0; i < dump->count; i++)
    write_switch(&dump->file, &dump->dumped[i]);
}

/* Writes the cycle that was recorded last, if it lies in the window, and the falling clock edge. */
static void write_cycle(struct ut_dump *dump) {
  const struct ut_rtl *rtl = dump->lockstep->dut;
  if (dump->pending) {
    dump->file.api->trace_dump(dump->file.trace, dump->seen * UT_DUMP_CYCLE_PS);
    write_ours(dump);
  }
  for (uint32_t i = 0; i < rtl->count; i++)
    ut_rtl_api(rtl, i)->trace_fall(rtl->model[i]);
  if (dump->pending)
    dump->file.api->trace_dump(dump->file.trace, dump->seen * UT_DUMP_CYCLE_PS + UT_DUMP_CYCLE_PS / 2);
  dump->pending = false;
}

void ut_dump_step(struct ut_dump *dump) {
  struct ut_rtl *rtl = dump->lockstep->dut;
  struct ut_network *net = &dump->lockstep->rtl;
  ut_mask credit[UT_MAX_VCS];
  unsigned count;
  const struct ut_batch *batch = ut_network_offer(net, &count);
  for (unsigned i = 0; i < count; i++) {
    if (batch->sw[i] == rtl->robbed)
      ut_rtl_drop_credit(rtl, &batch->in[i], credit);
    ut_rtl_api(rtl, batch->sw[i])->trace_settle(rtl->model[batch->sw[i]], &batch->in[i]);
  }
  write_cycle(dump);
  for (unsigned i = 0; i < count; i++)
    rtl->backend.step(rtl, &batch->sw[i], 1, &batch->in[i], &batch->out[i]);
  ut_network_accept(net, count);
}

/* ---- */

/* false: out of memory. */
static bool start(struct ut_dump *dump, const struct ut_wave *wave) {
  const struct ut_rtl *rtl = dump->lockstep->dut;
  bool good = ut_outages_find(&dump->lockstep->golden.faults, wave->first, wave->last, &dump->outage, &dump->outages);
  dump->dumped = calloc(wave->count, sizeof *dump->dumped);
  dump->count = dump->dumped ? wave->count : 0;
  for (unsigned i = 0; i < dump->count; i++) {
    dump->dumped[i].view.sw = wave->switches[i];
    good &= prepare(dump, &dump->dumped[i]);
  }
  if (!good || !dump->dumped)
    return false;
  dump->file.trace = dump->file.api->trace_new();
  for (unsigned i = 0; i < wave->count; i++)
    ut_rtl_api(rtl, wave->switches[i])->trace_add(dump->file.trace, rtl->model[wave->switches[i]]);
  dump->file.api->trace_open(dump->file.trace, wave->path);
  declare(dump);
  return true;
}

int ut_dump_open(struct ut_lockstep *lockstep, const struct ut_wave *wave, struct ut_error *e) {
  const struct ut_model_api *api = lockstep->dut->class[0].api;
  if (!api->trace_open)
    return ut_fail(e, UT_INTERNAL, "this model was built without wave dumps");
  struct ut_dump *dump = calloc(1, sizeof *dump);
  if (!dump)
    return ut_fail_memory(e);
  *dump = (struct ut_dump){.lockstep = lockstep, .file.api = api, .first = wave->first, .last = wave->last};
  if (!start(dump, wave)) {
    ut_dump_close(dump);
    return ut_fail_memory(e);
  }
  lockstep->dut->dump = dump;
  ut_dump_look(dump); /* as the run begins */
  return 0;
}

void ut_dump_close(struct ut_dump *dump) {
  if (!dump)
    return;
  if (dump->file.trace && dump->pending)
    write_cycle(dump);
  if (dump->file.trace)
    dump->file.api->trace_close(dump->file.trace);
  for (struct dumped_switch *dumped_switch = dump->dumped; dumped_switch < dump->dumped + dump->count;
       dumped_switch++) {
    ut_register_view_free(&dumped_switch->view);
    free(dumped_switch->pair);
    free(dumped_switch->words);
  }
  free(dump->outage);
  free(dump->dumped);
  free(dump);
}
