/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_run.c - see stuck_run.h */
#include "stuck_run.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "stuck_vector.h"

#define NOBODY UINT32_MAX
enum { WORDS = UT_STUCK_WORDS, PATTERNS = UT_STUCK_PATTERNS };
typedef ut_stuck_vector vector;

/* Where a value of a pattern comes from: bit of the image or number of the flip-flop, and its operation. */
struct source {
  uint32_t from, op;
};

struct ut_stuck_run {
  struct ut_stuck_faults *faults;
  const struct ut_circuit *circuit;
  struct source *source; /* inputs, then flip-flops */
  size_t inputs, sources;
  vector *last;                /* [sources]: of the patterns before */
  vector *good, *bad;          /* [ops]: of the switch, and with the fault that is followed */
  uint32_t *reader, *readers;  /* readers of operation i: reader[readers[i]] to reader[readers[i + 1] - 1] */
  uint64_t *pending, *summary; /* operations to be computed again; words of them that are not 0 */
  uint32_t low;                /* no word of summary[] before it is set */
  uint32_t *touched, *live;    /* operations that differ; classes that are open */
  size_t touches, lives;
  unsigned fill; /* patterns in good[] */
  vector valid;  /* of these */
  uint64_t patterns, chance;
  enum ut_stuck_verdict verdict; /* of what is seen */
  struct ut_stuck_reach *reach;  /* NULL: nobody looks at the patterns */
};

/* ---- what never changes ---- */

static int find_sources(struct ut_stuck_run *r, struct ut_error *e) {
  const struct ut_circuit *c = r->circuit;
  struct ut_image image;
  uint32_t *place = calloc(c->gates.bits + 1, sizeof *place);
  const int status = place ? ut_image_make(&image, c, e) : ut_fail_memory(e);
  if (!status)
    for (const struct ut_image_field *f = image.field; f < image.field + image.fields; f++)
      for (unsigned i = 0; f->part == UT_IMAGE_INPUTS && i < f->name->width; i++)
        place[f->name->bit + i] = 8 * f->at + i;
  for (uint32_t i = 0; !status && i < c->ops; i++)
    if (c->op[i].kind == UT_OP_INPUT)
      r->source[r->sources++] = (struct source){place[c->op[i].a], i};
  r->inputs = r->sources;
  for (uint32_t i = 0; i < c->ops; i++)
    if (c->op[i].kind == UT_OP_STATE)
      r->source[r->sources++] = (struct source){c->op[i].a, i};
  if (place)
    ut_image_free(&image);
  free(place);
  return status;
}

/* ---- one fault ---- */

/* Whether a difference there is seen: one in a reset only where what was there before does not matter. */
static bool shows(const struct ut_stuck_run *r, uint32_t op, const vector *change) {
  const vector running = *change & ~r->good[r->faults->reset];
  return r->faults->shown[op] && (r->faults->settled[op] || !ut_stuck_is_zero(&running));
}

/* An operation differs: its readers are computed again. */
static void touch(struct ut_stuck_run *r, uint32_t op) {
  r->touched[r->touches++] = op;
  for (uint32_t i = r->readers[op]; i < r->readers[op + 1]; i++) {
    const uint32_t word = r->reader[i] / 64;
    r->pending[word] |= UINT64_C(1) << r->reader[i] % 64;
    r->summary[word / 64] |= UINT64_C(1) << word % 64;
    r->low = word / 64 < r->low ? word / 64 : r->low;
  }
}

/* The first operation to be computed again; NOBODY: none. */
static uint32_t take(struct ut_stuck_run *r) {
  const uint32_t end = (uint32_t)(r->circuit->ops / 4096 + 1);
  while (r->low < end && !r->summary[r->low])
    r->low++;
  if (r->low == end)
    return NOBODY;
  const uint32_t word = 64 * r->low + (uint32_t)__builtin_ctzll(r->summary[r->low]);
  const uint32_t op = 64 * word + (uint32_t)__builtin_ctzll(r->pending[word]);
  r->pending[word] &= r->pending[word] - 1;
  if (!r->pending[word])
    r->summary[r->low] &= r->summary[r->low] - 1;
  return op;
}

/* Makes bad[] good again. */
static void restore(struct ut_stuck_run *r) {
  while (take(r) != NOBODY)
    ;
  while (r->touches) {
    const uint32_t op = r->touched[--r->touches];
    r->bad[op] = r->good[op];
  }
}

/* Whether any of the patterns shows a fault. */
static bool is_seen(struct ut_stuck_run *r, uint32_t fault) {
  uint32_t op = r->circuit->net[fault / 2];
  vector change = (fault % 2 ? ~r->good[op] : r->good[op]) & r->valid;
  if (ut_stuck_is_zero(&change))
    return false;
  bool seen = shows(r, op, &change);
  r->bad[op] = r->good[op] ^ change;
  touch(r, op);
  while (!seen && (op = take(r)) != NOBODY) {
    vector value;
    ut_stuck_compute(&r->circuit->op[op], r->bad, &value);
    change = value ^ r->good[op];
    if (ut_stuck_is_zero(&change))
      continue;
    r->bad[op] = value;
    seen = shows(r, op, &change);
    touch(r, op);
  }
  restore(r);
  return seen;
}

/* ---- patterns ---- */

/* Looks at all patterns that are there, and makes room for others.  seen: they belong to the run. */
static void look(struct ut_stuck_run *r, bool seen) {
  const struct ut_circuit *c = r->circuit;
  size_t left = 0;
  for (unsigned w = 0; w < WORDS; w++)
    r->valid[w] = r->fill >= 64 * (w + 1) ? UINT64_MAX : r->fill <= 64 * w ? 0 : (UINT64_C(1) << r->fill % 64) - 1;
  ut_stuck_compute_all(c, r->good);
  if (r->reach && seen)
    ut_stuck_reach_see(r->reach, r->good, &r->valid);
  memcpy(r->bad, r->good, c->ops * sizeof *r->bad);
  for (size_t i = 0; i < r->lives; i++) {
    uint8_t *verdict = &r->faults->verdict[r->live[i]];
    if (*verdict == UT_STUCK_OPEN && is_seen(r, r->live[i]))
      *verdict = r->verdict;
    else if (*verdict == UT_STUCK_OPEN)
      r->live[left++] = r->live[i];
  }
  r->lives = left;
  r->fill = 0;
  for (size_t i = 0; i < r->sources; i++)
    memset(&r->good[r->source[i].op], 0, sizeof *r->good);
}

void ut_stuck_run_end(struct ut_stuck_run *r) {
  if (!r->fill)
    return;
  r->patterns += r->fill;
  for (size_t i = 0; i < r->sources; i++)
    r->last[i] = r->good[r->source[i].op];
  look(r, true);
}

void ut_stuck_run_guess(struct ut_stuck_run *r, const bool *value) {
  r->verdict = UT_STUCK_TESTABLE;
  for (size_t i = 0; i < r->sources; i++) {
    vector *v = &r->good[r->source[i].op];
    for (unsigned w = 0; w < WORDS; w++) {
      uint64_t flips = ut_stuck_chance(&r->chance);
      for (unsigned half = 0; half < w; half++)
        flips &= ut_stuck_chance(&r->chance);
      if (value) /* as it is in one of them */
        (*v)[w] = (flips & ~UINT64_C(1)) ^ (value[r->source[i].op] ? UINT64_MAX : 0);
      else
        (*v)[w] = r->last[i][w] ^ flips;
    }
  }
  r->fill = PATTERNS;
  look(r, false);
}

size_t ut_stuck_run_left(const struct ut_stuck_run *r) {
  return r->lives;
}

void ut_stuck_run_show(struct ut_stuck_run *r, struct ut_stuck_reach *to) {
  r->reach = to;
}

/* `count` bits from bit `from` of a word of each vector; they fit into the word that is being filled. */
static void add_bits(struct ut_stuck_run *r, size_t first, size_t end, unsigned words, const uint64_t *values,
                     unsigned from, unsigned count) {
  const uint64_t mask = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
  const unsigned word = r->fill / 64, shift = r->fill % 64;
  for (const struct source *s = r->source + first; s < r->source + end; s++)
    r->good[s->op][word] |= (values[(size_t)s->from * words] >> from & mask) << shift;
}

void ut_stuck_run_add(struct ut_stuck_run *r, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                      const uint64_t *lanes) {
  for (unsigned w = 0; w < words; w++)
    for (uint64_t left = lanes[w]; left;) {
      const unsigned from = (unsigned)__builtin_ctzll(left), room = 64 - r->fill % 64;
      const uint64_t ends = ~(left >> from); /* bit of the first lane behind these that is not one of them */
      unsigned count = ends ? (unsigned)__builtin_ctzll(ends) : 64;
      count = count < room ? count : room;
      add_bits(r, 0, r->inputs, words, inputs + w, from, count);
      add_bits(r, r->inputs, r->sources, words, flip_flops + w, from, count);
      left &= from + count < 64 ? UINT64_MAX << (from + count) : 0;
      r->fill += count;
      if (r->fill == PATTERNS)
        ut_stuck_run_end(r);
    }
}

uint64_t ut_stuck_run_patterns(const struct ut_stuck_run *r) {
  return r->patterns + r->fill;
}

/* ---- begin and end ---- */

static bool make_room(struct ut_stuck_run *r) {
  const size_t ops = r->circuit->ops, words = ops / 64 + 1;
  const size_t sources = r->circuit->gates.bits + r->circuit->states + 1;
  r->source = calloc(sources, sizeof *r->source);
  r->last = ut_stuck_vectors(sources);
  r->good = ut_stuck_vectors(ops);
  r->bad = ut_stuck_vectors(ops);
  r->reader = malloc((2 * ops + 1) * sizeof *r->reader);
  r->readers = calloc(ops + 2, sizeof *r->readers);
  r->pending = calloc(words, sizeof *r->pending);
  r->summary = calloc(words / 64 + 1, sizeof *r->summary);
  r->touched = malloc((ops + 1) * sizeof *r->touched);
  r->live = malloc((r->faults->classes + 1) * sizeof *r->live);
  return r->source && r->last && r->good && r->bad && r->reader && r->readers && r->pending && r->summary &&
         r->touched && r->live;
}

struct ut_stuck_run *ut_stuck_run_open(struct ut_stuck_faults *f, struct ut_error *e) {
  struct ut_stuck_run *r =
      aligned_alloc(sizeof(vector), (sizeof *r + sizeof(vector) - 1) / sizeof(vector) * sizeof(vector));
  if (r) {
    memset(r, 0, sizeof *r);
    r->faults = f;
    r->circuit = f->circuit;
    r->verdict = UT_STUCK_DETECTED;
    r->chance = 1;
  }
  if (!r || !make_room(r)) {
    ut_fail_memory(e);
    ut_stuck_run_close(r);
    return NULL;
  }
  memset(r->good, 0, r->circuit->ops * sizeof *r->good);
  memset(r->last, 0, (r->circuit->gates.bits + r->circuit->states + 1) * sizeof *r->last);
  memset(&r->good[UT_OP_ONE], 0xff, sizeof *r->good);
  ut_stuck_find_readers(f->circuit, r->reader, r->readers);
  r->lives = ut_stuck_faults_open(f, r->live);
  if (!find_sources(r, e))
    return r;
  ut_stuck_run_close(r);
  return NULL;
}

void ut_stuck_run_close(struct ut_stuck_run *r) {
  if (!r)
    return;
  free(r->source);
  free(r->last);
  free(r->good);
  free(r->bad);
  free(r->reader);
  free(r->readers);
  free(r->pending);
  free(r->summary);
  free(r->touched);
  free(r->live);
  free(r);
}
