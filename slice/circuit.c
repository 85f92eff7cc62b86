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

/* Who drives a net. */
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

static size_t place_of(const struct builder *b, struct ut_op op) {
  uint64_t hash = ((uint64_t)op.kind << 61 ^ (uint64_t)op.a << 32 ^ op.b) * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = hash ^ hash >> 29;; i++) {
    const uint32_t at = b->place[i & (b->places - 1)];
    const struct ut_op *o = &b->c->op[at];
    if (at == NOBODY || (o->kind == op.kind && o->a == op.a && o->b == op.b))
      return i & (b->places - 1);
  }
}

static bool grow(struct builder *b) {
  const size_t room = b->op_room ? 2 * b->op_room : 4096;
  struct ut_op *op = realloc(b->c->op, room * sizeof *op);
  uint32_t *place = op ? malloc(2 * room * sizeof *place) : NULL;
  if (op)
    b->c->op = op;
  if (!place)
    return false;
  free(b->place);
  b->op_room = room;
  b->place = place;
  b->places = 2 * room;
  memset(place, 0xff, 2 * room * sizeof *place);
  for (size_t i = 0; i < b->c->ops; i++)
    place[place_of(b, op[i])] = (uint32_t)i;
  return true;
}

/* The operation, which is made where there is none; NOBODY: out of memory. */
static uint32_t make(struct builder *b, enum ut_op_kind kind, uint32_t x, uint32_t y) {
  struct ut_circuit *c = b->c;
  const struct ut_op op = {kind, x, y};
  if (c->ops == b->op_room && !grow(b))
    return NOBODY;
  uint32_t *at = &b->place[place_of(b, op)];
  if (*at == NOBODY) {
    *at = (uint32_t)c->ops;
    c->op[c->ops++] = op;
  }
  return *at;
}

static bool is_not(const struct builder *b, uint32_t x) {
  return b->c->op[x].kind == UT_OP_NOT;
}
static uint32_t invert(struct builder *b, uint32_t x) {
  if (x == UT_OP_ZERO || x == UT_OP_ONE)
    return x == UT_OP_ZERO ? UT_OP_ONE : UT_OP_ZERO;
  return x == NOBODY ? NOBODY : is_not(b, x) ? b->c->op[x].a : make(b, UT_OP_NOT, x, 0);
}

static bool is_inverse(const struct builder *b, uint32_t x, uint32_t y) {
  const struct ut_op *op = b->c->op;
  return (op[x].kind == UT_OP_NOT && op[x].a == y) || (op[y].kind == UT_OP_NOT && op[y].a == x);
}

/* And, or and exclusive or of two operations; what can be said without them is.  A not moves behind them where it can:
 * there it meets others, and equal operations become the same; what stays, an and with one inverse, is an instruction.
 */
static uint32_t join(struct builder *b, enum ut_op_kind kind, uint32_t x, uint32_t y) {
  const uint32_t low = x < y ? x : y, high = x < y ? y : x;
  if (kind == UT_OP_XOR) {
    if (low == high)
      return UT_OP_ZERO;
    if (low <= UT_OP_ONE)
      return low == UT_OP_ONE ? invert(b, high) : high;
    if (is_inverse(b, low, high))
      return UT_OP_ONE;
    if (is_not(b, low))
      return invert(b, join(b, kind, invert(b, low), high));
    return is_not(b, high) ? invert(b, join(b, kind, low, invert(b, high))) : make(b, kind, low, high);
  }
  const uint32_t neutral = kind == UT_OP_AND ? UT_OP_ONE : UT_OP_ZERO;
  if (low == high || low == neutral)
    return high;
  if (low <= UT_OP_ONE || high == neutral) /* 0 of an and, 1 of an or */
    return low;
  if (is_inverse(b, low, high))
    return 1 - neutral;
  const unsigned nots = is_not(b, low) + is_not(b, high);
  if (nots == 2 || (nots == 1 && kind == UT_OP_OR)) {
    const uint32_t x_not = invert(b, low), y_not = invert(b, high);
    if (x_not == NOBODY || y_not == NOBODY)
      return NOBODY;
    return invert(b, join(b, kind == UT_OP_AND ? UT_OP_OR : UT_OP_AND, x_not, y_not));
  }
  return make(b, kind, low, high);
}

/* ---- cells ---- */

static int fail_cell(const struct builder *b, const struct ut_gate *g, const char *what) {
  return ut_circuit_refuse(b->path, g, what, b->e);
}

static const struct ut_gate_pin *pin_of(const struct builder *b, const struct ut_gate *g, const char *name) {
  for (size_t i = g->pin; i < g->pin + g->pins; i++)
    if (!strcmp(b->c->gates.pin[i].name, name))
      return &b->c->gates.pin[i];
  return NULL;
}

/* What a function calls a pin, or a state of its flip-flop; NOBODY: there is none. */
static uint32_t operand(struct builder *b, uint32_t gate, const char *name) {
  const struct ut_gate *g = &b->c->gates.gate[gate];
  const struct ut_cell *cell = b->cell[gate];
  if (cell->flip_flop && (!strcmp(name, cell->state[0]) || !strcmp(name, cell->state[1]))) {
    const uint32_t state = make(b, UT_OP_STATE, b->state[gate], 0);
    return state == NOBODY || !strcmp(name, cell->state[0]) ? state : invert(b, state);
  }
  const struct ut_gate_pin *p = pin_of(b, g, name);
  if (!p)
    return NOBODY;
  return p->net == UT_GATE_CONSTANT ? p->one : b->c->net[p->net];
}

/* The operation of a function of a gate. */
static int evaluate(struct builder *b, uint32_t gate, const char *text, uint32_t *result) {
  static const enum ut_op_kind kinds[] = {
      [UT_FUNCTION_AND] = UT_OP_AND, [UT_FUNCTION_OR] = UT_OP_OR, [UT_FUNCTION_XOR] = UT_OP_XOR};
  struct ut_function f;
  uint32_t stack[UT_FUNCTION_STEPS];
  unsigned n = 0;
  if (!text || !ut_function_read(&f, text))
    return fail_cell(b, &b->c->gates.gate[gate], "which has no function that can be read");
  for (unsigned i = 0; i < f.steps; i++) {
    const enum ut_function_kind kind = f.step[i].kind;
    if (kind == UT_FUNCTION_PIN)
      stack[n++] = operand(b, gate, f.step[i].name);
    else if (kind == UT_FUNCTION_ZERO || kind == UT_FUNCTION_ONE)
      stack[n++] = kind == UT_FUNCTION_ONE;
    else if (kind == UT_FUNCTION_NOT)
      stack[n - 1] = invert(b, stack[n - 1]);
    else
      n--, stack[n - 1] = join(b, kinds[kind], stack[n - 1], stack[n]);
    if (stack[n - 1] == NOBODY)
      return kind == UT_FUNCTION_PIN
                 ? fail_cell(b, &b->c->gates.gate[gate], "whose function names something that is no pin of it")
                 : ut_fail_memory(b->e);
  }
  *result = stack[0];
  return 0;
}

/* What shows what it has taken over at a clock, not what its inputs are. */
static bool is_register(const struct ut_cell *cell) {
  return cell->flip_flop || cell->memory;
}

static int check_clock(const struct builder *b, const struct ut_gate *g, const struct ut_gate_pin *p) {
  return p && p->net == b->clock ? 0 : fail_cell(b, g, "which does not follow the rising clk_i");
}

/* A flip-flop that follows clk_i. */
static int check_flip_flop(const struct builder *b, const struct ut_gate *g, const struct ut_cell *cell) {
  struct ut_function f;
  if (cell->asynchronous)
    return fail_cell(b, g, "which is set or reset without the clock");
  if (!cell->next || !cell->clock || !ut_function_read(&f, cell->clock))
    return fail_cell(b, g, "a flip-flop without next_state or clocked_on");
  return check_clock(b, g, f.steps == 1 && f.step->kind == UT_FUNCTION_PIN ? pin_of(b, g, f.step->name) : NULL);
}

/* The cells' kinds, who drives what, and the flip-flops' numbers. */
static int survey(struct builder *b) {
  const struct ut_gates *g = &b->c->gates;
  for (size_t i = 0; i < g->nets; i++) {
    b->driver[i] = (struct driver){NOBODY, NOBODY};
    if (!strcmp(g->net[i].name, "clk_i"))
      b->clock = (uint32_t)i;
  }
  for (size_t i = 0; i < g->gates; i++) {
    const struct ut_gate *gate = &g->gate[i];
    const struct ut_cell *cell = b->cell[i] = ut_liberty_cell(b->library, gate->type);
    if (!cell)
      return fail_cell(b, gate, "which the Liberty file does not have");
    if (cell->latch)
      return fail_cell(b, gate, "a latch, or what is like one");
    if (cell->flip_flop ? check_flip_flop(b, gate, cell) : cell->memory && check_clock(b, gate, pin_of(b, gate, "C")))
      return -1;
    if (is_register(cell))
      b->state[i] = (uint32_t)(cell->memory ? b->c->fronts++ : b->c->states++);
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      const struct ut_cell_pin *pin = ut_cell_pin(cell, g->pin[p].name);
      if (pin && pin->output && g->pin[p].net != UT_GATE_CONSTANT)
        b->driver[g->pin[p].net] = (struct driver){(uint32_t)i, (uint32_t)(pin - cell->pin)};
    }
  }
  return 0;
}

/* ---- cones ---- */

/* The pin is the output of the gate that drives its net. */
static bool is_driven_by(const struct builder *b, const struct ut_gate_pin *p, uint32_t gate) {
  const struct driver *d = &b->driver[p->net];
  return d->gate == gate && !strcmp(b->cell[gate]->pin[d->pin].name, p->name);
}

/* Says what makes a net. */
static int set_net(struct builder *b, uint32_t net, uint32_t op) {
  b->c->net[net] = b->nets ? make(b, UT_OP_NET, op, net) : op;
  return b->c->net[net] == NOBODY ? ut_fail_memory(b->e) : 0;
}

/* What a gate makes, whose inputs are known: the nets that it drives. */
static int finish(struct builder *b, uint32_t gate) {
  const struct ut_gate *g = &b->c->gates.gate[gate];
  for (size_t p = g->pin; p < g->pin + g->pins; p++) {
    const struct ut_gate_pin *pin = &b->c->gates.pin[p];
    uint32_t op;
    if (pin->net == UT_GATE_CONSTANT || !is_driven_by(b, pin, gate))
      continue;
    if (b->cell[gate]->memory)
      op = make(b, UT_OP_FRONT, b->state[gate], 0);
    else if (evaluate(b, gate, b->cell[gate]->pin[b->driver[pin->net].pin].function, &op))
      return -1;
    if (op == NOBODY || set_net(b, pin->net, op))
      return ut_fail_memory(b->e);
  }
  b->mark[gate] = DONE;
  return 0;
}

/* The first gate that must be finished before this one; NOBODY: none. */
static int needed(const struct builder *b, uint32_t gate, uint32_t *first) {
  const struct ut_gates *g = &b->c->gates;
  *first = NOBODY;
  if (is_register(b->cell[gate])) /* its outputs show its state */
    return 0;
  for (size_t p = g->gate[gate].pin; p < g->gate[gate].pin + g->gate[gate].pins; p++) {
    const uint32_t net = g->pin[p].net;
    if (net == UT_GATE_CONSTANT || is_driven_by(b, &g->pin[p], gate))
      continue;
    if (net == b->clock)
      return fail_cell(b, &g->gate[gate], "which is no flip-flop, but is driven by clk_i");
    const uint32_t from = b->driver[net].gate;
    if (from == NOBODY || b->mark[from] == DONE)
      continue;
    if (b->mark[from] == OPEN)
      return fail_cell(b, &g->gate[gate], "part of a loop of gates");
    *first = from;
    return 0;
  }
  return 0;
}

/* Finishes all gates that a net follows from. */
static int follow(struct builder *b, uint32_t net) {
  size_t depth = 0;
  if (b->driver[net].gate == NOBODY || b->mark[b->driver[net].gate] == DONE)
    return 0;
  b->stack[depth++] = b->driver[net].gate;
  while (depth) {
    const uint32_t gate = b->stack[depth - 1];
    uint32_t first;
    b->mark[gate] = OPEN;
    if (needed(b, gate, &first))
      return -1;
    if (first != NOBODY)
      b->stack[depth++] = first;
    else if (finish(b, b->stack[--depth]))
      return -1;
  }
  return 0;
}

/* The inputs of the module. */
static int begin(struct builder *b) {
  const struct ut_gates *g = &b->c->gates;
  if (make(b, UT_OP_ZERO, 0, 0) == NOBODY || make(b, UT_OP_ONE, 0, 0) == NOBODY)
    return ut_fail_memory(b->e);
  for (const struct ut_gate_name *n = g->name; n < g->name + g->names; n++)
    for (size_t i = n->bit; i < n->bit + n->width && n->kind == UT_GATE_INPUT; i++) {
      const uint32_t op = b->c->bit[i] = make(b, UT_OP_INPUT, (uint32_t)i, 0);
      if (op == NOBODY)
        return ut_fail_memory(b->e);
      if (g->bit[i].net != UT_GATE_CONSTANT && set_net(b, g->bit[i].net, op))
        return -1;
    }
  return 0;
}

/* When all nets are known: what bits of names are. */
static void name_bits(struct ut_circuit *c) {
  for (size_t i = 0; i < c->gates.bits; i++) {
    const struct ut_gate_bit *b = &c->gates.bit[i];
    if (b->net != UT_GATE_CONSTANT)
      c->bit[i] = c->net[b->net];
    else if (b->one)
      c->bit[i] = UT_OP_ONE;
    else if (b->bit != i)
      c->bit[i] = c->bit[b->bit]; /* an input, or nothing */
  }
}

/* The cones of all flip-flops, each with what it takes over, then what is left: of outputs. */
static int build(struct builder *b) {
  const struct ut_gates *g = &b->c->gates;
  if (survey(b) || begin(b))
    return -1;
  b->c->next = calloc(b->c->states + 1, sizeof *b->c->next);
  if (!b->c->next)
    return ut_fail_memory(b->e);
  for (uint32_t i = 0; i < g->gates; i++) {
    if (!b->cell[i]->flip_flop)
      continue;
    for (size_t p = g->gate[i].pin; p < g->gate[i].pin + g->gate[i].pins; p++)
      if (g->pin[p].net != UT_GATE_CONSTANT && follow(b, g->pin[p].net))
        return -1;
    if (evaluate(b, i, b->cell[i]->next, &b->c->next[b->state[i]]))
      return -1;
  }
  for (uint32_t net = 0; net < g->nets; net++)
    if (follow(b, net))
      return -1;
  name_bits(b->c);
  return 0;
}

static int read(struct ut_circuit *c, const char *text, const char *path, const struct ut_liberty *l, bool keep_nets,
                struct ut_error *e) {
  *c = (struct ut_circuit){0};
  if (ut_gates_read(&c->gates, text, path, e))
    return -1;
  const size_t gates = c->gates.gates, nets = c->gates.nets + 1;
  struct builder b = {.c = c,
                      .path = path,
                      .library = l,
                      .e = e,
                      .cell = calloc(gates, sizeof *b.cell),
                      .driver = calloc(nets, sizeof *b.driver),
                      .state = calloc(gates, sizeof *b.state),
                      .mark = calloc(gates, sizeof *b.mark),
                      .stack = calloc(gates, sizeof *b.stack),
                      .clock = NOBODY,
                      .nets = keep_nets};
  c->net = calloc(nets, sizeof *c->net);
  c->bit = calloc(c->gates.bits + 1, sizeof *c->bit);
  const bool room = b.cell && b.driver && b.state && b.mark && b.stack && c->net && c->bit;
  const int status = room ? build(&b) || ut_memories_find(c, path, l, e) : ut_fail_memory(e);
  free(b.cell);
  free(b.driver);
  free(b.state);
  free(b.mark);
  free(b.stack);
  free(b.place);
  return status ? -1 : 0;
}

int ut_circuit_read(struct ut_circuit *c, const char *text, const char *path, const struct ut_liberty *l,
                    struct ut_error *e) {
  return read(c, text, path, l, false, e);
}

int ut_circuit_read_nets(struct ut_circuit *c, const char *text, const char *path, const struct ut_liberty *l,
                         struct ut_error *e) {
  return read(c, text, path, l, true, e);
}

int ut_circuit_open(struct ut_circuit *c, struct ut_liberty *l, const char *netlist, bool nets, struct ut_error *e) {
  char cells[PATH_MAX], *text = NULL;
  size_t size;
  *c = (struct ut_circuit){0};
  *l = (struct ut_liberty){0};
  int status = ut_path_set(e, cells, "%.*scells.lib", (int)(strrchr(netlist, '/') + 1 - netlist), netlist);
  const int error = status ? 0 : ut_file_read(netlist, &text, &size);
  if (error)
    status = ut_fail_source(e, error, "read the netlist", netlist);
  status = status || ut_liberty_read(l, cells, e) || read(c, text, netlist, l, nets, e);
  free(text);
  return status ? -1 : 0;
}

void ut_circuit_free(struct ut_circuit *c) {
  ut_gates_free(&c->gates);
  free(c->op);
  free(c->net);
  free(c->bit);
  free(c->next);
  free(c->memory);
  free(c->data);
  *c = (struct ut_circuit){0};
}

uint32_t ut_circuit_source(const struct ut_circuit *c, uint32_t op, uint32_t *inverse) {
  *inverse = 0;
  for (; c->op[op].kind == UT_OP_NET || c->op[op].kind == UT_OP_NOT; op = c->op[op].a)
    *inverse ^= c->op[op].kind == UT_OP_NOT;
  return op;
}
