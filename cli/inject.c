/* SPDX-License-Identifier: Apache-2.0 */
/* inject.c - see inject.h */
#include "inject.h"

#include <stdlib.h>
#include <string.h>

#include "excerpt.h"
#include "nearest.h"
#include "number.h"

enum { NEAREST = 3 }; /* names in a message */

bool ut_inject_is_list(const char *text) {
  return !strcmp(text, "list");
}

/* ---- the registers of a switch */

struct names {
  const char **name; /* the class keeps them */
  size_t count, room;
  const char *wanted;
  unsigned bits; /* of the wanted one; 0: there is none */
  bool failure;
};

static void add_name(void *ctx, const char *path, unsigned bits) {
  struct names *n = ctx;
  if (!strcmp(path, n->wanted))
    n->bits = bits;
  if (n->count == n->room) {
    const size_t room = n->room ? 2 * n->room : 256;
    const char **bigger = realloc(n->name, room * sizeof *bigger);
    n->failure |= !bigger;
    if (!bigger)
      return;
    n->name = bigger;
    n->room = room;
  }
  n->name[n->count++] = path;
}

/* "; did you mean 'a', 'b' or 'c'?": the nearest names, which are taken out of the list. */
static void write_nearest(struct names *n, char *text, size_t size) {
  const char *near[NEAREST], *name;
  size_t found = 0, used = 0;
  for (; found < NEAREST && (name = ut_nearest(n->wanted, n->name, n->count)); found++) {
    near[found] = name;
    for (size_t i = 0; i < n->count; i++)
      if (n->name[i] == name) {
        n->name[i] = n->name[--n->count];
        break;
      }
  }
  text[0] = '\0';
  for (size_t i = 0; i < found && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s'%s'%s",
                             i == 0           ? "; did you mean "
                             : i + 1 == found ? " or "
                                              : ", ",
                             near[i], i + 1 == found ? "?" : "");
}

/* ---- the option */

static int check_register(const char *text, const char *sw, const struct ut_injected_bug *p, struct names *n,
                          struct ut_error *e) {
  char near[256];
  if (n->failure)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory");
  if (!n->count)
    return ut_fail(e, UT_BAD_INPUT,
                   "--inject '%s': registers of gates are flipped with --engine lanes; without it plant 'credit'",
                   text);
  if (!n->bits) {
    write_nearest(n, near, sizeof near);
    return ut_fail(e, UT_BAD_INPUT,
                   "--inject '%s': switch %s has no register '%s'%s '--inject list' prints all of them", text, sw,
                   n->wanted, *near ? near : ";");
  }
  if (p->bit >= n->bits)
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': register '%s' has bits 0 to %u", text, n->wanted, n->bits - 1);
  return 0;
}

int ut_inject_parse(const char *text, struct ut_lockstep *l, struct ut_error *e) {
  struct ut_injected_bug *p = &l->injected_bug;
  char sw[32], what[sizeof p->register_path];
  const char *c = text;
  uint64_t bit = 0;
  int behind = 0;
  bool good = ut_number_read(&c, UINT64_MAX, &p->cycle) && sscanf(c, ":%31[^:]:%63[^:]%n", sw, what, &behind) == 2;
  if (good && c[behind])
    good = c[behind] == ':' && ut_number_is(c + behind + 1, UINT32_MAX, &bit);
  if (good && !ut_parse_switch(sw, l->golden.topology, &p->sw))
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': there is no switch '%s' (LEVEL.INDEX)", text, sw);
  if (!good)
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': expected CYCLE:L.I:REGISTER:BIT, CYCLE:L.I:credit or list", text);
  p->bit = (unsigned)bit;
  if (!strcmp(what, "credit"))
    return 0;
  snprintf(p->register_path, sizeof p->register_path, "%s", what);
  struct names n = {.wanted = p->register_path};
  ut_lockstep_flippable(l, p->sw, add_name, &n);
  const int result = check_register(text, sw, p, &n, e);
  free(n.name);
  return result;
}

/* ---- the list */

static void print_register(void *ctx, const char *path, unsigned bits) {
  fprintf(ctx, "  %-40s %2u bit%s\n", path, bits, bits == 1 ? "" : "s");
}

void ut_inject_list(const struct ut_lockstep *l, FILE *f) {
  const struct ut_topology *t = l->golden.topology;
  char first[UT_SWITCH_NAME_SIZE], last[UT_SWITCH_NAME_SIZE];
  for (unsigned i = 0; i < t->elaborations; i++) {
    const struct ut_elaboration *e = &t->elaboration[i];
    fprintf(f, "switches %s to %s:\n  credit\n", ut_topology_switch_name(t, e->first, first),
            ut_topology_switch_name(t, e->first + e->count - 1, last));
    ut_lockstep_flippable(l, e->first, print_register, f);
  }
}
