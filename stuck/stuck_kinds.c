/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_kinds.c - candidates at all places that are of a kind, by the names of registers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

/* Two registers whose names differ in numbers only do the same work at two places.  What is a candidate at one of them
 * is one at all.  (This only finds candidates; what holds is proven.) */
enum { NAME = 200, NUMBERS = 3, LARGEST = 16, WIDEST = 32 };
struct name {
  char text[NAME];
  uint32_t literal; /* 2 * flip-flop + whether it holds the inverse */
  uint32_t part;    /* the part of the switch that it stands in: so many characters */
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
static bool find_flip_flop(const struct ut_circuit *c, uint32_t op, uint32_t *literal) {
  uint32_t inverse;
  op = ut_circuit_source(c, op, &inverse);
  *literal = 2 * c->op[op].a + inverse;
  return c->op[op].kind == UT_OP_STATE;
}

/* How long the name of the innermost numbered part of the switch is that a register stands in: up to the last dot
 * behind a number. */
static uint32_t length_of_part(const char *name) {
  uint32_t length = 0;
  for (uint32_t i = 1; name[i]; i++)
    if (name[i - 1] == ']' && name[i] == '.')
      length = i;
  return length;
}

/* Whether two flip-flops are of the same part, and of registers of up to so many bits. */
static bool are_of_one_part(const struct ut_stuck_reach *r, uint32_t a, uint32_t b, unsigned widest) {
  const struct ut_reach_names *n = r->names;
  if (n->of[a] == UINT32_MAX || n->of[b] == UINT32_MAX)
    return false;
  const struct name *x = &n->name[n->of[a]], *y = &n->name[n->of[b]];
  return x->width <= widest && y->width <= widest && x->part == y->part && !memcmp(x->text, y->text, x->part);
}

bool ut_reach_belong_together(const struct ut_stuck_reach *r, uint32_t a, uint32_t b) {
  return are_of_one_part(r, a, b, LARGEST);
}

/* Whether it is a bit of a register state_q. */
static bool tells_state(const struct ut_stuck_reach *r, uint32_t flip_flop) {
  const uint32_t of = r->names->of[flip_flop];
  return of != UINT32_MAX && strstr(r->names->name[of].text, "state_q[");
}

bool ut_reach_find_part(const struct ut_stuck_reach *r, uint32_t first, struct ut_reach_part *p) {
  *p = (struct ut_reach_part){0};
  if (r->state[first] == UT_OP_ZERO || !tells_state(r, first))
    return false;
  for (uint32_t i = 0; i < r->states; i++) {
    if (r->state[i] == UT_OP_ZERO || !are_of_one_part(r, first, i, WIDEST))
      continue;
    if (tells_state(r, i) ? i < first || p->codes == UT_REACH_CODE : p->members == UT_REACH_MEMBERS)
      return false;
    if (tells_state(r, i))
      p->code[p->codes++] = i;
    else
      p->member[p->members++] = i;
  }
  return true;
}

bool ut_reach_find_names(struct ut_stuck_reach *r) {
  const struct ut_gates *g = &r->circuit->gates;
  struct ut_reach_names *n = r->names = calloc(1, sizeof *n);
  if (!n)
    return false;
  n->name = calloc(g->bits + 1, sizeof *n->name);
  n->of = malloc((r->states + 1) * sizeof *n->of);
  if (!n->name || !n->of)
    return false;
  for (const struct ut_gate_name *k = g->name; k < g->name + g->names; k++)
    for (unsigned i = 0; i < k->width; i++)
      if (find_flip_flop(r->circuit, r->circuit->bit[k->bit + i], &n->name[n->count].literal) && k->length < NAME - 8) {
        struct name *name = &n->name[n->count++];
        snprintf(name->text, NAME, "%.*s[%u]", (int)k->length, k->name, i);
        name->part = length_of_part(name->text);
        name->width = k->width;
      }
  qsort(n->name, n->count, sizeof *n->name, compare_names);
  memset(n->of, 0xff, r->states * sizeof *n->of);
  for (uint32_t i = 0; i < n->count; i++) { /* that of a register tells more than that of a wire */
    uint32_t *of = &n->of[n->name[i].literal / 2];
    if (*of == UINT32_MAX || !strstr(n->name[*of].text, "_q"))
      *of = i;
  }
  return true;
}

void ut_reach_free_names(struct ut_stuck_reach *r) {
  if (r->names) {
    free(r->names->name);
    free(r->names->of);
  }
  free(r->names);
}

/* A name with variables in place of its numbers. */
struct kind {
  char text[NAME]; /* a variable: its number + 1 */
  uint32_t value;
};

static bool make_kind(const struct ut_stuck_reach *r, uint32_t literal, unsigned number[NUMBERS], unsigned *numbers,
                      struct kind *k) {
  if (r->names->of[literal / 2] == UINT32_MAX)
    return false;
  const struct name *name = &r->names->name[r->names->of[literal / 2]];
  char *to = k->text;
  k->value = literal % 2 ^ name->literal % 2;
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
static uint32_t literal_of(const struct ut_stuck_reach *r, const struct kind *k, const unsigned number[NUMBERS]) {
  struct name key;
  char *to = key.text;
  for (const char *from = k->text; *from && to < key.text + NAME - 4; from++)
    if (*from <= NUMBERS)
      to += sprintf(to, "%u", number[*from - 1]);
    else
      *to++ = *from;
  *to = 0;
  const struct name *found = bsearch(&key, r->names->name, r->names->count, sizeof key, compare_names);
  return found ? found->literal ^ k->value : UINT32_MAX;
}

/* Whether no state has been seen that has all of these literals. */
static bool is_unseen(const struct ut_stuck_reach *r, const uint32_t *literal, unsigned count) {
  for (unsigned b = 0; b < r->blocks; b++) {
    vector v = r->valid[b];
    for (unsigned i = 0; i < count; i++) {
      const vector x = r->block[b][r->inputs + literal[i] / 2];
      v &= literal[i] % 2 ? x : ~x;
    }
    if (!ut_stuck_is_zero(&v))
      return false;
  }
  return true;
}

bool ut_reach_is_unseen(const struct ut_stuck_reach *r, const struct ut_reach_clause *k) {
  uint32_t cube[UT_REACH_LITERALS];
  for (unsigned i = 0; i < k->count; i++)
    cube[i] = k->literal[i] ^ 1;
  return is_unseen(r, cube, k->count);
}

static size_t propose_cube(struct ut_stuck_reach *r, const uint32_t *cube, unsigned count) {
  uint32_t literal[UT_REACH_LITERALS];
  for (unsigned i = 0; i < count; i++) {
    literal[i] = cube[i] ^ 1;
    for (unsigned j = 0; j < i; j++)
      if (cube[j] / 2 == cube[i] / 2)
        return 0;
  }
  return ut_reach_propose(r, literal, count, true);
}

/* That a cube never occurs, and the same at all other places; returns how many candidates that are. */
size_t ut_reach_propose_kind(struct ut_stuck_reach *r, const uint32_t *cube, unsigned count) {
  struct kind kind[UT_REACH_LITERALS];
  unsigned number[NUMBERS], numbers = 0;
  size_t proposed = propose_cube(r, cube, count);
  if (!proposed)
    return 0;
  for (unsigned i = 0; i < count; i++)
    if (!make_kind(r, cube[i], number, &numbers, &kind[i]))
      return proposed;
  const unsigned all = numbers == 0   ? 1
                       : numbers == 1 ? LARGEST
                       : numbers == 2 ? LARGEST * LARGEST
                                      : LARGEST * LARGEST * LARGEST;
  for (unsigned k = 0; k < all; k++) {
    const unsigned value[NUMBERS] = {k % LARGEST, k / LARGEST % LARGEST, k / LARGEST / LARGEST};
    uint32_t other[UT_REACH_LITERALS];
    unsigned n = 0;
    while (n < count && (other[n] = literal_of(r, &kind[n], value)) != UINT32_MAX)
      n++;
    if (n == count && is_unseen(r, other, count))
      proposed += propose_cube(r, other, count);
  }
  return proposed;
}
