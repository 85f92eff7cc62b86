/* SPDX-License-Identifier: Apache-2.0 */
/* liberty.c - see liberty.h */
#define _GNU_SOURCE
#include "liberty.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"
#include "liberty_function.h"
#include "liberty_text.h"

enum { MAX_INPUTS = 4 };

static const struct {
  const char *name, *path;
} known[] = {
    {"osu018", "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"},
    {"osu035", "/usr/share/qflow/tech/osu035/osu035_stdcells.lib"},
};

/* ---- functions ---- */

/* What input pin `name` is for each of the values of all inputs; UINT_MAX: there is none. */
static unsigned pattern_of(const struct ut_cell *c, const char *name) {
  static const unsigned patterns[MAX_INPUTS] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  for (size_t i = 0, input = 0; i < c->pins; i++) {
    if (c->pin[i].input && !strcmp(c->pin[i].name, name))
      return patterns[input];
    input += c->pin[i].input;
  }
  return UINT_MAX;
}

/* The truth table of a function, of as many values as there can be; -1: it needs something that is no input. */
static int table_of(const struct ut_cell *c, const struct ut_function *f) {
  unsigned stack[UT_FUNCTION_STEPS], n = 0;
  for (unsigned i = 0; i < f->steps; i++) {
    const enum ut_function_kind kind = f->step[i].kind;
    switch (kind) {
    case UT_FUNCTION_PIN:
      if ((stack[n++] = pattern_of(c, f->step[i].name)) == UINT_MAX)
        return -1;
      break;
    case UT_FUNCTION_ZERO: stack[n++] = 0; break;
    case UT_FUNCTION_ONE: stack[n++] = 0xffff; break;
    case UT_FUNCTION_NOT: stack[n - 1] ^= 0xffff; break;
    case UT_FUNCTION_AND: n--, stack[n - 1] &= stack[n]; break;
    case UT_FUNCTION_OR: n--, stack[n - 1] |= stack[n]; break;
    case UT_FUNCTION_XOR: n--, stack[n - 1] ^= stack[n]; break;
    }
  }
  return (int)stack[0];
}

int ut_cell_truth(const struct ut_cell *c, unsigned inputs) {
  const char *text = NULL;
  struct ut_function function;
  unsigned found = 0, outputs = 0;
  for (size_t i = 0; i < c->pins; i++) {
    found += c->pin[i].input;
    outputs += c->pin[i].output;
    if (c->pin[i].output)
      text = c->pin[i].function;
  }
  if (c->flip_flop || c->latch || outputs != 1 || found != inputs || inputs > MAX_INPUTS || !text ||
      !ut_function_read(&function, text))
    return -1;
  const int table = table_of(c, &function);
  return table < 0 ? -1 : table & ((1 << (1 << inputs)) - 1);
}

/* ---- the file ---- */

enum group { IN_LIBRARY, IN_CELL, IN_PIN, IN_FLIP_FLOP, IN_OTHER };

struct parser {
  struct ut_liberty *l;
  struct ut_error *e;
  bool tristate; /* the cell at hand */
  enum group group[UT_LIBERTY_DEPTH];
  unsigned depth;
};

static struct ut_cell *cell_at_hand(const struct parser *p) {
  return &p->l->cell[p->l->cells - 1];
}

/* Names of cells stand in scripts of Yosys, abc and OpenSTA, where other letters could be commands. */
static int check_cell(const struct parser *p, const char *name) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
  if (*name && !name[strspn(name, plain)])
    return 0;
  return ut_fail(
      p->e, UT_BAD_INPUT,
      "the Liberty file %.900s has a cell named '%.200s': expected letters, digits, _ and . alone; rename it",
      p->l->path, name);
}

static int add_cell(struct parser *p, const char *name) {
  struct ut_liberty *l = p->l;
  if (check_cell(p, name))
    return -1;
  struct ut_cell *more = realloc(l->cell, (l->cells + 1) * sizeof *more);
  if (!more)
    return ut_fail_memory(p->e);
  l->cell = more;
  l->cell[l->cells] = (struct ut_cell){.name = strdup(name)};
  p->tristate = false;
  return l->cell[l->cells++].name ? 0 : ut_fail_memory(p->e);
}

static int add_pin(struct parser *p, struct ut_cell *c, const char *name) {
  struct ut_cell_pin *more = realloc(c->pin, (c->pins + 1) * sizeof *more);
  if (!more)
    return ut_fail_memory(p->e);
  c->pin = more;
  c->pin[c->pins] = (struct ut_cell_pin){.name = strdup(name)};
  return c->pin[c->pins++].name ? 0 : ut_fail_memory(p->e);
}

static double time_unit(const char *text) {
  static const char *const names[] = {"ns", "ps", "us", NULL};
  static const double worth[] = {1, 1e-3, 1e3};
  return ut_liberty_unit(text, names, worth, 1);
}

static double capacitance_unit(const struct ut_liberty_list *list) {
  static const char *const names[] = {"pf", "ff", "nf", NULL};
  static const double worth[] = {1, 1e-3, 1e3};
  char text[64];
  snprintf(text, sizeof text, "%.30s%.30s", list->word[0], list->word[1]);
  return ut_liberty_unit(text, names, worth, 1);
}

static int keep(struct parser *p, char **to, const char *text) {
  free(*to);
  *to = strdup(text);
  return *to ? 0 : ut_fail_memory(p->e);
}

static int set_of_flip_flop(struct parser *p, struct ut_cell *c, const char *name, const char *text) {
  c->asynchronous |= !strcmp(name, "clear") || !strcmp(name, "preset");
  if (!strcmp(name, "next_state"))
    return keep(p, &c->next, text);
  return !strcmp(name, "clocked_on") ? keep(p, &c->clock, text) : 0;
}

static int set_attribute(void *ctx, const char *name, const char *text) {
  struct parser *p = ctx;
  const enum group group = p->group[p->depth - 1];
  if (group == IN_LIBRARY && !strcmp(name, "time_unit"))
    p->l->time_ns = time_unit(text);
  if (group == IN_CELL && !strcmp(name, "area"))
    cell_at_hand(p)->area = strtod(text, NULL);
  if (group == IN_FLIP_FLOP)
    return set_of_flip_flop(p, cell_at_hand(p), name, text);
  if (group != IN_PIN)
    return 0;
  struct ut_cell *c = cell_at_hand(p);
  struct ut_cell_pin *pin = &c->pin[c->pins - 1];
  if (!strcmp(name, "direction")) {
    pin->input = !strcmp(text, "input");
    pin->output = !strcmp(text, "output");
  } else if (!strcmp(name, "three_state")) {
    p->tristate = true;
  } else if (!strcmp(name, "function") && !pin->function) {
    return keep(p, &pin->function, text);
  }
  return 0;
}

static int read_list(void *ctx, const char *name, const struct ut_liberty_list *list) {
  struct parser *p = ctx;
  if (list->words == 2 && p->group[p->depth - 1] == IN_LIBRARY && !strcmp(name, "capacitive_load_unit"))
    p->l->capacitance_pf = capacitance_unit(list);
  return 0;
}

/* A cell, a pin of it, or what says something of the cell at hand; the library itself first. */
static int open_group(void *ctx, const char *name, const char *argument, const char *second) {
  struct parser *p = ctx;
  enum group outer = p->depth ? p->group[p->depth - 1] : IN_OTHER, *inner = &p->group[p->depth++];
  *inner = IN_OTHER;
  if (p->depth == 1) {
    *inner = IN_LIBRARY;
    p->l->library = strdup(argument);
    return p->l->library ? 0 : ut_fail_memory(p->e);
  }
  if (outer == IN_LIBRARY && !strcmp(name, "cell")) {
    *inner = IN_CELL;
    return add_cell(p, argument);
  }
  if (outer == IN_CELL && !strcmp(name, "pin")) {
    *inner = IN_PIN;
    return add_pin(p, cell_at_hand(p), argument);
  }
  if (outer == IN_CELL && !strcmp(name, "ff")) {
    struct ut_cell *c = cell_at_hand(p);
    *inner = IN_FLIP_FLOP;
    c->flip_flop = true;
    return keep(p, &c->state[0], argument) || keep(p, &c->state[1], second) ? -1 : 0;
  }
  if (outer == IN_CELL && (!strcmp(name, "latch") || !strcmp(name, "statetable")))
    cell_at_hand(p)->latch = true;
  else if (outer == IN_CELL && !strcmp(name, "memory"))
    cell_at_hand(p)->memory = true;
  else if (outer == IN_PIN && !strcmp(name, "timing"))
    cell_at_hand(p)->timed = true;
  return 0;
}

static int close_group(void *ctx) {
  struct parser *p = ctx;
  if (p->group[--p->depth] == IN_CELL && p->tristate)
    cell_at_hand(p)->latch = true; /* like a latch it is nothing to map logic to */
  return 0;
}

/* ---- the parts that cells play ---- */

static const struct ut_cell *smallest(const struct ut_liberty *l, unsigned inputs, int truth) {
  const struct ut_cell *best = NULL;
  for (size_t i = 0; i < l->cells; i++)
    if (ut_cell_truth(&l->cell[i], inputs) == truth && (!best || l->cell[i].area < best->area))
      best = &l->cell[i];
  return best;
}

static bool plain_buffer(const struct ut_cell *c) {
  return ut_cell_truth(c, 1) == 2 && !strcasestr(c->name, "clk");
}

/* The buffer with as many smaller ones as larger ones, or one more. */
static const struct ut_cell *middle_buffer(const struct ut_liberty *l) {
  size_t n = 0;
  for (size_t i = 0; i < l->cells; i++)
    n += plain_buffer(&l->cell[i]);
  for (size_t i = 0; i < l->cells; i++) {
    size_t smaller = 0;
    for (size_t j = 0; j < l->cells; j++)
      smaller += plain_buffer(&l->cell[j]) &&
                 (l->cell[j].area < l->cell[i].area || (l->cell[j].area == l->cell[i].area && j < i));
    if (plain_buffer(&l->cell[i]) && smaller == n / 2)
      return &l->cell[i];
  }
  return NULL;
}

static int cast(struct ut_liberty *l, struct ut_error *e) {
  for (size_t i = 0; i < l->cells && !l->flip_flop; i++)
    if (l->cell[i].flip_flop)
      l->flip_flop = &l->cell[i];
  l->nand2 = smallest(l, 2, 7);
  l->inverter = smallest(l, 1, 1);
  l->buffer = middle_buffer(l);
  if (!l->buffer)
    l->buffer = l->inverter;
  const char *missing = !l->cells             ? "cell"
                        : !l->flip_flop       ? "flip-flop (a cell with an ff group)"
                        : !l->nand2           ? "two-input NAND, which areas are counted in"
                        : !l->inverter        ? "inverter"
                        : l->nand2->area <= 0 ? "area of its two-input NAND"
                        : !l->nand2->timed || !l->inverter->timed || !l->flip_flop->timed
                            ? "timing of its two-input NAND, inverter or flip-flop (timing groups)"
                            : NULL;
  if (!missing)
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "the Liberty file %.900s has no %s: a switch cannot be mapped to it; name a standard-cell library, or "
                 "osu018 or osu035",
                 l->path, missing);
}

int ut_liberty_parse(struct ut_liberty *l, const char *text, size_t size, const char *path, struct ut_error *e) {
  *l = (struct ut_liberty){
      .path = strdup(path), .text = malloc(size + 1), .size = size, .time_ns = 1, .capacitance_pf = 1};
  if (!l->path || !l->text)
    return ut_fail_memory(e);
  memcpy(l->text, text, size);
  l->text[size] = '\0';
  struct parser p = {.l = l, .e = e};
  const struct ut_liberty_reader reader = {&p, set_attribute, read_list, open_group, close_group};
  return ut_liberty_walk(l->text, size, path, &reader, e) || cast(l, e) ? -1 : 0;
}

int ut_liberty_read(struct ut_liberty *l, const char *name, struct ut_error *e) {
  size_t size;
  const char *path = name;
  *l = (struct ut_liberty){0};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i].name))
      path = known[i].path;
  struct ut_error why;
  char *text = ut_input_read(path, "Liberty", UT_INPUT_ONCE, UT_LIMIT_FILE_BYTES, &size, &why);
  if (!text && path != name)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s; install it (Debian: apt-get install qflow-tech-%s) or name another one with --liberty FILE",
                   why.text, name);
  if (!text)
    return ut_fail(e, UT_BAD_INPUT, "%.900s; --liberty takes osu018, osu035 or a file", why.text);
  int status = ut_liberty_parse(l, text, size, path, e);
  free(text);
  return status;
}

void ut_liberty_free(struct ut_liberty *l) {
  for (size_t i = 0; i < l->cells; i++) {
    for (size_t j = 0; j < l->cell[i].pins; j++) {
      free(l->cell[i].pin[j].name);
      free(l->cell[i].pin[j].function);
    }
    free(l->cell[i].pin);
    free(l->cell[i].name);
    free(l->cell[i].state[0]);
    free(l->cell[i].state[1]);
    free(l->cell[i].next);
    free(l->cell[i].clock);
  }
  free(l->cell);
  free(l->path);
  free(l->library);
  free(l->text);
  *l = (struct ut_liberty){0};
}

const struct ut_cell *ut_liberty_cell(const struct ut_liberty *l, const char *name) {
  for (size_t i = 0; i < l->cells; i++)
    if (!strcmp(l->cell[i].name, name))
      return &l->cell[i];
  return NULL;
}

const struct ut_cell_pin *ut_cell_pin(const struct ut_cell *c, const char *name) {
  for (size_t i = 0; i < c->pins; i++)
    if (!strcmp(c->pin[i].name, name))
      return &c->pin[i];
  return NULL;
}
