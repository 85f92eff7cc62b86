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

double ut_power_table_at(const struct ut_power_table *t, double slew_ns, double load_pf) {
  unsigned at[2], next[2];
  double along[2];
  if (!t->values)
    return 0;
  for (int d = 0; d < 2; d++) {
    at[d] = interval(t->index[d], t->points[d], t->axis[d] == UT_TABLE_AXIS_LOAD ? load_pf : slew_ns, &along[d]);
    next[d] = at[d] + (t->points[d] > 1);
  }
  const unsigned columns = t->points[1] ? t->points[1] : 1;
  double row[2];
  for (int r = 0; r < 2; r++) {
    const double *values = t->value + (r ? next[0] : at[0]) * columns;
    row[r] = values[at[1]] * (1 - along[1]) + values[next[1]] * along[1];
  }
  return row[0] * (1 - along[0]) + row[1] * along[0];
}

static void free_table(struct ut_power_table *t) {
  free(t->index[0]);
  free(t->index[1]);
  free(t->value);
  *t = (struct ut_power_table){0};
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

static struct ut_power_cell *cell_of(const struct parser *p) {
  return &p->l->cell[p->l->cells - 1];
}
static struct ut_power_pin *pin_of(const struct parser *p) {
  const struct ut_power_cell *c = cell_of(p);
  return &c->pin[c->pins - 1];
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
  /* what a prefix is worth in uW, pF, ns, or V */
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

static int pin_attribute(struct parser *p, const char *name, const char *text) {
  struct ut_power_pin *pin = pin_of(p);
  const double pf = strtod(text, NULL) * p->l->capacitance_pf;
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

static int arc_attribute(struct parser *p, const char *name, const char *text) {
  struct ut_power_pin *pin = pin_of(p);
  struct ut_slew_arc *a = &pin->arc[pin->arcs - 1];
  if (!strcmp(name, "related_pin"))
    return related(&a->related, text, p->e);
  if (!strcmp(name, "timing_sense")) {
    a->positive = !strcmp(text, "positive_unate");
    a->negative = !strcmp(text, "negative_unate");
  } else if (!strcmp(name, "timing_type")) {
    a->falls = !strcmp(text, "falling_edge");
    a->clocked = a->falls || !strcmp(text, "rising_edge");
  }
  return 0;
}

static int attribute(void *ctx, const char *name, const char *text) {
  struct parser *p = ctx;
  struct ut_liberty_power *l = p->l;
  switch (p->group[p->depth - 1]) {
  case LIBRARY:
    if (!strcmp(name, "time_unit"))
      l->time_ns = unit(text, "s") * 1e9;
    else if (!strcmp(name, "leakage_power_unit"))
      l->leakage_uw = unit(text, "W") * 1e6;
    else if (!strcmp(name, "voltage_unit"))
      l->volt = unit(text, "V");
    else if (!strcmp(name, "nom_voltage"))
      p->voltage = strtod(text, NULL) * l->volt;
    else if (!strcmp(name, "default_operating_conditions"))
      snprintf(p->wanted, sizeof p->wanted, "%s", text);
    return 0;
  case CONDITIONS:
    if (!strcmp(name, "voltage") && !p->wanted_voltage)
      p->wanted_voltage = strtod(text, NULL) * l->volt;
    return 0;
  case TEMPLATE:
    if (!strcmp(name, "variable_1") || !strcmp(name, "variable_2"))
      l->template[l->templates - 1].table.axis[name[9] - '1'] = axis_of(text);
    return 0;
  case CELL:
    if (!strcmp(name, "cell_leakage_power"))
      cell_of(p)->leakage_uw = strtod(text, NULL) * l->leakage_uw;
    return 0;
  case PIN: return pin_attribute(p, name, text);
  case POWER:
    if (!strcmp(name, "related_pin"))
      return related(&pin_of(p)->group[pin_of(p)->groups - 1].related, text, p->e);
    return 0;
  case TIMING: return arc_attribute(p, name, text);
  default: return 0;
  }
}

/* The values of a table in units of ours: of slews ns, of energies pJ. */
static double value_unit(const struct parser *p) {
  const struct ut_liberty_power *l = p->l;
  return p->group[p->depth - 2] == TIMING ? l->time_ns : l->capacitance_pf * l->volt * l->volt;
}

static int list(void *ctx, const char *name, const struct ut_liberty_list *a) {
  struct parser *p = ctx;
  struct ut_liberty_power *l = p->l;
  const enum group group = p->group[p->depth - 1];
  if (group == LIBRARY && !strcmp(name, "capacitive_load_unit")) {
    char text[64];
    snprintf(text, sizeof text, "%.30s%.30s", a->word[0], a->word[1]);
    for (char *c = text; *c; c++)
      *c |= 0x20; /* pF, PF */
    l->capacitance_pf = unit(text, "f") * 1e12;
    return 0;
  }
  const bool index = !strcmp(name, "index_1") || !strcmp(name, "index_2");
  if (group == TEMPLATE && index) {
    struct ut_power_table *t = &l->template[l->templates - 1].table;
    const int d = name[6] - '1';
    const double scale = t->axis[d] == UT_TABLE_AXIS_LOAD ? l->capacitance_pf : l->time_ns;
    return numbers(a, scale, &t->index[d], &t->points[d], p->e);
  }
  if (group != TABLE || !(index || !strcmp(name, "values")))
    return 0;
  for (int edge = 0; edge < UT_EDGES; edge++) {
    struct ut_power_table *t = p->table[edge];
    if (!t)
      continue;
    const int d = index ? name[6] - '1' : 0;
    const double scale = t->axis[d] == UT_TABLE_AXIS_LOAD ? l->capacitance_pf : l->time_ns;
    if (index ? numbers(a, scale, &t->index[d], &t->points[d], p->e)
              : numbers(a, value_unit(p), &t->value, &t->values, p->e))
      return -1;
  }
  return 0;
}

static const struct ut_power_table *template_of(const struct parser *p, const char *name) {
  for (size_t i = 0; i < p->l->templates; i++)
    if (!strcmp(p->l->template[i].name, name))
      return &p->l->template[i].table;
  return NULL;
}

/* A table of the form of its template, whose points may be given anew. */
static int begin_table(struct parser *p, struct ut_power_table *t, const char *template) {
  const struct ut_power_table *form = template_of(p, template);
  free_table(t);
  for (int d = 0; form && d < 2; d++) {
    t->axis[d] = form->axis[d];
    t->points[d] = form->points[d];
    if (!t->points[d])
      continue;
    t->index[d] = malloc(t->points[d] * sizeof *t->index[d]);
    if (!t->index[d])
      return ut_fail_memory(p->e);
    memcpy(t->index[d], form->index[d], t->points[d] * sizeof *t->index[d]);
  }
  return 0;
}

static int open_table(struct parser *p, const char *name, const char *template) {
  static const char *const edges[2][UT_EDGES] = {{"fall_power", "rise_power"}, {"fall_transition", "rise_transition"}};
  const bool timing = p->group[p->depth - 2] == TIMING;
  struct ut_power_pin *pin = pin_of(p);
  for (int edge = 0; edge < UT_EDGES; edge++) {
    p->table[edge] = NULL;
    if (strcmp(name, edges[timing][edge]) && (timing || strcmp(name, "power")))
      continue;
    p->table[edge] = timing ? &pin->arc[pin->arcs - 1].table[edge] : &pin->group[pin->groups - 1].table[edge];
    *(timing ? &pin->arc[pin->arcs - 1].has[edge] : &pin->group[pin->groups - 1].has[edge]) = true;
    p->power |= !timing;
    if (begin_table(p, p->table[edge], template))
      return -1;
  }
  return 0;
}

static int open_library_group(struct parser *p, const char *name, const char *argument, enum group *inner) {
  struct ut_liberty_power *l = p->l;
  if (!strcmp(name, "cell")) {
    struct ut_power_cell *c = append((void **)&l->cell, &l->cells, sizeof *c);
    *inner = CELL;
    return c ? keep(&c->name, argument, p->e) : ut_fail_memory(p->e);
  }
  if (!strcmp(name, "lu_table_template") || !strcmp(name, "power_lut_template")) {
    struct ut_power_template *t = append((void **)&l->template, &l->templates, sizeof *t);
    *inner = TEMPLATE;
    return t ? keep(&t->name, argument, p->e) : ut_fail_memory(p->e);
  }
  if (!strcmp(name, "operating_conditions") && (!p->wanted[0] || !strcmp(p->wanted, argument)))
    *inner = CONDITIONS;
  return 0;
}

static int open_group(void *ctx, const char *name, const char *argument, const char *second) {
  (void)second;
  struct parser *p = ctx;
  const enum group outer = p->depth ? p->group[p->depth - 1] : OTHER;
  enum group *inner = &p->group[p->depth++];
  *inner = p->depth == 1 ? LIBRARY : OTHER;
  if (outer == LIBRARY)
    return open_library_group(p, name, argument, inner);
  if (outer == CELL && !strcmp(name, "ff"))
    cell_of(p)->flip_flop = true;
  if (outer == CELL && !strcmp(name, "pin")) {
    struct ut_power_cell *c = cell_of(p);
    struct ut_power_pin *pin = append((void **)&c->pin, &c->pins, sizeof *pin);
    *inner = PIN;
    return pin ? keep(&pin->name, argument, p->e) : ut_fail_memory(p->e);
  }
  if (outer == PIN && !strcmp(name, "internal_power")) {
    *inner = POWER;
    return append((void **)&pin_of(p)->group, &pin_of(p)->groups, sizeof(struct ut_power_group)) ? 0
                                                                                                 : ut_fail_memory(p->e);
  }
  if (outer == PIN && !strcmp(name, "timing")) {
    *inner = TIMING;
    return append((void **)&pin_of(p)->arc, &pin_of(p)->arcs, sizeof(struct ut_slew_arc)) ? 0 : ut_fail_memory(p->e);
  }
  if (outer == POWER || outer == TIMING) {
    *inner = TABLE;
    return open_table(p, name, argument);
  }
  return 0;
}

static int check_table(struct parser *p, const struct ut_power_table *t) {
  const unsigned rows = t->points[0] ? t->points[0] : 1, columns = t->points[1] ? t->points[1] : 1;
  if (t->values == rows * columns)
    return 0;
  return ut_fail(
      p->e, UT_BAD_INPUT,
      "the Liberty file %.900s: a table of cell %.100s, pin %.100s has %u values for %u x %u points; mend it, "
      "or name osu018 or osu035",
      p->path, cell_of(p)->name, pin_of(p)->name, t->values, rows, columns);
}

static int close_group(void *ctx) {
  struct parser *p = ctx;
  const enum group group = p->group[--p->depth];
  for (int edge = 0; group == TABLE && edge < UT_EDGES; edge++) {
    if (p->table[edge] && check_table(p, p->table[edge]))
      return -1;
    p->table[edge] = NULL;
  }
  return 0;
}

int ut_liberty_power_parse(struct ut_liberty_power *l, const char *text, size_t size, const char *path,
                           struct ut_error *e) {
  struct parser p = {.l = l, .path = path, .e = e};
  const struct ut_liberty_reader reader = {&p, attribute, list, open_group, close_group};
  *l = (struct ut_liberty_power){.time_ns = 1, .capacitance_pf = 1, .leakage_uw = 1e-3, .volt = 1};
  if (ut_liberty_walk(text, size, path, &reader, e))
    return -1;
  l->voltage = p.wanted_voltage > 0 ? p.wanted_voltage : p.voltage;
  const char *missing = !p.power          ? "power tables (internal_power groups)"
                        : l->voltage <= 0 ? "voltage (nom_voltage)"
                                          : NULL;
  return missing
             ? ut_fail(e, UT_BAD_INPUT,
                       "the Liberty file %.900s has no %s, so energies cannot be told; name one that has, or osu018 "
                       "or osu035",
                       path, missing)
             : 0;
}

/* ---- who is there ---- */

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

void ut_liberty_power_free(struct ut_liberty_power *l) {
  for (size_t i = 0; i < l->cells; i++) {
    for (size_t j = 0; j < l->cell[i].pins; j++)
      free_pin(&l->cell[i].pin[j]);
    free(l->cell[i].pin);
    free(l->cell[i].name);
  }
  for (size_t i = 0; i < l->templates; i++) {
    free_table(&l->template[i].table);
    free(l->template[i].name);
  }
  free(l->cell);
  free(l->template);
  *l = (struct ut_liberty_power){0};
}

const struct ut_power_cell *ut_power_cell(const struct ut_liberty_power *l, const char *name) {
  for (size_t i = 0; i < l->cells; i++)
    if (!strcmp(l->cell[i].name, name))
      return &l->cell[i];
  return NULL;
}

const struct ut_power_pin *ut_power_pin(const struct ut_power_cell *c, const char *name) {
  for (size_t i = 0; i < c->pins; i++)
    if (!strcmp(c->pin[i].name, name))
      return &c->pin[i];
  return NULL;
}
