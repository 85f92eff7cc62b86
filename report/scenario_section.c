/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_section.c - a run of a scenario as a section of a page: its packets, to be played; of a network that is too
 * large to be drawn, the loads of its links.
 *
 * The run is made twice.  The first run tells how long it is and when how much happens; the second one records as many
 * cycles as fit into the page.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "json_text.h"
#include "named_faults.h"
#include "network_json.h"
#include "page_source.h"
#include "places.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "registers_json.h"
#include "run_survey.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology.h"
#include "topology_build.h"
#include "without_faults.h"

enum { MOST_SWITCHES = 256, MOST_LINKS = 32768, HEAT_CELLS = 4000000, MOST_COLUMNS = 400, INTERVALS = 400, TRIES = 6 };
/* Compressed bytes, about: of a packet, of a hop. */
static const double packet_bytes = 2.2, hop_bytes = 0.55;

/* ---- the scenario's own comment */

struct comment {
  char *title, *story; /* malloc'd; title NULL: it has none */
};

/* Reads the comment at the beginning of the scenario: paragraphs, separated by empty comment lines.  The first one is
 * the title if it is one line and others follow. */
static bool read_comment(struct comment *comment, const char *text, struct ut_error *e) {
  struct ut_text story = {0};
  FILE *f = ut_text_open(&story, e);
  bool blank = false, any = false;
  if (!f)
    return false;
  for (unsigned line = 0; *text == '#'; line++) {
    const char *words = text + 1 + strspn(text + 1, "# ");
    const int length = (int)strcspn(words, "\n");
    const char *next = words + length + (words[length] == '\n');
    if (line == 0 && next[0] == '#' && next[1 + strspn(next + 1, " ")] == '\n') {
      comment->title = strndup(words, (size_t)length);
    } else if (length) {
      fprintf(f, "%s%.*s", !any ? "" : blank ? "\n" : " ", length, words);
      any = true;
    }
    blank = !length;
    text = next;
  }
  comment->story = fclose(f) ? NULL : story.data;
  return comment->story ? true : (ut_fail_memory(e), false);
}

static struct ut_scenario *load(const struct ut_page_source *source, const struct ut_page_options *options,
                                struct ut_error *e) {
  struct ut_scenario *scenario = ut_scenario_parse(source->text, source->length, source->path, e);
  if (scenario && !ut_scenario_add_faults(scenario, options->fault, options->faults, e) &&
      !ut_bypass_planes(scenario, e) && !ut_plan_scenario(scenario, e))
    return scenario;
  ut_scenario_free(scenario);
  return NULL;
}

/* ---- how much of the run */

/* Links between switches, each direction for itself. */
static uint32_t count_links(const struct ut_topology *topo) {
  uint32_t links = 0;
  for (uint32_t i = 0; i < topo->switches * topo->po; i++)
    links += topo->peer[i].kind == UT_PEER_SWITCH;
  return links;
}

/* Checks that a page can show it, and how: *played, or as a map of its links. */
static int choose_view(const struct ut_scenario *scenario, bool *played, struct ut_error *e) {
  const struct ut_topology *topo = ut_scenario_topology(scenario);
  const uint32_t links = count_links(topo);
  *played = topo->switches <= MOST_SWITCHES && ut_places_known(topo);
  if (*played || links <= MOST_LINKS)
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: a page for a network that is too large: %u switches, %u links (each direction counts); up to %d "
                 "switches are played, up to %d links are shown as a map; take a smaller one, or `net --loads`",
                 scenario->path, topo->switches, links, MOST_SWITCHES, MOST_LINKS);
}

int ut_scenario_is_played(const struct ut_scenario *scenario, struct ut_error *e) {
  bool played;
  if (choose_view(scenario, &played, e))
    return -1;
  return played ? 0
                : ut_fail(e, UT_BAD_INPUT,
                          "%s: too large a network to be played; registers are shown of up to %d switches",
                          scenario->path, MOST_SWITCHES);
}

struct window {
  uint64_t from, until;
  const char *why; /* for the page */
};

static uint64_t first_fault(const struct ut_run_survey *survey) {
  return survey->network.faults.events ? survey->network.faults.event[0].cycle : 0;
}

/* Estimates the bytes of an interval. */
static double bytes_of(const struct ut_run_survey *survey, size_t i) {
  const double flits = survey->scenario->sw.packet_flits;
  return packet_bytes * (double)survey->interval[i].injected / flits + hop_bytes * (double)survey->flit_hops[i] / flits;
}

/* Chooses, from a whole run, as many cycles as fit into that many bytes; a tenth of them before the most important
 * cycle. */
static struct window fit(const struct ut_run_survey *survey, uint64_t point, double bytes) {
  double all = 0, used = 0;
  size_t first = 0;
  for (size_t i = 0; i < survey->intervals; i++)
    all += bytes_of(survey, i);
  if (all <= bytes)
    return (struct window){0, survey->network.cycle, ""};
  while (first + 1 < survey->intervals && survey->interval[first].until <= point)
    first++;
  for (; first > 0 && used + bytes_of(survey, first - 1) <= bytes / 10; first--)
    used += bytes_of(survey, first - 1);
  size_t last = first;
  for (used = bytes_of(survey, first); last + 1 < survey->intervals && used + bytes_of(survey, last + 1) <= bytes;
       last++)
    used += bytes_of(survey, last + 1);
  return (struct window){survey->interval[first].from, survey->interval[last].until, "as much as one page holds"};
}

/* Applies the user's request. */
static int given_window(const struct ut_page_options *options, const struct ut_run_survey *whole, struct window *window,
                        struct ut_error *e) {
  *window =
      (struct window){options->from, options->until < whole->network.cycle ? options->until : whole->network.cycle,
                      "as given by --window"};
  if (window->from < window->until)
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--window %" PRIu64 ":%" PRIu64 ": %s ends in cycle %" PRIu64, options->from,
                 options->until, whole->scenario->path, whole->network.cycle);
}

/* ---- the section */

struct view {
  const struct ut_scenario *scenario;
  struct ut_run_survey whole, part;
  struct ut_recording recording;
  struct window window;
  bool played;
  void *blob; /* compressed */
  size_t size;
  json_t *registers; /* NULL: none */
};

/* Makes the run again, the window only. */
static int take(struct view *view, const struct ut_page_options *options, struct ut_error *e) {
  const struct window *window = &view->window;
  const uint64_t cycles = window->until - window->from;
  const uint32_t columns = HEAT_CELLS / (count_links(view->whole.network.topology) + 1);
  view->part = (struct ut_run_survey){.scenario = view->scenario,
                                      .from = window->from,
                                      .until = window->until,
                                      .every = (cycles + INTERVALS - 1) / INTERVALS,
                                      .recording = view->played ? &view->recording : NULL,
                                      .heat_columns = view->played             ? 0
                                                      : columns < MOST_COLUMNS ? columns
                                                                               : MOST_COLUMNS};
  if (ut_run_survey(&view->part, options, e))
    return -1;
  if (view->played) {
    view->blob = ut_recording_encode(&view->recording, &view->size);
  } else {
    view->size = (size_t)view->part.heat.rows * view->part.heat.columns;
    view->blob = malloc(view->size);
    if (view->blob)
      memcpy(view->blob, view->part.heat.load, view->size);
  }
  void *raw = view->blob;
  view->blob = raw ? ut_html_compress(raw, view->size, &view->size) : NULL;
  free(raw);
  return view->blob ? 0 : ut_fail_memory(e);
}

struct other_run {
  const struct view *view;
  const struct ut_page_options *options;
};

static int run_to_completion(void *ctx, const struct ut_scenario *scenario, uint64_t *completion, struct ut_error *e) {
  const struct other_run *run = ctx;
  struct ut_run_survey other = {.scenario = scenario, .until = UINT64_MAX, .every = run->view->whole.every};
  const int status = ut_run_survey(&other, run->options, e);
  if (!status)
    *completion = other.network.workload->completion;
  ut_run_survey_end(&other);
  return status;
}

/* Runs the workload of the same scenario without faults, for its slowdown. */
static int run_without_faults(struct view *view, const struct ut_page_options *options, struct ut_error *e) {
  struct other_run run = {view, options};
  view->whole.without_faults = UINT64_MAX;
  return view->whole.network.workload && view->scenario->fault_count
             ? ut_without_faults(&view->whole.network, run_to_completion, &run, &view->whole.without_faults, e)
             : 0;
}

static void drop_part(struct view *view) {
  ut_recording_free(&view->recording);
  ut_run_survey_end(&view->part);
  free(view->blob);
  view->blob = NULL;
}

/* Returns the compressed size of the packets; -1 and *e: out of memory, or there is no space for them. */
static int take_registers(struct view *view, struct ut_html_page *page, const struct ut_page_options *options,
                          size_t *size, struct ut_error *e) {
  *size = 0;
  if (!options->registers)
    return 0;
  view->registers = ut_registers_json(options->registers);
  char *text = view->registers ? json_dumps(view->registers, JSON_COMPACT) : NULL;
  void *bytes = text ? ut_html_compress(text, strlen(text), size) : NULL;
  free(text);
  free(bytes);
  if (!bytes)
    return ut_fail_memory(e);
  return *size < ut_html_page_room(page)
             ? 0
             : ut_fail(e, UT_BAD_INPUT,
                       "%s: the registers of %u switches in cycles %" PRIu64 " to %" PRIu64
                       " take %.1f MB, more than a page has room for; fewer switches, or fewer cycles",
                       view->scenario->path, options->registers->switches, options->registers->from,
                       options->registers->until - 1, 4e-6 / 3 * (double)*size);
}

/* Makes the second run; again with fewer cycles if they take too much space. */
static int record(struct view *view, struct ut_html_page *page, const struct ut_page_options *options,
                  struct ut_error *e) {
  size_t room = ut_html_page_room(page), size;
  if (take_registers(view, page, options, &size, e))
    return -1;
  room -= size;
  double bytes = 0.9 * (double)room;
  const uint64_t point = options->registers ? options->registers->from : first_fault(&view->whole);
  if (options->window && given_window(options, &view->whole, &view->window, e))
    return -1;
  for (unsigned i = 0; i < TRIES; i++) {
    if (!options->window)
      view->window = view->played ? fit(&view->whole, point, bytes) : (struct window){0, view->whole.network.cycle, ""};
    if (take(view, options, e))
      return -1;
    if (view->size <= room)
      return 0;
    size = view->size;
    drop_part(view);
    if (options->window || !view->played)
      break;
    bytes *= 0.85 * (double)room / (double)size;
  }
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: cycles %" PRIu64 " to %" PRIu64 " take %.1f MB, and the page has room for %.1f MB; a smaller "
                 "--window A:B, or fewer sources on one page",
                 view->scenario->path, view->window.from, view->window.until, 4e-6 / 3 * (double)size,
                 4e-6 / 3 * (double)room);
}

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static json_t *heat_json(const struct ut_run_heat *heat) {
  json_t *channels = json_array();
  for (uint32_t i = 0; i < heat->rows; i++)
    json_array_append_new(channels, json_integer(heat->channel[i]));
  return json_pack("{s:o,s:i,s:I}", "channels", channels, "columns", (int)heat->columns, "every",
                   (json_int_t)heat->every);
}

static json_t *state_names(void) {
  json_t *names = json_array();
  for (unsigned i = 0; i < UT_NODE_STATES; i++)
    json_array_append_new(names, json_string(ut_node_state_name[i]));
  return names;
}

static size_t moves_of(const struct ut_recording *recording) {
  size_t moves = 0;
  for (size_t i = 0; i < recording->packets; i++)
    moves += recording->packet[i].moves;
  return moves;
}

/* Says which loads these are; `net --loads` has those of the measurement window. */
static json_t *loads_json(const struct view *view) {
  const struct ut_loads *here = &view->part.loads;
  const uint64_t end = view->whole.network.cycle;
  struct ut_loads all;
  ut_loads_window(&all, &view->whole.network, NULL);
  all.until = all.until < end ? all.until : end;
  const bool within = here->from >= all.from && here->until <= all.until;
  const bool whole = here->from == all.from && here->until == all.until;
  json_t *o = ut_run_loads_json(&view->part);
  set(o, "what",
      json_string(whole    ? "the measurement window"
                  : within ? "what is recorded of the measurement window"
                           : "all that is recorded"));
  return o;
}

static json_t *view_json(struct view *view, const struct comment *comment) {
  const struct ut_scenario *scenario = view->scenario;
  json_t *o = json_object(), *window = json_object();
  set(o, "scenario", json_string(scenario->name));
  set(o, "path", ut_json_text(scenario->path));
  set(o, "story", json_string(comment->story));
  set(o, "algorithm", json_string(scenario->routing.algorithm));
  set(o, "seed", json_integer((json_int_t)scenario->run.seed));
  set(o, "load", json_real(scenario->traffic.load_flits_per_cycle));
  set(o, "network", ut_network_json(&view->whole.network, view->played));
  set(o, "faults", ut_network_faults_json(&view->whole.network));
  set(o, "totals", ut_run_totals_json(&view->whole));
  set(window, "from", json_integer((json_int_t)view->window.from));
  set(window, "until", json_integer((json_int_t)view->window.until));
  set(window, "why", json_string(view->window.why));
  set(o, "window", window);
  set(o, "intervals", ut_run_intervals_json(&view->part));
  if (view->whole.states) {
    set(o, "states", json_incref(view->whole.states));
    set(o, "state_names", state_names());
  }
  if (view->played) {
    set(o, "packets", json_integer((json_int_t)view->recording.packets));
    set(o, "moves", json_integer((json_int_t)moves_of(&view->recording)));
    set(o, "loads", loads_json(view));
    if (view->registers)
      set(o, "registers", json_incref(view->registers));
  } else {
    set(o, "heat", heat_json(&view->part.heat));
  }
  return o;
}

/* Names in commands: the scenario as it was given. */
static int put(struct view *view, struct ut_html_page *page, const struct ut_page_source *source, struct ut_error *e) {
  struct comment comment = {0};
  char run[PATH_MAX + 64], trace[PATH_MAX + 64], net[PATH_MAX + 64], cosim[PATH_MAX + 64];
  if (ut_path_set(e, run, "./uturn run %s --json", source->path) ||
      ut_path_set(e, trace, "./uturn trace %s --packet SOURCE:TAG", source->path) ||
      ut_path_set(e, net, "./uturn net %s --loads", source->path) ||
      ut_path_set(e, cosim, "./uturn cosim %s --report FILE.html", source->path))
    return -1;
  if (!read_comment(&comment, source->text, e)) {
    free(comment.title);
    return -1;
  }
  const struct ut_html_command commands[] = {{"packets, throughput, latency", run},
                                             {"the way of a packet", trace},
                                             {"loads of links", net},
                                             {"registers of switches, RTL beside model", cosim}};
  enum { COMMANDS = sizeof commands / sizeof *commands };
  json_t *data = view_json(view, &comment);
  const struct ut_html_section section = {.type = view->played ? "player" : "heat",
                                          .title = comment.title ? comment.title : view->scenario->name,
                                          .lead = *comment.story ? comment.story : NULL,
                                          .source = source->path,
                                          .text = source->text,
                                          .command = commands,
                                          /* a page of cosim has options of cosim, which these do not have */
                                          .commands = view->registers ? 0
                                                      : view->played  ? COMMANDS
                                                                      : COMMANDS - 1,
                                          .data = data,
                                          .blob = view->blob,
                                          .size = view->size};
  const int status = ut_html_page_add(page, &section, e);
  json_decref(data);
  free(comment.title);
  free(comment.story);
  return status;
}

int ut_scenario_section(struct ut_html_page *page, const struct ut_page_source *source, struct ut_page_options *options,
                        struct ut_error *e) {
  struct ut_scenario *own = options->scenario ? NULL : load(source, options, e);
  const struct ut_scenario *scenario = options->scenario ? options->scenario : own;
  struct view view = {.scenario = scenario};
  int status = !scenario || choose_view(scenario, &view.played, e) ? -1 : 0;
  if (!status) {
    const uint64_t planned = ut_network_planned(scenario);
    view.whole = (struct ut_run_survey){.scenario = scenario, .until = UINT64_MAX, .every = planned / INTERVALS + 1};
    status = ut_run_survey(&view.whole, options, e) || run_without_faults(&view, options, e) ? -1 : 0;
  }
  if (!status)
    status = record(&view, page, options, e) || put(&view, page, source, e) ? -1 : 0;
  options->deadlock |= view.whole.deadlock;
  options->incomplete |= !view.whole.deadlock && ut_network_incomplete(&view.whole.network);
  drop_part(&view);
  ut_run_survey_end(&view.whole);
  json_decref(view.registers);
  ut_scenario_free(own);
  return status;
}
