/* dump.c - see dump.h */
#include "dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtl.h"

/* A dump counts in ps.  A cycle of one ns: its number is what a viewer shows. */
enum { CYCLE_PS = 1000 };

struct variable {
  uint32_t number;
  uint8_t bits;
  bool known; /* its value has been written */
  uint64_t value;
};

/* A register on both sides. */
struct pair {
  struct variable rtl, golden, differs;
};

struct dumped_switch {
  uint32_t sw;
  struct pair *pair;
  size_t pairs, room;
  struct variable differs;
};

struct ut_dump {
  struct ut_lockstep *lockstep;
  const struct ut_model_api *api; /* of the class that writes */
  void *trace;
  uint64_t first, last;
  struct dumped_switch *dumped; /* [count] */
  unsigned count;
  struct variable differs;
};

/* Who visits the registers of a switch. */
struct visit {
  struct ut_dump *dump;
  struct dumped_switch *dumped;
  size_t next;    /* register */
  char path[160]; /* of the last one that was declared */
  bool differs, failure;
};

static void visit_registers(struct visit *v, ut_model_register *f) {
  const struct ut_lockstep *l = v->dump->lockstep;
  const uint32_t sw = v->dumped->sw;
  ut_rtl_api(l->dut, sw)
      ->registers(l->dut->model[sw], ut_network_group(&l->golden, sw), ut_network_switch(&l->golden, sw), f, v);
}

/* ---- variables */

static struct variable declare_variable(const struct ut_dump *d, const char *name, unsigned bits) {
  return (struct variable){.number = d->api->trace_variable(d->trace, name, bits), .bits = (uint8_t)bits};
}

/* How many scopes the registers of these paths share, and where in both the next one begins. */
static unsigned shared_scopes(const char *a, const char *b, size_t *behind) {
  unsigned shared = 0;
  *behind = 0;
  for (size_t i = 0; a[i] && a[i] == b[i]; i++)
    if (a[i] == '.') {
      shared++;
      *behind = i + 1;
    }
  return shared;
}

static unsigned count_dots(const char *path) {
  unsigned dots = 0;
  for (; *path; path++)
    dots += *path == '.';
  return dots;
}

/* Ends the scopes of the last path that the next one does not share, and begins its own. */
static void change_scope(struct visit *v, const char *path) {
  const struct ut_dump *d = v->dump;
  size_t behind;
  const unsigned shared = shared_scopes(v->path, path, &behind);
  for (unsigned open = count_dots(v->path); open > shared; open--)
    d->api->trace_scope(d->trace, NULL);
  snprintf(v->path, sizeof v->path, "%s", path);
  for (char *scope = v->path + behind, *dot; (dot = strchr(scope, '.')); scope = dot + 1) {
    *dot = 0;
    d->api->trace_scope(d->trace, scope);
    *dot = '.';
  }
}

static struct pair *new_pair(struct dumped_switch *s) {
  if (s->pairs == s->room) {
    const size_t room = s->room ? 2 * s->room : 256;
    struct pair *bigger = realloc(s->pair, room * sizeof *bigger);
    if (!bigger)
      return NULL;
    s->pair = bigger;
    s->room = room;
  }
  return &s->pair[s->pairs++];
}

static void declare_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden) {
  struct visit *v = ctx;
  const struct ut_dump *d = v->dump;
  struct pair *p = new_pair(v->dumped);
  (void)rtl, (void)golden;
  char scope[sizeof v->path];
  v->failure |= !p;
  if (!p)
    return;
  snprintf(scope, sizeof scope, "%s.", path);
  change_scope(v, scope);
  *p = (struct pair){.rtl = declare_variable(d, "rtl", bits),
                     .golden = declare_variable(d, "golden", bits),
                     .differs = declare_variable(d, "differs", 1)};
}

/* false: out of memory. */
static bool declare_switch(struct ut_dump *d, struct dumped_switch *s) {
  struct visit v = {.dump = d, .dumped = s};
  char name[UT_RTL_SCOPE_SIZE];
  d->api->trace_scope(d->trace, ut_rtl_scope(d->lockstep->dut, s->sw, name));
  s->differs = declare_variable(d, "differs", 1);
  visit_registers(&v, declare_register);
  change_scope(&v, "");
  d->api->trace_scope(d->trace, NULL);
  return !v.failure;
}

static bool declare(struct ut_dump *d) {
  bool good = true;
  d->api->trace_scope(d->trace, "lockstep");
  d->differs = declare_variable(d, "differs", 1);
  for (unsigned i = 0; i < d->count; i++)
    good &= declare_switch(d, &d->dumped[i]);
  d->api->trace_scope(d->trace, NULL);
  return good;
}

/* ---- values */

static void write_value(const struct ut_dump *d, struct variable *x, uint64_t now) {
  char digits[65] = "";
  if (x->known && x->value == now)
    return;
  x->known = true;
  x->value = now;
  for (unsigned i = 0; i < x->bits; i++)
    digits[i] = (char)('0' + (now >> (x->bits - 1 - i) & 1));
  d->api->trace_digits(d->trace, x->number, digits);
}

static void write_register(void *ctx, const char *path, unsigned bits, uint64_t rtl, uint64_t golden) {
  struct visit *v = ctx;
  struct pair *p = &v->dumped->pair[v->next++];
  (void)path, (void)bits;
  v->differs |= rtl != golden;
  write_value(v->dump, &p->rtl, rtl);
  write_value(v->dump, &p->golden, golden);
  write_value(v->dump, &p->differs, rtl != golden);
}

static void write_switch(struct ut_dump *d, struct dumped_switch *s) {
  struct visit v = {.dump = d, .dumped = s};
  visit_registers(&v, write_register);
  write_value(d, &s->differs, v.differs);
}

/* ---- */

void ut_dump_cycle(struct ut_dump *d) {
  const struct ut_rtl *r = d->lockstep->dut;
  const uint64_t cycle = d->lockstep->golden.cycle;
  const bool inside = cycle >= d->first && cycle <= d->last;
  if (inside) {
    d->api->trace_dump(d->trace, cycle * CYCLE_PS);
    write_value(d, &d->differs, r->differs != UINT32_MAX);
    for (unsigned i = 0; i < d->count; i++)
      write_switch(d, &d->dumped[i]);
  }
  for (uint32_t i = 0; i < r->count; i++)
    ut_rtl_api(r, i)->trace_fall(r->model[i]);
  if (inside)
    d->api->trace_dump(d->trace, cycle * CYCLE_PS + CYCLE_PS / 2);
}

static int start(struct ut_dump *d, const struct ut_wave *w) {
  const struct ut_rtl *r = d->lockstep->dut;
  d->dumped = calloc(w->count, sizeof *d->dumped);
  if (!d->dumped)
    return -1;
  d->count = w->count;
  d->trace = d->api->trace_new();
  for (unsigned i = 0; i < w->count; i++) {
    d->dumped[i].sw = w->switches[i];
    ut_rtl_api(r, w->switches[i])->trace_add(d->trace, r->model[w->switches[i]]);
  }
  d->api->trace_open(d->trace, w->path);
  return declare(d) ? 0 : -1;
}

int ut_dump_open(struct ut_lockstep *l, const struct ut_wave *w, struct ut_error *e) {
  const struct ut_model_api *api = l->dut->class[0].api;
  if (!api->trace_open)
    return ut_fail(e, UT_INTERNAL, "this model was built without wave dumps");
  struct ut_dump *d = calloc(1, sizeof *d);
  if (!d)
    return ut_fail_memory(e);
  *d = (struct ut_dump){.lockstep = l, .api = api, .first = w->first, .last = w->last};
  if (start(d, w)) {
    ut_dump_close(d);
    return ut_fail_memory(e);
  }
  l->dut->dump = d;
  ut_dump_cycle(d); /* as the run begins */
  return 0;
}

void ut_dump_close(struct ut_dump *d) {
  if (!d)
    return;
  if (d->trace)
    d->api->trace_close(d->trace);
  for (unsigned i = 0; i < d->count; i++)
    free(d->dumped[i].pair);
  free(d->dumped);
  free(d);
}
