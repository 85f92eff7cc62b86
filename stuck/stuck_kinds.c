/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_kinds.c - candidates at all places that are of a kind, by the names of registers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

/* Two registers whose names differ in numbers only do the same work at two places.  A candidate at one of them is a
 * candidate at all.  (This only finds candidates; a proof decides.) */
enum { NAME = 200, NUMBERS = 3, LARGEST = 16, WIDEST = 32 };
struct name {
  char text[NAME];
  uint32_t literal; /* 2 * flip-flop + whether it holds the inverse */
  uint32_t part;    /* the part of the switch that contains it: the length of its name */
  unsigned width;   /* of the register */
};
struct ut_reach_names {
  struct name *name; /* sorted */
  size_t count;
  uint32_t *of; /* [states]: one of its names; UINT32_MAX: none */
};

static int compare_names(const void *a, const void *b) {
  return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* The flip-flop of a bit of a register. */
static bool find_flip_flop(const struct ut_circuit *circuit, uint32_t op, uint32_t *literal) {
  uint32_t inverse;
  op = ut_circuit_source(circuit, op, &inverse);
  *literal = 2 * circuit->op[op].a + inverse;
  return circuit->op[op].kind == UT_OP_STATE;
}

/* Returns the length of the name of the innermost numbered part of the switch that contains a register: up to the last
 * dot behind a number. */
static uint32_t length_of_part(const char *name) {
  uint32_t length = 0;
  for (uint32_t i = 1; name[i]; i++)
    if (name[i - 1] == ']' && name[i] == '.')
      length = i;
  return length;
}

/* Returns whether two flip-flops are of the same part, and of registers of at most that many bits. */
static bool are_of_one_part(const struct ut_stuck_reach *reach, uint32_t a, uint32_t b, unsigned widest) {
  const struct ut_reach_names *names = reach->names;
  if (names->of[a] == UINT32_MAX || names->of[b] == UINT32_MAX)
    return false;
  const struct name *x = &names->name[names->of[a]], *y = &names->name[names->of[b]];
  return x->width <= widest && y->width <= widest && x->part == y->part && !memcmp(x->text, y->text, x->part);
}

bool ut_reach_belong_together(const struct ut_stuck_reach *reach, uint32_t a, uint32_t b) {
  return are_of_one_part(reach, a, b, LARGEST);
}

/* Whether it is a bit of a register state_q. */
static bool tells_state(const struct ut_stuck_reach *reach, uint32_t flip_flop) {
  const uint32_t of = reach->names->of[flip_flop];
  return of != UINT32_MAX && strstr(reach->names->name[of].text, "state_q[");
}

bool ut_reach_find_part(const struct ut_stuck_reach *reach, uint32_t first, struct ut_reach_part *part) {
  *part = (struct ut_reach_part){0};
  if (reach->state[first] == UT_OP_ZERO || !tells_state(reach, first))
    return false;
  for (uint32_t i = 0; i < reach->states; i++) {
    if (reach->state[i] == UT_OP_ZERO || !are_of_one_part(reach, first, i, WIDEST))
      continue;
    if (tells_state(reach, i) ? i < first || part->codes == UT_REACH_CODE : part->members == UT_REACH_MEMBERS)
      return false;
    if (tells_state(reach, i))
      part->code[part->codes++] = i;
    else
      part->member[part->members++] = i;
  }
  return true;
}

bool ut_reach_find_names(struct ut_stuck_reach *reach) {
  const struct ut_gates *gates = &reach->circuit->gates;
  struct ut_reach_names *names = reach->names = calloc(1, sizeof *names);
  if (!names)
    return false;
  names->name = calloc(gates->bits + 1, sizeof *names->name);
  names->of = malloc((reach->states + 1) * sizeof *names->of);
  if (!names->name || !names->of)
    return false;
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    for (unsigned i = 0; i < gate_name->width; i++)
      if (find_flip_flop(reach->circuit, reach->circuit->bit[gate_name->bit + i], &names->name[names->count].literal) &&
          gate_name->length < NAME - 8) {
        struct name *name = &names->name[names->count++];
        snprintf(name->text, NAME, "%.*s[%u]", (int)gate_name->length, gate_name->name, i);
        name->part = length_of_part(name->text);
        name->width = gate_name->width;
      }
  qsort(names->name, names->count, sizeof *names->name, compare_names);
  memset(names->of, 0xff, reach->states * sizeof *names->of);
  for (uint32_t i = 0; i < names->count; i++) { /* the name of a register says more than that of a wire */
    uint32_t *of = &names->of[names->name[i].literal / 2];
    if (*of == UINT32_MAX || !strstr(names->name[*of].text, "_q"))
      *of = i;
  }
  return true;
}

void ut_reach_free_names(struct ut_stuck_reach *reach) {
  if (reach->names) {
    free(reach->names->name);
    free(reach->names->of);
  }
  free(reach->names);
}

/* A name with variables in place of its numbers. */
struct kind {
  char text[NAME]; /* a variable: its number + 1 */
  uint32_t value;
};

static bool make_kind(const struct ut_stuck_reach *reach, uint32_t literal, unsigned number[NUMBERS], unsigned *numbers,
                      struct kind *kind) {
  if (reach->names->of[literal / 2] == UINT32_MAX)
    return false;
  const struct name *name = &reach->names->name[reach->names->of[literal / 2]];
  char *to = kind->text;
  kind->value = literal % 2 ^ name->literal % 2;
  for (const char *from = name->text; *from;) {
    if (*from < '0' || *from > '9' || (from > name->text && from[-1] != '[')) {
      *to++ = *from++;
      continue;
    }
    const unsigned value = (unsigned)strtoul(from, (char **)&from, 10);
    unsigned i = 0;
    while (i < *numbers && number[i] != value)
      i++;
    if (i == NUMBERS)
      return false;
    if (i == *numbers)
      number[(*numbers)++] = value;
    *to++ = (char)(i + 1);
  }
  *to = 0;
  return true;
}

/* The literal of a kind with these numbers; UINT32_MAX: there is none. */
static uint32_t literal_of(const struct ut_stuck_reach *reach, const struct kind *kind,
                           const unsigned number[NUMBERS]) {
  struct name key;
  char *to = key.text;
  for (const char *from = kind->text; *from && to < key.text + NAME - 4; from++)
    if (*from <= NUMBERS)
      to += sprintf(to, "%u", number[*from - 1]);
    else
      *to++ = *from;
  *to = 0;
  const struct name *found = bsearch(&key, reach->names->name, reach->names->count, sizeof key, compare_names);
  return found ? found->literal ^ kind->value : UINT32_MAX;
}

/* Whether no state has been seen that has all of these literals. */
static bool is_unseen(const struct ut_stuck_reach *reach, const uint32_t *literal, unsigned count) {
  for (unsigned b = 0; b < reach->blocks; b++) {
    vector v = reach->valid[b];
    for (unsigned i = 0; i < count; i++) {
      const vector x = reach->block[b][reach->inputs + literal[i] / 2];
      v &= literal[i] % 2 ? x : ~x;
    }
    if (!ut_stuck_is_zero(&v))
      return false;
  }
  return true;
}

bool ut_reach_is_unseen(const struct ut_stuck_reach *reach, const struct ut_reach_clause *clause) {
  uint32_t cube[UT_REACH_LITERALS];
  for (unsigned i = 0; i < clause->count; i++)
    cube[i] = clause->literal[i] ^ 1;
  return is_unseen(reach, cube, clause->count);
}

static size_t propose_cube(struct ut_stuck_reach *reach, const uint32_t *cube, unsigned count) {
  uint32_t literal[UT_REACH_LITERALS];
  for (unsigned i = 0; i < count; i++) {
    literal[i] = cube[i] ^ 1;
    for (unsigned j = 0; j < i; j++)
      if (cube[j] / 2 == cube[i] / 2)
        return 0;
  }
  return ut_reach_propose(reach, literal, count, true);
}

/* Makes candidates that exclude a cube, and the same at all other places; returns how many. */
size_t ut_reach_propose_kind(struct ut_stuck_reach *reach, const uint32_t *cube, unsigned count) {
  struct kind kind[UT_REACH_LITERALS];
  unsigned number[NUMBERS], numbers = 0;
  size_t proposed = propose_cube(reach, cube, count);
  if (!proposed)
    return 0;
  for (unsigned i = 0; i < count; i++)
    if (!make_kind(reach, cube[i], number, &numbers, &kind[i]))
      return proposed;
  const unsigned all = numbers == 0   ? 1
                       : numbers == 1 ? LARGEST
                       : numbers == 2 ? LARGEST * LARGEST
                                      : LARGEST * LARGEST * LARGEST;
  for (unsigned k = 0; k < all; k++) {
    const unsigned value[NUMBERS] = {k % LARGEST, k / LARGEST % LARGEST, k / LARGEST / LARGEST};
    uint32_t other[UT_REACH_LITERALS];
    unsigned n = 0;
    while (n < count && (other[n] = literal_of(reach, &kind[n], value)) != UINT32_MAX)
      n++;
    if (n == count && is_unseen(reach, other, count))
      proposed += propose_cube(reach, other, count);
  }
  return proposed;
}
