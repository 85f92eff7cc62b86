/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_trace.c - packets from a file, in any order: lines of cycle, source, destination and flits. */
#include <stdlib.h>

#include "input_limits.h"
#include "number_file.h"
#include "pattern.h"
#include "traffic.h"

static int trace_order(const void *a, const void *b) {
  const struct ut_trace_entry *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* The current line as an entry. */
static int trace_entry(const struct ut_traffic *t, const struct ut_number_file *f, struct ut_trace_entry *entry,
                       struct ut_error *e) {
  if (f->count != UT_NUMBER_COLUMNS)
    return ut_lines_fail(&f->file, 1, e, "expected four numbers: cycle, source, destination, flits");
  if (ut_number_file_terminal(f, 1, t->terminals, &entry->src, e) ||
      ut_number_file_terminal(f, 2, t->terminals, &entry->dst, e))
    return -1;
  if (f->value[3] < t->shortest_flits || f->value[3] > t->packet_flits)
    return ut_lines_fail(&f->file, f->column[3], e, "%llu flits, must be %u..%u (%s of the scenario)",
                         (unsigned long long)f->value[3], (unsigned)t->shortest_flits, (unsigned)t->packet_flits,
                         t->shortest_flits > 1 ? "shortest_packet_flits and packet_flits" : "packet_flits");
  entry->cycle = f->value[0];
  entry->flits = (uint16_t)f->value[3];
  return 0;
}

static int read_trace(struct ut_traffic *t, struct ut_number_file *f, size_t *count, struct ut_error *e) {
  size_t capacity = 0;
  int more;
  while ((more = ut_number_file_next(f, e)) > 0) {
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
  struct ut_number_file f;
  if (ut_number_file_open(&f, path, "trace", e))
    return -1;
  size_t count = 0;
  int result = read_trace(t, &f, &count, e);
  ut_number_file_close(&f);
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

const struct ut_pattern ut_pattern_trace = {
    .name = "trace",
    .summary = "from a file: lines `cycle src dst flits`",
    .keys = {"traffic.trace_file"},
    .read = load_trace,
    .trace = true,
};
