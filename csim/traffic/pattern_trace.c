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

/* Reads the current line as an entry. */
static int trace_entry(const struct ut_traffic *traffic, const struct ut_number_file *file,
                       struct ut_trace_entry *entry, struct ut_error *e) {
  if (file->count != 4)
    return ut_lines_fail(&file->file, 1, e, "expected four numbers: cycle, source, destination, flits");
  if (ut_number_file_terminal(file, 1, traffic->terminals, &entry->src, e) ||
      ut_number_file_terminal(file, 2, traffic->terminals, &entry->dst, e))
    return -1;
  if (file->value[3] < traffic->shortest_flits || file->value[3] > traffic->packet_flits)
    return ut_lines_fail(&file->file, file->column[3], e, "%llu flits, must be %u..%u (%s of the scenario)",
                         (unsigned long long)file->value[3], (unsigned)traffic->shortest_flits,
                         (unsigned)traffic->packet_flits,
                         traffic->shortest_flits > 1 ? "shortest_packet_flits and packet_flits" : "packet_flits");
  entry->cycle = file->value[0];
  entry->flits = (uint16_t)file->value[3];
  return 0;
}

static int read_trace(struct ut_traffic *traffic, struct ut_number_file *file, size_t *count, struct ut_error *e) {
  size_t capacity = 0;
  int more;
  while ((more = ut_number_file_next(file, e)) > 0) {
    if (*count == UT_LIMIT_TRACE_PACKETS)
      return ut_lines_fail(&file->file, 1, e, "more than %d packets", UT_LIMIT_TRACE_PACKETS);
    if (*count == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      struct ut_trace_entry *trace = realloc(traffic->trace, capacity * sizeof *trace);
      if (!trace)
        return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for %zu packets", file->file.path, capacity);
      traffic->trace = trace;
    }
    struct ut_trace_entry entry = {.order = (uint32_t)*count};
    if (trace_entry(traffic, file, &entry, e))
      return -1;
    traffic->trace[(*count)++] = entry;
  }
  return more;
}

static int load_trace(struct ut_traffic *traffic, const char *path, struct ut_error *e) {
  struct ut_number_file file;
  if (ut_number_file_open(&file, path, "trace", e))
    return -1;
  size_t count = 0;
  int result = read_trace(traffic, &file, &count, e);
  ut_number_file_close(&file);
  if (result)
    return -1;
  if (count)
    qsort(traffic->trace, count, sizeof *traffic->trace, trace_order);
  traffic->trace_first = calloc((size_t)traffic->terminals + 1, sizeof *traffic->trace_first);
  if (!traffic->trace_first)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  for (size_t i = 0; i < count; i++)
    traffic->trace_first[traffic->trace[i].src + 1] = i + 1;
  for (uint32_t src = 0; src < traffic->terminals; src++) /* sources without packets */
    if (traffic->trace_first[src + 1] < traffic->trace_first[src])
      traffic->trace_first[src + 1] = traffic->trace_first[src];
  return 0;
}

static size_t trace_packets(const struct ut_traffic *traffic) {
  return traffic->trace_first ? traffic->trace_first[traffic->terminals] : 0;
}

uint64_t ut_traffic_flits(const struct ut_traffic *traffic, uint64_t from, uint64_t until) {
  uint64_t flits = 0;
  for (size_t i = 0; i < trace_packets(traffic); i++)
    if (traffic->trace[i].cycle >= from && traffic->trace[i].cycle < until)
      flits += traffic->trace[i].flits;
  return flits;
}

uint64_t ut_traffic_packets_from(const struct ut_traffic *traffic, uint64_t end) {
  uint64_t packets = 0;
  for (size_t i = 0; i < trace_packets(traffic); i++)
    packets += traffic->trace[i].cycle >= end;
  return packets;
}

const struct ut_pattern ut_pattern_trace = {
    .name = "trace",
    .summary = "from a file: lines `cycle src dst flits`",
    .keys = {"traffic.trace_file"},
    .read = load_trace,
    .trace = true,
};
