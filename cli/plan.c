/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - `uturn plan`: forwarding tables for a network in a file, in the form of a subnet manager's, with their
 * proof.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fabric_plan.h"
#include "fabric_routes.h"
#include "graph_read.h"
#include "output.h"
#include "result.h"
#include "switch_tables_write.h"

enum { MOST_ROOTS = 4096, MOST_VLS = 15, BEST = 3, CANDIDATES = 3 };

struct plan_options {
  const char *network, *roots, *write, *sl, *sl2vl, *theirs;
  unsigned planner, vcs; /* planner: as enum ut_planner up to BEST */
  bool json;
};

#define UT_INPUT struct plan_options
static const struct ut_option options[] = {
    {.argument = "NET",
     .wants = "network",
     .missing = "which network?  A node list, as ibnetdiscover prints it, anynet or GraphML",
     UT_TEXT(network)},
    {"planner", 0, "updown|minimal|layers|best",
     "how paths are planned; best, the default: minimal, if it has no cycle, else of updown and layers the one whose "
     "busiest channel is less busy",
     UT_CHOICE(planner)},
    {"roots", 0, "NAME,NAME", "switches where the paths of updown turn; without it those farthest from all terminals",
     UT_TEXT(roots)},
    {"vcs", 0, "N", "VCs (VLs) that layers may take; default 1, at most 15", UT_COUNT(vcs), .most = MOST_VLS},
    {"write", 0, "LFTS",
     "writes the tables: as OpenSM dumps them where the network has LIDs, else CSV; -: standard output, and nothing "
     "else there",
     UT_TEXT(write)},
    {"sl", 0, "FILE", "writes the SL of each pair, where paths are in several layers", UT_TEXT(sl), .with = "write"},
    {"sl2vl", 0, "FILE", "writes the SL-to-VL tables of the switches", UT_TEXT(sl2vl), .with = "sl"},
    {"tables", 0, "LFTS", "a subnet manager's tables: what they have, beside the plan", UT_TEXT(theirs)},
    UT_JSON(json),
    {0},
};

const struct ut_syntax ut_syntax_plan = {"NET",
                                         "Plans forwarding tables for the network in NET, one port for each switch and "
                                         "destination, and looks at what stands "
                                         "in them: pairs, hops, the busiest channel, cycles of channel dependencies.",
                                         options, NULL};

static const char *const planner_name[] = {"updown", "minimal", "layers"};

/* Tables, and what has been found in them. */
struct candidate {
  const char *name;
  struct ut_fabric_plan plan;
  struct ut_fabric_routes routes;
  bool made, fits; /* fits: there are as many VCs as it needs */
};

struct planning {
  const struct plan_options *options;
  struct ut_graph *graph;
  struct ut_planning how;
  struct candidate candidate[CANDIDATES]; /* by enum ut_planner */
  struct candidate *taken;
  struct candidate theirs;
  const char *why;
};

/* ---- what is asked for */

/* Splits the names of roots at commas, and finds them. */
static int name_roots(struct planning *planning, struct ut_error *e) {
  char **name = calloc(MOST_ROOTS, sizeof *name),
       *text = planning->options->roots ? strdup(planning->options->roots) : NULL;
  uint32_t count = 0;
  int status = name && (text || !planning->options->roots) ? 0 : ut_fail_memory(e);
  for (char *word = text, *next; word && !status; word = next) {
    next = strchr(word, ',');
    if (next)
      *next++ = '\0';
    if (!ut_graph_has_switch(planning->graph, word))
      status = ut_fail(e, UT_BAD_INPUT, "--roots: '%s' has no switch '%s'", planning->graph->path, word);
    else if (count == MOST_ROOTS)
      status = ut_fail(e, UT_BAD_INPUT, "--roots: there can be %d at most", MOST_ROOTS);
    else
      name[count++] = word;
  }
  if (!status && !ut_planning_name_roots(&planning->how, name, count))
    status = ut_fail_memory(e);
  free(text);
  free(name);
  return status;
}

/* Refuses what cannot be written, before anything is planned. */
static int check_files(const struct planning *planning, struct ut_error *e) {
  const struct plan_options *want = planning->options;
  const char *const file[] = {want->write, want->sl, want->sl2vl};
  if (want->write && ut_switch_tables_check_form(planning->graph, e))
    return -1;
  if (want->write && want->vcs > 1 && !ut_graph_has_lids(planning->graph))
    return ut_fail(e, UT_BAD_INPUT,
                   "--vcs %u: SLs of pairs go by GUIDs and LIDs, which '%s' does not have: take what ibnetdiscover "
                   "prints, or --vcs 1",
                   want->vcs, planning->graph->path);
  if (want->write && want->vcs > 1 && !want->sl)
    return ut_fail(e, UT_BAD_INPUT,
                   "--vcs %u: give --sl FILE for the SLs of pairs: without them the tables may deadlock", want->vcs);
  for (size_t i = 0; i < sizeof file / sizeof *file; i++)
    if (file[i] && strcmp(file[i], "-") && ut_output_check(file[i], UT_OUTPUT_ANY, e))
      return -1;
  return 0;
}

/* ---- plans */

static int examine(struct candidate *candidate, const struct ut_graph *graph, struct ut_error *e) {
  const struct ut_fabric fabric = {.graph = graph, .tables = candidate->plan.tables, .sls = candidate->plan.sls};
  return ut_fabric_routes_find(&candidate->routes, &fabric, e);
}

static int make(struct planning *planning, enum ut_planner planner, struct ut_error *e) {
  struct candidate *candidate = &planning->candidate[planner];
  planning->how.planner = planner;
  candidate->name = planner_name[planner];
  candidate->made = true;
  if (ut_fabric_plan_make(&candidate->plan, planning->graph, &planning->how, planning->options->vcs, e))
    return -1;
  candidate->fits = candidate->plan.vls_needed <= planning->options->vcs;
  return examine(candidate, planning->graph, e);
}

static bool is_safe(const struct candidate *candidate) {
  return candidate->made && candidate->fits && !candidate->routes.waits.cycles;
}

/* Whether one plan that has no cycle is better than another. */
static bool is_better(const struct candidate *a, const struct candidate *b) {
  const struct ut_fabric_routes *x = &a->routes, *y = &b->routes;
  if (x->unreachable != y->unreachable)
    return x->unreachable < y->unreachable;
  if (x->load_max != y->load_max)
    return x->load_max < y->load_max;
  return x->hops_sum != y->hops_sum ? x->hops_sum < y->hops_sum : x->vls < y->vls;
}

static int choose(struct planning *planning, struct ut_error *e) {
  struct candidate *minimal = &planning->candidate[UT_PLANNER_MINIMAL],
                   *updown = &planning->candidate[UT_PLANNER_UPDOWN], *layers = &planning->candidate[UT_PLANNER_LAYERS];
  if (make(planning, UT_PLANNER_MINIMAL, e))
    return -1;
  planning->taken = minimal;
  planning->why = "shortest paths have no cycle here";
  if (is_safe(minimal))
    return 0;
  if (make(planning, UT_PLANNER_UPDOWN, e) || make(planning, UT_PLANNER_LAYERS, e))
    return -1;
  const bool in_layers = is_safe(layers) && (!is_safe(updown) || is_better(layers, updown));
  planning->taken = in_layers ? layers : updown;
  planning->why = in_layers       ? "shortest paths in layers without a cycle, less busy than updown"
                  : !layers->fits ? "minimal has a cycle, and layers need more VCs"
                                  : "minimal has a cycle, and layers are busier";
  return 0;
}

/* ---- output */

/* waits: its SLs are known, so its cycles are.  A plan that needs more VCs than there are has none of its own. */
static json_t *row_json(const struct candidate *candidate, bool waits) {
  const struct ut_fabric_routes *r = &candidate->routes;
  const bool known = waits && candidate->fits;
  const uint64_t delivered = r->pairs - r->unreachable;
  return UT_OBJECT(
      {"tables", ut_string(candidate->name)}, {"pairs", ut_int(r->pairs)}, {"unreachable", ut_int(r->unreachable)},
      {"looping", ut_int(r->looping)}, {"hops_sum", ut_int(r->hops_sum)}, {"hops_max", ut_int(r->hops_max)},
      {"load_max", ut_int(r->load_max)},
      {"vls", ut_int_if(waits, candidate->fits ? r->vls : candidate->plan.vls_needed)},
      {"channels", ut_int_if(known, r->waits.channels)}, {"dependencies", ut_int_if(known, r->waits.dependencies)},
      {"cycles", ut_int_if(known, r->waits.cycles)},
      {"channels_in_cycles", ut_int_if(known, r->waits.channels_in_cycles)},
      {"_mean", delivered ? ut_real((double)r->hops_sum / (double)delivered) : json_null()});
}

static const char layout[] =
    "{network}: {switches} switch{switches+es}, {terminals} terminal{terminals+s}, {vcs} VC{vcs+s}\n"
    "  plan        {planner}: {why}\n{?roots}  roots       {#roots}{.}{, }{/}\n{/}\n"
    "{|_rows}"
    "  <tables|pairs|unreachable|hops: mean|most|busiest channel|VCs|channels|dependencies|cycles\n"
    "{tables}|{pairs}|{unreachable}|{_mean:.3f}|{hops_max}|{load_max}|{vls}|{channels}|{dependencies}|{cycles}\n"
    "{/}{?written}\n  written     {#written}{.}{, }{/}\n{/}";

static json_t *written_json(const struct planning *planning) {
  const struct plan_options *want = planning->options;
  json_t *list = json_array();
  json_array_append_new(list, ut_string(want->write));
  if (want->sl && planning->taken->plan.sls)
    json_array_append_new(list, ut_string(want->sl));
  if (want->sl2vl && planning->taken->plan.sls)
    json_array_append_new(list, ut_string(want->sl2vl));
  return list;
}

/* The roots of updown; NULL: another plan, or those that it takes by itself. */
static json_t *roots_json(const struct planning *planning) {
  const struct ut_fabric_plan *plan = &planning->taken->plan;
  json_t *list = json_array();
  if (planning->taken == &planning->candidate[UT_PLANNER_UPDOWN] && plan->root != UT_NO_NODE)
    json_array_append_new(list, ut_string(planning->graph->node[plan->root].name));
  else if (planning->taken == &planning->candidate[UT_PLANNER_UPDOWN])
    for (uint32_t i = 0; i < planning->how.roots; i++)
      json_array_append_new(list, ut_string(planning->how.root[i]));
  if (json_array_size(list))
    return list;
  json_decref(list);
  return NULL;
}

static void print(const struct planning *planning, bool written) {
  const struct plan_options *want = planning->options;
  uint32_t terminals = 0;
  json_t *rows = json_array(), *tried = json_array();
  for (uint32_t i = 0; i < planning->graph->nodes; i++)
    terminals += planning->graph->node[i].terminal;
  for (unsigned i = 0; i < CANDIDATES; i++)
    if (planning->candidate[i].made) {
      json_array_append_new(tried, row_json(&planning->candidate[i], true));
      json_array_append_new(rows, row_json(&planning->candidate[i], true));
    }
  json_t *theirs = want->theirs ? row_json(&planning->theirs, false) : NULL;
  if (theirs)
    json_array_append(rows, theirs);
  json_t *o = UT_OBJECT({"network", ut_string(want->network)}, {"switches", ut_int(planning->graph->nodes - terminals)},
                        {"terminals", ut_int(terminals)}, {"vcs", ut_int(want->vcs)},
                        {"planner", ut_string(planning->taken->name)}, {"why", ut_string(planning->why)},
                        {"roots", roots_json(planning)}, {"plan", row_json(planning->taken, true)}, {"tried", tried},
                        {"theirs", theirs}, {"written", written ? written_json(planning) : NULL}, {"_rows", rows});
  ut_result_print(o, want->json, 6, layout);
}

/* ---- files */

/* Whether the tables go where the report goes, which is left out then. */
static bool writes_to_output(const struct plan_options *want) {
  return want->write && !strcmp(want->write, "-");
}

/* Writes one file; which: 0 the tables, 1 the SLs, 2 the SL-to-VL tables. */
static int write_file(const struct planning *planning, const char *path, unsigned which, struct ut_error *e) {
  const struct ut_fabric_plan *plan = &planning->taken->plan;
  struct ut_output output;
  if (!path || (which && !plan->sls))
    return 0;
  if (!which && writes_to_output(planning->options))
    return ut_switch_tables_write(plan->tables, stdout, e); /* main() sees whether all of it was written */
  if (ut_output_open(&output, path, UT_OUTPUT_ANY, e))
    return -1;
  if (which == 0 && ut_switch_tables_write(plan->tables, output.file, e)) {
    ut_output_drop(&output);
    return -1;
  }
  if (which == 1)
    ut_path_sls_write(plan->sls, output.file);
  if (which == 2)
    ut_sl2vl_write(planning->graph, plan->vls, output.file);
  return ut_output_close(&output, e);
}

static int write_files(const struct planning *planning, struct ut_error *e) {
  const struct plan_options *want = planning->options;
  return write_file(planning, want->sl2vl, 2, e) || write_file(planning, want->sl, 1, e) ||
         write_file(planning, want->write, 0, e);
}

/* ---- the command */

static int read_theirs(struct planning *planning, struct ut_error *e) {
  const char *path = planning->options->theirs;
  planning->theirs = (struct candidate){.name = path, .fits = true};
  if (!path)
    return 0;
  planning->theirs.plan.tables = ut_switch_tables_read(path, planning->graph, e);
  return planning->theirs.plan.tables ? examine(&planning->theirs, planning->graph, e) : -1;
}

static int plan(struct planning *planning, struct ut_error *e) {
  const struct plan_options *want = planning->options;
  if (name_roots(planning, e) || check_files(planning, e) || read_theirs(planning, e))
    return -1;
  if (want->planner == BEST)
    return choose(planning, e);
  const enum ut_planner planner = (enum ut_planner)want->planner;
  planning->taken = &planning->candidate[planner];
  planning->why = "as asked for";
  if (make(planning, planner, e))
    return -1;
  return planning->taken->fits
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "'%s': layers need %u VCs: give --vcs %u, or take updown", want->network,
                       planning->taken->plan.vls_needed, planning->taken->plan.vls_needed);
}

static int finish(const struct planning *planning, struct ut_error *e) {
  const bool cycle = planning->taken->routes.waits.cycles > 0, writes = planning->options->write && !cycle;
  if (writes && write_files(planning, e))
    return ut_print_error(e);
  if (!writes || !writes_to_output(planning->options))
    print(planning, writes);
  if (planning->options->write && cycle)
    fprintf(stderr, "uturn: %s is not written: the plan has a cycle\n", planning->options->write);
  return cycle || planning->taken->routes.unreachable ? UT_DEADLOCK : UT_OK;
}

static void free_candidate(struct candidate *candidate) {
  ut_fabric_routes_free(&candidate->routes);
  ut_fabric_plan_free(&candidate->plan);
}

int ut_cmd_plan(int argc, char **argv) {
  struct plan_options want = {.planner = BEST, .vcs = 1};
  struct planning planning = {.options = &want};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_plan, argc, argv, &want, &status))
    return status;
  planning.graph = ut_graph_read(want.network, 0, &e);
  if (!planning.graph)
    return ut_print_error(&e);
  status = plan(&planning, &e) ? ut_print_error(&e) : finish(&planning, &e);
  for (unsigned i = 0; i < CANDIDATES; i++)
    free_candidate(&planning.candidate[i]);
  free_candidate(&planning.theirs);
  ut_planning_free(&planning.how);
  ut_graph_free(planning.graph);
  return status;
}
