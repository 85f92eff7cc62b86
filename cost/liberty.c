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

/* Returns input pin `name` for each combination of all inputs, as bits; UINT_MAX: there is no such pin. */
static unsigned pattern_of(const struct ut_cell *cell, const char *name) {
  static const unsigned patterns[MAX_INPUTS] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  for (size_t i = 0, input = 0; i < cell->pins; i++) {
    if (cell->pin[i].input && !strcmp(cell->pin[i].name, name))
      return patterns[input];
    input += cell->pin[i].input;
  }
  return UINT_MAX;
}

/* Returns the truth table of a function, over all combinations; -1: it uses a name that is no input. */
static int table_of(const struct ut_cell *cell, const struct ut_function *function) {
  unsigned stack[UT_FUNCTION_STEPS], n = 0;
  for (unsigned i = 0; i < function->steps; i++) {
    const enum ut_function_kind kind = function->step[i].kind;
    switch (kind) {
    case UT_FUNCTION_PIN:
      if ((stack[n++] = pattern_of(cell, function->step[i].name)) == UINT_MAX)
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

int ut_cell_truth(const struct ut_cell *cell, unsigned inputs) {
  const char *text = NULL;
  struct ut_function function;
  unsigned found = 0, outputs = 0;
  for (size_t i = 0; i < cell->pins; i++) {
    found += cell->pin[i].input;
    outputs += cell->pin[i].output;
    if (cell->pin[i].output)
      text = cell->pin[i].function;
  }
  if (cell->flip_flop || cell->latch || outputs != 1 || found != inputs || inputs > MAX_INPUTS || !text ||
      !ut_function_read(&function, text))
    return -1;
  const int table = table_of(cell, &function);
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

static struct ut_cell *cell_at_hand(const struct parser *parser) {
  return &parser->l->cell[parser->l->cells - 1];
}

/* Names of cells appear in scripts of Yosys, abc and OpenSTA, where other letters could be commands. */
static int check_cell(const struct parser *parser, const char *name) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
  if (*name && !name[strspn(name, plain)])
    return 0;
  return ut_fail(
      parser->e, UT_BAD_INPUT,
      "the Liberty file %.900s has a cell named '%.200s': expected letters, digits, _ and . alone; rename it",
      parser->l->path, name);
}

static int add_cell(struct parser *parser, const char *name) {
  struct ut_liberty *liberty = parser->l;
  if (check_cell(parser, name))
    return -1;
  struct ut_cell *more = realloc(liberty->cell, (liberty->cells + 1) * sizeof *more);
  if (!more)
    return ut_fail_memory(parser->e);
  liberty->cell = more;
  liberty->cell[liberty->cells] = (struct ut_cell){.name = strdup(name)};
  parser->tristate = false;
  return liberty->cell[liberty->cells++].name ? 0 : ut_fail_memory(parser->e);
}

static int add_pin(struct parser *parser, struct ut_cell *cell, const char *name) {
  struct ut_cell_pin *more = realloc(cell->pin, (cell->pins + 1) * sizeof *more);
  if (!more)
    return ut_fail_memory(parser->e);
  cell->pin = more;
  cell->pin[cell->pins] = (struct ut_cell_pin){.name = strdup(name)};
  return cell->pin[cell->pins++].name ? 0 : ut_fail_memory(parser->e);
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

static int keep(struct parser *parser, char **to, const char *text) {
  free(*to);
  *to = strdup(text);
  return *to ? 0 : ut_fail_memory(parser->e);
}

static int set_of_flip_flop(struct parser *parser, struct ut_cell *cell, const char *name, const char *text) {
  cell->asynchronous |= !strcmp(name, "clear") || !strcmp(name, "preset");
  if (!strcmp(name, "next_state"))
    return keep(parser, &cell->next, text);
  return !strcmp(name, "clocked_on") ? keep(parser, &cell->clock, text) : 0;
}

static int set_attribute(void *ctx, const char *name, const char *text) {
  struct parser *parser = ctx;
  const enum group group = parser->group[parser->depth - 1];
  if (group == IN_LIBRARY && !strcmp(name, "time_unit"))
    parser->l->time_ns = time_unit(text);
  if (group == IN_CELL && !strcmp(name, "area"))
    cell_at_hand(parser)->area = strtod(text, NULL);
  if (group == IN_FLIP_FLOP)
    return set_of_flip_flop(parser, cell_at_hand(parser), name, text);
  if (group != IN_PIN)
    return 0;
  struct ut_cell *cell = cell_at_hand(parser);
  struct ut_cell_pin *pin = &cell->pin[cell->pins - 1];
  if (!strcmp(name, "direction")) {
    pin->input = !strcmp(text, "input");
    pin->output = !strcmp(text, "output");
  } else if (!strcmp(name, "three_state")) {
    parser->tristate = true;
  } else if (!strcmp(name, "function") && !pin->function) {
    return keep(parser, &pin->function, text);
  }
  return 0;
}

static int read_list(void *ctx, const char *name, const struct ut_liberty_list *list) {
  struct parser *parser = ctx;
  if (list->words == 2 && parser->group[parser->depth - 1] == IN_LIBRARY && !strcmp(name, "capacitive_load_unit"))
    parser->l->capacitance_pf = capacitance_unit(list);
  return 0;
}

/* A cell, a pin of it, or what says something of the cell at hand; the library itself first. */
static int open_group(void *ctx, const char *name, const char *argument, const char *second) {
  struct parser *parser = ctx;
  enum group outer = parser->depth ? parser->group[parser->depth - 1] : IN_OTHER,
             *inner = &parser->group[parser->depth++];
  *inner = IN_OTHER;
  if (parser->depth == 1) {
    *inner = IN_LIBRARY;
    parser->l->library = strdup(argument);
    return parser->l->library ? 0 : ut_fail_memory(parser->e);
  }
  if (outer == IN_LIBRARY && !strcmp(name, "cell")) {
    *inner = IN_CELL;
    return add_cell(parser, argument);
  }
  if (outer == IN_CELL && !strcmp(name, "pin")) {
    *inner = IN_PIN;
    return add_pin(parser, cell_at_hand(parser), argument);
  }
  if (outer == IN_CELL && !strcmp(name, "ff")) {
    struct ut_cell *cell = cell_at_hand(parser);
    *inner = IN_FLIP_FLOP;
    cell->flip_flop = true;
    return keep(parser, &cell->state[0], argument) || keep(parser, &cell->state[1], second) ? -1 : 0;
  }
  if (outer == IN_CELL && (!strcmp(name, "latch") || !strcmp(name, "statetable")))
    cell_at_hand(parser)->latch = true;
  else if (outer == IN_CELL && !strcmp(name, "memory"))
    cell_at_hand(parser)->memory = true;
  else if (outer == IN_PIN && !strcmp(name, "timing"))
    cell_at_hand(parser)->timed = true;
  return 0;
}

static int close_group(void *ctx) {
  struct parser *parser = ctx;
  if (parser->group[--parser->depth] == IN_CELL && parser->tristate)
    cell_at_hand(parser)->latch = true; /* like a latch it is nothing to map logic to */
  return 0;
}

/* ---- the roles that cells play ---- */

static const struct ut_cell *smallest(const struct ut_liberty *liberty, unsigned inputs, int truth) {
  const struct ut_cell *best = NULL;
  for (size_t i = 0; i < liberty->cells; i++)
    if (ut_cell_truth(&liberty->cell[i], inputs) == truth && (!best || liberty->cell[i].area < best->area))
      best = &liberty->cell[i];
  return best;
}

static bool plain_buffer(const struct ut_cell *cell) {
  return ut_cell_truth(cell, 1) == 2 && !strcasestr(cell->name, "clk");
}

/* The buffer with as many smaller ones as larger ones, or one more. */
static const struct ut_cell *middle_buffer(const struct ut_liberty *liberty) {
  size_t n = 0;
  for (size_t i = 0; i < liberty->cells; i++)
    n += plain_buffer(&liberty->cell[i]);
  for (size_t i = 0; i < liberty->cells; i++) {
    size_t smaller = 0;
    for (size_t j = 0; j < liberty->cells; j++)
      smaller += plain_buffer(&liberty->cell[j]) && (liberty->cell[j].area < liberty->cell[i].area ||
                                                     (liberty->cell[j].area == liberty->cell[i].area && j < i));
    if (plain_buffer(&liberty->cell[i]) && smaller == n / 2)
      return &liberty->cell[i];
  }
  return NULL;
}

static int cast(struct ut_liberty *liberty, struct ut_error *e) {
  for (size_t i = 0; i < liberty->cells && !liberty->flip_flop; i++)
    if (liberty->cell[i].flip_flop)
      liberty->flip_flop = &liberty->cell[i];
  liberty->nand2 = smallest(liberty, 2, 7);
  liberty->inverter = smallest(liberty, 1, 1);
  liberty->buffer = middle_buffer(liberty);
  if (!liberty->buffer)
    liberty->buffer = liberty->inverter;
  const char *missing = !liberty->cells             ? "cell"
                        : !liberty->flip_flop       ? "flip-flop (a cell with an ff group)"
                        : !liberty->nand2           ? "two-input NAND, which areas are counted in"
                        : !liberty->inverter        ? "inverter"
                        : liberty->nand2->area <= 0 ? "area of its two-input NAND"
                        : !liberty->nand2->timed || !liberty->inverter->timed || !liberty->flip_flop->timed
                            ? "timing of its two-input NAND, inverter or flip-flop (timing groups)"
                            : NULL;
  if (!missing)
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "the Liberty file %.900s has no %s: a switch cannot be mapped to it; name a standard-cell library, or "
                 "osu018 or osu035",
                 liberty->path, missing);
}

int ut_liberty_parse(struct ut_liberty *liberty, const char *text, size_t size, const char *path, struct ut_error *e) {
  *liberty = (struct ut_liberty){
      .path = strdup(path), .text = malloc(size + 1), .size = size, .time_ns = 1, .capacitance_pf = 1};
  if (!liberty->path || !liberty->text)
    return ut_fail_memory(e);
  memcpy(liberty->text, text, size);
  liberty->text[size] = '\0';
  struct parser parser = {.l = liberty, .e = e};
  const struct ut_liberty_reader reader = {&parser, set_attribute, read_list, open_group, close_group};
  return ut_liberty_walk(liberty->text, size, path, &reader, e) || cast(liberty, e) ? -1 : 0;
}

int ut_liberty_read(struct ut_liberty *liberty, const char *name, struct ut_error *e) {
  size_t size;
  const char *path = name;
  *liberty = (struct ut_liberty){0};
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
  int status = ut_liberty_parse(liberty, text, size, path, e);
  free(text);
  return status;
}

void ut_liberty_free(struct ut_liberty *liberty) {
  for (size_t i = 0; i < liberty->cells; i++) {
    for (size_t j = 0; j < liberty->cell[i].pins; j++) {
      free(liberty->cell[i].pin[j].name);
      free(liberty->cell[i].pin[j].function);
    }
    free(liberty->cell[i].pin);
    free(liberty->cell[i].name);
    free(liberty->cell[i].state[0]);
    free(liberty->cell[i].state[1]);
    free(liberty->cell[i].next);
    free(liberty->cell[i].clock);
  }
  free(liberty->cell);
  free(liberty->path);
  free(liberty->library);
  free(liberty->text);
  *liberty = (struct ut_liberty){0};
}

const struct ut_cell *ut_liberty_cell(const struct ut_liberty *liberty, const char *name) {
  for (size_t i = 0; i < liberty->cells; i++)
    if (!strcmp(liberty->cell[i].name, name))
      return &liberty->cell[i];
  return NULL;
}

const struct ut_cell_pin *ut_cell_pin(const struct ut_cell *cell, const char *name) {
  for (size_t i = 0; i < cell->pins; i++)
    if (!strcmp(cell->pin[i].name, name))
      return &cell->pin[i];
  return NULL;
}
