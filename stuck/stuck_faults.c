/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_faults.c - see stuck_faults.h */
#include "stuck_faults.h"

#include <stdlib.h>
#include <string.h>

#include "liberty_function.h"
#include "random.h"

#define NOBODY UINT32_MAX
enum { MOST_INPUTS = 6 };            /* of a cell whose truth table fits into a word */
enum { LISTED = UT_STUCK_VERDICTS }; /* for a while */

static bool is_output(const struct ut_cell *cell, const char *name) {
  const struct ut_cell_pin *pin = ut_cell_pin(cell, name);
  return pin && pin->output;
}

/* Who drives and how many read each net. */
static void connect(struct ut_stuck_faults *f, const struct ut_liberty *l, uint32_t *readers) {
  const struct ut_gates *g = &f->circuit->gates;
  memset(f->driver, 0xff, g->nets * sizeof *f->driver);
  for (size_t n = 0; n < g->nets; n++)
    readers[n] = g->net[n].outputs;
  for (uint32_t i = 0; i < g->gates; i++) {
    const struct ut_cell *cell = ut_liberty_cell(l, g->gate[i].type);
    for (size_t p = g->gate[i].pin; p < g->gate[i].pin + g->gate[i].pins; p++) {
      const uint32_t net = g->pin[p].net;
      const bool output = net != UT_GATE_CONSTANT && is_output(cell, g->pin[p].name);
      if (output)
        f->driver[net] = i;
      if (net != UT_GATE_CONSTANT && (!output || cell->flip_flop)) /* what a flip-flop shows is seen */
        readers[net]++;
    }
  }
}

/* ---- truth tables ---- */

/* A gate with one output: where its inputs stand in gates.pin[], and what they make of it, a bit for each of their
 * values. */
struct truth {
  size_t input[MOST_INPUTS], output;
  unsigned inputs;
  uint64_t table;
};

static uint64_t column(unsigned input) {
  static const uint64_t columns[MOST_INPUTS] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                                UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
                                                UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};
  return columns[input];
}

static bool operand(const struct ut_gates *g, const struct truth *t, const char *name, uint64_t *value) {
  for (unsigned i = 0; i < t->inputs; i++)
    if (!strcmp(g->pin[t->input[i]].name, name)) {
      const struct ut_gate_pin *pin = &g->pin[t->input[i]];
      *value = pin->net != UT_GATE_CONSTANT ? column(i) : pin->one ? UINT64_MAX : 0;
      return true;
    }
  return false;
}

static bool evaluate(const struct ut_gates *g, struct truth *t, const char *text) {
  struct ut_function f;
  uint64_t stack[UT_FUNCTION_STEPS];
  unsigned n = 0;
  if (!text || !ut_function_read(&f, text))
    return false;
  for (unsigned i = 0; i < f.steps; i++)
    switch (f.step[i].kind) {
    case UT_FUNCTION_PIN:
      if (!operand(g, t, f.step[i].name, &stack[n++]))
        return false;
      break;
    case UT_FUNCTION_ZERO: stack[n++] = 0; break;
    case UT_FUNCTION_ONE: stack[n++] = UINT64_MAX; break;
    case UT_FUNCTION_NOT: stack[n - 1] = ~stack[n - 1]; break;
    case UT_FUNCTION_AND: n--, stack[n - 1] &= stack[n]; break;
    case UT_FUNCTION_OR: n--, stack[n - 1] |= stack[n]; break;
    case UT_FUNCTION_XOR: n--, stack[n - 1] ^= stack[n]; break;
    }
  t->table = stack[0];
  return true;
}

/* false: a flip-flop, a cell of several outputs or of many inputs. */
static bool find_truth(const struct ut_gates *g, const struct ut_gate *gate, const struct ut_cell *cell,
                       struct truth *t) {
  unsigned outputs = 0;
  *t = (struct truth){0};
  for (size_t p = gate->pin; p < gate->pin + gate->pins; p++)
    if (is_output(cell, g->pin[p].name))
      t->output = p, outputs++;
    else if (t->inputs < MOST_INPUTS)
      t->input[t->inputs++] = p;
    else
      return false;
  return !cell->flip_flop && outputs == 1 && g->pin[t->output].net != UT_GATE_CONSTANT &&
         evaluate(g, t, ut_cell_pin(cell, g->pin[t->output].name)->function);
}

/* ---- classes ---- */

/* Inputs that fix the output of a gate, and are read by nobody else. */
static void join(struct ut_stuck_faults *f, const struct truth *t, const uint32_t *readers) {
  const struct ut_gates *g = &f->circuit->gates;
  for (unsigned i = 0; i < t->inputs; i++) {
    const uint32_t net = g->pin[t->input[i]].net, out = g->pin[t->output].net;
    for (uint32_t value = 0; value < 2 && net != UT_GATE_CONSTANT && readers[net] == 1; value++) {
      const uint64_t rows = value ? column(i) : ~column(i), shown = t->table & rows;
      if ((shown == 0 || shown == rows) && f->class[2 * net + value] != NOBODY)
        f->class[2 * net + value] = 2 * out + (shown != 0);
    }
  }
}

static void classify(struct ut_stuck_faults *f, const struct ut_liberty *l, const uint32_t *readers) {
  const struct ut_circuit *c = f->circuit;
  const struct ut_gates *g = &c->gates;
  struct truth t;
  for (uint32_t i = 0; i < 2 * g->nets; i++) {
    const bool there = c->op[c->net[i / 2]].kind == UT_OP_NET && strcmp(g->net[i / 2].name, "clk_i");
    f->class[i] = there ? i : NOBODY;
    f->chosen[i] = there;
    f->faults += there;
  }
  for (size_t i = 0; i < g->gates; i++)
    if (find_truth(g, &g->gate[i], ut_liberty_cell(l, g->gate[i].type), &t))
      join(f, &t, readers);
  for (uint32_t i = 0; i < 2 * g->nets; i++) {
    while (f->class[i] != NOBODY && f->class[f->class[i]] != f->class[i])
      f->class[i] = f->class[f->class[i]];
    f->classes += f->class[i] == i;
  }
}

/* Outputs, what flip-flops take over, and what they show. */
static void find_shown(struct ut_stuck_faults *f) {
  const struct ut_circuit *c = f->circuit;
  const struct ut_gates *g = &c->gates;
  for (size_t i = 0; i < c->states; i++)
    f->shown[c->next[i]] = true;
  for (const struct ut_gate_name *n = g->name; n < g->name + g->names; n++)
    for (size_t i = n->bit; i < n->bit + n->width && n->kind == UT_GATE_OUTPUT; i++)
      f->shown[c->bit[i]] = true;
  for (size_t i = 0; i < c->ops; i++) {
    const struct ut_op *from = &c->op[c->op[i].a];
    if (c->op[i].kind != UT_OP_NET)
      continue;
    if (from->kind == UT_OP_NOT)
      from = &c->op[from->a];
    f->shown[i] |= from->kind == UT_OP_STATE;
  }
}

/* ---- resets ---- */

/* In a reset: known whatever flip-flops held before, and perhaps one value whatever the inputs are. */
enum settled { HANGS_ON_STATE, HANGS_ON_INPUTS, IS_ZERO, IS_ONE };

static enum settled inverse(enum settled x) {
  return x == IS_ZERO ? IS_ONE : x == IS_ONE ? IS_ZERO : x;
}

static enum settled settled_and(enum settled x, enum settled y) {
  if (x == IS_ZERO || y == IS_ZERO)
    return IS_ZERO;
  if (x == IS_ONE || y == IS_ONE)
    return x == IS_ONE ? y : x;
  return x < y ? x : y;
}

static enum settled settled_op(const struct ut_op *op, const enum settled *v) {
  switch (op->kind) {
  case UT_OP_ZERO: return IS_ZERO;
  case UT_OP_ONE: return IS_ONE;
  case UT_OP_INPUT: return HANGS_ON_INPUTS;
  case UT_OP_STATE: return HANGS_ON_STATE;
  case UT_OP_NOT: return inverse(v[op->a]);
  case UT_OP_NET: return v[op->a];
  case UT_OP_AND: return settled_and(v[op->a], v[op->b]);
  case UT_OP_OR: return inverse(settled_and(inverse(v[op->a]), inverse(v[op->b])));
  default: break;
  }
  if (v[op->a] >= IS_ZERO && v[op->b] >= IS_ZERO)
    return v[op->a] == v[op->b] ? IS_ZERO : IS_ONE;
  return v[op->a] == HANGS_ON_STATE || v[op->b] == HANGS_ON_STATE ? HANGS_ON_STATE : HANGS_ON_INPUTS;
}

static bool find_settled(struct ut_stuck_faults *f) {
  const struct ut_circuit *c = f->circuit;
  enum settled *v = malloc(c->ops * sizeof *v);
  const struct ut_gate_name *reset = ut_gates_name(&c->gates, "rst_i");
  uint32_t inverse;
  f->reset = reset ? ut_circuit_source(c, c->bit[reset->bit], &inverse) : UT_OP_ZERO;
  for (size_t i = 0; v && i < c->ops; i++) {
    v[i] = f->reset && i == f->reset ? IS_ONE : settled_op(&c->op[i], v);
    f->settled[i] = v[i] != HANGS_ON_STATE;
  }
  free(v);
  return v;
}

int ut_stuck_faults_make(struct ut_stuck_faults *f, const struct ut_circuit *c, const struct ut_liberty *l,
                         struct ut_error *e) {
  const size_t nets = c->gates.nets;
  uint32_t *readers = calloc(nets + 1, sizeof *readers);
  *f = (struct ut_stuck_faults){.circuit = c,
                                .driver = malloc((nets + 1) * sizeof *f->driver),
                                .class = malloc((2 * nets + 1) * sizeof *f->class),
                                .verdict = calloc(2 * nets + 1, sizeof *f->verdict),
                                .by = calloc(2 * nets + 1, sizeof *f->by),
                                .chosen = calloc(2 * nets + 1, sizeof *f->chosen),
                                .shown = calloc(c->ops, sizeof *f->shown),
                                .settled = calloc(c->ops, sizeof *f->settled)};
  const bool room =
      readers && f->driver && f->class && f->verdict && f->by && f->chosen && f->shown && f->settled && find_settled(f);
  if (room) {
    connect(f, l, readers);
    classify(f, l, readers);
    find_shown(f);
  }
  free(readers);
  return room ? 0 : ut_fail_memory(e);
}

void ut_stuck_faults_free(struct ut_stuck_faults *f) {
  free(f->driver);
  free(f->class);
  free(f->verdict);
  free(f->by);
  free(f->chosen);
  free(f->shown);
  free(f->settled);
  *f = (struct ut_stuck_faults){0};
}

void ut_stuck_faults_sample(struct ut_stuck_faults *f, size_t count, uint64_t seed) {
  struct ut_random random;
  size_t left = f->faults;
  ut_random_init(&random, seed, UT_RANDOM_SAMPLING, 0);
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++)
    if (f->chosen[i]) { /* each set of so many is as likely as any other */
      f->chosen[i] = ut_random_below(&random, (uint32_t)left--) < count;
      count -= f->chosen[i];
    }
}

void ut_stuck_faults_note(struct ut_stuck_faults *f, unsigned scenario) {
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++)
    if (f->verdict[i] == UT_STUCK_DETECTED) {
      f->by[i] |= UINT64_C(1) << scenario;
      f->verdict[i] = UT_STUCK_OPEN;
    }
}

void ut_stuck_faults_conclude(struct ut_stuck_faults *f) {
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++)
    if (f->by[i])
      f->verdict[i] = UT_STUCK_DETECTED;
}

struct ut_stuck_share ut_stuck_faults_share(const struct ut_stuck_faults *f, unsigned scenario) {
  const uint64_t own = UINT64_C(1) << scenario;
  struct ut_stuck_share s = {0};
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++) {
    const uint64_t by = f->chosen[i] ? f->by[f->class[i]] : 0;
    if (!(by & own))
      continue;
    s.detected++;
    s.adds += !(by & (own - 1));
    s.only += by == own;
  }
  return s;
}

size_t ut_stuck_faults_open(const struct ut_stuck_faults *f, uint32_t *list) {
  return ut_stuck_faults_list(f, UT_STUCK_OPEN, list);
}

size_t ut_stuck_faults_list(const struct ut_stuck_faults *f, enum ut_stuck_verdict verdict, uint32_t *list) {
  const size_t all = 2 * f->circuit->gates.nets;
  size_t count = 0;
  for (size_t i = 0; i < all; i++) { /* the first chosen fault of a class puts it onto the list */
    const uint32_t class = f->chosen[i] ? f->class[i] : NOBODY;
    if (class != NOBODY && f->verdict[class] == verdict) {
      f->verdict[class] = LISTED;
      list[count++] = class;
    }
  }
  for (size_t i = 0; i < count; i++)
    f->verdict[list[i]] = (uint8_t)verdict;
  return count;
}

int ut_stuck_part_of(const struct ut_stuck_faults *f, size_t fault) {
  const uint32_t gate = f->driver[fault / 2];
  return gate == NOBODY ? UT_STUCK_INPUTS : ut_block_of_title(f->circuit->gates.gate[gate].block);
}

void ut_stuck_faults_count(const struct ut_stuck_faults *f, struct ut_stuck_count part[UT_STUCK_PARTS]) {
  memset(part, 0, UT_STUCK_PARTS * sizeof *part);
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++)
    if (f->chosen[i]) {
      struct ut_stuck_count *p = &part[ut_stuck_part_of(f, i)];
      p->faults++;
      p->of[ut_stuck_verdict_of(f, i)]++;
    }
}
