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

static void on_interval(void *ctx, const struct ut_interval *i) {
  struct ut_run_survey *s = ctx;
  if (i->until <= s->from)
    return;
  if (s->intervals == s->room) {
    const size_t room = s->room ? 2 * s->room : 256;
    struct ut_interval *interval = realloc(s->interval, room * sizeof *interval);
    uint64_t *flit_hops = interval ? realloc(s->flit_hops, room * sizeof *flit_hops) : NULL;
    s->interval = interval ? interval : s->interval;
    s->flit_hops = flit_hops ? flit_hops : s->flit_hops;
    if (!flit_hops) {
      s->failure = true;
      return;
    }
    s->room = room;
  }
  s->flit_hops[s->intervals] = s->network.flit_hops - s->flit_hops_before;
  s->interval[s->intervals++] = *i;
  s->flit_hops_before = s->network.flit_hops;
}

/* ---- loads of links */

/* Links between switches, those that leave a level or go in a direction side by side. */
static bool list_links(struct ut_run_heat *h, const struct ut_topology *t) {
  const uint32_t channels = t->switches * t->po;
  h->channel = malloc(channels * sizeof *h->channel);
  for (unsigned level = 0; h->channel && level < t->levels; level++)
    for (unsigned port = 0; port < t->po; port++)
      for (uint32_t sw = 0; sw < t->switches; sw++)
        if (t->level[sw] == level && t->peer[(size_t)sw * t->po + port].kind == UT_PEER_SWITCH)
          h->channel[h->rows++] = sw * t->po + port;
  return h->channel != NULL;
}

static bool begin_heat(struct ut_run_survey *s) {
  struct ut_run_heat *h = &s->heat;
  if (!list_links(h, &s->network.topology) || !ut_network_count_links(&s->network))
    return false;
  const uint64_t cycles = s->until - s->from;
  h->every = (cycles + s->heat_columns - 1) / s->heat_columns;
  h->columns = (uint32_t)((cycles + h->every - 1) / h->every);
  h->load = calloc((size_t)h->rows * h->columns, 1);
  h->before = calloc(h->rows, sizeof *h->before);
  return h->load && h->before;
}

static void take_heat(struct ut_run_survey *s) {
  struct ut_run_heat *h = &s->heat;
  const uint64_t now = s->network.cycle - s->from;
  const uint32_t column = (uint32_t)((now - 1) / h->every);
  if (now % h->every && s->network.cycle != s->until)
    return;
  const uint64_t cycles = now - column * h->every;
  for (uint32_t i = 0; i < h->rows; i++) {
    const uint64_t flits = s->network.link_flits[h->channel[i]];
    h->load[(size_t)i * h->columns + column] = (uint8_t)(((flits - h->before[i]) * 255 + cycles / 2) / cycles);
    h->before[i] = flits;
  }
}

/* What is recorded of the measurement window; nothing: all that is recorded. */
static void choose_loads(struct ut_run_survey *s) {
  struct ut_loads *w = &s->loads;
  ut_loads_window(w, &s->network, NULL);
  w->from = w->from > s->from ? w->from : s->from;
  w->until = w->until < s->until ? w->until : s->until;
  if (w->from < w->until)
    return;
  w->from = s->from;
  w->until = s->until;
}

/* ---- states of nodes */

static void take_states(struct ut_run_survey *s) {
  const struct ut_network *n = &s->network;
  if (!n->availability.serves || (s->states && n->faults.next == s->faults_seen))
    return;
  json_t *state = json_array();
  for (uint32_t sw = 0; sw < n->topology.switches; sw++)
    json_array_append_new(state, json_integer(n->availability.model.state[sw]));
  if (!s->states)
    s->states = json_array();
  json_array_append_new(s->states, json_pack("{s:I,s:o}", "cycle", (json_int_t)(n->cycle - 1), "state", state));
  s->faults_seen = n->faults.next;
}

/* ---- the run */

static bool begin(struct ut_run_survey *s) {
  if (s->recording && !ut_recording_init(s->recording, &s->network, s->from, s->until))
    return false;
  if (s->recording)
    choose_loads(s);
  else
    ut_departures_watch(&s->network);
  return ut_timeline_init(&s->timeline, &s->network, s->every, on_interval, s);
}

static bool observe(struct ut_run_survey *s) {
  struct ut_network *n = &s->network;
  if (s->recording ? !ut_recording_observe(s->recording, n) : !ut_departures_take(&s->left, n))
    return false;
  if (n->cycle == s->from + 1) /* intervals begin there */
    s->flit_hops_before = n->flit_hops;
  ut_timeline_observe(&s->timeline, n, s->recording ? &s->recording->left : &s->left);
  if (s->heat.load && n->cycle > s->from)
    take_heat(s);
  take_states(s);
  if (s->recording && n->cycle == s->loads.until && !ut_loads_take(&s->loads, n))
    return false;
  return !s->failure;
}

/* Loads count from the first cycle of their window on. */
static bool prepare_cycle(struct ut_run_survey *s) {
  if (s->recording && s->network.cycle == s->loads.from && !ut_network_count_links(&s->network))
    return false;
  if (s->network.cycle != s->from)
    return true;
  if (s->from) { /* intervals begin there: the one before is cut short */
    ut_timeline_end(&s->timeline, &s->network);
    s->intervals = 0;
  }
  return !s->heat_columns || begin_heat(s);
}

/* The cycle of the network in which somebody looks next, behind a step. */
static uint64_t next_look(const struct ut_run_survey *s) {
  const struct ut_run_heat *h = &s->heat;
  const uint64_t cycle = s->network.cycle;
  const uint64_t looks[] = {s->from + 1, s->recording ? s->loads.from + 1 : s->from + 1,
                            s->recording ? s->loads.until : s->until,
                            h->load ? s->from + ((cycle - s->from) / h->every + 1) * h->every : s->until, s->until};
  uint64_t next = ut_timeline_next(&s->timeline);
  for (unsigned i = 0; i < sizeof looks / sizeof *looks; i++)
    next = looks[i] > cycle ? ut_earlier(next, looks[i]) : next;
  return next;
}

int ut_run_survey(struct ut_run_survey *s, const struct ut_page_options *o, struct ut_error *e) {
  struct ut_network *n = &s->network;
  if (ut_network_init(n, s->scenario, NULL, e))
    return -1;
  bool good = begin(s);
  uint64_t steps = 0;
  while (good && !ut_network_done(n) && n->cycle < s->until && !n->failure && !s->deadlock) {
    if (o->interrupted && *o->interrupted)
      return ut_fail(e, UT_INTERRUPTED, "interrupted in cycle %llu: no page is written", (unsigned long long)n->cycle);
    ut_network_skip(n, next_look(s));
    good = prepare_cycle(s);
    if (!good)
      break;
    ut_network_step(n);
    good = observe(s);
    s->deadlock = ut_watchdog_check(&s->watchdog, n);
    if (o->progress && ++steps % 1024 == 0)
      o->progress(o->ctx, n->cycle, ut_network_planned(s->scenario));
  }
  if (good)
    ut_timeline_end(&s->timeline, n);
  if (good && s->recording)
    good = ut_recording_end(s->recording) && (s->loads.load || ut_loads_take(&s->loads, n));
  if (!good || n->failure || s->failure)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: not enough memory for a page of this run; lower the load or the number of cycles",
                   s->scenario->path);
  return 0;
}

void ut_run_survey_end(struct ut_run_survey *s) {
  ut_timeline_free(&s->timeline);
  ut_watchdog_free(&s->watchdog);
  ut_network_fini(&s->network);
  free(s->left.list);
  free(s->interval);
  free(s->flit_hops);
  free(s->heat.channel);
  free(s->heat.load);
  free(s->heat.before);
  free(s->loads.load);
  json_decref(s->states);
  *s = (struct ut_run_survey){0};
}

/* ---- JSON */

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static json_t *cycles_json(uint64_t cycles) {
  return cycles == UINT64_MAX ? json_null() : json_integer((json_int_t)cycles);
}

static json_t *workload_json(const struct ut_run_survey *s) {
  const struct ut_workload_run *w = s->network.workload;
  const uint32_t task = ut_workload_run_waiting(w);
  char text[UT_TASK_TEXT_SIZE];
  json_t *o = json_object();
  set(o, "pattern", json_string(s->scenario->traffic.pattern->name));
  set(o, "messages", json_integer(w->workload.messages));
  set(o, "lost_messages", json_integer(w->lost));
  set(o, "resent_packets", json_integer((json_int_t)w->resent));
  set(o, "waiting_tasks", json_integer(w->open));
  set(o, "waits", task == UT_NO_TASK ? json_null() : json_string(ut_task_text(&w->workload, task, text)));
  set(o, "start_cycle", json_integer((json_int_t)w->start));
  set(o, "completion_cycles", cycles_json(w->completion));
  set(o, "without_faults_completion_cycles", cycles_json(s->without_faults));
  return o;
}

json_t *ut_run_totals_json(const struct ut_run_survey *s) {
  const struct ut_network *n = &s->network;
  const struct ut_histogram *h = &n->terminals.latency;
  json_t *o = json_object();
  set(o, "cycles", json_integer((json_int_t)n->cycle));
  ut_put_accounts_json(o, n);
  set(o, "throughput", json_real(ut_network_throughput(n)));
  set(o, "latency_mean", h->count ? json_real(ut_histogram_mean(h)) : json_null());
  set(o, "latency_max", h->count ? json_integer((json_int_t)h->max) : json_null());
  set(o, "u_turns", n->topology.up_ports ? json_integer((json_int_t)ut_network_u_turns(n)) : json_null());
  set(o, "workload", n->workload ? workload_json(s) : json_null());
  set(o, "deadlock",
      s->deadlock
          ? json_pack("{s:I,s:s}", "cycle", (json_int_t)n->cycle, "text", s->watchdog.text ? s->watchdog.text : "")
          : json_null());
  return o;
}

json_t *ut_run_intervals_json(const struct ut_run_survey *s) {
  json_t *o = json_object(), *from = json_array(), *throughput = json_array(), *discarded = json_array(),
         *in_flight = json_array();
  for (size_t i = 0; i < s->intervals; i++) {
    const struct ut_interval *k = &s->interval[i];
    uint64_t lost = 0;
    for (unsigned reason = 0; reason < UT_DISCARD_REASONS; reason++)
      lost += k->discarded[reason];
    json_array_append_new(from, json_integer((json_int_t)k->from));
    json_array_append_new(
        throughput, json_real((double)k->received / (double)(k->until - k->from) / s->network.topology.terminals));
    json_array_append_new(discarded, json_integer((json_int_t)lost));
    json_array_append_new(in_flight, json_integer((json_int_t)k->in_flight));
  }
  set(o, "from", from);
  set(o, "throughput", throughput);
  set(o, "discarded", discarded);
  set(o, "in_flight", in_flight);
  return o;
}

json_t *ut_run_loads_json(const struct ut_run_survey *s) {
  const struct ut_loads *w = &s->loads;
  const struct ut_topology *t = &s->network.topology;
  json_t *flits = json_array();
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++)
    json_array_append_new(flits, json_integer(llround(w->load[i] * (double)(w->until - w->from))));
  return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)w->from, "until", (json_int_t)w->until, "flits", flits);
}
