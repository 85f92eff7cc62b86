/* SPDX-License-Identifier: Apache-2.0 */
/* run_output.c - the results of a run, for `run` and `cosim`. */
#include <inttypes.h>
#include <math.h>

#include "cli.h"
#include "coverage.h"
#include "exercise.h"
#include "mismatch_output.h"
#include "network_json.h"
#include "pattern.h"
#include "run_warnings.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_switches.h"

static const char layout[] =
    "{scenario}: {_network}, {switches} switches, {terminals} terminals, {_algorithm}, seed {seed}\n"
    "{?_checked}"
    "  spec        {?differs_from_spec}THE MODEL DIFFERS{:}0 differences{/}: {compared_with_spec_values} register "
    "values compared in {_made_cycles} cycles{_jumped}\n"
    "{/}{?dut}"
    "  lockstep    {?dut=gate}of the netlist: {/}{mismatches} mismatch{mismatches+es}: {compared_switch_states} switch "
    "states of {compared_state_bits_per_switch} bits compared in {_made_cycles} cycles (idle switches "
    "skipped{?_deep}, empty places of buffers in turn{/}){_jumped}\n"
    "{/}{?unexercised}"
    "  unexercised {#unexercised}{.}{; }{/}\n"
    "{/}" UT_BYPASS_LAYOUT "{?plan}"
    "  plan        {plan.planned_pairs} of {plan.pairs} pairs of nodes need a mechanism{?plan.separated_pairs}, "
    "{plan.separated_pairs} are separated by the faults{/}{?plan.pairs_without_route}, {plan.pairs_without_route} HAVE "
    "NO ROUTE{/}; tables of {plan.entry_bits} bits an entry, at most {plan.largest_table_bytes} bytes a terminal\n"
    "{/}{?reconfiguration}"
    "  halted      {reconfiguration.halted_cycles} cycles for {reconfiguration.rounds} "
    "reconfiguration{reconfiguration.rounds+s}: {reconfiguration.drain_cycles} until the network is empty, "
    "{reconfiguration.distribute_cycles} to distribute what is planned{?reconfiguration.resets}, "
    "{reconfiguration.resets} reset{reconfiguration.resets+s} of a network that did not "
    "empty{/}{?reconfiguration.entries} "
    "({reconfiguration.entries} entries){/}; meanwhile discarded {#reconfiguration.discarded_packets}{@} {.}{, }{/}"
    "{?reconfiguration._phase}; it still {reconfiguration._phase}{/}\n"
    "{/}{?_withdrawn}"
    "  tables      {updates.rounds} round{updates.rounds+s} in {updates.round_cycles} cycles, {updates.drain_cycles} "
    "of them until packets have left; {updates.withdrawn_entries} entries withdrawn, {updates.written_words} words "
    "written\n"
    "{/}"
    "  packets     injected {injected_packets} = delivered {delivered_packets} + discarded {_discarded} + in flight "
    "{in_flight_packets}; corrupt {corrupt_packets}{?queued_packets}; {queued_packets} still queued at their "
    "sources{/}\n"
    "  discarded   {#discarded_packets}{@} {.}{, }{/}{?faults}; {faults} fault{faults+s}, {_lost_per_fault:.3g} "
    "packets lost per fault{/}\n"
    "{?resends}"
    "  resends     {resends.notices} notices of a loss = {resends.resent_packets} sent again + "
    "{resends.given_up_packets} given up + {resends.waiting_packets} waiting; {resends.delivered_packets} delivered "
    "after that{?resends.stopped_packets}; {resends.stopped_packets} not sent, as their sources had stopped{/}\n"
    "{/}"
    "  throughput  {throughput_flits_per_cycle_per_terminal:.4f} flits/cycle/terminal{?_has_load} at load {_load}{/}"
    "{?_trace_load} of {_trace_load:.4g} that the trace has in cycles {_window_start} to {_window_last}{/}\n"
    "{?trace_packets_after_end}"
    "  trace       {trace_packets_after_end} packets are due in cycle {_window_end} or later, when no more are sent; "
    "lengthen run.measure_cycles\n"
    "{/}{?_measured_packets}"
    "  latency     mean {latency_cycles.mean:.2f}, p50 {latency_cycles.p50}, p99 {latency_cycles.p99}, max "
    "{latency_cycles.max} cycles ({_measured_packets} packets)\n"
    "{:}"
    "  latency     -: no packet that was generated in the measurement window has arrived\n"
    "{/}{?_stability}"
    "  stability   "
    "{?_stability=unknown}unknown: not stable within {_measured_end} cycles, though its queues do not grow{/}"
    "{?_stability=steady}steady{/}"
    "{?_stability=growing}GROWING: the load is not sustained{/}"
    "{?_stability=collapsed}COLLAPSED: the load is not sustained, and throughput has fallen{/}"
    "{?_not_sustained}; {_growth_percent:.3g} % of what is offered stays in queues, latency has no mean{/}"
    "; cycles {_window_start} to {_measured_last}"
    "{?_stability=steady}: throughput ± {_throughput_percent:.2g} %, latency ± {_latency_percent:.2g} %{:}{?_fixed}"
    "; a longer run may differ: run.warmup: until_stable{/}{/}\n"
    "{/}{?_drain_cycles}"
    "  drain       {_drain_cycles} cycles behind cycle {_window_last}, for {_queued_at_end} packets waited at their "
    "sources then{?_drain_limit}; run.drain_limit_cycles has ended it{/}\n"
    "{/}{?workload}"
    "  workload    {_pattern}: {workload.messages} messages, {workload.message_packets} packets; "
    "{?workload.complete}complete after {workload.completion_cycles} cycles, from cycle {workload.start_cycle} on{:}"
    "INCOMPLETE after {cycles} cycles: {workload.waiting_tasks} tasks wait, {workload.lost_messages} messages are "
    "lost{/}{?workload.resent_packets}; {workload.resent_packets} packets sent again{/}\n"
    "{?workload._waiting}"
    "  waits       {workload._waiting}\n"
    "{/}{?workload._limit}"
    "  limit       the run was ended by {workload._limit}: {workload._planned_cycles} cycles\n"
    "{/}{?workload._no_fault}"
    "  slowdown    none: no fault until then\n"
    "{:}{?workload.slowdown}"
    "  slowdown    {workload.slowdown:.3f}: {workload.without_faults_completion_cycles} cycles without faults\n"
    "{:}{?workload.without_faults_completion_cycles}"
    "  slowdown    none: without faults it is complete after {workload.without_faults_completion_cycles} cycles\n"
    "{/}{/}{/}{/}{?node_states}"
    "  nodes       {#node_states}{@} {.}{, }{/}; stable within {node_states_settled_cycles} cycles of a fault"
    "{?node_states_agree}{:}; SWITCHES AND MANAGER DISAGREE{/}\n"
    "{#fault_model_void}"
    "  void        {.}\n"
    "{/}{/}{?_can_turn}"
    "  U-turns     {u_turns}\n"
    "{/}{#_warnings}"
    "  warning     {name}: {text}\n"
    "{/}"
    "  speed       {_made_cycles} cycles in {wall_s:.2f} s: {switch_cycles_per_s:.3g} switch-cycles/s, "
    "{_flit_hops_per_s:.3g} flit-hops/s{_jumped}\n"
    "{?_interrupted}"
    "  interrupted: these are the results so far\n"
    "{/}";

/* What the planner had to do, and what a terminal stores for it. */
static json_t *plan_json(const struct ut_paths *paths) {
  return UT_OBJECT({"pairs", ut_int((uint64_t)paths->nodes * paths->nodes)},
                   {"planned_pairs", ut_int(paths->entries - paths->separated - paths->without_route)},
                   {"separated_pairs", ut_int(paths->separated)}, {"pairs_without_route", ut_int(paths->without_route)},
                   {"entry_bits", ut_int(paths->entry_bits)},
                   {"largest_table_bytes", ut_int(ut_paths_table_bytes(paths))});
}

/* What static reconfigurations have cost. */
static json_t *reconfiguration_json(const struct ut_network *net) {
  static const char *const phases[] = {
      [UT_PHASE_DETECTS] = "detects", [UT_PHASE_DRAINS] = "drains", [UT_PHASE_DISTRIBUTES] = "distributes"};
  const struct ut_reconfiguration *reconfiguration = &net->reconfiguration;
  json_t *lost = json_object();
  for (unsigned i = 0; i < UT_DISCARD_REASONS; i++)
    UT_ADD(lost, {ut_discard_name(i), reconfiguration->lost[i] ? ut_int(reconfiguration->lost[i]) : NULL});
  if (!json_object_size(lost))
    UT_ADD(lost, {ut_discard_name(UT_DISCARD_CUT_BY_FAULT), ut_int(0)});
  const char *phase = phases[reconfiguration->phase];
  return UT_OBJECT({"rounds", ut_int(reconfiguration->rounds)},
                   {"halted_cycles", ut_int(reconfiguration->drain_cycles + reconfiguration->distribute_cycles)},
                   {"drain_cycles", ut_int(reconfiguration->drain_cycles)},
                   {"distribute_cycles", ut_int(reconfiguration->distribute_cycles)},
                   {"resets", ut_int(reconfiguration->resets)}, {"entries", ut_int(reconfiguration->entries)},
                   {"discarded_packets", lost}, {"_phase", phase ? ut_string(phase) : NULL});
}

/* What the manager's rounds have cost. */
static json_t *updates_json(const struct ut_network *net) {
  const struct ut_manager_costs *costs = &net->manager.costs;
  return UT_OBJECT({"rounds", ut_int(costs->rounds)}, {"withholding_rounds", ut_int(costs->withholding_rounds)},
                   {"round_cycles", ut_int(costs->cycles)}, {"drain_cycles", ut_int(costs->drain_cycles)},
                   {"resets", ut_int(net->reconfiguration.resets)}, {"withdrawn_entries", ut_int(costs->withdrawn)},
                   {"written_words", ut_int(costs->written)});
}

/* States of nodes at the end, and the reasons why packets may not arrive. */
static void add_states(json_t *o, const struct ut_network *net) {
  const struct ut_node_model *model = &net->availability.model;
  char text[UT_NODE_REASON_SIZE];
  uint32_t nodes[UT_NODE_STATES];
  json_t *states = json_object(), *reasons = json_array();
  ut_availability_count(&net->availability, nodes);
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    UT_ADD(states, {ut_node_state_name[i], ut_int(nodes[i])});
  for (unsigned i = 0; i < model->reasons && i < UT_MAX_REASONS; i++)
    json_array_append_new(reasons, ut_string(ut_node_reason_text(model, &model->reason[i], text)));
  UT_ADD(o, {"node_states", states}, {"node_states_settled_cycles", ut_int(net->settling.longest)},
         {"node_states_agree", json_boolean(ut_network_states_agree(net))}, {"fault_model_void", reasons});
}

/* Cycles that were made, not jumped. */
static uint64_t made_cycles(const struct ut_network *net) {
  return net->cycle - net->jumped;
}

/* How many times as long as without faults; NAN: one of both runs did not come to its end, or took no time. */
static double slowdown(const struct ut_report *report) {
  const uint64_t with = report->network->workload->completion, without = report->without_faults;
  return with == UINT64_MAX || without == UINT64_MAX || !without ? NAN : (double)with / (double)without;
}

/* What has ended the run before its workload: the longest that it may take, and who says so.  NULL: something else. */
static json_t *limit_json(const struct ut_report *report) {
  const struct ut_network *net = report->network;
  const struct ut_scenario *scenario = net->scenario;
  if (report->interrupted || report->deadlock ||
      (!net->terminals.stop_generation && net->cycle < net->terminals.window_end))
    return NULL;
  return ut_format("%s%s", scenario->run.drain ? "run.measure_cycles" : "--cycles, or run.measure_cycles and run.drain",
                   scenario->run.measure_cycles == UT_WORKLOAD_CYCLES ? ", of which this is the default; raise it"
                                                                      : "");
}

/* The end of a workload, or why there is none. */
static json_t *workload_json(const struct ut_report *report) {
  const struct ut_workload_run *run = report->network->workload;
  const bool complete = ut_workload_run_complete(run);
  char text[UT_TASK_TEXT_SIZE];
  json_t *o = UT_OBJECT(
      {"messages", ut_int(run->workload.messages)}, {"message_packets", ut_int(run->workload.packets)},
      {"delivered_messages", ut_int(run->delivered)}, {"lost_messages", ut_int(run->lost)},
      {"resent_packets", ut_int(run->resent)}, {"waiting_tasks", ut_int(run->open)},
      {"complete", json_boolean(complete)}, {"start_cycle", ut_int(run->start)},
      {"completion_cycles", ut_int_if(run->completion != UINT64_MAX, run->completion)},
      {"_waiting", complete ? NULL : ut_string(ut_task_text(&run->workload, ut_workload_run_waiting(run), text))},
      {"_limit", complete ? NULL : limit_json(report)},
      {"_planned_cycles", ut_int(ut_network_planned(report->network->scenario))});
  if (report->compared)
    UT_ADD(
        o,
        {"without_faults_completion_cycles", ut_int_if(report->without_faults != UINT64_MAX, report->without_faults)},
        {"slowdown", ut_real(slowdown(report))}, {"_no_fault", json_boolean(!report->network->faults.failures)});
  return o;
}

static double percent_of(const struct ut_estimate *estimate) {
  return estimate->mean > 0 ? 100 * estimate->half_width / estimate->mean : 0;
}

/* Whether the run was stationary, and what the figures are worth. */
static void add_stability(json_t *o, const struct ut_report *report) {
  const struct ut_network *net = report->network;
  const struct ut_terminals *terminals = &net->terminals;
  const struct ut_stability_verdict verdict = ut_stability_watch_verdict(&report->stability, net);
  const bool until_stable = net->scenario->run.warmup == UT_WARMUP_UNTIL_STABLE;
  const bool growing = verdict.state == UT_STABILITY_GROWING, collapsed = verdict.state == UT_STABILITY_COLLAPSED;
  const bool shown = !report->deadlock && (verdict.state != UT_STABILITY_UNKNOWN || until_stable);
  const uint64_t end = net->cycle < terminals->window_end ? net->cycle : terminals->window_end;
  json_t *stability =
      UT_OBJECT({"state", ut_string(ut_stability_name(verdict.state))},
                {"steady", json_boolean(verdict.state == UT_STABILITY_STEADY)}, {"growing", json_boolean(growing)},
                {"collapsed", json_boolean(collapsed)}, {"warmup_cycles", ut_int(terminals->window_start)},
                {"measured_cycles", ut_int(end > terminals->window_start ? end - terminals->window_start : 0)},
                {"waiting_growth", ut_real(verdict.growth)},
                {"half_width_throughput", ut_real(verdict.accepted.half_width / net->topology->terminals)},
                {"half_width_latency_cycles", ut_real(verdict.latency.half_width)});
  UT_ADD(o, {"stability", stability}, {"_stability", shown ? ut_string(ut_stability_name(verdict.state)) : NULL},
         {"_not_sustained", json_boolean(growing || collapsed)}, {"_growth_percent", ut_real(100 * verdict.growth)},
         {"_throughput_percent", ut_real(percent_of(&verdict.accepted))},
         {"_latency_percent", ut_real(percent_of(&verdict.latency))}, {"_fixed", json_boolean(!until_stable)},
         {"_measured_end", ut_int(end)}, {"_measured_last", ut_int(end - 1)});
}

/* The results so far of a run that is not over, or has ended in a deadlock, speak for themselves. */
static void add_warnings(json_t *o, const struct ut_report *report) {
  const struct ut_stability_verdict verdict = ut_stability_watch_verdict(&report->stability, report->network);
  char text[UT_WARNING_SIZE];
  json_t *names = json_array(), *texts = json_array();
  for (unsigned i = 0; i < UT_RUN_WARNINGS && !report->deadlock && !report->interrupted; i++)
    if (ut_run_warns(i, report->network, &verdict, text)) {
      json_array_append_new(names, ut_string(ut_run_warning_name[i]));
      json_array_append_new(texts, UT_OBJECT({"name", ut_string(ut_run_warning_name[i])}, {"text", ut_string(text)}));
    }
  UT_ADD(o, {"warnings", names}, {"_warnings", texts});
}

/* What a run without a mismatch has not exercised. */
static json_t *missing_json(const struct ut_report *report) {
  char text[UT_EXERCISES][UT_EXERCISE_SIZE];
  const unsigned count = ut_exercise_missing(report->exercise, report->network, text);
  json_t *list = json_array();
  for (unsigned i = 0; i < count; i++)
    json_array_append_new(list, ut_string(text[i]));
  return list;
}

/* Those that are hit. */
static json_t *cover_points_json(const struct ut_network *net) {
  uint64_t hits[SPEC_COVER_POINTS];
  json_t *o = json_object();
  ut_coverage_read(net, hits);
  for (unsigned point = 0; point < SPEC_COVER_POINTS; point++)
    UT_ADD(o, {spec_cover_texts[point].name, hits[point] ? ut_int(hits[point]) : NULL});
  return o;
}

static void add_run(json_t *o, const struct ut_report *report) {
  const struct ut_network *net = report->network;
  const struct ut_scenario *scenario = net->scenario;
  const struct ut_lockstep *lockstep = report->lockstep;
  UT_ADD(o, {"dut", lockstep ? ut_string(lockstep->gates ? "gate" : "rtl") : NULL}, {"cycles", ut_int(net->cycle)},
         {"switches", ut_int(net->topology->switches)}, {"terminals", ut_int(net->topology->terminals)},
         {"switch_cycles", ut_int(net->cycle * net->topology->switches)},
         {"jumped_cycles", lockstep || report->checked ? ut_int(net->jumped) : NULL},
         {"_made_cycles", ut_int(made_cycles(net))},
         {"_jumped", net->jumped ? ut_format("; %" PRIu64 " more, in which nothing happens, were jumped", net->jumped)
                                 : ut_string("")});
  if (lockstep)
    UT_ADD(o, {"compared_state_bits_per_switch", ut_int(lockstep->state_bits)},
           {"compared_switch_states", ut_int(lockstep->compared)}, {"mismatches", ut_int(lockstep->mismatches)},
           {"unexercised", report->exercise ? missing_json(report) : NULL},
           {"mismatch", report->mismatch ? ut_mismatch_json(report->mismatch, report->again) : NULL},
           {"_deep", json_boolean(net->shape->depth > UT_WHOLE_BUFFER)});
  UT_ADD(o, {"cover_points", report->cover_points ? cover_points_json(net) : NULL});
  if (report->checked)
    UT_ADD(o, {"_checked", json_true()}, {"compared_with_spec_values", ut_int(ut_network_spec_compared(net))},
           {"differs_from_spec", json_boolean(report->differs)});
  UT_ADD(o, {"seed", ut_int(scenario->run.seed)});
}

static void add_packets(json_t *o, const struct ut_network *net) {
  const struct ut_accounts *accounts = &net->terminals.accounts;
  const struct ut_terminals *terminals = &net->terminals;
  const struct ut_histogram *histogram = &terminals->latency;
  const struct ut_scenario *scenario = net->scenario;
  const double window = (double)(terminals->window_end - terminals->window_start) * net->topology->terminals;
  ut_put_accounts_json(o, net);
  if (net->traffic.pattern->trace)
    UT_ADD(o, {"trace_packets_after_end", ut_int(ut_network_after_end(net))},
           {"_trace_load",
            ut_real((double)ut_traffic_flits(&net->traffic, terminals->window_start, terminals->window_end) / window)});
  json_t *latency = UT_OBJECT({"mean", histogram->count ? ut_real(ut_histogram_mean(histogram)) : json_null()},
                              {"p50", ut_int_if(histogram->count, ut_histogram_percentile(histogram, 50))},
                              {"p99", ut_int_if(histogram->count, ut_histogram_percentile(histogram, 99))},
                              {"max", ut_int_if(histogram->count, histogram->max)});
  UT_ADD(o, {"corrupt_packets", ut_int(accounts->corrupt)},
         {"throughput_flits_per_cycle_per_terminal", ut_real(ut_network_throughput(net))}, {"latency_cycles", latency},
         {"_has_load", json_boolean(ut_pattern_has_load(net->traffic.pattern))},
         {"_measured_packets", ut_int(histogram->count)}, {"_discarded", ut_int(ut_accounts_discarded(accounts))},
         {"_lost_per_fault", ut_real((double)ut_accounts_discarded(accounts) / (double)net->faults.failures)},
         {"_window_start", ut_int(terminals->window_start)}, {"_window_end", ut_int(terminals->window_end)},
         {"_window_last", ut_int(terminals->window_end - 1)});
  /* why a run goes on for long when nothing is generated any more */
  if (!net->workload && net->cycle > terminals->window_end && net->queued_at_end > net->topology->terminals)
    UT_ADD(o, {"_drain_cycles", ut_int(net->cycle - terminals->window_end)},
           {"_queued_at_end", ut_int(net->queued_at_end)},
           {"_drain_limit", json_boolean(net->cycle - terminals->window_end == scenario->run.drain_limit_cycles)});
}

void ut_report_print(const struct ut_report *report, bool json) {
  const struct ut_network *net = report->network;
  json_t *o = ut_scenario_result(net->scenario);
  const double cycles = (double)made_cycles(net) * net->topology->switches;
  add_run(o, report);
  add_packets(o, net);
  if (report->stability.watched)
    add_stability(o, report);
  add_warnings(o, report);
  UT_ADD(o, {"workload", net->workload ? workload_json(report) : NULL},
         {"_pattern", ut_string(net->scenario->traffic.pattern->name)}, {"plane_bypass", ut_bypass_json(net->scenario)},
         {"plan", net->scenario->paths ? plan_json(net->scenario->paths) : NULL},
         {"reconfiguration", net->reconfiguration.active ? reconfiguration_json(net) : NULL},
         {"updates", net->manager.costs.rounds ? updates_json(net) : NULL},
         {"_withdrawn", ut_int(net->manager.costs.withdrawn)});
  if (net->availability.serves)
    add_states(o, net);
  UT_ADD(o, {"u_turns", ut_int(ut_network_u_turns(net))}, {"_can_turn", json_boolean(net->topology->up_ports)},
         {"flit_hops", ut_int(net->flit_hops)}, {"deadlock", json_boolean(report->deadlock)},
         {"wall_s", ut_real(report->wall_s)},
         {"switch_cycles_per_s", ut_real(report->wall_s > 0 ? cycles / report->wall_s : 0)},
         {"_flit_hops_per_s", ut_real(report->wall_s > 0 ? (double)net->flit_hops / report->wall_s : 0)},
         {"_interrupted", json_boolean(report->interrupted)});
  json_t *mismatch = json_incref(json_object_get(o, "mismatch"));
  ut_result_print(o, json, 9, layout);
  if (mismatch && !json)
    ut_result_put(mismatch, ut_mismatch_layout, stdout);
  json_decref(mismatch);
}
