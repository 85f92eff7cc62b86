/* SPDX-License-Identifier: Apache-2.0 */
/* run_output.c - the results of a run, as text and as JSON, for `run` and `cosim`. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "coverage.h"
#include "exercise.h"
#include "json_text.h"
#include "mismatch_output.h"
#include "network_json.h"
#include "pattern.h"
#include "run_warnings.h"
#include "scenario.h"
#include "scenario_schema.h"
#include "scenario_switches.h"

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

/* What the planner had to do, and what a terminal stores for it. */
static json_t *plan_json(const struct ut_paths *p) {
  json_t *o = json_object();
  set(o, "pairs", json_integer((json_int_t)p->nodes * p->nodes));
  set(o, "planned_pairs", json_integer((json_int_t)(p->count - p->separated - p->without_route)));
  set(o, "separated_pairs", json_integer((json_int_t)p->separated));
  set(o, "pairs_without_route", json_integer((json_int_t)p->without_route));
  set(o, "entry_bits", json_integer(p->entry_bits));
  set(o, "largest_table_bytes", json_integer((json_int_t)ut_paths_table_bytes(p)));
  return o;
}

json_t *ut_bypass_json(const struct ut_scenario *s) {
  json_t *o = json_object(), *planes = json_array();
  for (unsigned i = 0; i < s->bypass.count; i++)
    json_array_append_new(planes, json_pack("{s:i,s:i}", "dimension", s->bypass.plane[i].dimension, "coordinate",
                                            s->bypass.plane[i].coordinate));
  set(o, "planes", planes);
  set(o, "nodes_off", json_integer(s->bypass.nodes_off));
  return o;
}

static void put_states(json_t *o, const struct ut_network *n) {
  const struct ut_node_model *m = &n->availability.model;
  char text[UT_NODE_REASON_SIZE];
  uint32_t nodes[UT_NODE_STATES];
  json_t *states = json_object(), *reasons = json_array();
  ut_availability_count(&n->availability, nodes);
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    set(states, ut_node_state_name[i], json_integer(nodes[i]));
  for (unsigned i = 0; i < m->reasons && i < UT_MAX_REASONS; i++)
    json_array_append_new(reasons, json_string(ut_node_reason_text(m, &m->reason[i], text)));
  set(o, "node_states", states);
  set(o, "node_states_settled_cycles", json_integer((json_int_t)n->settling.longest));
  set(o, "node_states_agree", json_boolean(ut_network_states_agree(n)));
  set(o, "fault_model_void", reasons);
}

/* Cycles that were made, not jumped. */
static uint64_t made_cycles(const struct ut_network *n) {
  return n->cycle - n->jumped;
}

/* Of these switches, per second. */
static double switch_cycles_per_s(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  return r->wall_s > 0 ? (double)made_cycles(n) * n->topology->switches / r->wall_s : 0;
}

static json_t *latency_json(const struct ut_histogram *h, uint64_t cycles) {
  return h->count ? json_integer((json_int_t)cycles) : json_null();
}

/* Cycles of a workload from its start to its end; null: it has none. */
static json_t *completion_json(uint64_t cycles) {
  return cycles == UINT64_MAX ? json_null() : json_integer((json_int_t)cycles);
}

/* How many times as long as without faults; 0: one of both runs did not come to its end, or took no time. */
static double slowdown(const struct ut_report *r) {
  const uint64_t with = r->network->workload->completion, without = r->without_faults;
  return with == UINT64_MAX || without == UINT64_MAX || !without ? 0 : (double)with / (double)without;
}

static json_t *workload_json(const struct ut_report *r) {
  const struct ut_workload_run *w = r->network->workload;
  json_t *o = json_object();
  set(o, "messages", json_integer(w->workload.messages));
  set(o, "message_packets", json_integer((json_int_t)w->workload.packets));
  set(o, "delivered_messages", json_integer(w->delivered));
  set(o, "lost_messages", json_integer(w->lost));
  set(o, "resent_packets", json_integer((json_int_t)w->resent));
  set(o, "waiting_tasks", json_integer(w->open));
  set(o, "complete", json_boolean(ut_workload_run_complete(w)));
  set(o, "start_cycle", json_integer((json_int_t)w->start));
  set(o, "completion_cycles", completion_json(w->completion));
  if (r->compared) {
    set(o, "without_faults_completion_cycles", completion_json(r->without_faults));
    set(o, "slowdown", slowdown(r) > 0 ? json_real(slowdown(r)) : json_null());
  }
  return o;
}

static json_t *half_width_json(const struct ut_estimate *e, double scale) {
  return isnan(e->half_width) ? json_null() : json_real(e->half_width * scale);
}

static json_t *stability_json(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_terminals *t = &n->terminals;
  const struct ut_stability_verdict v = ut_stability_watch_verdict(&r->stability, n);
  const uint64_t end = n->cycle < t->window_end ? n->cycle : t->window_end;
  json_t *o = json_object();
  set(o, "state", json_string(ut_stability_name(v.state)));
  set(o, "steady", json_boolean(v.state == UT_STABILITY_STEADY));
  set(o, "growing", json_boolean(v.state == UT_STABILITY_GROWING));
  set(o, "collapsed", json_boolean(v.state == UT_STABILITY_COLLAPSED));
  set(o, "warmup_cycles", json_integer((json_int_t)t->window_start));
  set(o, "measured_cycles", json_integer((json_int_t)(end > t->window_start ? end - t->window_start : 0)));
  set(o, "waiting_growth", json_real(v.growth));
  set(o, "half_width_throughput", half_width_json(&v.accepted, 1.0 / n->topology->terminals));
  set(o, "half_width_latency_cycles", half_width_json(&v.latency, 1));
  return o;
}

/* The results so far of a run that is not over, or has ended in a deadlock, speak for themselves. */
static bool warns(const struct ut_report *r, enum ut_run_warning which, char text[UT_WARNING_SIZE]) {
  const struct ut_stability_verdict v = ut_stability_watch_verdict(&r->stability, r->network);
  return !r->deadlock && !r->interrupted && ut_run_warns(which, r->network, &v, text);
}

static json_t *warnings_json(const struct ut_report *r) {
  char text[UT_WARNING_SIZE];
  json_t *list = json_array();
  for (unsigned i = 0; i < UT_RUN_WARNINGS; i++)
    if (warns(r, i, text))
      json_array_append_new(list, json_string(ut_run_warning_name[i]));
  return list;
}

static json_t *missing_json(const struct ut_report *r) {
  char text[UT_EXERCISES][UT_EXERCISE_SIZE];
  const unsigned count = ut_exercise_missing(r->exercise, r->network, text);
  json_t *list = json_array();
  for (unsigned i = 0; i < count; i++)
    json_array_append_new(list, json_string(text[i]));
  return list;
}

/* Those that are hit. */
static json_t *cover_points_json(const struct ut_network *n) {
  uint64_t hits[SPEC_COVER_POINTS];
  json_t *o = json_object();
  ut_coverage_read(n, hits);
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    if (hits[point])
      set(o, spec_cover_texts[point].name, json_integer((json_int_t)hits[point]));
  return o;
}

static void print_json(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_accounts *a = &n->terminals.accounts;
  const struct ut_histogram *h = &n->terminals.latency;
  json_t *o = json_object(), *latency = json_object();
  double switch_cycles = (double)n->cycle * n->topology->switches;
  set(o, "scenario", ut_json_text(n->scenario->path));
  if (r->lockstep)
    set(o, "dut", json_string(r->lockstep->gates ? "gate" : "rtl"));
  set(o, "cycles", json_integer((json_int_t)n->cycle));
  set(o, "switches", json_integer(n->topology->switches));
  set(o, "terminals", json_integer(n->topology->terminals));
  set(o, "switch_cycles", json_integer((json_int_t)switch_cycles));
  if (r->lockstep || r->checked)
    set(o, "jumped_cycles", json_integer((json_int_t)n->jumped));
  if (r->lockstep) {
    set(o, "compared_state_bits_per_switch", json_integer(r->lockstep->state_bits));
    set(o, "compared_switch_states", json_integer((json_int_t)r->lockstep->compared));
    set(o, "mismatches", json_integer((json_int_t)r->lockstep->mismatches));
    if (r->exercise)
      set(o, "unexercised", missing_json(r));
    if (r->mismatch)
      set(o, "mismatch", ut_mismatch_json(r->mismatch, r->again));
  }
  if (r->cover_points)
    set(o, "cover_points", cover_points_json(n));
  if (r->checked) {
    set(o, "compared_with_spec_values", json_integer((json_int_t)ut_network_spec_compared(n)));
    set(o, "differs_from_spec", json_boolean(r->differs));
  }
  set(o, "seed", json_integer((json_int_t)n->scenario->run.seed));
  ut_put_accounts_json(o, n);
  if (n->traffic.pattern->trace)
    set(o, "trace_packets_after_end", json_integer((json_int_t)ut_network_after_end(n)));
  set(o, "corrupt_packets", json_integer((json_int_t)a->corrupt));
  set(o, "throughput_flits_per_cycle_per_terminal", json_real(ut_network_throughput(n)));
  set(latency, "mean", h->count ? json_real(ut_histogram_mean(h)) : json_null()); /* nothing measured: no latency */
  set(latency, "p50", latency_json(h, ut_histogram_percentile(h, 50)));
  set(latency, "p99", latency_json(h, ut_histogram_percentile(h, 99)));
  set(latency, "max", latency_json(h, h->max));
  set(o, "latency_cycles", latency);
  if (r->stability.watched)
    set(o, "stability", stability_json(r));
  set(o, "warnings", warnings_json(r));
  if (n->workload)
    set(o, "workload", workload_json(r));
  if (n->scenario->routing.plane_bypass)
    set(o, "plane_bypass", ut_bypass_json(n->scenario));
  if (n->scenario->paths)
    set(o, "plan", plan_json(n->scenario->paths));
  if (n->availability.serves)
    put_states(o, n);
  set(o, "u_turns", json_integer((json_int_t)ut_network_u_turns(n)));
  set(o, "flit_hops", json_integer((json_int_t)n->flit_hops));
  set(o, "deadlock", json_boolean(r->deadlock));
  set(o, "wall_s", json_real(r->wall_s));
  set(o, "switch_cycles_per_s", json_real(switch_cycles_per_s(r)));
  json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(o);
}

static void print_plan(const struct ut_paths *p) {
  printf("  plan        %" PRIu64 " of %" PRIu64 " pairs of nodes need a mechanism",
         p->count - p->separated - p->without_route, (uint64_t)p->nodes * p->nodes);
  if (p->separated)
    printf(", %" PRIu64 " are separated by the faults", p->separated);
  if (p->without_route)
    printf(", %" PRIu64 " HAVE NO ROUTE", p->without_route);
  printf("; tables of %u bits an entry, at most %zu bytes a terminal\n", p->entry_bits, ut_paths_table_bytes(p));
}

const char *ut_bypass_text(const struct ut_scenario *s, char *text, size_t size) {
  int used = snprintf(text, size, "%u plane%s switched off, %u nodes:", s->bypass.count,
                      s->bypass.count == 1 ? "" : "s", s->bypass.nodes_off);
  for (unsigned i = 0; i < s->bypass.count && (size_t)used < size; i++) {
    const struct ut_plane plane = s->bypass.plane[i];
    used += snprintf(text + used, size - (size_t)used, " %c=%u", "xyzt"[plane.dimension], plane.coordinate);
  }
  return text;
}

void ut_bypass_print(const struct ut_scenario *s) {
  char text[UT_BYPASS_SIZE];
  if (s->routing.plane_bypass)
    printf("  bypass      %s\n", ut_bypass_text(s, text, sizeof text));
}

/* States of nodes at the end, and the reasons why packets may not arrive. */
static void print_states(const struct ut_network *n) {
  const struct ut_node_model *m = &n->availability.model;
  char text[UT_NODE_REASON_SIZE];
  uint32_t nodes[UT_NODE_STATES];
  ut_availability_count(&n->availability, nodes);
  printf("  nodes      ");
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    printf(" %s %u%s", ut_node_state_name[i], nodes[i], i + 1 < UT_NODE_STATES ? "," : "");
  printf("; stable within %" PRIu64 " cycles of a fault%s\n", n->settling.longest,
         ut_network_states_agree(n) ? "" : "; SWITCHES AND MANAGER DISAGREE");
  for (unsigned i = 0; i < m->reasons && i < UT_MAX_REASONS; i++)
    printf("  void        %s\n", ut_node_reason_text(m, &m->reason[i], text));
}

/* What has ended the run before its workload: the longest that it may take, and who says so. */
static void print_limit(const struct ut_network *n) {
  const struct ut_scenario *s = n->scenario;
  if (!n->terminals.stop_generation && n->cycle < n->terminals.window_end)
    return;
  printf("  limit       the run was ended by %s%s: %" PRIu64 " cycles\n",
         s->run.drain ? "run.measure_cycles" : "--cycles, or run.measure_cycles and run.drain",
         s->run.measure_cycles == UT_WORKLOAD_CYCLES ? ", of which this is the default; raise it" : "",
         ut_network_planned(s));
}

/* Why a run goes on for long when nothing is generated any more. */
static void print_drain(const struct ut_network *n) {
  const uint64_t end = n->terminals.window_end;
  if (n->workload || n->cycle <= end || n->queued_at_end <= n->topology->terminals)
    return;
  printf("  drain       %" PRIu64 " cycles behind cycle %" PRIu64 ", for %" PRIu64
         " packets waited at their sources then%s\n",
         n->cycle - end, end - 1, n->queued_at_end,
         n->cycle - end == n->scenario->run.drain_limit_cycles ? "; run.drain_limit_cycles has ended it" : "");
}

/* The end of a workload, or why there is none. */
static void print_workload(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_workload_run *w = n->workload;
  char text[UT_TASK_TEXT_SIZE];
  printf("  workload    %s: %u messages, %" PRIu64 " packets; ", n->scenario->traffic.pattern->name,
         w->workload.messages, w->workload.packets);
  if (ut_workload_run_complete(w))
    printf("complete after %" PRIu64 " cycles, from cycle %" PRIu64 " on", w->completion, w->start);
  else
    printf("INCOMPLETE after %" PRIu64 " cycles: %u tasks wait, %u messages are lost", n->cycle, w->open, w->lost);
  if (w->resent)
    printf("; %" PRIu64 " packets sent again", w->resent);
  putchar('\n');
  if (!ut_workload_run_complete(w))
    printf("  waits       %s\n", ut_task_text(&w->workload, ut_workload_run_waiting(w), text));
  if (!ut_workload_run_complete(w) && !r->interrupted && !r->deadlock)
    print_limit(n);
  if (r->compared && !n->faults.failures)
    printf("  slowdown    none: no fault until then\n");
  else if (r->compared && slowdown(r) > 0)
    printf("  slowdown    %.3f: %" PRIu64 " cycles without faults\n", slowdown(r), r->without_faults);
  else if (r->compared && r->without_faults != UINT64_MAX)
    printf("  slowdown    none: without faults it is complete after %" PRIu64 " cycles\n", r->without_faults);
}

static void print_throughput(const struct ut_network *n) {
  const struct ut_terminals *t = &n->terminals;
  printf("  throughput  %.4f flits/cycle/terminal", ut_network_throughput(n));
  if (!n->traffic.pattern->trace) {
    if (ut_pattern_has_load(n->traffic.pattern))
      printf(" at load %.4g", n->scenario->traffic.load_flits_per_cycle);
    putchar('\n');
    return;
  }
  printf(" of %.4g that the trace has in cycles %" PRIu64 " to %" PRIu64 "\n",
         (double)ut_traffic_flits(&n->traffic, t->window_start, t->window_end) /
             (double)(t->window_end - t->window_start) / n->topology->terminals,
         t->window_start, t->window_end - 1);
  if (ut_network_after_end(n))
    printf("  trace       %" PRIu64 " packets are due in cycle %" PRIu64
           " or later, when no more are sent; lengthen run.measure_cycles\n",
           ut_network_after_end(n), t->window_end);
}

static double percent_of(const struct ut_estimate *e) {
  return e->mean > 0 ? 100 * e->half_width / e->mean : 0;
}

/* Whether that was stationary, and what the figures are worth. */
static void print_stability(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_terminals *t = &n->terminals;
  const struct ut_stability_verdict v = ut_stability_watch_verdict(&r->stability, n);
  const bool until_stable = n->scenario->run.warmup == UT_WARMUP_UNTIL_STABLE;
  const uint64_t end = n->cycle < t->window_end ? n->cycle : t->window_end;
  const char *advice = until_stable ? "" : "; a longer run may differ: run.warmup: until_stable";
  if (!r->stability.watched || r->deadlock || (v.state == UT_STABILITY_UNKNOWN && !until_stable))
    return;
  printf("  stability   ");
  switch (v.state) {
  case UT_STABILITY_UNKNOWN:
    printf("unknown: not stable within %" PRIu64 " cycles, though its queues do not grow", end);
    break;
  case UT_STABILITY_STEADY: printf("steady"); break;
  case UT_STABILITY_GROWING: printf("GROWING: the load is not sustained"); break;
  case UT_STABILITY_COLLAPSED: printf("COLLAPSED: the load is not sustained, and throughput has fallen"); break;
  }
  if (v.state == UT_STABILITY_GROWING || v.state == UT_STABILITY_COLLAPSED)
    printf("; %.3g %% of what is offered stays in queues, latency has no mean", 100 * v.growth);
  printf("; cycles %" PRIu64 " to %" PRIu64, t->window_start, end - 1);
  if (v.state == UT_STABILITY_STEADY)
    printf(": throughput ± %.2g %%, latency ± %.2g %%", percent_of(&v.accepted), percent_of(&v.latency));
  printf("%s\n", v.state == UT_STABILITY_STEADY ? "" : advice);
}

static void print_warnings(const struct ut_report *r) {
  char text[UT_WARNING_SIZE];
  for (unsigned i = 0; i < UT_RUN_WARNINGS; i++)
    if (warns(r, i, text))
      printf("  warning     %s: %s\n", ut_run_warning_name[i], text);
}

/* What a run without a mismatch has not exercised. */
static void print_missing(const struct ut_report *r) {
  char text[UT_EXERCISES][UT_EXERCISE_SIZE];
  const unsigned count = r->exercise ? ut_exercise_missing(r->exercise, r->network, text) : 0;
  for (unsigned i = 0; i < count; i++)
    printf("%s%s%s", i ? "; " : "  unexercised ", text[i], i + 1 < count ? "" : "\n");
}

static void print_text(const struct ut_report *r) {
  const struct ut_network *n = r->network;
  const struct ut_accounts *a = &n->terminals.accounts;
  const struct ut_histogram *h = &n->terminals.latency;
  const struct ut_scenario *s = n->scenario;
  char name[UT_NETWORK_NAME_SIZE], jumped[96] = "";
  if (n->jumped)
    snprintf(jumped, sizeof jumped, "; %" PRIu64 " more, in which nothing happens, were jumped", n->jumped);
  printf("%s: %s, %u switches, %u terminals, %s, seed %" PRIu64 "\n", s->path, ut_scenario_network(s, name),
         n->topology->switches, n->topology->terminals, s->routing.algorithm, s->run.seed);
  if (r->checked)
    printf("  spec        %s: %" PRIu64 " register values compared in %" PRIu64 " cycles%s\n",
           r->differs ? "THE MODEL DIFFERS" : "0 differences", ut_network_spec_compared(n), made_cycles(n), jumped);
  if (r->lockstep)
    printf("  lockstep    %s%" PRIu64 " mismatch%s: %" PRIu64 " switch states of %u bits compared in %" PRIu64
           " cycles (idle switches skipped%s)%s\n",
           r->lockstep->gates ? "of the netlist: " : "", r->lockstep->mismatches,
           r->lockstep->mismatches == 1 ? "" : "es", r->lockstep->compared, r->lockstep->state_bits, made_cycles(n),
           n->shape->depth > UT_WHOLE_BUFFER ? ", empty places of buffers in turn" : "", jumped);
  print_missing(r);
  ut_bypass_print(s);
  if (s->paths)
    print_plan(s->paths);
  const uint64_t queued = ut_terminals_queued(&n->terminals);
  printf("  packets     injected %" PRIu64 " = delivered %" PRIu64 " + discarded %" PRIu64 " + in flight %" PRIu64
         "; corrupt %" PRIu64,
         a->injected, a->delivered, ut_accounts_discarded(a), ut_network_in_flight(n), a->corrupt);
  if (queued)
    printf("; %" PRIu64 " still queued at their sources", queued);
  putchar('\n');
  printf("  discarded  ");
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    printf(" %s %" PRIu64 "%s", ut_discard_name(i), a->discarded[i], i + 1 < UT_DISCARD_REASONS ? "," : "");
  if (n->faults.failures)
    printf("; %" PRIu64 " fault%s, %.3g packets lost per fault", n->faults.failures, n->faults.failures == 1 ? "" : "s",
           (double)ut_accounts_discarded(a) / (double)n->faults.failures);
  putchar('\n');
  print_throughput(n);
  if (h->count)
    printf("  latency     mean %.2f, p50 %" PRIu64 ", p99 %" PRIu64 ", max %" PRIu64 " cycles (%" PRIu64 " packets)\n",
           ut_histogram_mean(h), ut_histogram_percentile(h, 50), ut_histogram_percentile(h, 99), h->max, h->count);
  else
    printf("  latency     -: no packet that was generated in the measurement window has arrived\n");
  print_stability(r);
  print_drain(n);
  if (n->workload)
    print_workload(r);
  if (n->availability.serves)
    print_states(n);
  if (n->topology->up_ports)
    printf("  U-turns     %" PRIu64 "\n", ut_network_u_turns(n));
  print_warnings(r);
  printf("  speed       %" PRIu64 " cycles in %.2f s: %.3g switch-cycles/s, %.3g flit-hops/s%s\n", made_cycles(n),
         r->wall_s, switch_cycles_per_s(r), r->wall_s > 0 ? (double)n->flit_hops / r->wall_s : 0, jumped);
  if (r->interrupted)
    printf("  interrupted: these are the results so far\n");
  if (r->mismatch)
    ut_mismatch_print(r->mismatch, r->again, stdout);
}

void ut_report_print(const struct ut_report *r, bool json) {
  if (json)
    print_json(r);
  else
    print_text(r);
}
