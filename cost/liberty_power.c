/* SPDX-License-Identifier: Apache-2.0 */
/* liberty_power.c - see liberty_power.h */
#define _GNU_SOURCE
#include "liberty_power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "liberty_text.h"

/* ---- tables ---- */

/* The interval of an axis whose line is taken for x, and how far along it x lies. */
static unsigned interval(const double *index, unsigned points, double x, double *along) {
  unsigned i = 0;
  *along = 0;
  if (points < 2)
    return 0;
  while (i + 2 < points && x >= index[i + 1])
    i++;
  const double width = index[i + 1] - index[i];
  *along = width > 0 ? (x - index[i]) / width : 0;
  return i;
}

double ut_power_table_at(const struct ut_power_table *table, double slew_ns, double load_pf) {
  unsigned at[2], next[2];
  double along[2];
  if (!table->values)
    return 0;
  for (int d = 0; d < 2; d++) {
    at[d] = interval(table->index[d], table->points[d], table->axis[d] == UT_TABLE_AXIS_LOAD ? load_pf : slew_ns,
                     &along[d]);
    next[d] = at[d] + (table->points[d] > 1);
  }
  const unsigned columns = table->points[1] ? table->points[1] : 1;
  double row[2];
  for (int r = 0; r < 2; r++) {
    const double *values = table->value + (r ? next[0] : at[0]) * columns;
    row[r] = values[at[1]] * (1 - along[1]) + values[next[1]] * along[1];
  }
  return row[0] * (1 - along[0]) + row[1] * along[0];
}

static void free_table(struct ut_power_table *table) {
  free(table->index[0]);
  free(table->index[1]);
  free(table->value);
  *table = (struct ut_power_table){0};
}

/* ---- the file ---- */

enum group { LIBRARY, TEMPLATE, CONDITIONS, CELL, PIN, POWER, TIMING, TABLE, OTHER };

struct parser {
  struct ut_liberty_power *l;
  const char *path;
  struct ut_error *e;
  enum group group[UT_LIBERTY_DEPTH];
  unsigned depth;
  char conditions[128], wanted[128]; /* the operating conditions at hand, and those that hold by default */
  double voltage, wanted_voltage;    /* nominal; of the wanted conditions, 0: not seen */
  bool power;                        /* there is some internal power */
  struct ut_power_table *table[UT_EDGES];
};

static struct ut_power_cell *cell_of(const struct parser *parser) {
  return &parser->l->cell[parser->l->cells - 1];
}
static struct ut_power_pin *pin_of(const struct parser *parser) {
  const struct ut_power_cell *cell = cell_of(parser);
  return &cell->pin[cell->pins - 1];
}

/* A zeroed element behind the others; NULL: out of memory. */
static void *append(void **array, size_t *count, size_t size) {
  char *more = realloc(*array, (*count + 1) * size);
  if (!more)
    return NULL;
  *array = more;
  memset(more + *count * size, 0, size);
  return more + (*count)++ * size;
}

static int keep(char **to, const char *text, struct ut_error *e) {
  free(*to);
  *to = strdup(text);
  return *to ? 0 : ut_fail_memory(e);
}

static enum ut_table_axis axis_of(const char *variable) {
  if (strstr(variable, "capacitance"))
    return UT_TABLE_AXIS_LOAD;
  return UT_TABLE_AXIS_SLEW; /* input_net_transition, input_transition_time; of constraints it does not matter */
}

/* All numbers between ( and ); scale: of each. */
static int numbers(const struct ut_liberty_list *list, double scale, double **out, unsigned *count,
                   struct ut_error *e) {
  unsigned n = 0, room = 0;
  double *values = NULL;
  for (const char *p = list->begin; p < list->end;) {
    char *next;
    const double x = strtod(p, &next);
    if (next == p || next > list->end) {
      p++;
      continue;
    }
    if (n == room) {
      room = room ? 2 * room : 16;
      double *more = realloc(values, room * sizeof *more);
      if (!more) {
        free(values);
        return ut_fail_memory(e);
      }
      values = more;
    }
    values[n++] = x * scale;
    p = next;
  }
  free(*out);
  *out = values;
  *count = n;
  return 0;
}

static double unit(const char *text, const char *letters) {
  /* the value of a prefix in uW, pF, ns, or V */
  char *name;
  const double n = strtod(text, &name);
  static const struct {
    char prefix;
    double worth;
  } prefixes[] = {{'f', 1e-15}, {'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}};
  double worth = 1;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (name[0] == prefixes[i].prefix && strlen(name) > strlen(letters))
      worth = prefixes[i].worth;
  return (n > 0 ? n : 1) * worth;
}

static int pin_attribute(struct parser *parser, const char *name, const char *text) {
  struct ut_power_pin *pin = pin_of(parser);
  const double pf = strtod(text, NULL) * parser->l->capacitance_pf;
  if (!strcmp(name, "direction")) {
    pin->input = !strcmp(text, "input");
    pin->output = !strcmp(text, "output");
  } else if (!strcmp(name, "capacitance")) {
    for (int edge = 0; edge < UT_EDGES; edge++)
      if (!pin->edge_given[edge])
        pin->capacitance[edge] = pf;
  } else if (!strcmp(name, "rise_capacitance") || !strcmp(name, "fall_capacitance")) {
    const int edge = name[0] == 'r' ? UT_RISE : UT_FALL;
    pin->capacitance[edge] = pf;
    pin->edge_given[edge] = true;
  }
  return 0;
}

/* The first of several names. */
static int related(char **to, const char *text, struct ut_error *e) {
  char first[512];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(text, " "), text);
  return keep(to, first, e);
}

static int arc_attribute(struct parser *parser, const char *name, const char *text) {
  struct ut_power_pin *pin = pin_of(parser);
  struct ut_slew_arc *arc = &pin->arc[pin->arcs - 1];
  if (!strcmp(name, "related_pin"))
    return related(&arc->related, text, parser->e);
  if (!strcmp(name, "timing_sense")) {
    arc->positive = !strcmp(text, "positive_unate");
    arc->negative = !strcmp(text, "negative_unate");
  } else if (!strcmp(name, "timing_type")) {
    arc->falls = !strcmp(text, "falling_edge");
    arc->clocked = arc->falls || !strcmp(text, "rising_edge");
  }
  return 0;
}

static int attribute(void *ctx, const char *name, const char *text) {
  struct parser *parser = ctx;
  struct ut_liberty_power *power = parser->l;
  switch (parser->group[parser->depth - 1]) {
  case LIBRARY:
    if (!strcmp(name, "time_unit"))
      power->time_ns = unit(text, "s") * 1e9;
    else if (!strcmp(name, "leakage_power_unit"))
      power->leakage_uw = unit(text, "W") * 1e6;
    else if (!strcmp(name, "voltage_unit"))
      power->volt = unit(text, "V");
    else if (!strcmp(name, "nom_voltage"))
      parser->voltage = strtod(text, NULL) * power->volt;
    else if (!strcmp(name, "default_operating_conditions"))
      snprintf(parser->wanted, sizeof parser->wanted, "%s", text);
    return 0;
  case CONDITIONS:
    if (!strcmp(name, "voltage") && !parser->wanted_voltage)
      parser->wanted_voltage = strtod(text, NULL) * power->volt;
    return 0;
  case TEMPLATE:
    if (!strcmp(name, "variable_1") || !strcmp(name, "variable_2"))
      power->template[power->templates - 1].table.axis[name[9] - '1'] = axis_of(text);
    return 0;
  case CELL:
    if (!strcmp(name, "cell_leakage_power"))
      cell_of(parser)->leakage_uw = strtod(text, NULL) * power->leakage_uw;
    return 0;
  case PIN: return pin_attribute(parser, name, text);
  case POWER:
    if (!strcmp(name, "related_pin"))
      return related(&pin_of(parser)->group[pin_of(parser)->groups - 1].related, text, parser->e);
    return 0;
  case TIMING: return arc_attribute(parser, name, text);
  default: return 0;
  }
}

/* The values of a table in units of ours: of slews ns, of energies pJ. */
static double value_unit(const struct parser *parser) {
  const struct ut_liberty_power *power = parser->l;
  return parser->group[parser->depth - 2] == TIMING ? power->time_ns
                                                    : power->capacitance_pf * power->volt * power->volt;
}

static int list(void *ctx, const char *name, const struct ut_liberty_list *liberty_list) {
  struct parser *parser = ctx;
  struct ut_liberty_power *power = parser->l;
  const enum group group = parser->group[parser->depth - 1];
  if (group == LIBRARY && !strcmp(name, "capacitive_load_unit")) {
    char text[64];
    snprintf(text, sizeof text, "%.30s%.30s", liberty_list->word[0], liberty_list->word[1]);
    for (char *c = text; *c; c++)
      *c |= 0x20; /* pF, PF */
    power->capacitance_pf = unit(text, "f") * 1e12;
    return 0;
  }
  const bool index = !strcmp(name, "index_1") || !strcmp(name, "index_2");
  if (group == TEMPLATE && index) {
    struct ut_power_table *table = &power->template[power->templates - 1].table;
    const int d = name[6] - '1';
    const double scale = table->axis[d] == UT_TABLE_AXIS_LOAD ? power->capacitance_pf : power->time_ns;
    return numbers(liberty_list, scale, &table->index[d], &table->points[d], parser->e);
  }
  if (group != TABLE || !(index || !strcmp(name, "values")))
    return 0;
  for (int edge = 0; edge < UT_EDGES; edge++) {
    struct ut_power_table *table = parser->table[edge];
    if (!table)
      continue;
    const int d = index ? name[6] - '1' : 0;
    const double scale = table->axis[d] == UT_TABLE_AXIS_LOAD ? power->capacitance_pf : power->time_ns;
    if (index ? numbers(liberty_list, scale, &table->index[d], &table->points[d], parser->e)
              : numbers(liberty_list, value_unit(parser), &table->value, &table->values, parser->e))
      return -1;
  }
  return 0;
}

static const struct ut_power_table *template_of(const struct parser *parser, const char *name) {
  for (size_t i = 0; i < parser->l->templates; i++)
    if (!strcmp(parser->l->template[i].name, name))
      return &parser->l->template[i].table;
  return NULL;
}

/* A table of the form of its template, whose points may be given anew. */
static int begin_table(struct parser *parser, struct ut_power_table *table, const char *template) {
  const struct ut_power_table *form = template_of(parser, template);
  free_table(table);
  for (int d = 0; form && d < 2; d++) {
    table->axis[d] = form->axis[d];
    table->points[d] = form->points[d];
    if (!table->points[d])
      continue;
    table->index[d] = malloc(table->points[d] * sizeof *table->index[d]);
    if (!table->index[d])
      return ut_fail_memory(parser->e);
    memcpy(table->index[d], form->index[d], table->points[d] * sizeof *table->index[d]);
  }
  return 0;
}

static int open_table(struct parser *parser, const char *name, const char *template) {
  static const char *const edges[2][UT_EDGES] = {{"fall_power", "rise_power"}, {"fall_transition", "rise_transition"}};
  const bool timing = parser->group[parser->depth - 2] == TIMING;
  struct ut_power_pin *pin = pin_of(parser);
  for (int edge = 0; edge < UT_EDGES; edge++) {
    parser->table[edge] = NULL;
    if (strcmp(name, edges[timing][edge]) && (timing || strcmp(name, "power")))
      continue;
    parser->table[edge] = timing ? &pin->arc[pin->arcs - 1].table[edge] : &pin->group[pin->groups - 1].table[edge];
    *(timing ? &pin->arc[pin->arcs - 1].has[edge] : &pin->group[pin->groups - 1].has[edge]) = true;
    parser->power |= !timing;
    if (begin_table(parser, parser->table[edge], template))
      return -1;
  }
  return 0;
}

static int open_library_group(struct parser *parser, const char *name, const char *argument, enum group *inner) {
  struct ut_liberty_power *power = parser->l;
  if (!strcmp(name, "cell")) {
    struct ut_power_cell *cell = append((void **)&power->cell, &power->cells, sizeof *cell);
    *inner = CELL;
    return cell ? keep(&cell->name, argument, parser->e) : ut_fail_memory(parser->e);
  }
  if (!strcmp(name, "lu_table_template") || !strcmp(name, "power_lut_template")) {
    struct ut_power_template *power_template =
        append((void **)&power->template, &power->templates, sizeof *power_template);
    *inner = TEMPLATE;
    return power_template ? keep(&power_template->name, argument, parser->e) : ut_fail_memory(parser->e);
  }
  if (!strcmp(name, "operating_conditions") && (!parser->wanted[0] || !strcmp(parser->wanted, argument)))
    *inner = CONDITIONS;
  return 0;
}

static int open_group(void *ctx, const char *name, const char *argument, const char *second) {
  (void)second;
  struct parser *parser = ctx;
  const enum group outer = parser->depth ? parser->group[parser->depth - 1] : OTHER;
  enum group *inner = &parser->group[parser->depth++];
  *inner = parser->depth == 1 ? LIBRARY : OTHER;
  if (outer == LIBRARY)
    return open_library_group(parser, name, argument, inner);
  if (outer == CELL && !strcmp(name, "ff"))
    cell_of(parser)->flip_flop = true;
  if (outer == CELL && !strcmp(name, "pin")) {
    struct ut_power_cell *cell = cell_of(parser);
    struct ut_power_pin *pin = append((void **)&cell->pin, &cell->pins, sizeof *pin);
    *inner = PIN;
    return pin ? keep(&pin->name, argument, parser->e) : ut_fail_memory(parser->e);
  }
  if (outer == PIN && !strcmp(name, "internal_power")) {
    *inner = POWER;
    return append((void **)&pin_of(parser)->group, &pin_of(parser)->groups, sizeof(struct ut_power_group))
               ? 0
               : ut_fail_memory(parser->e);
  }
  if (outer == PIN && !strcmp(name, "timing")) {
    *inner = TIMING;
    return append((void **)&pin_of(parser)->arc, &pin_of(parser)->arcs, sizeof(struct ut_slew_arc))
               ? 0
               : ut_fail_memory(parser->e);
  }
  if (outer == POWER || outer == TIMING) {
    *inner = TABLE;
    return open_table(parser, name, argument);
  }
  return 0;
}

static int check_table(struct parser *parser, const struct ut_power_table *table) {
  const unsigned rows = table->points[0] ? table->points[0] : 1, columns = table->points[1] ? table->points[1] : 1;
  if (table->values == rows * columns)
    return 0;
  return ut_fail(
      parser->e, UT_BAD_INPUT,
      "the Liberty file %.900s: a table of cell %.100s, pin %.100s has %u values for %u x %u points; mend it, "
      "or name osu018 or osu035",
      parser->path, cell_of(parser)->name, pin_of(parser)->name, table->values, rows, columns);
}

static int close_group(void *ctx) {
  struct parser *parser = ctx;
  const enum group group = parser->group[--parser->depth];
  for (int edge = 0; group == TABLE && edge < UT_EDGES; edge++) {
    if (parser->table[edge] && check_table(parser, parser->table[edge]))
      return -1;
    parser->table[edge] = NULL;
  }
  return 0;
}

int ut_liberty_power_parse(struct ut_liberty_power *power, const char *text, size_t size, const char *path,
                           struct ut_error *e) {
  struct parser parser = {.l = power, .path = path, .e = e};
  const struct ut_liberty_reader reader = {&parser, attribute, list, open_group, close_group};
  *power = (struct ut_liberty_power){.time_ns = 1, .capacitance_pf = 1, .leakage_uw = 1e-3, .volt = 1};
  if (ut_liberty_walk(text, size, path, &reader, e))
    return -1;
  power->voltage = parser.wanted_voltage > 0 ? parser.wanted_voltage : parser.voltage;
  const char *missing = !parser.power         ? "power tables (internal_power groups)"
                        : power->voltage <= 0 ? "voltage (nom_voltage)"
                                              : NULL;
  return missing
             ? ut_fail(e, UT_BAD_INPUT,
                       "the Liberty file %.900s has no %s, so energies cannot be told; name one that has, or osu018 "
                       "or osu035",
                       path, missing)
             : 0;
}

/* ---- fini and lookup ---- */

static void free_pin(struct ut_power_pin *pin) {
  for (size_t i = 0; i < pin->groups; i++) {
    free(pin->group[i].related);
    for (int edge = 0; edge < UT_EDGES; edge++)
      free_table(&pin->group[i].table[edge]);
  }
  for (size_t i = 0; i < pin->arcs; i++) {
    free(pin->arc[i].related);
    for (int edge = 0; edge < UT_EDGES; edge++)
      free_table(&pin->arc[i].table[edge]);
  }
  free(pin->group);
  free(pin->arc);
  free(pin->name);
}

void ut_liberty_power_free(struct ut_liberty_power *power) {
  for (size_t i = 0; i < power->cells; i++) {
    for (size_t j = 0; j < power->cell[i].pins; j++)
      free_pin(&power->cell[i].pin[j]);
    free(power->cell[i].pin);
    free(power->cell[i].name);
  }
  for (size_t i = 0; i < power->templates; i++) {
    free_table(&power->template[i].table);
    free(power->template[i].name);
  }
  free(power->cell);
  free(power->template);
  *power = (struct ut_liberty_power){0};
}

const struct ut_power_cell *ut_power_cell(const struct ut_liberty_power *power, const char *name) {
  for (size_t i = 0; i < power->cells; i++)
    if (!strcmp(power->cell[i].name, name))
      return &power->cell[i];
  return NULL;
}

const struct ut_power_pin *ut_power_pin(const struct ut_power_cell *cell, const char *name) {
  for (size_t i = 0; i < cell->pins; i++)
    if (!strcmp(cell->pin[i].name, name))
      return &cell->pin[i];
  return NULL;
}
