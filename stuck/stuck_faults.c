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

/* Finds the driver and the number of readers of each net. */
static void connect(struct ut_stuck_faults *faults, const struct ut_liberty *liberty, uint32_t *readers) {
  const struct ut_gates *gates = &faults->circuit->gates;
  memset(faults->driver, 0xff, gates->nets * sizeof *faults->driver);
  for (size_t n = 0; n < gates->nets; n++)
    readers[n] = gates->net[n].outputs;
  for (uint32_t i = 0; i < gates->gates; i++) {
    const struct ut_cell *cell = ut_liberty_cell(liberty, gates->gate[i].type);
    for (size_t p = gates->gate[i].pin; p < gates->gate[i].pin + gates->gate[i].pins; p++) {
      const uint32_t net = gates->pin[p].net;
      const bool output = net != UT_GATE_CONSTANT && is_output(cell, gates->pin[p].name);
      if (output)
        faults->driver[net] = i;
      if (net != UT_GATE_CONSTANT && (!output || cell->flip_flop)) /* the state of a flip-flop is observed */
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

static bool operand(const struct ut_gates *gates, const struct truth *truth, const char *name, uint64_t *value) {
  for (unsigned i = 0; i < truth->inputs; i++)
    if (!strcmp(gates->pin[truth->input[i]].name, name)) {
      const struct ut_gate_pin *pin = &gates->pin[truth->input[i]];
      *value = pin->net != UT_GATE_CONSTANT ? column(i) : pin->one ? UINT64_MAX : 0;
      return true;
    }
  return false;
}

static bool evaluate(const struct ut_gates *gates, struct truth *truth, const char *text) {
  struct ut_function function;
  uint64_t stack[UT_FUNCTION_STEPS];
  unsigned n = 0;
  if (!text || !ut_function_read(&function, text))
    return false;
  for (unsigned i = 0; i < function.steps; i++)
    switch (function.step[i].kind) {
    case UT_FUNCTION_PIN:
      if (!operand(gates, truth, function.step[i].name, &stack[n++]))
        return false;
      break;
    case UT_FUNCTION_ZERO: stack[n++] = 0; break;
    case UT_FUNCTION_ONE: stack[n++] = UINT64_MAX; break;
    case UT_FUNCTION_NOT: stack[n - 1] = ~stack[n - 1]; break;
    case UT_FUNCTION_AND: n--, stack[n - 1] &= stack[n]; break;
    case UT_FUNCTION_OR: n--, stack[n - 1] |= stack[n]; break;
    case UT_FUNCTION_XOR: n--, stack[n - 1] ^= stack[n]; break;
    }
  truth->table = stack[0];
  return true;
}

/* false: a flip-flop, a cell of several outputs or of many inputs. */
static bool find_truth(const struct ut_gates *gates, const struct ut_gate *gate, const struct ut_cell *cell,
                       struct truth *truth) {
  unsigned outputs = 0;
  *truth = (struct truth){0};
  for (size_t p = gate->pin; p < gate->pin + gate->pins; p++)
    if (is_output(cell, gates->pin[p].name))
      truth->output = p, outputs++;
    else if (truth->inputs < MOST_INPUTS)
      truth->input[truth->inputs++] = p;
    else
      return false;
  return !cell->flip_flop && outputs == 1 && gates->pin[truth->output].net != UT_GATE_CONSTANT &&
         evaluate(gates, truth, ut_cell_pin(cell, gates->pin[truth->output].name)->function);
}

/* ---- classes ---- */

/* Merges inputs that fix the output of a gate and have no other reader. */
static void join(struct ut_stuck_faults *faults, const struct truth *truth, const uint32_t *readers) {
  const struct ut_gates *gates = &faults->circuit->gates;
  for (unsigned i = 0; i < truth->inputs; i++) {
    const uint32_t net = gates->pin[truth->input[i]].net, out = gates->pin[truth->output].net;
    for (uint32_t value = 0; value < 2 && net != UT_GATE_CONSTANT && readers[net] == 1; value++) {
      const uint64_t rows = value ? column(i) : ~column(i), shown = truth->table & rows;
      if ((shown == 0 || shown == rows) && faults->class[2 * net + value] != NOBODY)
        faults->class[2 * net + value] = 2 * out + (shown != 0);
    }
  }
}

static void classify(struct ut_stuck_faults *faults, const struct ut_liberty *liberty, const uint32_t *readers) {
  const struct ut_circuit *circuit = faults->circuit;
  const struct ut_gates *gates = &circuit->gates;
  struct truth truth;
  for (uint32_t i = 0; i < 2 * gates->nets; i++) {
    const bool there = circuit->op[circuit->net[i / 2]].kind == UT_OP_NET && strcmp(gates->net[i / 2].name, "clk_i");
    faults->class[i] = there ? i : NOBODY;
    faults->chosen[i] = there;
    faults->faults += there;
  }
  for (size_t i = 0; i < gates->gates; i++)
    if (find_truth(gates, &gates->gate[i], ut_liberty_cell(liberty, gates->gate[i].type), &truth))
      join(faults, &truth, readers);
  for (uint32_t i = 0; i < 2 * gates->nets; i++) {
    while (faults->class[i] != NOBODY && faults->class[faults->class[i]] != faults->class[i])
      faults->class[i] = faults->class[faults->class[i]];
    faults->classes += faults->class[i] == i;
  }
}

/* Marks outputs, and the next and present values of flip-flops. */
static void find_shown(struct ut_stuck_faults *faults) {
  const struct ut_circuit *circuit = faults->circuit;
  const struct ut_gates *gates = &circuit->gates;
  for (size_t i = 0; i < circuit->states; i++)
    faults->shown[circuit->next[i]] = true;
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    for (size_t i = gate_name->bit; i < gate_name->bit + gate_name->width && gate_name->kind == UT_GATE_OUTPUT; i++)
      faults->shown[circuit->bit[i]] = true;
  for (size_t i = 0; i < circuit->ops; i++) {
    const struct ut_op *from = &circuit->op[circuit->op[i].a];
    if (circuit->op[i].kind != UT_OP_NET)
      continue;
    if (from->kind == UT_OP_NOT)
      from = &circuit->op[from->a];
    faults->shown[i] |= from->kind == UT_OP_STATE;
  }
}

/* ---- resets ---- */

/* In a reset: values known whatever flip-flops held before, possibly constant whatever the inputs are. */
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

static bool find_settled(struct ut_stuck_faults *faults) {
  const struct ut_circuit *circuit = faults->circuit;
  enum settled *v = malloc(circuit->ops * sizeof *v);
  const struct ut_gate_name *reset = ut_gates_name(&circuit->gates, "rst_i");
  uint32_t inverse;
  faults->reset = reset ? ut_circuit_source(circuit, circuit->bit[reset->bit], &inverse) : UT_OP_ZERO;
  for (size_t i = 0; v && i < circuit->ops; i++) {
    v[i] = faults->reset && i == faults->reset ? IS_ONE : settled_op(&circuit->op[i], v);
    faults->settled[i] = v[i] != HANGS_ON_STATE;
  }
  free(v);
  return v;
}

int ut_stuck_faults_make(struct ut_stuck_faults *faults, const struct ut_circuit *circuit,
                         const struct ut_liberty *liberty, struct ut_error *e) {
  const size_t nets = circuit->gates.nets;
  uint32_t *readers = calloc(nets + 1, sizeof *readers);
  *faults = (struct ut_stuck_faults){.circuit = circuit,
                                     .driver = malloc((nets + 1) * sizeof *faults->driver),
                                     .class = malloc((2 * nets + 1) * sizeof *faults->class),
                                     .verdict = calloc(2 * nets + 1, sizeof *faults->verdict),
                                     .by = calloc(2 * nets + 1, sizeof *faults->by),
                                     .chosen = calloc(2 * nets + 1, sizeof *faults->chosen),
                                     .shown = calloc(circuit->ops, sizeof *faults->shown),
                                     .settled = calloc(circuit->ops, sizeof *faults->settled)};
  const bool room = readers && faults->driver && faults->class && faults->verdict && faults->by && faults->chosen &&
                    faults->shown && faults->settled && find_settled(faults);
  if (room) {
    connect(faults, liberty, readers);
    classify(faults, liberty, readers);
    find_shown(faults);
  }
  free(readers);
  return room ? 0 : ut_fail_memory(e);
}

void ut_stuck_faults_free(struct ut_stuck_faults *faults) {
  free(faults->driver);
  free(faults->class);
  free(faults->verdict);
  free(faults->by);
  free(faults->chosen);
  free(faults->shown);
  free(faults->settled);
  *faults = (struct ut_stuck_faults){0};
}

void ut_stuck_faults_sample(struct ut_stuck_faults *faults, size_t count, uint64_t seed) {
  struct ut_random random;
  size_t left = faults->faults;
  ut_random_init(&random, seed, UT_RANDOM_SAMPLING, 0);
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++)
    if (faults->chosen[i]) { /* each set of that size is equally likely */
      faults->chosen[i] = ut_random_below(&random, (uint32_t)left--) < count;
      count -= faults->chosen[i];
    }
}

void ut_stuck_faults_note(struct ut_stuck_faults *faults, unsigned scenario) {
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++)
    if (faults->verdict[i] == UT_STUCK_DETECTED) {
      faults->by[i] |= UINT64_C(1) << scenario;
      faults->verdict[i] = UT_STUCK_OPEN;
    }
}

void ut_stuck_faults_conclude(struct ut_stuck_faults *faults) {
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++)
    if (faults->by[i])
      faults->verdict[i] = UT_STUCK_DETECTED;
}

struct ut_stuck_share ut_stuck_faults_share(const struct ut_stuck_faults *faults, unsigned scenario) {
  const uint64_t own = UINT64_C(1) << scenario;
  struct ut_stuck_share share = {0};
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++) {
    const uint64_t by = faults->chosen[i] ? faults->by[faults->class[i]] : 0;
    if (!(by & own))
      continue;
    share.detected++;
    share.adds += !(by & (own - 1));
    share.only += by == own;
  }
  return share;
}

size_t ut_stuck_faults_open(const struct ut_stuck_faults *faults, uint32_t *list) {
  return ut_stuck_faults_list(faults, UT_STUCK_OPEN, list);
}

size_t ut_stuck_faults_list(const struct ut_stuck_faults *faults, enum ut_stuck_verdict verdict, uint32_t *list) {
  const size_t all = 2 * faults->circuit->gates.nets;
  size_t count = 0;
  for (size_t i = 0; i < all; i++) { /* the first chosen fault of a class puts it onto the list */
    const uint32_t class = faults->chosen[i] ? faults->class[i] : NOBODY;
    if (class != NOBODY && faults->verdict[class] == verdict) {
      faults->verdict[class] = LISTED;
      list[count++] = class;
    }
  }
  for (size_t i = 0; i < count; i++)
    faults->verdict[list[i]] = (uint8_t)verdict;
  return count;
}

int ut_stuck_part_of(const struct ut_stuck_faults *faults, size_t fault) {
  const uint32_t gate = faults->driver[fault / 2];
  return gate == NOBODY ? UT_STUCK_INPUTS : ut_block_of_title(faults->circuit->gates.gate[gate].block);
}

void ut_stuck_faults_count(const struct ut_stuck_faults *faults, struct ut_stuck_count part[UT_STUCK_PARTS]) {
  memset(part, 0, UT_STUCK_PARTS * sizeof *part);
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++)
    if (faults->chosen[i]) {
      struct ut_stuck_count *count = &part[ut_stuck_part_of(faults, i)];
      count->faults++;
      count->of[ut_stuck_verdict_of(faults, i)]++;
    }
}
