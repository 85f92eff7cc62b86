/* SPDX-License-Identifier: Apache-2.0 */
/* run_survey.c - see run_survey.h */
#include "run_survey.h"

#include "network_json.h"
#include "pattern.h"
#include "scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- intervals */

static void on_interval(void *ctx, const struct ut_interval *window) {
  struct ut_run_survey *survey = ctx;
  if (window->until <= survey->from)
    return;
  if (survey->intervals == survey->room) {
    const size_t room = survey->room ? 2 * survey->room : 256;
    struct ut_interval *interval = realloc(survey->interval, room * sizeof *interval);
    uint64_t *flit_hops = interval ? realloc(survey->flit_hops, room * sizeof *flit_hops) : NULL;
    survey->interval = interval ? interval : survey->interval;
    survey->flit_hops = flit_hops ? flit_hops : survey->flit_hops;
    if (!flit_hops) {
      survey->failure = true;
      return;
    }
    survey->room = room;
  }
  survey->flit_hops[survey->intervals] = survey->network.flit_hops - survey->flit_hops_before;
  survey->interval[survey->intervals++] = *window;
  survey->flit_hops_before = survey->network.flit_hops;
}

/* ---- loads of links */

/* Lists the links between switches; those that leave a level or go in a direction are adjacent. */
static bool list_links(struct ut_run_heat *heat, const struct ut_topology *topo) {
  const uint32_t channels = topo->switches * topo->po;
  heat->channel = malloc(channels * sizeof *heat->channel);
  for (unsigned level = 0; heat->channel && level < topo->levels; level++)
    for (unsigned port = 0; port < topo->po; port++)
      for (uint32_t sw = 0; sw < topo->switches; sw++)
        if (topo->level[sw] == level && topo->peer[(size_t)sw * topo->po + port].kind == UT_PEER_SWITCH)
          heat->channel[heat->rows++] = sw * topo->po + port;
  return heat->channel != NULL;
}

static bool begin_heat(struct ut_run_survey *survey) {
  struct ut_run_heat *heat = &survey->heat;
  if (!list_links(heat, survey->network.topology) || !ut_network_count_links(&survey->network))
    return false;
  const uint64_t cycles = survey->until - survey->from;
  heat->every = (cycles + survey->heat_columns - 1) / survey->heat_columns;
  heat->columns = (uint32_t)((cycles + heat->every - 1) / heat->every);
  heat->load = calloc((size_t)heat->rows * heat->columns, 1);
  heat->before = calloc(heat->rows, sizeof *heat->before);
  return heat->load && heat->before;
}

static void take_heat(struct ut_run_survey *survey) {
  struct ut_run_heat *heat = &survey->heat;
  const uint64_t now = survey->network.cycle - survey->from;
  const uint32_t column = (uint32_t)((now - 1) / heat->every);
  if (now % heat->every && survey->network.cycle != survey->until)
    return;
  const uint64_t cycles = now - column * heat->every;
  for (uint32_t i = 0; i < heat->rows; i++) {
    const uint64_t flits = survey->network.link_flits[heat->channel[i]];
    heat->load[(size_t)i * heat->columns + column] = (uint8_t)(((flits - heat->before[i]) * 255 + cycles / 2) / cycles);
    heat->before[i] = flits;
  }
}

/* Chooses the recorded part of the measurement window or, if there is none, all that is recorded. */
static void choose_loads(struct ut_run_survey *survey) {
  struct ut_loads *loads = &survey->loads;
  ut_loads_window(loads, &survey->network, NULL);
  loads->from = loads->from > survey->from ? loads->from : survey->from;
  loads->until = loads->until < survey->until ? loads->until : survey->until;
  if (loads->from < loads->until)
    return;
  loads->from = survey->from;
  loads->until = survey->until;
}

/* ---- states of nodes */

static void take_states(struct ut_run_survey *survey) {
  const struct ut_network *net = &survey->network;
  if (!net->availability.serves || (survey->states && net->faults.next == survey->faults_seen))
    return;
  json_t *state = json_array();
  for (uint32_t sw = 0; sw < net->topology->switches; sw++)
    json_array_append_new(state, json_integer(net->availability.model.state[sw]));
  if (!survey->states)
    survey->states = json_array();
  json_array_append_new(survey->states, json_pack("{s:I,s:o}", "cycle", (json_int_t)(net->cycle - 1), "state", state));
  survey->faults_seen = net->faults.next;
}

/* ---- the run */

static bool begin(struct ut_run_survey *survey) {
  if (survey->recording && !ut_recording_init(survey->recording, &survey->network, survey->from, survey->until))
    return false;
  if (survey->recording)
    choose_loads(survey);
  else
    ut_departures_watch(&survey->network);
  return ut_timeline_init(&survey->timeline, &survey->network, survey->every, on_interval, survey);
}

static bool observe(struct ut_run_survey *survey) {
  struct ut_network *net = &survey->network;
  if (survey->recording ? !ut_recording_observe(survey->recording, net) : !ut_departures_take(&survey->left, net))
    return false;
  if (net->cycle == survey->from + 1) /* intervals begin there */
    survey->flit_hops_before = net->flit_hops;
  ut_timeline_observe(&survey->timeline, net, survey->recording ? &survey->recording->left : &survey->left);
  if (survey->heat.load && net->cycle > survey->from)
    take_heat(survey);
  take_states(survey);
  if (survey->recording && net->cycle == survey->loads.until && !ut_loads_take(&survey->loads, net))
    return false;
  return !survey->failure;
}

/* Loads count from the first cycle of their window on. */
static bool prepare_cycle(struct ut_run_survey *survey) {
  if (survey->recording && survey->network.cycle == survey->loads.from && !ut_network_count_links(&survey->network))
    return false;
  if (survey->network.cycle != survey->from)
    return true;
  if (survey->from) { /* intervals begin there: the one before is cut short */
    ut_timeline_end(&survey->timeline, &survey->network);
    survey->intervals = 0;
  }
  return !survey->heat_columns || begin_heat(survey);
}

/* Returns the cycle in which an observer reads the network next, after a step. */
static uint64_t next_look(const struct ut_run_survey *survey) {
  const struct ut_run_heat *heat = &survey->heat;
  const uint64_t cycle = survey->network.cycle;
  const uint64_t looks[] = {survey->from + 1, survey->recording ? survey->loads.from + 1 : survey->from + 1,
                            survey->recording ? survey->loads.until : survey->until,
                            heat->load ? survey->from + ((cycle - survey->from) / heat->every + 1) * heat->every
                                       : survey->until,
                            survey->until};
  uint64_t next = ut_timeline_next(&survey->timeline);
  for (unsigned i = 0; i < sizeof looks / sizeof *looks; i++)
    next = looks[i] > cycle ? ut_earlier(next, looks[i]) : next;
  return next;
}

int ut_run_survey(struct ut_run_survey *survey, const struct ut_page_options *options, struct ut_error *e) {
  struct ut_network *net = &survey->network;
  if (ut_network_init(net, survey->scenario, NULL, e))
    return -1;
  bool good = begin(survey);
  uint64_t steps = 0;
  while (good && !ut_network_done(net) && net->cycle < survey->until && !net->failure && !survey->deadlock) {
    if (options->interrupted && *options->interrupted)
      return ut_fail(e, UT_INTERRUPTED, "interrupted in cycle %llu: no page is written",
                     (unsigned long long)net->cycle);
    ut_network_skip(net, next_look(survey));
    good = prepare_cycle(survey);
    if (!good)
      break;
    ut_network_step(net);
    good = observe(survey);
    survey->deadlock = ut_watchdog_check(&survey->watchdog, net);
    if (options->progress && ++steps % 1024 == 0)
      options->progress(options->ctx, net->cycle, ut_network_planned(survey->scenario));
  }
  if (good)
    ut_timeline_end(&survey->timeline, net);
  if (good && survey->recording)
    good = ut_recording_end(survey->recording) && (survey->loads.load || ut_loads_take(&survey->loads, net));
  if (!good || net->failure || survey->failure)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: not enough memory for a page of this run; lower the load or the number of cycles",
                   survey->scenario->path);
  return 0;
}

void ut_run_survey_end(struct ut_run_survey *survey) {
  ut_timeline_free(&survey->timeline);
  ut_watchdog_free(&survey->watchdog);
  ut_network_fini(&survey->network);
  free(survey->left.list);
  free(survey->interval);
  free(survey->flit_hops);
  free(survey->heat.channel);
  free(survey->heat.load);
  free(survey->heat.before);
  free(survey->loads.load);
  json_decref(survey->states);
  *survey = (struct ut_run_survey){0};
}

/* ---- JSON */

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static json_t *cycles_json(uint64_t cycles) {
  return cycles == UINT64_MAX ? json_null() : json_integer((json_int_t)cycles);
}

static json_t *workload_json(const struct ut_run_survey *survey) {
  const struct ut_workload_run *run = survey->network.workload;
  const uint32_t task = ut_workload_run_waiting(run);
  char text[UT_TASK_TEXT_SIZE];
  json_t *o = json_object();
  set(o, "pattern", json_string(survey->scenario->traffic.pattern->name));
  set(o, "messages", json_integer(run->workload.messages));
  set(o, "lost_messages", json_integer(run->lost));
  set(o, "resent_packets", json_integer((json_int_t)run->resent));
  set(o, "waiting_tasks", json_integer(run->open));
  set(o, "waits", task == UT_NO_TASK ? json_null() : json_string(ut_task_text(&run->workload, task, text)));
  set(o, "start_cycle", json_integer((json_int_t)run->start));
  set(o, "completion_cycles", cycles_json(run->completion));
  set(o, "without_faults_completion_cycles", cycles_json(survey->without_faults));
  return o;
}

json_t *ut_run_totals_json(const struct ut_run_survey *survey) {
  const struct ut_network *net = &survey->network;
  const struct ut_histogram *histogram = &net->terminals.latency;
  json_t *o = json_object();
  set(o, "cycles", json_integer((json_int_t)net->cycle));
  ut_put_accounts_json(o, net);
  set(o, "throughput", json_real(ut_network_throughput(net)));
  set(o, "latency_mean", histogram->count ? json_real(ut_histogram_mean(histogram)) : json_null());
  set(o, "latency_max", histogram->count ? json_integer((json_int_t)histogram->max) : json_null());
  set(o, "u_turns", net->topology->up_ports ? json_integer((json_int_t)ut_network_u_turns(net)) : json_null());
  set(o, "workload", net->workload ? workload_json(survey) : json_null());
  set(o, "deadlock",
      survey->deadlock ? json_pack("{s:I,s:s}", "cycle", (json_int_t)net->cycle, "text",
                                   survey->watchdog.text ? survey->watchdog.text : "")
                       : json_null());
  return o;
}

json_t *ut_run_intervals_json(const struct ut_run_survey *survey) {
  json_t *o = json_object(), *from = json_array(), *throughput = json_array(), *discarded = json_array(),
         *in_flight = json_array();
  for (size_t i = 0; i < survey->intervals; i++) {
    const struct ut_interval *interval = &survey->interval[i];
    uint64_t lost = 0;
    for (unsigned reason = 0; reason < UT_DISCARD_REASONS; reason++)
      lost += interval->discarded[reason];
    json_array_append_new(from, json_integer((json_int_t)interval->from));
    json_array_append_new(throughput,
                          json_real((double)interval->received / (double)(interval->until - interval->from) /
                                    survey->network.topology->terminals));
    json_array_append_new(discarded, json_integer((json_int_t)lost));
    json_array_append_new(in_flight, json_integer((json_int_t)interval->in_flight));
  }
  set(o, "from", from);
  set(o, "throughput", throughput);
  set(o, "discarded", discarded);
  set(o, "in_flight", in_flight);
  return o;
}

json_t *ut_run_loads_json(const struct ut_run_survey *survey) {
  const struct ut_loads *loads = &survey->loads;
  const struct ut_topology *topo = survey->network.topology;
  json_t *flits = json_array();
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++)
    json_array_append_new(flits, json_integer(llround(loads->load[i] * (double)(loads->until - loads->from))));
  return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)loads->from, "until", (json_int_t)loads->until, "flits", flits);
}
