/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_files.c - readers of files that people write: any bytes are read or refused, with a message. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "liberty.h"
#include "liberty_power.h"
#include "network.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "sweep_file.h"
#include "topology_build.h"
#include "workload.h"

/* A refusal says why, in text that a terminal may show. */
static void refused(const struct ut_error *e) {
  if (e->code != UT_BAD_INPUT || !e->text[0])
    abort();
  for (const char *p = e->text; *p; p++)
    if ((*p > 0 && *p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f)
      abort();
}

void fuzz_scenario(const uint8_t *data, size_t size) {
  struct ut_error e = {0};
  struct ut_scenario *s = ut_scenario_parse((const char *)data, size, "fuzz.yaml", &e);
  if (!s)
    refused(&e);
  ut_scenario_free(s);
}

void fuzz_sweep(const uint8_t *data, size_t size) {
  struct ut_error e = {0};
  struct ut_sweep *s = ut_sweep_read("fuzz.yaml", (const char *)data, size, &e);
  if (!s)
    refused(&e);
  ut_sweep_free(s);
}

void fuzz_liberty(const uint8_t *data, size_t size) {
  struct ut_error e = {0};
  struct ut_liberty l = {0};
  struct ut_liberty_power power = {0};
  if (ut_liberty_parse(&l, (const char *)data, size, "fuzz.lib", &e))
    refused(&e);
  e = (struct ut_error){0};
  if (l.text && ut_liberty_power_parse(&power, l.text, l.size, "fuzz.lib", &e))
    refused(&e);
  ut_liberty_power_free(&power);
  ut_liberty_free(&l);
}

/* Files that a scenario names: the bytes are such a file, in memory. */
static void file_of_scenario(const uint8_t *data, size_t size, const char *pattern, const char *key, const char *load) {
  char text[400];
  struct ut_error e = {0};
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != (ssize_t)size)
    abort();
  const int length = snprintf(text, sizeof text,
                              "topology: {kind: fat_tree, k: 2, n: 3}\n"
                              "routing: {algorithm: fta}\n"
                              "traffic: {pattern: %s, %s: /proc/self/fd/%d%s}\n"
                              "run: {warmup_cycles: 0, measure_cycles: 100}\n",
                              pattern, key, file, load);
  struct ut_scenario *s = ut_scenario_parse(text, (size_t)length, "fuzz.yaml", &e);
  if (!s) {
    fprintf(stderr, "%s\n", e.text);
    abort();
  }
  if (ut_pattern_is_workload(s->traffic.pattern)) {
    struct ut_workload w;
    struct ut_topology t;
    if (ut_topology_init(&t, s, &e))
      abort();
    if (ut_workload_of(&w, s, &t, &e))
      refused(&e);
    else
      ut_workload_free(&w);
    ut_topology_free(&t);
  } else {
    struct ut_traffic t;
    if (ut_traffic_init(&t, s, ut_scenario_terminals(s), &e))
      refused(&e);
    ut_traffic_free(&t);
  }
  ut_scenario_free(s);
  close(file);
}

void fuzz_trace(const uint8_t *data, size_t size) {
  file_of_scenario(data, size, "trace", "trace_file", "");
}
void fuzz_permutation(const uint8_t *data, size_t size) {
  file_of_scenario(data, size, "permutation", "permutation_file", ", load_flits_per_cycle: 0.1");
}
void fuzz_dependencies(const uint8_t *data, size_t size) {
  file_of_scenario(data, size, "dependencies", "dependency_file", "");
}
void fuzz_goal(const uint8_t *data, size_t size) {
  file_of_scenario(data, size, "goal", "goal_file", "");
}
