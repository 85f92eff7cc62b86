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

/* The operation at a pin; ZERO where it hangs on nothing. */
static uint32_t at_pin(const struct ut_circuit *c, const struct ut_gate *g, const char *name) {
  for (size_t i = g->pin; i < g->pin + g->pins; i++) {
    const struct ut_gate_pin *p = &c->gates.pin[i];
    if (!strcmp(p->name, name))
      return p->net == UT_GATE_CONSTANT ? (p->one ? UT_OP_ONE : UT_OP_ZERO) : c->net[p->net];
  }
  return UT_OP_ZERO;
}

/* The name of the memory: what stands before ".g_bit[N].m". */
static size_t length_of(const struct ut_gate *g) {
  const char *end = strstr(g->name, ".g_bit[");
  return end ? (size_t)(end - g->name) : strlen(g->name);
}
static unsigned bit_of(const struct ut_gate *g) {
  const char *digits = strstr(g->name, ".g_bit[");
  return digits ? (unsigned)strtoul(digits + strlen(".g_bit["), NULL, 10) : 0;
}

/* Address pins, of one kind.  Returns how many count: those above are constant. */
static unsigned address_of(const struct ut_circuit *c, const struct ut_gate *g, char kind, uint32_t *op) {
  unsigned count = 0;
  for (unsigned i = 0; i < UT_MEMORY_ADDRESS; i++) {
    const char name[] = {kind, 'A', (char)('0' + i), '\0'};
    op[i] = at_pin(c, g, name);
    if (op[i] != UT_OP_ZERO)
      count = i + 1;
  }
  return count;
}

static struct ut_memory describe(const struct ut_circuit *c, const struct ut_gate *g) {
  struct ut_memory m = {.name = g->name, .length = length_of(g), .enable = at_pin(c, g, "EN")};
  const unsigned read = address_of(c, g, 'R', m.read), write = address_of(c, g, 'W', m.write);
  m.address = read > write ? read : write;
  return m;
}

static bool agree(const struct ut_memory *a, const struct ut_memory *b) {
  return a->enable == b->enable && !memcmp(a->read, b->read, sizeof a->read) &&
         !memcmp(a->write, b->write, sizeof a->write);
}

static struct ut_memory *find(const struct ut_circuit *c, const struct ut_memory *like) {
  for (struct ut_memory *m = c->memory; m < c->memory + c->memories; m++)
    if (m->length == like->length && !memcmp(m->name, like->name, m->length))
      return m;
  return NULL;
}

/* One more bit of a memory, or a new one; *which: that one. */
static int add(const struct finder *f, const struct ut_gate *g, uint32_t *which) {
  struct ut_circuit *c = f->c;
  const struct ut_memory found = describe(c, g);
  const unsigned bit = bit_of(g);
  struct ut_memory *m = find(c, &found);
  if (m && !agree(m, &found))
    return ut_circuit_refuse(f->path, g, "a memory whose bits are not written and read together", f->e);
  for (unsigned i = 0; i < found.address; i++)
    if (c->op[found.read[i]].kind != UT_OP_STATE)
      return ut_circuit_refuse(f->path, g, "a memory that is not read where flip-flops point", f->e);
  if (!m) {
    m = &c->memory[c->memories++];
    *m = found;
  }
  m->width = bit >= m->width ? bit + 1 : m->width;
  *which = (uint32_t)(m - c->memory);
  return 0;
}

/* Bits have been numbered as they come; those of a memory are to follow each other. */
static void renumber(struct ut_circuit *c, uint32_t *number) {
  for (size_t i = 0; i < c->ops; i++)
    if (c->op[i].kind == UT_OP_FRONT)
      c->op[i].a = number[c->op[i].a];
}

int ut_memories_find(struct ut_circuit *c, const char *path, const struct ut_liberty *l, struct ut_error *e) {
  const struct finder f = {c, path, e};
  const struct ut_gate **cell = calloc(c->fronts + 1, sizeof *cell);
  uint32_t *number = calloc(c->fronts + 1, sizeof *number);
  c->memory = calloc(c->fronts + 1, sizeof *c->memory);
  int status = cell && number && c->memory ? 0 : ut_fail_memory(e);
  size_t bits = 0;
  for (size_t i = 0; !status && c->fronts && i < c->gates.gates; i++)
    if (ut_liberty_cell(l, c->gates.gate[i].type)->memory) {
      cell[bits] = &c->gates.gate[i];
      status = add(&f, cell[bits], &number[bits]);
      bits++;
    }
  c->fronts = 0;
  for (struct ut_memory *m = c->memory; !status && m < c->memory + c->memories; m++) {
    m->front = (uint32_t)c->fronts;
    c->fronts += m->width;
  }
  c->data = calloc(c->fronts + 1, sizeof *c->data); /* what no cell has is ZERO */
  if (!status && !c->data)
    status = ut_fail_memory(e);
  for (size_t i = 0; !status && i < bits; i++) {
    number[i] = c->memory[number[i]].front + bit_of(cell[i]);
    c->data[number[i]] = at_pin(c, cell[i], "D");
  }
  if (!status)
    renumber(c, number);
  free(cell);
  free(number);
  return status;
}
