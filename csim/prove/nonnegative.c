/* SPDX-License-Identifier: Apache-2.0 */
/* nonnegative.c - see nonnegative.h: a column for each product of assumptions, a row for each monomial; the first phase
 * of the simplex method, with the rule of Bland, which ends. */
#include "nonnegative.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_COLUMNS = 1 + UT_MOST_ASSUMPTIONS + UT_MOST_ASSUMPTIONS * (UT_MOST_ASSUMPTIONS + 1) / 2,
  MOST_ROWS = 96,
  LARGEST = 1 << 30 /* of a numerator or denominator: sums of their products fit into 64 bits */
};

struct fraction {
  int64_t above, below; /* below > 0, no common divisor */
};

struct tableau {
  unsigned rows, columns; /* of products; then the right side */
  uint64_t powers[MOST_ROWS];
  struct fraction cell[MOST_ROWS + 1][MOST_COLUMNS + 1]; /* the last row: what is still wrong, to be made 0 */
  unsigned basis[MOST_ROWS];                             /* MOST_COLUMNS and above: artificial variables */
  uint8_t first[MOST_COLUMNS], second[MOST_COLUMNS];
  bool too_large;
};

/* ---- fractions */

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b, b = rest;
  }
  return a < 0 ? -a : a;
}

static struct fraction fraction(struct tableau *t, int64_t above, int64_t below) {
  const int64_t divisor = common_divisor(above, below) * (below < 0 ? -1 : 1);
  const struct fraction f = {above / divisor, below / divisor};
  t->too_large |= f.above > LARGEST || f.above < -LARGEST || f.below > LARGEST;
  return t->too_large ? (struct fraction){0, 1} : f;
}

static struct fraction minus_product(struct tableau *t, struct fraction a, struct fraction b, struct fraction c) {
  const struct fraction product = fraction(t, b.above * c.above, b.below * c.below);
  return fraction(t, a.above * product.below - product.above * a.below, a.below * product.below);
}

static bool less(struct fraction a, struct fraction b) {
  return a.above * b.below < b.above * a.below;
}

/* ---- the tableau */

static int row_of(struct tableau *t, uint64_t powers) {
  unsigned row = 0;
  while (row < t->rows && t->powers[row] != powers)
    row++;
  if (row == MOST_ROWS)
    return -1;
  if (row == t->rows) {
    t->powers[t->rows++] = powers;
    for (unsigned i = 0; i <= MOST_COLUMNS; i++)
      t->cell[row][i] = (struct fraction){0, 1};
  }
  return (int)row;
}

static bool fill_column(struct tableau *t, unsigned column, const struct ut_polynomial *p) {
  for (unsigned i = 0; i < p->count; i++) {
    const int row = row_of(t, p->monomial[i].powers);
    if (row < 0)
      return false;
    t->cell[row][column] = (struct fraction){p->monomial[i].factor, 1};
  }
  return true;
}

static bool add_product(struct tableau *t, const struct ut_polynomial *product, uint8_t first, uint8_t second) {
  t->first[t->columns] = first;
  t->second[t->columns] = second;
  return fill_column(t, t->columns++, product);
}

static bool fill(struct tableau *t, const struct ut_polynomial *goal, const struct ut_polynomial *assumption,
                 unsigned count, bool products) {
  const struct ut_polynomial one = {1, {{0, 1}}};
  struct ut_polynomial product;
  bool ok = fill_column(t, MOST_COLUMNS, goal) && add_product(t, &one, UT_NO_ASSUMPTION, UT_NO_ASSUMPTION);
  for (unsigned i = 0; ok && i < count; i++)
    ok = add_product(t, &assumption[i], (uint8_t)i, UT_NO_ASSUMPTION);
  for (unsigned i = 0; products && i < count; i++)
    for (unsigned j = i; ok && j < count; j++)
      ok = ut_polynomial_multiply(&product, &assumption[i], &assumption[j]) &&
           add_product(t, &product, (uint8_t)i, (uint8_t)j);
  return ok;
}

/* The place of a column in the rows; that of the right side is the last. */
static unsigned side(const struct tableau *t, unsigned column) {
  return column == t->columns ? MOST_COLUMNS : column;
}

/* Artificial variables are the first basis; right sides become positive. */
static void begin(struct tableau *t) {
  for (unsigned column = 0; column <= t->columns; column++)
    t->cell[MOST_ROWS][side(t, column)] = (struct fraction){0, 1};
  for (unsigned row = 0; row < t->rows; row++) {
    const bool negative = t->cell[row][MOST_COLUMNS].above < 0;
    t->basis[row] = MOST_COLUMNS + row;
    for (unsigned column = 0; column <= t->columns; column++) {
      struct fraction *cell = &t->cell[row][side(t, column)], *sum = &t->cell[MOST_ROWS][side(t, column)];
      cell->above = negative ? -cell->above : cell->above;
      *sum = minus_product(t, *sum, *cell, (struct fraction){-1, 1});
    }
  }
}

static void eliminate(struct tableau *t, unsigned into, unsigned row, unsigned column) {
  const struct fraction factor = t->cell[into][column];
  if (into == row || factor.above == 0)
    return;
  for (unsigned i = 0; i <= t->columns; i++)
    t->cell[into][side(t, i)] = minus_product(t, t->cell[into][side(t, i)], factor, t->cell[row][side(t, i)]);
}

static void pivot(struct tableau *t, unsigned row, unsigned column) {
  const struct fraction by = t->cell[row][column];
  for (unsigned i = 0; i <= t->columns; i++) {
    struct fraction *cell = &t->cell[row][side(t, i)];
    *cell = fraction(t, cell->above * by.below, cell->below * by.above);
  }
  for (unsigned other = 0; other < t->rows; other++)
    eliminate(t, other, row, column);
  eliminate(t, MOST_ROWS, row, column);
  t->basis[row] = column;
}

/* The row that bounds a column most; of several the one whose variable comes first. */
static int leaving_row(const struct tableau *t, unsigned column) {
  int best = -1;
  struct fraction least = {0, 1};
  for (unsigned row = 0; row < t->rows; row++) {
    const struct fraction cell = t->cell[row][column], right = t->cell[row][MOST_COLUMNS];
    if (cell.above <= 0)
      continue;
    const int64_t divisor = common_divisor(right.above * cell.below, right.below * cell.above);
    const struct fraction ratio = {right.above * cell.below / divisor, right.below * cell.above / divisor};
    if (best < 0 || less(ratio, least) || (!less(least, ratio) && t->basis[row] < t->basis[best]))
      best = (int)row, least = ratio;
  }
  return best;
}

/* Returns whether the rows can be satisfied. */
static bool solve(struct tableau *t) {
  begin(t);
  while (t->cell[MOST_ROWS][MOST_COLUMNS].above > 0 && !t->too_large) {
    unsigned column = 0;
    while (column < t->columns && t->cell[MOST_ROWS][column].above <= 0)
      column++;
    const int row = column < t->columns ? leaving_row(t, column) : -1;
    if (row < 0)
      return false;
    pivot(t, (unsigned)row, column);
  }
  return !t->too_large;
}

static bool take(const struct tableau *t, struct ut_combination *c) {
  c->divisor = 1;
  c->count = 0;
  for (unsigned row = 0; row < t->rows; row++)
    if (t->basis[row] < MOST_COLUMNS) {
      const int64_t below = t->cell[row][MOST_COLUMNS].below;
      c->divisor = c->divisor / common_divisor(c->divisor, below) * below;
      if (c->divisor > LARGEST)
        return false;
    }
  for (unsigned row = 0; row < t->rows; row++) {
    const struct fraction value = t->cell[row][MOST_COLUMNS];
    const unsigned column = t->basis[row];
    if (column >= MOST_COLUMNS || value.above == 0)
      continue;
    if (c->count == UT_MOST_PARTS)
      return false;
    c->part[c->count].factor = value.above * (c->divisor / value.below);
    c->part[c->count].first = t->first[column];
    c->part[c->count++].second = t->second[column];
  }
  return true;
}

bool ut_combination_find(struct ut_combination *combination, const struct ut_polynomial *goal,
                         const struct ut_polynomial *assumption, unsigned count) {
  struct tableau *t = malloc(sizeof *t);
  bool found = false;
  if (!t || count > UT_MOST_ASSUMPTIONS) {
    free(t);
    return false;
  }
  for (unsigned products = 0; products < 2 && !found; products++) {
    t->rows = t->columns = 0;
    t->too_large = false;
    found = fill(t, goal, assumption, count, products) && solve(t) && take(t, combination);
  }
  free(t);
  return found;
}
