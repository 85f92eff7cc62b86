/* SPDX-License-Identifier: Apache-2.0 */
/* polynomial.h - polynomials with integer coefficients in a few named integers, for theorems about every k and n. */
#ifndef UT_POLYNOMIAL_H
#define UT_POLYNOMIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A monomial has a hexadecimal digit for each name: its power. */
enum { UT_MOST_NAMES = 10, UT_MOST_MONOMIALS = 48, UT_MOST_ARGUMENTS = 3 };

/* Monomials are in rising order of their powers; none has the factor 0. */
struct ut_polynomial {
  unsigned count;
  struct {
    uint64_t powers;
    int64_t factor;
  } monomial[UT_MOST_MONOMIALS];
};

/* What a text may name: words of `names` (the place of a word is that of its digit), and words of `parameters`, which
 * stand for the polynomials `argument`. */
struct ut_scope {
  const char *names, *parameters; /* parameters: NULL or words */
  const struct ut_polynomial *argument;
};

/* The number of words of a text; the length and start of word i. */
unsigned ut_word_count(const char *words);
const char *ut_word_at(const char *words, unsigned i, unsigned *length);

/* Reads integers, names, + - * and parentheses.  Returns the first character behind it; NULL: it is no polynomial, or
 * has too many monomials. */
const char *ut_polynomial_read(struct ut_polynomial *p, const char *text, const struct ut_scope *scope);

/* *p += factor * *q.  Returns false when there are too many monomials. */
bool ut_polynomial_add(struct ut_polynomial *p, const struct ut_polynomial *q, int64_t factor);
/* *product = *p * *q; another one than either. */
bool ut_polynomial_multiply(struct ut_polynomial *product, const struct ut_polynomial *p,
                            const struct ut_polynomial *q);
/* Its value where name i is value[i]. */
int64_t ut_polynomial_value(const struct ut_polynomial *p, const int *value);

#endif
