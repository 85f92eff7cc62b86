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

/* The source of a value of a pattern: bit of the image or number of the flip-flop, and its operation. */
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
  struct ut_stuck_reach *reach;  /* NULL: there is no observer of the patterns */
};

/* ---- what never changes ---- */

static int find_sources(struct ut_stuck_run *run, struct ut_error *e) {
  const struct ut_circuit *circuit = run->circuit;
  struct ut_image image;
  uint32_t *place = calloc(circuit->gates.bits + 1, sizeof *place);
  const int status = place ? ut_image_make(&image, circuit, e) : ut_fail_memory(e);
  if (!status)
    for (const struct ut_image_field *field = image.field; field < image.field + image.fields; field++)
      for (unsigned i = 0; field->part == UT_IMAGE_INPUTS && i < field->name->width; i++)
        place[field->name->bit + i] = 8 * field->at + i;
  for (uint32_t i = 0; !status && i < circuit->ops; i++)
    if (circuit->op[i].kind == UT_OP_INPUT)
      run->source[run->sources++] = (struct source){place[circuit->op[i].a], i};
  run->inputs = run->sources;
  for (uint32_t i = 0; i < circuit->ops; i++)
    if (circuit->op[i].kind == UT_OP_STATE)
      run->source[run->sources++] = (struct source){circuit->op[i].a, i};
  if (place)
    ut_image_free(&image);
  free(place);
  return status;
}

/* ---- one fault ---- */

/* Whether a difference there is observed: during a reset only if the state before it does not matter. */
static bool shows(const struct ut_stuck_run *run, uint32_t op, const vector *change) {
  const vector running = *change & ~run->good[run->faults->reset];
  return run->faults->shown[op] && (run->faults->settled[op] || !ut_stuck_is_zero(&running));
}

/* An operation differs: marks its readers for evaluation. */
static void touch(struct ut_stuck_run *run, uint32_t op) {
  run->touched[run->touches++] = op;
  for (uint32_t i = run->readers[op]; i < run->readers[op + 1]; i++) {
    const uint32_t word = run->reader[i] / 64;
    run->pending[word] |= UINT64_C(1) << run->reader[i] % 64;
    run->summary[word / 64] |= UINT64_C(1) << word % 64;
    run->low = word / 64 < run->low ? word / 64 : run->low;
  }
}

/* The first operation to be computed again; NOBODY: none. */
static uint32_t take(struct ut_stuck_run *run) {
  const uint32_t end = (uint32_t)(run->circuit->ops / 4096 + 1);
  while (run->low < end && !run->summary[run->low])
    run->low++;
  if (run->low == end)
    return NOBODY;
  const uint32_t word = 64 * run->low + (uint32_t)__builtin_ctzll(run->summary[run->low]);
  const uint32_t op = 64 * word + (uint32_t)__builtin_ctzll(run->pending[word]);
  run->pending[word] &= run->pending[word] - 1;
  if (!run->pending[word])
    run->summary[run->low] &= run->summary[run->low] - 1;
  return op;
}

/* Makes bad[] good again. */
static void restore(struct ut_stuck_run *run) {
  while (take(run) != NOBODY)
    ;
  while (run->touches) {
    const uint32_t op = run->touched[--run->touches];
    run->bad[op] = run->good[op];
  }
}

/* Whether any of the patterns shows a fault. */
static bool is_seen(struct ut_stuck_run *run, uint32_t fault) {
  uint32_t op = run->circuit->net[fault / 2];
  vector change = (fault % 2 ? ~run->good[op] : run->good[op]) & run->valid;
  if (ut_stuck_is_zero(&change))
    return false;
  bool seen = shows(run, op, &change);
  run->bad[op] = run->good[op] ^ change;
  touch(run, op);
  while (!seen && (op = take(run)) != NOBODY) {
    vector value;
    ut_stuck_compute(&run->circuit->op[op], run->bad, &value);
    change = value ^ run->good[op];
    if (ut_stuck_is_zero(&change))
      continue;
    run->bad[op] = value;
    seen = shows(run, op, &change);
    touch(run, op);
  }
  restore(run);
  return seen;
}

/* ---- patterns ---- */

/* Examines all present patterns, and makes room for others.  seen: they belong to the run. */
static void look(struct ut_stuck_run *run, bool seen) {
  const struct ut_circuit *circuit = run->circuit;
  size_t left = 0;
  for (unsigned w = 0; w < WORDS; w++)
    run->valid[w] = run->fill >= 64 * (w + 1) ? UINT64_MAX
                    : run->fill <= 64 * w     ? 0
                                              : (UINT64_C(1) << run->fill % 64) - 1;
  ut_stuck_compute_all(circuit, run->good);
  if (run->reach && seen)
    ut_stuck_reach_see(run->reach, run->good, &run->valid);
  memcpy(run->bad, run->good, circuit->ops * sizeof *run->bad);
  for (size_t i = 0; i < run->lives; i++) {
    uint8_t *verdict = &run->faults->verdict[run->live[i]];
    if (*verdict == UT_STUCK_OPEN && is_seen(run, run->live[i]))
      *verdict = run->verdict;
    else if (*verdict == UT_STUCK_OPEN)
      run->live[left++] = run->live[i];
  }
  run->lives = left;
  run->fill = 0;
  for (size_t i = 0; i < run->sources; i++)
    memset(&run->good[run->source[i].op], 0, sizeof *run->good);
}

void ut_stuck_run_end(struct ut_stuck_run *run) {
  if (!run->fill)
    return;
  run->patterns += run->fill;
  for (size_t i = 0; i < run->sources; i++)
    run->last[i] = run->good[run->source[i].op];
  look(run, true);
}

void ut_stuck_run_guess(struct ut_stuck_run *run, const bool *value) {
  run->verdict = UT_STUCK_TESTABLE;
  for (size_t i = 0; i < run->sources; i++) {
    vector *v = &run->good[run->source[i].op];
    for (unsigned w = 0; w < WORDS; w++) {
      uint64_t flips = ut_stuck_chance(&run->chance);
      for (unsigned half = 0; half < w; half++)
        flips &= ut_stuck_chance(&run->chance);
      if (value) /* as it is in one of them */
        (*v)[w] = (flips & ~UINT64_C(1)) ^ (value[run->source[i].op] ? UINT64_MAX : 0);
      else
        (*v)[w] = run->last[i][w] ^ flips;
    }
  }
  run->fill = PATTERNS;
  look(run, false);
}

size_t ut_stuck_run_left(const struct ut_stuck_run *run) {
  return run->lives;
}

void ut_stuck_run_show(struct ut_stuck_run *run, struct ut_stuck_reach *to) {
  run->reach = to;
}

/* `count` bits from bit `from` of a word of each vector; they fit into the word that is being filled. */
static void add_bits(struct ut_stuck_run *run, size_t first, size_t end, unsigned words, const uint64_t *values,
                     unsigned from, unsigned count) {
  const uint64_t mask = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
  const unsigned word = run->fill / 64, shift = run->fill % 64;
  for (const struct source *source = run->source + first; source < run->source + end; source++)
    run->good[source->op][word] |= (values[(size_t)source->from * words] >> from & mask) << shift;
}

void ut_stuck_run_add(struct ut_stuck_run *run, unsigned words, const uint64_t *inputs, const uint64_t *flip_flops,
                      const uint64_t *lanes) {
  for (unsigned w = 0; w < words; w++)
    for (uint64_t left = lanes[w]; left;) {
      const unsigned from = (unsigned)__builtin_ctzll(left), room = 64 - run->fill % 64;
      const uint64_t ends = ~(left >> from); /* bit of the first lane behind these that is not one of them */
      unsigned count = ends ? (unsigned)__builtin_ctzll(ends) : 64;
      count = count < room ? count : room;
      add_bits(run, 0, run->inputs, words, inputs + w, from, count);
      add_bits(run, run->inputs, run->sources, words, flip_flops + w, from, count);
      left &= from + count < 64 ? UINT64_MAX << (from + count) : 0;
      run->fill += count;
      if (run->fill == PATTERNS)
        ut_stuck_run_end(run);
    }
}

uint64_t ut_stuck_run_patterns(const struct ut_stuck_run *run) {
  return run->patterns + run->fill;
}

/* ---- begin and end ---- */

static bool make_room(struct ut_stuck_run *run) {
  const size_t ops = run->circuit->ops, words = ops / 64 + 1;
  const size_t sources = run->circuit->gates.bits + run->circuit->states + 1;
  run->source = calloc(sources, sizeof *run->source);
  run->last = ut_stuck_vectors(sources);
  run->good = ut_stuck_vectors(ops);
  run->bad = ut_stuck_vectors(ops);
  run->reader = malloc((2 * ops + 1) * sizeof *run->reader);
  run->readers = calloc(ops + 2, sizeof *run->readers);
  run->pending = calloc(words, sizeof *run->pending);
  run->summary = calloc(words / 64 + 1, sizeof *run->summary);
  run->touched = malloc((ops + 1) * sizeof *run->touched);
  run->live = malloc((run->faults->classes + 1) * sizeof *run->live);
  return run->source && run->last && run->good && run->bad && run->reader && run->readers && run->pending &&
         run->summary && run->touched && run->live;
}

struct ut_stuck_run *ut_stuck_run_open(struct ut_stuck_faults *faults, struct ut_error *e) {
  struct ut_stuck_run *run =
      aligned_alloc(sizeof(vector), (sizeof *run + sizeof(vector) - 1) / sizeof(vector) * sizeof(vector));
  if (run) {
    memset(run, 0, sizeof *run);
    run->faults = faults;
    run->circuit = faults->circuit;
    run->verdict = UT_STUCK_DETECTED;
    run->chance = 1;
  }
  if (!run || !make_room(run)) {
    ut_fail_memory(e);
    ut_stuck_run_close(run);
    return NULL;
  }
  memset(run->good, 0, run->circuit->ops * sizeof *run->good);
  memset(run->last, 0, (run->circuit->gates.bits + run->circuit->states + 1) * sizeof *run->last);
  memset(&run->good[UT_OP_ONE], 0xff, sizeof *run->good);
  ut_stuck_find_readers(faults->circuit, run->reader, run->readers);
  run->lives = ut_stuck_faults_open(faults, run->live);
  if (!find_sources(run, e))
    return run;
  ut_stuck_run_close(run);
  return NULL;
}

void ut_stuck_run_close(struct ut_stuck_run *run) {
  if (!run)
    return;
  free(run->source);
  free(run->last);
  free(run->good);
  free(run->bad);
  free(run->reader);
  free(run->readers);
  free(run->pending);
  free(run->summary);
  free(run->touched);
  free(run->live);
  free(run);
}
