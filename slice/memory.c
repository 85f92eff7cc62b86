/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - see memory.h */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finder {
  struct ut_circuit *c;
  const char *path;
  struct ut_error *e;
};

/* Returns the operation at a pin; ZERO if it is not connected. */
static uint32_t at_pin(const struct ut_circuit *circuit, const struct ut_gate *gate, const char *name) {
  for (size_t i = gate->pin; i < gate->pin + gate->pins; i++) {
    const struct ut_gate_pin *pin = &circuit->gates.pin[i];
    if (!strcmp(pin->name, name))
      return pin->net == UT_GATE_CONSTANT ? (pin->one ? UT_OP_ONE : UT_OP_ZERO) : circuit->net[pin->net];
  }
  return UT_OP_ZERO;
}

/* Returns the name of the memory: the part before ".g_bit[N].m". */
static size_t length_of(const struct ut_gate *gate) {
  const char *end = strstr(gate->name, ".g_bit[");
  return end ? (size_t)(end - gate->name) : strlen(gate->name);
}
static unsigned bit_of(const struct ut_gate *gate) {
  const char *digits = strstr(gate->name, ".g_bit[");
  return digits ? (unsigned)strtoul(digits + strlen(".g_bit["), NULL, 10) : 0;
}

/* Address pins, of one kind.  Returns how many count: those above are constant. */
static unsigned address_of(const struct ut_circuit *circuit, const struct ut_gate *gate, char kind, uint32_t *op) {
  unsigned count = 0;
  for (unsigned i = 0; i < UT_MEMORY_ADDRESS; i++) {
    const char name[] = {kind, 'A', (char)('0' + i), '\0'};
    op[i] = at_pin(circuit, gate, name);
    if (op[i] != UT_OP_ZERO)
      count = i + 1;
  }
  return count;
}

static struct ut_memory describe(const struct ut_circuit *circuit, const struct ut_gate *gate) {
  struct ut_memory memory = {.name = gate->name, .length = length_of(gate), .enable = at_pin(circuit, gate, "EN")};
  const unsigned read = address_of(circuit, gate, 'R', memory.read),
                 write = address_of(circuit, gate, 'W', memory.write);
  memory.address = read > write ? read : write;
  return memory;
}

static bool agree(const struct ut_memory *a, const struct ut_memory *b) {
  return a->enable == b->enable && !memcmp(a->read, b->read, sizeof a->read) &&
         !memcmp(a->write, b->write, sizeof a->write);
}

static struct ut_memory *find(const struct ut_circuit *circuit, const struct ut_memory *like) {
  for (struct ut_memory *memory = circuit->memory; memory < circuit->memory + circuit->memories; memory++)
    if (memory->length == like->length && !memcmp(memory->name, like->name, memory->length))
      return memory;
  return NULL;
}

/* One more bit of a memory, or a new one; *which: that one. */
static int add(const struct finder *finder, const struct ut_gate *gate, uint32_t *which) {
  struct ut_circuit *circuit = finder->c;
  const struct ut_memory found = describe(circuit, gate);
  const unsigned bit = bit_of(gate);
  struct ut_memory *memory = find(circuit, &found);
  if (memory && !agree(memory, &found))
    return ut_circuit_refuse(finder->path, gate, "a memory whose bits are not written and read together", finder->e);
  for (unsigned i = 0; i < found.address; i++)
    if (circuit->op[found.read[i]].kind != UT_OP_STATE)
      return ut_circuit_refuse(finder->path, gate, "a memory that is not read where flip-flops point", finder->e);
  if (!memory) {
    memory = &circuit->memory[circuit->memories++];
    *memory = found;
  }
  memory->width = bit >= memory->width ? bit + 1 : memory->width;
  *which = (uint32_t)(memory - circuit->memory);
  return 0;
}

/* Bits were numbered in the order of appearance; here those of a memory become adjacent. */
static void renumber(struct ut_circuit *circuit, uint32_t *number) {
  for (size_t i = 0; i < circuit->ops; i++)
    if (circuit->op[i].kind == UT_OP_FRONT)
      circuit->op[i].a = number[circuit->op[i].a];
}

int ut_memories_find(struct ut_circuit *circuit, const char *path, const struct ut_liberty *liberty,
                     struct ut_error *e) {
  const struct finder finder = {circuit, path, e};
  const struct ut_gate **cell = calloc(circuit->fronts + 1, sizeof *cell);
  uint32_t *number = calloc(circuit->fronts + 1, sizeof *number);
  circuit->memory = calloc(circuit->fronts + 1, sizeof *circuit->memory);
  int status = cell && number && circuit->memory ? 0 : ut_fail_memory(e);
  size_t bits = 0;
  for (size_t i = 0; !status && circuit->fronts && i < circuit->gates.gates; i++)
    if (ut_liberty_cell(liberty, circuit->gates.gate[i].type)->memory) {
      cell[bits] = &circuit->gates.gate[i];
      status = add(&finder, cell[bits], &number[bits]);
      bits++;
    }
  circuit->fronts = 0;
  for (struct ut_memory *memory = circuit->memory; !status && memory < circuit->memory + circuit->memories; memory++) {
    memory->front = (uint32_t)circuit->fronts;
    circuit->fronts += memory->width;
  }
  circuit->data = calloc(circuit->fronts + 1, sizeof *circuit->data); /* address bits that no cell has are ZERO */
  if (!status && !circuit->data)
    status = ut_fail_memory(e);
  for (size_t i = 0; !status && i < bits; i++) {
    number[i] = circuit->memory[number[i]].front + bit_of(cell[i]);
    circuit->data[number[i]] = at_pin(circuit, cell[i], "D");
  }
  if (!status)
    renumber(circuit, number);
  free(cell);
  free(number);
  return status;
}
