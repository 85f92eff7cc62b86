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
  struct names *names = ctx;
  if (!strcmp(path, names->wanted))
    names->bits = bits;
  if (names->count == names->room) {
    const size_t room = names->room ? 2 * names->room : 256;
    const char **bigger = realloc(names->name, room * sizeof *bigger);
    names->failure |= !bigger;
    if (!bigger)
      return;
    names->name = bigger;
    names->room = room;
  }
  names->name[names->count++] = path;
}

/* "; did you mean 'a', 'b' or 'c'?": the nearest names, which are taken out of the list. */
static void write_nearest(struct names *names, char *text, size_t size) {
  const char *near[NEAREST], *name;
  size_t found = 0, used = 0;
  for (; found < NEAREST && (name = ut_nearest(names->wanted, names->name, names->count)); found++) {
    near[found] = name;
    for (size_t i = 0; i < names->count; i++)
      if (names->name[i] == name) {
        names->name[i] = names->name[--names->count];
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

static int check_register(const char *text, const char *sw, const struct ut_injected_bug *bug, struct names *names,
                          struct ut_error *e) {
  char near[256];
  if (names->failure)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory");
  if (!names->count)
    return ut_fail(e, UT_BAD_INPUT,
                   "--inject '%s': registers of gates are flipped with --engine lanes; without it plant 'credit'",
                   text);
  if (!names->bits) {
    write_nearest(names, near, sizeof near);
    return ut_fail(e, UT_BAD_INPUT,
                   "--inject '%s': switch %s has no register '%s'%s '--inject list' prints all of them", text, sw,
                   names->wanted, *near ? near : ";");
  }
  if (bug->bit >= names->bits)
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': register '%s' has bits 0 to %u", text, names->wanted,
                   names->bits - 1);
  return 0;
}

int ut_inject_parse(const char *text, struct ut_lockstep *lockstep, struct ut_error *e) {
  struct ut_injected_bug *bug = &lockstep->injected_bug;
  char sw[UT_SWITCH_NAME_SIZE], what[sizeof bug->register_path];
  const char *c = text;
  uint64_t bit = 0;
  int behind = 0;
  bool good = ut_number_read(&c, UINT64_MAX, &bug->cycle) && sscanf(c, ":%71[^:]:%63[^:]%n", sw, what, &behind) == 2;
  if (good && c[behind])
    good = c[behind] == ':' && ut_number_is(c + behind + 1, UINT32_MAX, &bit);
  if (good && !ut_parse_switch(sw, lockstep->golden.topology, &bug->sw))
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': there is no switch '%s' (LEVEL.INDEX)", text, sw);
  if (!good)
    return ut_fail(e, UT_BAD_INPUT, "--inject '%s': expected CYCLE:L.I:REGISTER:BIT, CYCLE:L.I:credit or list", text);
  bug->bit = (unsigned)bit;
  if (!strcmp(what, "credit"))
    return 0;
  snprintf(bug->register_path, sizeof bug->register_path, "%s", what);
  struct names names = {.wanted = bug->register_path};
  ut_lockstep_flippable(lockstep, bug->sw, add_name, &names);
  const int result = check_register(text, sw, bug, &names, e);
  free(names.name);
  return result;
}

/* ---- the list */

static void print_register(void *ctx, const char *path, unsigned bits) {
  fprintf(ctx, "  %-40s %2u bit%s\n", path, bits, bits == 1 ? "" : "s");
}

void ut_inject_list(const struct ut_lockstep *lockstep, FILE *f) {
  const struct ut_topology *topo = lockstep->golden.topology;
  char first[UT_SWITCH_NAME_SIZE], last[UT_SWITCH_NAME_SIZE];
  for (unsigned i = 0; i < topo->elaborations; i++) {
    const struct ut_elaboration *elaboration = &topo->elaboration[i];
    fprintf(f, "switches %s to %s:\n  credit\n", ut_topology_switch_name(topo, elaboration->first, first),
            ut_topology_switch_name(topo, elaboration->first + elaboration->count - 1, last));
    ut_lockstep_flippable(lockstep, elaboration->first, print_register, f);
  }
}
