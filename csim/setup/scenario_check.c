/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_check.c - see scenario_check.h */
#define _POSIX_C_SOURCE 200809L
#include "scenario_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "family.h"
#include "faults.h"
#include "input_limits.h"
#include "node_model.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_keys.h"
#include "scenario_refusal.h"
#include "scenario_switches.h"
#include "topology_build.h"
#include "workload.h"

enum { PATH_SIZE = 64 };

/* ---- traffic ---- */

static const char *list_patterns(const struct ut_pattern_key *key, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; i < UT_PATTERNS && used < size; i++)
    if (ut_pattern_takes(ut_patterns[i], key))
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", ut_patterns[i]->name);
  return text;
}

/* Refuses keys that only other patterns read: they would be ignored, which the user did not intend. */
static int check_pattern_keys(const struct ut_check *check) {
  const struct ut_pattern *pattern = check->s->traffic.pattern;
  const char *name = pattern->name;
  char takers[256];
  for (const struct ut_pattern_key *key = ut_pattern_keys; key->path; key++) {
    const bool taken = ut_pattern_takes(pattern, key);
    if (ut_check_given(check, key->path) && !taken && key->takers == UT_TAKEN_WITH_LOAD)
      return ut_impossible(check, key->path, "leave it away",
                           "'%s' has no meaning for pattern %s: it has its own times", key->path, name);
    if (ut_check_given(check, key->path) && !taken)
      return ut_impossible(check, key->path, NULL, "'%s' is for pattern %s only, this pattern is %s", key->path,
                           list_patterns(key, takers, sizeof takers), name);
    if (check->d && !ut_check_given(check, key->path) && taken && key->mandatory)
      return key->example
                 ? ut_impossible(check, "traffic", key->example, "missing key '%s' in 'traffic'",
                                 strchr(key->path, '.') + 1)
                 : ut_impossible(check, "traffic.pattern", NULL, "pattern %s needs the key '%s'", name, key->path);
  }
  return 0;
}

/* A workload begins in cycle 0, ends by itself, and has no measurement window. */
static int check_workload(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const char *name = scenario->traffic.pattern->name;
  const unsigned terminals = ut_scenario_terminals(scenario),
                 bytes = scenario->sw.packet_flits * (scenario->sw.flit_bits / 8);
  if (!ut_pattern_is_workload(scenario->traffic.pattern))
    return 0;
  if (scenario->run.warmup_cycles)
    return ut_impossible(check, "run.warmup_cycles", "leave it away",
                         "pattern %s begins in cycle 0: there is no warm-up", name);
  if (scenario->traffic.root >= terminals)
    return ut_impossible(check, "traffic.root", NULL, "terminal %u does not exist, this network has 0..%u",
                         scenario->traffic.root, terminals - 1);
  if (bytes <= 8)
    return ut_impossible(
        check, ut_check_blamed(check, "switch.packet_flits", "traffic.pattern"), "raise 'switch.packet_flits'",
        "a packet of %u bytes is a header of 8, and nothing behind it: no message fits into such", bytes);
  const struct ut_packing packing = ut_packing_of(scenario);
  if (scenario->traffic.message_bytes > ut_message_most_bytes(&packing))
    return ut_impossible(check, "traffic.message_bytes", "make it smaller",
                         "a message of %llu bytes is more than %d packets",
                         (unsigned long long)scenario->traffic.message_bytes, UT_LIMIT_MESSAGE_PACKETS);
  return 0;
}

/* Refuses what has no meaning when no packet is sent again. */
static int check_resends(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const char *key = scenario->traffic.resend_limit != UT_RESEND_LIMIT    ? "traffic.resend_limit"
                    : scenario->traffic.resend_stop_cycles               ? "traffic.resend_stop_cycles"
                    : scenario->traffic.resend_cause == UT_RESEND_NOTICE ? "traffic.resend_cause"
                                                                         : NULL;
  if (!key || scenario->traffic.resend_after_cycles)
    return 0;
  return ut_impossible(check, key, "add 'traffic.resend_after_cycles', as in resend_after_cycles: 100",
                       "'%s' has no meaning: no packet is sent again", key);
}

static int check_file(const struct ut_check *check, const char *file, const char *key) {
  return file && access(file, R_OK) ? ut_impossible(check, key, NULL, "cannot read %.300s: %s", file, strerror(errno))
                                    : 0;
}

static int check_files(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  const struct ut_pattern_key *key = ut_pattern_keys;
  while (key->path && !(key->names_file && ut_pattern_takes(scenario->traffic.pattern, key)))
    key++;
  return check_file(check, scenario->traffic.file, key->path) ||
                 check_file(check, scenario->traffic.terminal_loads_file, "traffic.terminal_loads_file")
             ? -1
             : 0;
}

static int check_load(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  if (scenario->sw.distribution != UT_LENGTHS_FIXED && !ut_pattern_has_load(scenario->traffic.pattern))
    return ut_impossible(check, "switch.packet_flits", "give the length of its longest packet, as in packet_flits: 16",
                         "a distribution has no meaning for pattern %s: it has its own lengths",
                         scenario->traffic.pattern->name);
  if (scenario->traffic.load_flits_per_cycle > 0 && !ut_pattern_has_load(scenario->traffic.pattern))
    return ut_impossible(check, "traffic.pattern", "leave the load away",
                         "pattern %s has no load: it says what is sent, and when", scenario->traffic.pattern->name);
  struct ut_sizes sizes;
  scenario->topology.family->sizes(scenario, &sizes);
  if (scenario->traffic.load_flits_per_cycle > sizes.terminal_links)
    return ut_impossible(check, "traffic.load_flits_per_cycle", NULL,
                         "'traffic.load_flits_per_cycle' is %.15g, must be 0..%u: a terminal has %u injection link%s",
                         scenario->traffic.load_flits_per_cycle, sizes.terminal_links, sizes.terminal_links,
                         sizes.terminal_links == 1 ? "" : "s");
  const struct ut_length_rule rule = ut_scenario_lengths(scenario);
  struct ut_lengths lengths;
  if (ut_lengths_init(&lengths, &rule, check->e))
    return -1;
  const double mean = lengths.mean;
  ut_lengths_free(&lengths);
  if (scenario->traffic.process == UT_BERNOULLI && scenario->traffic.load_flits_per_cycle > mean)
    return ut_impossible(check, "traffic.load_flits_per_cycle", "choose process: poisson, or longer packets",
                         "a Bernoulli process makes at most one packet of %g flit%s in a cycle, the load is %g", mean,
                         mean == 1 ? "" : "s", scenario->traffic.load_flits_per_cycle);
  return 0;
}

int ut_scenario_check_load(const struct ut_scenario *scenario, struct ut_error *e) {
  return check_load(&(struct ut_check){.s = scenario, .e = e});
}

static int check_traffic(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  if (check_pattern_keys(check) || check_workload(check) || check_load(check) ||
      ut_pattern_check(check, ut_scenario_terminals(scenario)))
    return -1;
  return check_resends(check) ? -1 : check_files(check);
}

/* ---- faults ---- */

/* Planes are switched off before the start, and the remaining network has other coordinates. */
static int check_bypass(const struct ut_check *check) {
  const struct ut_scenario *scenario = check->s;
  if (!scenario->routing.plane_bypass)
    return 0;
  if (ut_scenario_planned(scenario))
    return ut_impossible(check, "routing.plane_bypass", NULL,
                         "'routing.plane_bypass' and 'routing.mechanisms' exclude each "
                         "other: leave one of them away");
  if (!scenario->topology.family->bypass) {
    const char *kinds = NULL;
    for (unsigned i = 0; ut_families[i] && !kinds; i++)
      kinds = ut_families[i]->bypass ? ut_families[i]->kind : NULL;
    return ut_impossible(check, "routing.plane_bypass", NULL, "'routing.plane_bypass' is for a %s, this topology is %s",
                         kinds, scenario->topology.family->kind);
  }
  if (scenario->traffic.pattern != &ut_pattern_uniform)
    return ut_impossible(check, ut_check_blamed(check, "traffic.pattern", "routing.plane_bypass"), NULL,
                         "with 'routing.plane_bypass' terminals are switched off: only uniform traffic makes sense");
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (scenario->faults[i].at_cycle || scenario->faults[i].until_cycle != UINT64_MAX)
      return ut_impossible(check, "routing.plane_bypass", NULL,
                           "'routing.plane_bypass' needs faults that are there from cycle 0 and stay");
  return 0;
}

static int check_fault(const struct ut_check *check, const struct ut_topology *topo, size_t i) {
  static const char *const kinds[] = {[UT_FAULT_LINK] = "link",
                                      [UT_FAULT_SWITCH] = "switch",
                                      [UT_FAULT_INJECTION] = "injection",
                                      [UT_FAULT_EJECTION] = "ejection",
                                      [UT_FAULT_RANDOM_LINKS] = "random_links",
                                      [UT_FAULT_RANDOM_SWITCHES] = "random_switches",
                                      [UT_FAULT_RANDOM_TERMINAL_LINKS] = "random_terminal_links",
                                      [UT_FAULT_RANDOM_SUBCUBE] = "random_subcube"};
  static const char *const beside[] = {"direction", "apart", "half_of"}; /* the component itself, not a key below it */
  const struct ut_fault *fault = &check->s->faults[i];
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "faults[%zu].until", i);
  if (fault->until_cycle <= fault->at_cycle)
    return ut_impossible(check, path, "leave 'until' away for a permanent fault",
                         "the fault ends at cycle %llu, it must be after its start at cycle %llu",
                         (unsigned long long)fault->until_cycle, (unsigned long long)fault->at_cycle);
  if ((fault->times > 1) != (fault->every_cycles > 0)) {
    snprintf(path, sizeof path, "faults[%zu]", i);
    return ut_impossible(check, path, "as in {at: 1000, until: 1200, every: 500, times: 20, random_links: 1}",
                         "a fault that repeats needs both 'every' and 'times'");
  }
  struct ut_component component;
  struct ut_fault_problem problem;
  if (ut_faults_locate(topo, fault, &component, &problem))
    return 0;
  snprintf(path, sizeof path, "faults[%zu].%s%s%s", i, kinds[fault->kind], *problem.key ? "." : "", problem.key);
  for (size_t j = 0; j < sizeof beside / sizeof beside[0]; j++)
    if (!strcmp(problem.key, beside[j]))
      snprintf(path, sizeof path, "faults[%zu].%s", i, beside[j]);
  return ut_impossible(check, path, NULL, "%s", problem.text);
}

/* Checks the faults of DETOUR's networks: they are nodes, and the fault model holds at every time, unless the user
 * accepts violations. */
static int check_node_faults(const struct ut_check *check, const struct ut_topology *topo, struct ut_faults *faults,
                             struct ut_node_model *model, uint32_t *failed) {
  const char *beyond = "let fewer nodes fail, or accept that packets may be lost or stuck with "
                       "'beyond_fault_model: true' in 'routing'";
  for (size_t i = 0; i < check->s->fault_count; i++)
    if (!ut_fault_is_of_switches(check->s->faults[i].kind)) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "faults[%zu]", i);
      return ut_impossible(check, path, "name the switch at one end of the link",
                           "under %s nodes fail, links do not: a link that fails looks like two faulty nodes",
                           check->s->routing.algorithm);
    }
  for (uint64_t cycle; !check->s->routing.beyond_fault_model && (cycle = ut_faults_next_cycle(faults)) != UINT64_MAX;) {
    unsigned count = 0;
    char text[UT_NODE_REASON_SIZE];
    while (ut_faults_next(faults, cycle))
      ;
    for (uint32_t sw = 0; sw < topo->switches; sw++)
      if (!ut_faults_switch_up(faults, sw))
        failed[count++] = sw;
    ut_node_model_set(model, failed, count);
    if (!ut_node_model_obeyed(model))
      return ut_impossible(check, "faults", beyond, "the faults of cycle %llu are outside the fault model: %s",
                           (unsigned long long)cycle, ut_node_reason_text(model, &model->reason[0], text));
  }
  return 0;
}

static int check_states(const struct ut_check *check, const struct ut_topology *topo) {
  const struct ut_algorithm *algorithm = ut_scenario_algorithm(check->s);
  struct ut_node_model model;
  struct ut_faults faults;
  if (!algorithm || !algorithm->states)
    return 0;
  if (ut_faults_init(&faults, check->s, topo, check->e))
    return -1;
  uint32_t *failed = malloc(topo->switches * sizeof *failed);
  int result = failed ? ut_node_model_init(&model, topo, check->e)
                      : ut_fail(check->e, UT_BAD_INPUT, "out of memory for the faults");
  if (!result) {
    result = check_node_faults(check, topo, &faults, &model, failed);
    ut_node_model_free(&model);
  }
  free(failed);
  ut_faults_free(&faults);
  return result;
}

/* Checks that the components named by the faults exist. */
static int check_faults(const struct ut_check *check) {
  const struct ut_topology *topo = ut_scenario_topology(check->s);
  if (check->s->fault_count == 0)
    return 0;
  for (size_t i = 0; i < check->s->fault_count; i++)
    if (check_fault(check, topo, i))
      return -1;
  return check_states(check, topo);
}

int ut_scenario_check_faults(const struct ut_scenario *scenario, struct ut_error *e) {
  return check_faults(&(struct ut_check){.s = scenario, .e = e});
}

/* ---- run ---- */

/* Checks the keys of `until_stable`, which have no effect unless a file says `cycles` to switch them off; and refuses
 * runs that cannot become stable. */
static int check_run(const struct ut_check *check) {
  static const char *const only[] = {"run.precision", "run.max_cycles"};
  const struct ut_scenario *scenario = check->s;
  for (size_t i = 0; scenario->run.warmup == UT_WARMUP_CYCLES && i < sizeof only / sizeof *only; i++)
    if (ut_check_given(check, only[i]) && !ut_check_given(check, "run.warmup"))
      return ut_impossible(check, only[i], "add 'warmup: until_stable' to 'run', or leave it away",
                           "'%s' says nothing where the run lasts a fixed number of cycles", only[i]);
  if (scenario->run.warmup == UT_WARMUP_CYCLES)
    return 0;
  if (!ut_pattern_has_load(scenario->traffic.pattern))
    return ut_impossible(check, "run.warmup", "leave it away",
                         "pattern %s has times of its own: nothing of it becomes stable",
                         scenario->traffic.pattern->name);
  if (!(scenario->run.precision > 0))
    return ut_impossible(check, "run.precision", "as in 0.05: 5 % of the mean",
                         "'run.precision' is 0: no run is so long");
  if (scenario->run.max_cycles < scenario->run.warmup_cycles + scenario->run.measure_cycles)
    return ut_impossible(
        check, ut_check_blamed(check, "run.max_cycles", "run.measure_cycles"),
        "raise 'run.max_cycles', or lower 'run.warmup_cycles' or 'run.measure_cycles'",
        "'run.max_cycles' is %llu, less than the %llu of warm-up and the %llu of measurement in any case",
        (unsigned long long)scenario->run.max_cycles, (unsigned long long)scenario->run.warmup_cycles,
        (unsigned long long)scenario->run.measure_cycles);
  for (size_t i = 0; i < scenario->fault_count; i++)
    if (scenario->faults[i].at_cycle >= scenario->run.max_cycles) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "faults[%zu].at", i);
      return ut_impossible(check, path, "raise 'run.max_cycles'",
                           "the fault of cycle %llu comes when the run is over: 'run.max_cycles' is %llu",
                           (unsigned long long)scenario->faults[i].at_cycle,
                           (unsigned long long)scenario->run.max_cycles);
    }
  return 0;
}

int ut_scenario_check(struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e) {
  const struct ut_check check = {.s = scenario, .d = document, .e = e};
  if (ut_scenario_check_topology(scenario, document, e) || ut_scenario_check_shape(scenario, document, e) ||
      check_traffic(&check) || check_bypass(&check) || check_run(&check) || ut_scenario_build(scenario, e))
    return -1;
  return check_faults(&check);
}
