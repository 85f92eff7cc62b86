/* SPDX-License-Identifier: Apache-2.0 */
/* circuit.c - see circuit.h */
#include "circuit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "liberty_function.h"
#include "memory.h"

#define NOBODY UINT32_MAX

/* The driver of a net. */
struct driver {
  uint32_t gate, pin; /* NOBODY: an input of the module, or nothing */
};

enum mark { NEW, OPEN, DONE };

struct builder {
  struct ut_circuit *c;
  const char *path;
  const struct ut_liberty *library;
  struct ut_error *e;
  const struct ut_cell **cell; /* [gates] */
  struct driver *driver;       /* [nets] */
  uint32_t *state;             /* [gates]: of a flip-flop or a memory's bit: its number */
  uint8_t *mark;               /* [gates] */
  uint32_t *stack, *place;     /* gates that are open; places of operations, by what they are */
  size_t op_room, places;      /* places: a power of two */
  uint32_t clock;              /* net */
  bool nets;                   /* each has an operation of its own */
};

/* ---- operations ---- */

static size_t place_of(const struct builder *builder, struct ut_op op) {
  uint64_t hash = ((uint64_t)op.kind << 61 ^ (uint64_t)op.a << 32 ^ op.b) * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = hash ^ hash >> 29;; i++) {
    const uint32_t at = builder->place[i & (builder->places - 1)];
    const struct ut_op *operation = &builder->c->op[at];
    if (at == NOBODY || (operation->kind == op.kind && operation->a == op.a && operation->b == op.b))
      return i & (builder->places - 1);
  }
}

static bool grow(struct builder *builder) {
  const size_t room = builder->op_room ? 2 * builder->op_room : 4096;
  struct ut_op *op = realloc(builder->c->op, room * sizeof *op);
  uint32_t *place = op ? malloc(2 * room * sizeof *place) : NULL;
  if (op)
    builder->c->op = op;
  if (!place)
    return false;
  free(builder->place);
  builder->op_room = room;
  builder->place = place;
  builder->places = 2 * room;
  memset(place, 0xff, 2 * room * sizeof *place);
  for (size_t i = 0; i < builder->c->ops; i++)
    place[place_of(builder, op[i])] = (uint32_t)i;
  return true;
}

/* Returns the operation; makes it if it is new; NOBODY: out of memory. */
static uint32_t make(struct builder *builder, enum ut_op_kind kind, uint32_t x, uint32_t y) {
  struct ut_circuit *circuit = builder->c;
  const struct ut_op op = {kind, x, y};
  if (circuit->ops == builder->op_room && !grow(builder))
    return NOBODY;
  uint32_t *at = &builder->place[place_of(builder, op)];
  if (*at == NOBODY) {
    *at = (uint32_t)circuit->ops;
    circuit->op[circuit->ops++] = op;
  }
  return *at;
}

static bool is_not(const struct builder *builder, uint32_t x) {
  return builder->c->op[x].kind == UT_OP_NOT;
}
static uint32_t invert(struct builder *builder, uint32_t x) {
  if (x == UT_OP_ZERO || x == UT_OP_ONE)
    return x == UT_OP_ZERO ? UT_OP_ONE : UT_OP_ZERO;
  return x == NOBODY ? NOBODY : is_not(builder, x) ? builder->c->op[x].a : make(builder, UT_OP_NOT, x, 0);
}

static bool is_inverse(const struct builder *builder, uint32_t x, uint32_t y) {
  const struct ut_op *op = builder->c->op;
  return (op[x].kind == UT_OP_NOT && op[x].a == y) || (op[y].kind == UT_OP_NOT && op[y].a == x);
}

/* And, or and exclusive or of two operations, simplified if possible.  A not moves to the result if possible: there it
 * meets others, and equal operations become the same; an and with one inverted operand remains an instruction.
 */
static uint32_t join(struct builder *builder, enum ut_op_kind kind, uint32_t x, uint32_t y) {
  const uint32_t low = x < y ? x : y, high = x < y ? y : x;
  if (kind == UT_OP_XOR) {
    if (low == high)
      return UT_OP_ZERO;
    if (low <= UT_OP_ONE)
      return low == UT_OP_ONE ? invert(builder, high) : high;
    if (is_inverse(builder, low, high))
      return UT_OP_ONE;
    if (is_not(builder, low))
      return invert(builder, join(builder, kind, invert(builder, low), high));
    return is_not(builder, high) ? invert(builder, join(builder, kind, low, invert(builder, high)))
                                 : make(builder, kind, low, high);
  }
  const uint32_t neutral = kind == UT_OP_AND ? UT_OP_ONE : UT_OP_ZERO;
  if (low == high || low == neutral)
    return high;
  if (low <= UT_OP_ONE || high == neutral) /* 0 of an and, 1 of an or */
    return low;
  if (is_inverse(builder, low, high))
    return 1 - neutral;
  const unsigned nots = is_not(builder, low) + is_not(builder, high);
  if (nots == 2 || (nots == 1 && kind == UT_OP_OR)) {
    const uint32_t x_not = invert(builder, low), y_not = invert(builder, high);
    if (x_not == NOBODY || y_not == NOBODY)
      return NOBODY;
    return invert(builder, join(builder, kind == UT_OP_AND ? UT_OP_OR : UT_OP_AND, x_not, y_not));
  }
  return make(builder, kind, low, high);
}

/* ---- cells ---- */

static int fail_cell(const struct builder *builder, const struct ut_gate *gate, const char *what) {
  return ut_circuit_refuse(builder->path, gate, what, builder->e);
}

static const struct ut_gate_pin *pin_of(const struct builder *builder, const struct ut_gate *gate, const char *name) {
  for (size_t i = gate->pin; i < gate->pin + gate->pins; i++)
    if (!strcmp(builder->c->gates.pin[i].name, name))
      return &builder->c->gates.pin[i];
  return NULL;
}

/* Returns the operation to which a function's name of a pin, or of a flip-flop's state, refers; NOBODY: there is
 * none. */
static uint32_t operand(struct builder *builder, uint32_t gate, const char *name) {
  const struct ut_gate *instance = &builder->c->gates.gate[gate];
  const struct ut_cell *cell = builder->cell[gate];
  if (cell->flip_flop && (!strcmp(name, cell->state[0]) || !strcmp(name, cell->state[1]))) {
    const uint32_t state = make(builder, UT_OP_STATE, builder->state[gate], 0);
    return state == NOBODY || !strcmp(name, cell->state[0]) ? state : invert(builder, state);
  }
  const struct ut_gate_pin *pin = pin_of(builder, instance, name);
  if (!pin)
    return NOBODY;
  return pin->net == UT_GATE_CONSTANT ? pin->one : builder->c->net[pin->net];
}

/* The operation of a function of a gate. */
static int evaluate(struct builder *builder, uint32_t gate, const char *text, uint32_t *result) {
  static const enum ut_op_kind kinds[] = {
      [UT_FUNCTION_AND] = UT_OP_AND, [UT_FUNCTION_OR] = UT_OP_OR, [UT_FUNCTION_XOR] = UT_OP_XOR};
  struct ut_function function;
  uint32_t stack[UT_FUNCTION_STEPS];
  unsigned n = 0;
  if (!text || !ut_function_read(&function, text))
    return fail_cell(builder, &builder->c->gates.gate[gate], "which has no function that can be read");
  for (unsigned i = 0; i < function.steps; i++) {
    const enum ut_function_kind kind = function.step[i].kind;
    if (kind == UT_FUNCTION_PIN)
      stack[n++] = operand(builder, gate, function.step[i].name);
    else if (kind == UT_FUNCTION_ZERO || kind == UT_FUNCTION_ONE)
      stack[n++] = kind == UT_FUNCTION_ONE;
    else if (kind == UT_FUNCTION_NOT)
      stack[n - 1] = invert(builder, stack[n - 1]);
    else
      n--, stack[n - 1] = join(builder, kinds[kind], stack[n - 1], stack[n]);
    if (stack[n - 1] == NOBODY)
      return kind == UT_FUNCTION_PIN ? fail_cell(builder, &builder->c->gates.gate[gate],
                                                 "whose function names something that is no pin of it")
                                     : ut_fail_memory(builder->e);
  }
  *result = stack[0];
  return 0;
}

/* Whether a cell shows the state that it sampled at a clock, not a function of its inputs. */
static bool is_register(const struct ut_cell *cell) {
  return cell->flip_flop || cell->memory;
}

static int check_clock(const struct builder *builder, const struct ut_gate *gate, const struct ut_gate_pin *pin) {
  return pin && pin->net == builder->clock ? 0 : fail_cell(builder, gate, "which does not follow the rising clk_i");
}

/* A flip-flop that follows clk_i. */
static int check_flip_flop(const struct builder *builder, const struct ut_gate *gate, const struct ut_cell *cell) {
  struct ut_function function;
  if (cell->asynchronous)
    return fail_cell(builder, gate, "which is set or reset without the clock");
  if (!cell->next || !cell->clock || !ut_function_read(&function, cell->clock))
    return fail_cell(builder, gate, "a flip-flop without next_state or clocked_on");
  return check_clock(builder, gate,
                     function.steps == 1 && function.step->kind == UT_FUNCTION_PIN
                         ? pin_of(builder, gate, function.step->name)
                         : NULL);
}

/* Finds the cells' kinds, the drivers of nets, and the flip-flops' numbers. */
static int survey(struct builder *builder) {
  const struct ut_gates *gates = &builder->c->gates;
  for (size_t i = 0; i < gates->nets; i++) {
    builder->driver[i] = (struct driver){NOBODY, NOBODY};
    if (!strcmp(gates->net[i].name, "clk_i"))
      builder->clock = (uint32_t)i;
  }
  for (size_t i = 0; i < gates->gates; i++) {
    const struct ut_gate *gate = &gates->gate[i];
    const struct ut_cell *cell = builder->cell[i] = ut_liberty_cell(builder->library, gate->type);
    if (!cell)
      return fail_cell(builder, gate, "which the Liberty file does not have");
    if (cell->latch)
      return fail_cell(builder, gate, "a latch, or what is like one");
    if (cell->flip_flop ? check_flip_flop(builder, gate, cell)
                        : cell->memory && check_clock(builder, gate, pin_of(builder, gate, "C")))
      return -1;
    if (is_register(cell))
      builder->state[i] = (uint32_t)(cell->memory ? builder->c->fronts++ : builder->c->states++);
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      const struct ut_cell_pin *pin = ut_cell_pin(cell, gates->pin[p].name);
      if (pin && pin->output && gates->pin[p].net != UT_GATE_CONSTANT)
        builder->driver[gates->pin[p].net] = (struct driver){(uint32_t)i, (uint32_t)(pin - cell->pin)};
    }
  }
  return 0;
}

/* ---- cones ---- */

/* Whether the pin is the output of the gate that drives its net. */
static bool is_driven_by(const struct builder *builder, const struct ut_gate_pin *pin, uint32_t gate) {
  const struct driver *driver = &builder->driver[pin->net];
  return driver->gate == gate && !strcmp(builder->cell[gate]->pin[driver->pin].name, pin->name);
}

/* Sets the operation of a net. */
static int set_net(struct builder *builder, uint32_t net, uint32_t op) {
  builder->c->net[net] = builder->nets ? make(builder, UT_OP_NET, op, net) : op;
  return builder->c->net[net] == NOBODY ? ut_fail_memory(builder->e) : 0;
}

/* Makes the operations of a gate whose inputs are known: those of the nets that it drives. */
static int finish(struct builder *builder, uint32_t gate) {
  const struct ut_gate *cell = &builder->c->gates.gate[gate];
  for (size_t p = cell->pin; p < cell->pin + cell->pins; p++) {
    const struct ut_gate_pin *pin = &builder->c->gates.pin[p];
    uint32_t op;
    if (pin->net == UT_GATE_CONSTANT || !is_driven_by(builder, pin, gate))
      continue;
    if (builder->cell[gate]->memory)
      op = make(builder, UT_OP_FRONT, builder->state[gate], 0);
    else if (evaluate(builder, gate, builder->cell[gate]->pin[builder->driver[pin->net].pin].function, &op))
      return -1;
    if (op == NOBODY || set_net(builder, pin->net, op))
      return ut_fail_memory(builder->e);
  }
  builder->mark[gate] = DONE;
  return 0;
}

/* Returns the first gate that must be finished before this one; NOBODY: none. */
static int needed(const struct builder *builder, uint32_t gate, uint32_t *first) {
  const struct ut_gates *gates = &builder->c->gates;
  *first = NOBODY;
  if (is_register(builder->cell[gate])) /* its outputs show its state */
    return 0;
  for (size_t p = gates->gate[gate].pin; p < gates->gate[gate].pin + gates->gate[gate].pins; p++) {
    const uint32_t net = gates->pin[p].net;
    if (net == UT_GATE_CONSTANT || is_driven_by(builder, &gates->pin[p], gate))
      continue;
    if (net == builder->clock)
      return fail_cell(builder, &gates->gate[gate], "which is no flip-flop, but is driven by clk_i");
    const uint32_t from = builder->driver[net].gate;
    if (from == NOBODY || builder->mark[from] == DONE)
      continue;
    if (builder->mark[from] == OPEN)
      return fail_cell(builder, &gates->gate[gate], "part of a loop of gates");
    *first = from;
    return 0;
  }
  return 0;
}

/* Finishes all gates on which a net depends. */
static int follow(struct builder *builder, uint32_t net) {
  size_t depth = 0;
  if (builder->driver[net].gate == NOBODY || builder->mark[builder->driver[net].gate] == DONE)
    return 0;
  builder->stack[depth++] = builder->driver[net].gate;
  while (depth) {
    const uint32_t gate = builder->stack[depth - 1];
    uint32_t first;
    builder->mark[gate] = OPEN;
    if (needed(builder, gate, &first))
      return -1;
    if (first != NOBODY)
      builder->stack[depth++] = first;
    else if (finish(builder, builder->stack[--depth]))
      return -1;
  }
  return 0;
}

/* The inputs of the module. */
static int begin(struct builder *builder) {
  const struct ut_gates *gates = &builder->c->gates;
  if (make(builder, UT_OP_ZERO, 0, 0) == NOBODY || make(builder, UT_OP_ONE, 0, 0) == NOBODY)
    return ut_fail_memory(builder->e);
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    for (size_t i = gate_name->bit; i < gate_name->bit + gate_name->width && gate_name->kind == UT_GATE_INPUT; i++) {
      const uint32_t op = builder->c->bit[i] = make(builder, UT_OP_INPUT, (uint32_t)i, 0);
      if (op == NOBODY)
        return ut_fail_memory(builder->e);
      if (gates->bit[i].net != UT_GATE_CONSTANT && set_net(builder, gates->bit[i].net, op))
        return -1;
    }
  return 0;
}

/* When all nets are known: sets the operations of the bits of names. */
static void name_bits(struct ut_circuit *circuit) {
  for (size_t i = 0; i < circuit->gates.bits; i++) {
    const struct ut_gate_bit *bit = &circuit->gates.bit[i];
    if (bit->net != UT_GATE_CONSTANT)
      circuit->bit[i] = circuit->net[bit->net];
    else if (bit->one)
      circuit->bit[i] = UT_OP_ONE;
    else if (bit->bit != i)
      circuit->bit[i] = circuit->bit[bit->bit]; /* an input, or nothing */
  }
}

/* Makes the cones of all flip-flops, each with its next value, then the rest: those of outputs. */
static int build(struct builder *builder) {
  const struct ut_gates *gates = &builder->c->gates;
  if (survey(builder) || begin(builder))
    return -1;
  builder->c->next = calloc(builder->c->states + 1, sizeof *builder->c->next);
  if (!builder->c->next)
    return ut_fail_memory(builder->e);
  for (uint32_t i = 0; i < gates->gates; i++) {
    if (!builder->cell[i]->flip_flop)
      continue;
    for (size_t p = gates->gate[i].pin; p < gates->gate[i].pin + gates->gate[i].pins; p++)
      if (gates->pin[p].net != UT_GATE_CONSTANT && follow(builder, gates->pin[p].net))
        return -1;
    if (evaluate(builder, i, builder->cell[i]->next, &builder->c->next[builder->state[i]]))
      return -1;
  }
  for (uint32_t net = 0; net < gates->nets; net++)
    if (follow(builder, net))
      return -1;
  name_bits(builder->c);
  return 0;
}

static int read(struct ut_circuit *circuit, const char *text, const char *path, const struct ut_liberty *liberty,
                bool keep_nets, struct ut_error *e) {
  *circuit = (struct ut_circuit){0};
  if (ut_gates_read(&circuit->gates, text, path, e))
    return -1;
  const size_t gates = circuit->gates.gates, nets = circuit->gates.nets + 1;
  struct builder builder = {.c = circuit,
                            .path = path,
                            .library = liberty,
                            .e = e,
                            .cell = calloc(gates, sizeof *builder.cell),
                            .driver = calloc(nets, sizeof *builder.driver),
                            .state = calloc(gates, sizeof *builder.state),
                            .mark = calloc(gates, sizeof *builder.mark),
                            .stack = calloc(gates, sizeof *builder.stack),
                            .clock = NOBODY,
                            .nets = keep_nets};
  circuit->net = calloc(nets, sizeof *circuit->net);
  circuit->bit = calloc(circuit->gates.bits + 1, sizeof *circuit->bit);
  const bool room =
      builder.cell && builder.driver && builder.state && builder.mark && builder.stack && circuit->net && circuit->bit;
  const int status = room ? build(&builder) || ut_memories_find(circuit, path, liberty, e) : ut_fail_memory(e);
  free(builder.cell);
  free(builder.driver);
  free(builder.state);
  free(builder.mark);
  free(builder.stack);
  free(builder.place);
  return status ? -1 : 0;
}

int ut_circuit_read(struct ut_circuit *circuit, const char *text, const char *path, const struct ut_liberty *liberty,
                    struct ut_error *e) {
  return read(circuit, text, path, liberty, false, e);
}

int ut_circuit_read_nets(struct ut_circuit *circuit, const char *text, const char *path,
                         const struct ut_liberty *liberty, struct ut_error *e) {
  return read(circuit, text, path, liberty, true, e);
}

int ut_circuit_open(struct ut_circuit *circuit, struct ut_liberty *liberty, const char *netlist, bool nets,
                    struct ut_error *e) {
  char cells[PATH_MAX], *text = NULL;
  size_t size;
  *circuit = (struct ut_circuit){0};
  *liberty = (struct ut_liberty){0};
  int status = ut_path_set(e, cells, "%.*scells.lib", (int)(strrchr(netlist, '/') + 1 - netlist), netlist);
  const int error = status ? 0 : ut_file_read(netlist, &text, &size);
  if (error)
    status = ut_fail_source(e, error, "read the netlist", netlist);
  status = status || ut_liberty_read(liberty, cells, e) || read(circuit, text, netlist, liberty, nets, e);
  free(text);
  return status ? -1 : 0;
}

void ut_circuit_free(struct ut_circuit *circuit) {
  ut_gates_free(&circuit->gates);
  free(circuit->op);
  free(circuit->net);
  free(circuit->bit);
  free(circuit->next);
  free(circuit->memory);
  free(circuit->data);
  *circuit = (struct ut_circuit){0};
}

uint32_t ut_circuit_source(const struct ut_circuit *circuit, uint32_t op, uint32_t *inverse) {
  *inverse = 0;
  for (; circuit->op[op].kind == UT_OP_NET || circuit->op[op].kind == UT_OP_NOT; op = circuit->op[op].a)
    *inverse ^= circuit->op[op].kind == UT_OP_NOT;
  return op;
}
