/* traffic.c - see traffic.h */
#include "traffic.h"

#include "input_limits.h"
#include "lines.h"
#include "topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMINALS = 65536, MAX_COLUMNS = 4 };

/* ---- files of numbers ---- */

struct number_file {
  struct ut_lines file;
  unsigned count; /* numbers in the current line */
  uint64_t value[MAX_COLUMNS];
  unsigned column[MAX_COLUMNS]; /* where they start, from 1 */
};

/* what: "trace", given by the key trace_file. */
static int open_numbers(struct number_file *f, const char *path, const char *what, struct ut_error *e) {
  *f = (struct number_file){.count = 0};
  if (!path)
    return ut_fail(e, UT_BAD_INPUT, "traffic: this pattern needs a file; add the key %s_file", what);
  return ut_lines_open(&f->file, path, what, UT_LIMIT_NUMBER_LINE_BYTES, e);
}

/* Splits the current line.  0 or -1. */
static int parse_numbers(struct number_file *f, struct ut_error *e) {
  f->count = 0;
  for (char *c = f->file.text + strspn(f->file.text, " \t\r"); *c != '\0' && *c != '#'; c += strspn(c, " \t\r")) {
    unsigned column = (unsigned)(c - f->file.text) + 1;
    if (*c < '0' || *c > '9')
      return ut_lines_fail(&f->file, column, e, "expected a number");
    if (f->count == MAX_COLUMNS)
      return ut_lines_fail(&f->file, column, e, "more than %d numbers", MAX_COLUMNS);
    errno = 0;
    char *end;
    f->value[f->count] = strtoull(c, &end, 10);
    if (errno || !strchr(" \t\r#", *end)) /* the string's end is one of them */
      return ut_lines_fail(&f->file, column, e, errno ? "number too large" : "expected a number");
    f->column[f->count++] = column;
    c = end;
  }
  return 0;
}

/* Moves to the next line that has numbers.  1: there is one, 0: end of file, -1 and *e. */
static int next_numbers(struct number_file *f, struct ut_error *e) {
  int more;
  while ((more = ut_lines_next(&f->file, e)) > 0) {
    if (parse_numbers(f, e))
      return -1;
    if (f->count)
      break;
  }
  return more;
}

/* Number i of the line as a terminal. */
static int terminal_of(const struct number_file *f, unsigned i, uint32_t terminals, uint16_t *out, struct ut_error *e) {
  if (f->value[i] >= terminals)
    return ut_lines_fail(&f->file, f->column[i], e, "terminal %llu does not exist, this network has 0..%u",
                         (unsigned long long)f->value[i], (unsigned)terminals - 1);
  *out = (uint16_t)f->value[i];
  return 0;
}

/* ---- patterns with one destination per source ---- */

/* line_of: [terminals], zero: the line that gave each terminal its destination. */
static int read_permutation(struct ut_traffic *t, struct number_file *f, unsigned *line_of, struct ut_error *e) {
  unsigned columns = 0;
  uint32_t given = 0;
  int more;
  while ((more = next_numbers(f, e)) > 0) {
    if (!columns)
      columns = f->count;
    if (f->count != columns || columns > 2)
      return ut_lines_fail(&f->file, 1, e, "expected %s",
                           columns == 1 ? "one number, a destination" : "two numbers, source and destination");
    uint16_t src = (uint16_t)given;
    if (columns == 2 && terminal_of(f, 0, t->terminals, &src, e))
      return -1;
    if (given == t->terminals)
      return ut_lines_fail(&f->file, 1, e, "more lines than the %u terminals of this network", (unsigned)t->terminals);
    if (line_of[src])
      return ut_lines_fail(&f->file, 1, e, "terminal %u has a destination from line %u", (unsigned)src, line_of[src]);
    if (terminal_of(f, columns - 1, t->terminals, &t->map[src], e))
      return -1;
    line_of[src] = f->file.line;
    given++;
  }
  for (uint32_t src = 0; more == 0 && src < t->terminals; src++)
    if (!line_of[src])
      return ut_fail(e, UT_BAD_INPUT, "%s: terminal %u has no destination; all %u need one", f->file.path,
                     (unsigned)src, (unsigned)t->terminals);
  return more;
}

static int load_permutation(struct ut_traffic *t, const char *path, struct ut_error *e) {
  struct number_file f;
  if (open_numbers(&f, path, "permutation", e))
    return -1;
  unsigned *line_of = calloc(t->terminals, sizeof *line_of);
  int result = line_of ? read_permutation(t, &f, line_of, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  free(line_of);
  ut_lines_close(&f.file);
  return result;
}

static int fill_bit_pattern(struct ut_traffic *t, struct ut_error *e) {
  static const char *const names[] = {
      [UT_COMPLEMENT] = "complement", [UT_SHUFFLE] = "shuffle", [UT_TRANSPOSE] = "transpose"};
  unsigned bits = 0;
  while (UINT32_C(1) << bits < t->terminals)
    bits++;
  bool halves = t->pattern == UT_TRANSPOSE;
  if (UINT32_C(1) << bits != t->terminals || (halves && bits % 2))
    return ut_fail(e, UT_BAD_INPUT, "traffic: pattern %s needs a power of %s terminals, this network has %u",
                   names[t->pattern], halves ? "four" : "two", (unsigned)t->terminals);
  unsigned left = halves ? bits / 2 : bits ? 1 : 0; /* rotation */
  uint32_t mask = t->terminals - 1;
  for (uint32_t src = 0; src < t->terminals; src++)
    t->map[src] = (uint16_t)(t->pattern == UT_COMPLEMENT ? ~src & mask : (src << left | src >> (bits - left)) & mask);
  return 0;
}

static int init_map(struct ut_traffic *t, const char *path, struct ut_error *e) {
  t->map = calloc(t->terminals, sizeof *t->map);
  if (!t->map)
    return ut_fail(e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", (unsigned)t->terminals);
  return t->pattern == UT_PERMUTATION ? load_permutation(t, path, e) : fill_bit_pattern(t, e);
}

/* ---- trace ---- */

static int trace_order(const void *a, const void *b) {
  const struct ut_trace_entry *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* The current line as an entry. */
static int trace_entry(const struct ut_traffic *t, const struct number_file *f, struct ut_trace_entry *entry,
                       struct ut_error *e) {
  if (f->count != MAX_COLUMNS)
    return ut_lines_fail(&f->file, 1, e, "expected four numbers: cycle, source, destination, flits");
  if (terminal_of(f, 1, t->terminals, &entry->src, e) || terminal_of(f, 2, t->terminals, &entry->dst, e))
    return -1;
  if (f->value[3] < t->shortest_flits || f->value[3] > t->packet_flits)
    return ut_lines_fail(&f->file, f->column[3], e, "%llu flits, must be %u..%u (%s of the scenario)",
                         (unsigned long long)f->value[3], (unsigned)t->shortest_flits, (unsigned)t->packet_flits,
                         t->shortest_flits > 1 ? "shortest_packet_flits and packet_flits" : "packet_flits");
  entry->cycle = f->value[0];
  entry->flits = (uint16_t)f->value[3];
  return 0;
}

static int read_trace(struct ut_traffic *t, struct number_file *f, size_t *count, struct ut_error *e) {
  size_t capacity = 0;
  int more;
  while ((more = next_numbers(f, e)) > 0) {
    if (*count == UT_LIMIT_TRACE_PACKETS)
      return ut_lines_fail(&f->file, 1, e, "more than %d packets", UT_LIMIT_TRACE_PACKETS);
    if (*count == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      struct ut_trace_entry *trace = realloc(t->trace, capacity * sizeof *trace);
      if (!trace)
        return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for %zu packets", f->file.path, capacity);
      t->trace = trace;
    }
    struct ut_trace_entry entry = {.order = (uint32_t)*count};
    if (trace_entry(t, f, &entry, e))
      return -1;
    t->trace[(*count)++] = entry;
  }
  return more;
}

static int load_trace(struct ut_traffic *t, const char *path, struct ut_error *e) {
  struct number_file f;
  if (open_numbers(&f, path, "trace", e))
    return -1;
  size_t count = 0;
  int result = read_trace(t, &f, &count, e);
  ut_lines_close(&f.file);
  if (result)
    return -1;
  if (count)
    qsort(t->trace, count, sizeof *t->trace, trace_order);
  t->trace_first = calloc((size_t)t->terminals + 1, sizeof *t->trace_first);
  if (!t->trace_first)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  for (size_t i = 0; i < count; i++)
    t->trace_first[t->trace[i].src + 1] = i + 1;
  for (uint32_t src = 0; src < t->terminals; src++) /* sources without packets */
    if (t->trace_first[src + 1] < t->trace_first[src])
      t->trace_first[src + 1] = t->trace_first[src];
  return 0;
}

static size_t trace_packets(const struct ut_traffic *t) {
  return t->trace_first ? t->trace_first[t->terminals] : 0;
}

uint64_t ut_traffic_flits(const struct ut_traffic *t, uint64_t from, uint64_t until) {
  uint64_t flits = 0;
  for (size_t i = 0; i < trace_packets(t); i++)
    if (t->trace[i].cycle >= from && t->trace[i].cycle < until)
      flits += t->trace[i].flits;
  return flits;
}

uint64_t ut_traffic_packets_from(const struct ut_traffic *t, uint64_t end) {
  uint64_t packets = 0;
  for (size_t i = 0; i < trace_packets(t); i++)
    packets += t->trace[i].cycle >= end;
  return packets;
}

/* ---- all patterns ---- */

static int check(const struct ut_scenario *s, unsigned terminals, struct ut_error *e) {
  double load = s->traffic.load_flits_per_cycle;
  if (terminals < 1 || terminals > MAX_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "traffic: %u terminals, must be 1..%d", terminals, MAX_TERMINALS);
  if (s->sw.packet_flits < 1 || s->sw.packet_flits > UT_MAX_PACKET)
    return ut_fail(e, UT_BAD_INPUT, "traffic: packet_flits is %u, must be 1..%d", s->sw.packet_flits, UT_MAX_PACKET);
  if (!(load >= 0 && load <= UT_MAX_TERMINAL_LINKS))
    return ut_fail(e, UT_BAD_INPUT, "traffic: load_flits_per_cycle is %.15g, must be 0..%d", load,
                   UT_MAX_TERMINAL_LINKS);
  if (s->traffic.pattern != UT_HOT_SPOT)
    return 0;
  if (!(s->traffic.hot_spot_fraction >= 0 && s->traffic.hot_spot_fraction <= 1))
    return ut_fail(e, UT_BAD_INPUT, "traffic: hot_spot_fraction is %.15g, must be 0..1", s->traffic.hot_spot_fraction);
  if (s->traffic.hot_spot_node >= terminals)
    return ut_fail(e, UT_BAD_INPUT, "traffic: hot_spot_node is %u, this network has terminals 0..%u",
                   s->traffic.hot_spot_node, terminals - 1);
  return 0;
}

/* Both processes draw one exponential per packet.  A geometric gap with success probability p is its floor after
 * scaling with 1 / -ln(1-p): P(gap >= g) = (1-p)^g. */
static double mean_gap(double packets_per_cycle, enum ut_process process) {
  if (packets_per_cycle <= 0)
    return -1;
  if (process == UT_POISSON)
    return 1 / packets_per_cycle;
  return packets_per_cycle < 1 ? 1 / ut_minus_log(1 - packets_per_cycle) : 0;
}

/* Most gaps of uniform Bernoulli traffic follow from the first bits alone: where both ends of their range give the
 * same. */
static void fill_gaps(struct ut_traffic *t) {
  const unsigned rest = 40 - UT_GAP_BITS;
  for (uint64_t i = 0; i < UINT64_C(1) << UT_GAP_BITS; i++) {
    double longest = ut_exponential_of(i << rest) * t->mean_gap;
    double shortest = ut_exponential_of(((i + 1) << rest) - 1) * t->mean_gap;
    bool same = t->process == UT_BERNOULLI && t->pattern == UT_UNIFORM && t->others && t->mean_gap >= 0 &&
                longest < UT_GAP_UNKNOWN && (uint64_t)longest == (uint64_t)shortest;
    t->gap[i] = same ? (uint16_t)longest : UT_GAP_UNKNOWN;
  }
}

int ut_traffic_init(struct ut_traffic *t, const struct ut_scenario *s, unsigned terminals, struct ut_error *e) {
  *t = (struct ut_traffic){0};
  if (check(s, terminals, e))
    return -1;
  t->pattern = s->traffic.pattern;
  t->process = s->traffic.process;
  t->terminals = terminals;
  t->hot_spot_node = s->traffic.hot_spot_node;
  t->hot_spot_fraction = s->traffic.hot_spot_fraction;
  const struct ut_length_rule rule = ut_scenario_lengths(s);
  if (ut_lengths_init(&t->lengths, &rule, e))
    return -1;
  t->mean_gap = mean_gap(s->traffic.load_flits_per_cycle / t->lengths.mean, s->traffic.process);
  t->others = terminals - 1;
  t->unfair = t->others ? (UINT32_C(1) << 24) % t->others : 0;
  fill_gaps(t);
  t->seed = s->run.seed;
  t->packet_flits = (uint16_t)s->sw.packet_flits;
  t->shortest_flits = (uint16_t)(s->sw.shortest_packet_flits ? s->sw.shortest_packet_flits : 1);
  int result = 0;
  switch (t->pattern) {
  case UT_UNIFORM:
  case UT_HOT_SPOT: break;
  case UT_COMPLEMENT:
  case UT_SHUFFLE:
  case UT_TRANSPOSE:
  case UT_PERMUTATION: result = init_map(t, s->traffic.file, e); break;
  case UT_TRACE: result = load_trace(t, s->traffic.file, e); break;
  default: break; /* a workload: workload.h */
  }
  if (result)
    ut_traffic_free(t);
  return result;
}

void ut_traffic_free(struct ut_traffic *t) {
  ut_lengths_free(&t->lengths);
  free(t->map);
  free(t->trace);
  free(t->trace_first);
  *t = (struct ut_traffic){0};
}

void ut_traffic_source_init(struct ut_traffic_source *source, const struct ut_traffic *t, unsigned terminal) {
  *source = (struct ut_traffic_source){
      .terminal = terminal, .used = UT_DRAWS, .next = t->trace_first ? t->trace_first[terminal] : 0};
  ut_random_init(&source->random, t->seed, UT_RANDOM_TRAFFIC, terminal);
  ut_random_init(&source->lengths, t->seed, UT_RANDOM_LENGTHS, terminal);
}

static __attribute__((noinline)) void draw_again(const struct ut_traffic *t, struct ut_traffic_source *source) {
  const bool alone = t->pattern != UT_HOT_SPOT; /* which draws other numbers between these */
  source->used = alone ? 0 : UT_DRAWS - 2;
  if (alone)
    ut_random_pairs(&source->random, source->bits);
  else
    ut_random_pair(&source->random, source->bits + source->used);
}

/* 64 random bits. */
static inline uint64_t draw(const struct ut_traffic *t, struct ut_traffic_source *source) {
  if (source->used == UT_DRAWS)
    draw_again(t, source);
  return source->bits[source->used++];
}

/* Any other terminal, from 24 random bits, without bias (Lemire, ACM TOMACS 29(1), 2019): some are drawn again. */
static uint16_t uniform(const struct ut_traffic *t, struct ut_traffic_source *source, uint32_t bits) {
  if (t->others == 0)
    return 0;
  uint64_t product = (uint64_t)bits * t->others;
  while (__builtin_expect((product & 0xffffff) < t->unfair, 0))
    product = (draw(t, source) & 0xffffff) * t->others;
  uint32_t other = (uint32_t)(product >> 24);
  return (uint16_t)(other + (other >= source->terminal));
}

static uint16_t destination(const struct ut_traffic *t, struct ut_traffic_source *source, uint32_t bits) {
  if (t->pattern == UT_UNIFORM)
    return uniform(t, source, bits);
  if (t->map)
    return t->map[source->terminal];
  if (source->terminal != t->hot_spot_node && ut_random_unit(&source->random) <= t->hot_spot_fraction)
    return (uint16_t)t->hot_spot_node;
  return uniform(t, source, bits);
}

/* Cycles to the next packet, from 40 random bits.  Moves the source there. */
static bool next_cycle(const struct ut_traffic *t, struct ut_traffic_source *source, uint64_t bits, uint64_t *cycle) {
  double gap = source->fraction + ut_exponential_of(bits) * t->mean_gap;
  if (gap >= 0x1p62 || source->cycle >= UINT64_C(1) << 62) {
    source->cycle = UINT64_C(1) << 62; /* and never again */
    return false;
  }
  uint64_t whole = (uint64_t)(int64_t)gap;
  *cycle = source->cycle + whole;
  if (t->process == UT_POISSON) {
    source->cycle = *cycle;
    source->fraction = gap - (double)whole;
  } else {
    source->cycle = *cycle + 1;
  }
  return true;
}

static __attribute__((noinline)) uint16_t draw_length(const struct ut_traffic *t, struct ut_traffic_source *source) {
  const uint64_t high = ut_random_u32(&source->lengths);
  const uint64_t bits = high << 32 | ut_random_u32(&source->lengths);
  return (uint16_t)ut_lengths_of(&t->lengths, bits >> (64 - UT_LENGTH_BITS));
}

static bool next_in_general(const struct ut_traffic *t, struct ut_traffic_source *source,
                            struct ut_packet_request *out) {
  const uint64_t bits = draw(t, source);
  uint64_t cycle;
  if (!next_cycle(t, source, bits >> 24, &cycle))
    return false;
  *out = (struct ut_packet_request){
      .cycle = cycle, .dst = destination(t, source, bits & 0xffffff), .flits = t->packet_flits};
  if (t->lengths.at_most)
    out->flits = draw_length(t, source);
  return true;
}

static bool next_in_trace(const struct ut_traffic *t, struct ut_traffic_source *source, struct ut_packet_request *out) {
  if (source->next >= t->trace_first[source->terminal + 1])
    return false;
  const struct ut_trace_entry *entry = &t->trace[source->next++];
  *out = (struct ut_packet_request){.cycle = entry->cycle, .dst = entry->dst, .flits = entry->flits};
  return true;
}

static __attribute__((noinline)) bool next_of_any(const struct ut_traffic *t, struct ut_traffic_source *source,
                                                  struct ut_packet_request *out) {
  return t->pattern == UT_TRACE ? next_in_trace(t, source, out) : t->mean_gap >= 0 && next_in_general(t, source, out);
}

/* Some packets of the commonest kind, which are the same as in general: uniform Bernoulli traffic, gaps that their
 * first bits tell, destinations without bias; from random bits that are there. */
static unsigned next_common(const struct ut_traffic *t, struct ut_traffic_source *source, unsigned count,
                            struct ut_packet_request *out) {
  const uint64_t *bits = source->bits + source->used, others = t->others, unfair = t->unfair;
  const uint32_t terminal = source->terminal;
  uint64_t cycle = source->cycle;
  const unsigned most = count < UT_DRAWS - source->used ? count : UT_DRAWS - source->used;
  unsigned i = 0;
  for (; i < most; i++) {
    const unsigned gap = t->gap[bits[i] >> (64 - UT_GAP_BITS)];
    const uint64_t product = (bits[i] & 0xffffff) * others;
    if (gap == UT_GAP_UNKNOWN || (product & 0xffffff) < unfair)
      break;
    const uint32_t other = (uint32_t)(product >> 24);
    cycle += gap;
    out[i] = (struct ut_packet_request){cycle++, (uint16_t)(other + (other >= terminal)), t->packet_flits};
  }
  source->used += i;
  source->cycle = cycle;
  for (unsigned j = 0; t->lengths.at_most && j < i; j++)
    out[j].flits = draw_length(t, source);
  return i;
}

unsigned ut_traffic_draw(const struct ut_traffic *t, struct ut_traffic_source *source, unsigned count,
                         struct ut_packet_request out[]) {
  unsigned i = 0;
  while (i < count) {
    const unsigned common = next_common(t, source, count - i, out + i);
    i += common;
    if (source->used == UT_DRAWS && t->mean_gap >= 0)
      draw_again(t, source);
    else if (i < count && !next_of_any(t, source, &out[i++]))
      return i - 1;
  }
  return i;
}

bool ut_traffic_next(const struct ut_traffic *t, struct ut_traffic_source *source, struct ut_packet_request *out) {
  return ut_traffic_draw(t, source, 1, out) == 1;
}
