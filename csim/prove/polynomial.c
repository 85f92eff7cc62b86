/* SPDX-License-Identifier: Apache-2.0 */
/* polynomial.c - see polynomial.h: monomials are kept in order, so equal polynomials are equal monomial by monomial. */
#include "polynomial.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *ut_word_at(const char *words, unsigned i, unsigned *length) {
  for (;; i--) {
    words += strspn(words, " ");
    *length = (unsigned)strcspn(words, " ");
    if (i == 0 || *length == 0)
      return words;
    words += *length;
  }
}

unsigned ut_word_count(const char *words) {
  unsigned count = 0, length;
  while (ut_word_at(words, count, &length), length)
    count++;
  return count;
}

/* ---- arithmetic */

static bool add_monomial(struct ut_polynomial *p, uint64_t powers, int64_t factor) {
  unsigned i = 0;
  while (i < p->count && p->monomial[i].powers < powers)
    i++;
  if (i < p->count && p->monomial[i].powers == powers) {
    p->monomial[i].factor += factor;
    if (p->monomial[i].factor == 0)
      memmove(&p->monomial[i], &p->monomial[i + 1], (--p->count - i) * sizeof p->monomial[0]);
    return true;
  }
  if (factor == 0)
    return true;
  if (p->count == UT_MOST_MONOMIALS)
    return false;
  memmove(&p->monomial[i + 1], &p->monomial[i], (p->count++ - i) * sizeof p->monomial[0]);
  p->monomial[i].powers = powers;
  p->monomial[i].factor = factor;
  return true;
}

bool ut_polynomial_add(struct ut_polynomial *p, const struct ut_polynomial *q, int64_t factor) {
  for (unsigned i = 0; i < q->count; i++)
    if (!add_monomial(p, q->monomial[i].powers, factor * q->monomial[i].factor))
      return false;
  return true;
}

bool ut_polynomial_multiply(struct ut_polynomial *product, const struct ut_polynomial *p,
                            const struct ut_polynomial *q) {
  product->count = 0;
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned j = 0; j < q->count; j++)
      if (!add_monomial(product, p->monomial[i].powers + q->monomial[j].powers,
                        p->monomial[i].factor * q->monomial[j].factor))
        return false;
  return true;
}

int64_t ut_polynomial_value(const struct ut_polynomial *p, const int *value) {
  int64_t sum = 0;
  for (unsigned i = 0; i < p->count; i++) {
    int64_t product = p->monomial[i].factor;
    uint64_t powers = p->monomial[i].powers;
    for (unsigned name = 0; powers; name++, powers >>= 4)
      for (unsigned power = powers & 15; power; power--)
        product *= value[name];
    sum += product;
  }
  return sum;
}

/* ---- reading */

static int place_of(const char *words, const char *name, unsigned length) {
  unsigned other;
  for (unsigned i = 0; words; i++) {
    const char *word = ut_word_at(words, i, &other);
    if (other == 0)
      break;
    if (other == length && strncmp(word, name, length) == 0)
      return (int)i;
  }
  return -1;
}

static const char *read_name(struct ut_polynomial *p, const char *text, const struct ut_scope *scope) {
  const unsigned length = (unsigned)strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  int place = place_of(scope->parameters, text, length);
  p->count = 0;
  if (place >= 0)
    *p = scope->argument[place];
  else if ((place = place_of(scope->names, text, length)) >= 0)
    add_monomial(p, UINT64_C(1) << 4 * place, 1);
  return place >= 0 ? text + length : NULL;
}

static const char *read_atom(struct ut_polynomial *p, const char *text, const struct ut_scope *scope) {
  text += strspn(text, " ");
  if (*text == '(') {
    text = ut_polynomial_read(p, text + 1, scope);
    return text && *text == ')' ? text + 1 : NULL;
  }
  if (!isdigit((unsigned char)*text))
    return read_name(p, text, scope);
  char *end;
  p->count = 0;
  add_monomial(p, 0, strtol(text, &end, 10));
  return end;
}

static const char *read_product(struct ut_polynomial *p, const char *text, const struct ut_scope *scope) {
  struct ut_polynomial left, right;
  text = read_atom(p, text, scope);
  while (text && *(text += strspn(text, " ")) == '*') {
    left = *p;
    text = read_atom(&right, text + 1, scope);
    if (!text || !ut_polynomial_multiply(p, &left, &right))
      return NULL;
  }
  return text;
}

const char *ut_polynomial_read(struct ut_polynomial *p, const char *text, const struct ut_scope *scope) {
  struct ut_polynomial sum = {0}, product;
  int64_t sign = 1;
  text += strspn(text, " ");
  if (*text == '-')
    sign = -1, text++;
  for (;; sign = *text++ == '+' ? 1 : -1) {
    text = read_product(&product, text, scope);
    if (!text || !ut_polynomial_add(&sum, &product, sign))
      return NULL;
    text += strspn(text, " ");
    if (*text != '+' && *text != '-')
      break;
  }
  *p = sum;
  return text;
}
