/* SPDX-License-Identifier: Apache-2.0 */
/* register_record.c - see register_record.h */
#include "register_record.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a look */

void ut_register_view_begin(struct ut_register_view *view) {
  view->next = 0;
}

static bool grow(struct ut_register_view *view) {
  const size_t room = view->room ? 2 * view->room : 256;
  struct ut_register_name *name = realloc(view->name, room * sizeof *name);
  view->name = name ? name : view->name;
  uint64_t *device = realloc(view->device, room * sizeof *device);
  view->device = device ? device : view->device;
  uint64_t *golden = realloc(view->golden, room * sizeof *golden);
  view->golden = golden ? golden : view->golden;
  view->room = name && device && golden ? room : view->room;
  return view->room == room;
}

/* The first look names them. */
static bool add(struct ut_register_view *view, const char *path, unsigned bits) {
  if (view->registers == view->room && !grow(view))
    return false;
  struct ut_register_name *new = &view->name[view->registers++];
  snprintf(new->path, sizeof new->path, "%s", path);
  new->bits = bits;
  return true;
}

void ut_register_view_tell(void *ctx, const char *path, unsigned bits, uint64_t device, uint64_t golden) {
  struct ut_register_view *view = ctx;
  view->failure |= !view->known && !add(view, path, bits);
  if (view->failure)
    return;
  view->device[view->next] = device;
  view->golden[view->next++] = golden;
}

bool ut_register_view_end(struct ut_register_view *view) {
  view->known = true;
  return !view->failure;
}

void ut_register_view_free(struct ut_register_view *view) {
  free(view->name);
  free(view->device);
  free(view->golden);
  *view = (struct ut_register_view){0};
}

/* ---- the record */

bool ut_register_record_init(struct ut_register_record *record, const uint32_t *switches, unsigned count) {
  *record = (struct ut_register_record){.of = calloc(count, sizeof *record->of)};
  record->switches = record->of ? count : 0;
  for (unsigned i = 0; i < record->switches; i++)
    record->of[i].view.sw = switches[i];
  return record->of != NULL;
}

static bool keep(struct ut_recorded_registers *registers, const struct ut_register_change *change) {
  if (registers->changes == registers->room) {
    const size_t room = registers->room ? 2 * registers->room : 1024;
    struct ut_register_change *bigger = realloc(registers->change, room * sizeof *bigger);
    if (!bigger)
      return false;
    registers->change = bigger;
    registers->room = room;
  }
  registers->change[registers->changes++] = *change;
  return true;
}

static bool take(struct ut_recorded_registers *registers, uint64_t cycle) {
  const struct ut_register_view *view = &registers->view;
  const bool first = !registers->before;
  if (first)
    registers->before = calloc(2 * view->registers + 1, sizeof *registers->before);
  bool good = registers->before != NULL;
  for (size_t i = 0; good && i < view->registers; i++) {
    uint64_t *before = &registers->before[2 * i];
    if (!first && before[0] == view->device[i] && before[1] == view->golden[i])
      continue;
    good = keep(registers, &(struct ut_register_change){(uint32_t)i, cycle, view->device[i], view->golden[i]});
    before[0] = view->device[i];
    before[1] = view->golden[i];
  }
  return good;
}

bool ut_register_record_take(struct ut_register_record *record, uint64_t cycle) {
  bool good = true;
  for (unsigned i = 0; i < record->switches; i++)
    good &= !record->of[i].view.failure && take(&record->of[i], cycle);
  return good;
}

void ut_register_record_free(struct ut_register_record *record) {
  for (unsigned i = 0; i < record->switches; i++) {
    ut_register_view_free(&record->of[i].view);
    free(record->of[i].change);
    free(record->of[i].before);
  }
  free(record->of);
  *record = (struct ut_register_record){0};
}
