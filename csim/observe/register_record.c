/* SPDX-License-Identifier: Apache-2.0 */
/* register_record.c - see register_record.h */
#include "register_record.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a look */

void ut_register_view_begin(struct ut_register_view *v) {
  v->next = 0;
}

static bool grow(struct ut_register_view *v) {
  const size_t room = v->room ? 2 * v->room : 256;
  struct ut_register_name *name = realloc(v->name, room * sizeof *name);
  v->name = name ? name : v->name;
  uint64_t *device = realloc(v->device, room * sizeof *device);
  v->device = device ? device : v->device;
  uint64_t *golden = realloc(v->golden, room * sizeof *golden);
  v->golden = golden ? golden : v->golden;
  v->room = name && device && golden ? room : v->room;
  return v->room == room;
}

/* The first look names them. */
static bool add(struct ut_register_view *v, const char *path, unsigned bits) {
  if (v->registers == v->room && !grow(v))
    return false;
  struct ut_register_name *new = &v->name[v->registers++];
  snprintf(new->path, sizeof new->path, "%s", path);
  new->bits = bits;
  return true;
}

void ut_register_view_tell(void *ctx, const char *path, unsigned bits, uint64_t device, uint64_t golden) {
  struct ut_register_view *v = ctx;
  v->failure |= !v->known && !add(v, path, bits);
  if (v->failure)
    return;
  v->device[v->next] = device;
  v->golden[v->next++] = golden;
}

bool ut_register_view_end(struct ut_register_view *v) {
  v->known = true;
  return !v->failure;
}

void ut_register_view_free(struct ut_register_view *v) {
  free(v->name);
  free(v->device);
  free(v->golden);
  *v = (struct ut_register_view){0};
}

/* ---- the record */

bool ut_register_record_init(struct ut_register_record *r, const uint32_t *switches, unsigned count) {
  *r = (struct ut_register_record){.of = calloc(count, sizeof *r->of)};
  r->switches = r->of ? count : 0;
  for (unsigned i = 0; i < r->switches; i++)
    r->of[i].view.sw = switches[i];
  return r->of != NULL;
}

static bool keep(struct ut_recorded_registers *s, const struct ut_register_change *c) {
  if (s->changes == s->room) {
    const size_t room = s->room ? 2 * s->room : 1024;
    struct ut_register_change *bigger = realloc(s->change, room * sizeof *bigger);
    if (!bigger)
      return false;
    s->change = bigger;
    s->room = room;
  }
  s->change[s->changes++] = *c;
  return true;
}

static bool take(struct ut_recorded_registers *s, uint64_t cycle) {
  const struct ut_register_view *v = &s->view;
  const bool first = !s->before;
  if (first)
    s->before = calloc(2 * v->registers + 1, sizeof *s->before);
  bool good = s->before != NULL;
  for (size_t i = 0; good && i < v->registers; i++) {
    uint64_t *before = &s->before[2 * i];
    if (!first && before[0] == v->device[i] && before[1] == v->golden[i])
      continue;
    good = keep(s, &(struct ut_register_change){(uint32_t)i, cycle, v->device[i], v->golden[i]});
    before[0] = v->device[i];
    before[1] = v->golden[i];
  }
  return good;
}

bool ut_register_record_take(struct ut_register_record *r, uint64_t cycle) {
  bool good = true;
  for (unsigned i = 0; i < r->switches; i++)
    good &= !r->of[i].view.failure && take(&r->of[i], cycle);
  return good;
}

void ut_register_record_free(struct ut_register_record *r) {
  for (unsigned i = 0; i < r->switches; i++) {
    ut_register_view_free(&r->of[i].view);
    free(r->of[i].change);
    free(r->of[i].before);
  }
  free(r->of);
  *r = (struct ut_register_record){0};
}
