/* SPDX-License-Identifier: Apache-2.0 */
/* case.c - see case.h */
#define _GNU_SOURCE
#include "case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "output.h"
#include "pattern.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "scenario_read.h"
#include "scenario_write.h"

void ut_case_free(struct ut_case *c) {
  ut_scenario_free(c->scenario);
  free(c->packet);
  *c = (struct ut_case){0};
}

static void *copy_of(const void *from, size_t size) {
  void *to = malloc(size ? size : 1);
  if (to && size)
    memcpy(to, from, size);
  return to;
}

/* Planned routes are not copied: they follow from the rest. */
static struct ut_scenario *copy_scenario(const struct ut_scenario *s) {
  struct ut_scenario *to = copy_of(s, sizeof *s);
  if (!to)
    return NULL;
  to->paths = NULL;
  to->path = strdup(s->path);
  to->name = strdup(s->name);
  to->routing.algorithm = strdup(s->routing.algorithm);
  to->traffic.file = s->traffic.file ? strdup(s->traffic.file) : NULL;
  to->faults = copy_of(s->faults, s->fault_count * sizeof *s->faults);
  if (to->path && to->name && to->routing.algorithm && !to->traffic.file == !s->traffic.file && to->faults)
    return to;
  ut_scenario_free(to);
  return NULL;
}

bool ut_case_copy(struct ut_case *to, const struct ut_case *from) {
  *to = (struct ut_case){.scenario = copy_scenario(from->scenario),
                         .traced = from->traced,
                         .packet = copy_of(from->packet, from->packets * sizeof *from->packet),
                         .packets = from->packets};
  if (to->scenario && to->packet)
    return true;
  ut_case_free(to);
  return false;
}

int ut_case_init(struct ut_case *c, const struct ut_scenario *s, struct ut_error *e) {
  *c = (struct ut_case){.scenario = copy_scenario(s)};
  return c->scenario ? ut_case_settle(c, e) : ut_fail_memory(e);
}

void ut_case_print_packets(FILE *f, const struct ut_trace_entry *packet, size_t packets) {
  for (size_t i = 0; i < packets; i++)
    fprintf(f, "%" PRIu64 " %u %u %u\n", packet[i].cycle, packet[i].src, packet[i].dst, packet[i].flits);
}

int ut_case_write_trace(const struct ut_case *c, struct ut_error *e) {
  struct ut_output out;
  if (ut_output_open(&out, c->scenario->traffic.file, UT_OUTPUT_REGULAR, e))
    return -1;
  ut_case_print_packets(out.file, c->packet, c->packets);
  return ut_output_close(&out, e);
}

int ut_case_settle(struct ut_case *c, struct ut_error *e) {
  char *text = NULL;
  size_t length = 0;
  if (c->traced && ut_case_write_trace(c, e))
    return -1;
  FILE *f = ut_memory_open(&text, &length);
  if (!f)
    return ut_fail_memory(e);
  ut_scenario_write(f, c->scenario);
  if (ut_memory_close(f, &text))
    return ut_fail_memory(e);
  struct ut_scenario *read = ut_scenario_parse(text, length, c->scenario->path, e);
  free(text);
  if (!read)
    return -1;
  ut_scenario_free(c->scenario);
  c->scenario = read;
  return ut_bypass_planes(read, e) || ut_plan_scenario(read, e) ? -1 : 0;
}

/* ---- changes */

void ut_case_become_uniform(struct ut_case *c, double load) {
  struct ut_scenario *s = c->scenario;
  free(s->traffic.file);
  s->traffic.file = NULL;
  s->traffic.pattern = &ut_pattern_uniform;
  s->traffic.load_flits_per_cycle = load;
  c->traced = false;
  c->packets = 0;
}

void ut_case_end_at(struct ut_case *c, uint64_t cycles) {
  struct ut_scenario *s = c->scenario;
  size_t faults = 0, packets = 0;
  s->run.warmup = UT_WARMUP_CYCLES;
  s->run.warmup_cycles = 0;
  s->run.measure_cycles = cycles;
  s->run.drain = false;
  for (size_t i = 0; i < c->packets; i++)
    if (c->packet[i].cycle < cycles)
      c->packet[packets++] = c->packet[i];
  c->packets = packets;
  for (size_t i = 0; i < s->fault_count; i++) {
    struct ut_fault fault = s->faults[i];
    if (fault.until_cycle >= cycles && fault.times <= 1)
      fault.until_cycle = UINT64_MAX;
    if (fault.at_cycle < cycles)
      s->faults[faults++] = fault;
  }
  s->fault_count = faults;
}

static uint64_t earlier(uint64_t cycle, uint64_t from, uint64_t by) {
  if (cycle == UINT64_MAX || cycle < from)
    return cycle;
  return cycle > by ? cycle - by : 0;
}

void ut_case_shift(struct ut_case *c, uint64_t from, uint64_t by) {
  struct ut_scenario *s = c->scenario;
  size_t faults = 0;
  for (size_t i = 0; i < c->packets; i++)
    c->packet[i].cycle = earlier(c->packet[i].cycle, from, by);
  for (size_t i = 0; i < s->fault_count; i++) {
    struct ut_fault fault = s->faults[i];
    fault.at_cycle = earlier(fault.at_cycle, from, by);
    fault.until_cycle = earlier(fault.until_cycle, from, by);
    if (fault.at_cycle < fault.until_cycle)
      s->faults[faults++] = fault;
  }
  s->fault_count = faults;
}

void ut_case_keep_packets(struct ut_case *c, const size_t *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    c->packet[i] = c->packet[kept[i]];
  c->packets = count;
}

void ut_case_keep_faults(struct ut_case *c, const size_t *kept, size_t count) {
  for (size_t i = 0; i < count; i++)
    c->scenario->faults[i] = c->scenario->faults[kept[i]];
  c->scenario->fault_count = count;
}
