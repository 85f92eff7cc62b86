/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c - `uturn prove`: connectivity, livelock and deadlock for every fault set, on the routing code that runs. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "cli.h"
#include "counter_example.h"
#include "drawing.h"
#include "example_text.h"
#include "memory_text.h"
#include "method.h"
#include "named_faults.h"
#include "output.h"
#include "plane_bypass.h"
#include "prove_fabric.h"
#include "prove_parametric.h"
#include "reachability.h"
#include "replay.h"
#include "scenario.h"
#include "scenario_output.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"
#include "topology.h"
#include "topology_build.h"

enum { DEFAULT_LIMIT = 1000000, DEFAULT_SAMPLES = 20000 };

struct prove_options {
  const char *path, *svg, *replay, *certificate, *classes; /* classes: the word of --links, NULL: not given */
  const char *parametric;                                  /* an algorithm, instead of a scenario */
  struct ut_fabric_request fabric;                         /* tables of others, instead of a scenario */
  unsigned links[2], switches[2], total[2];
  bool links_given, switches_given, total_given, exhaustive, repairs, json, seed_given;
  bool nodes_given, blocks, dateline;
  uint64_t samples, seed;
  unsigned workers;
  struct ut_texts fault;
  enum ut_failure show; /* UT_FAILURES: the worst one with fewest faults */
};

#define UT_INPUT struct prove_options
static const struct ut_option options[] = {
    {.argument = "SCENARIO", .wants = "scenario", UT_TEXT(path)},
    UT_FAULT(fault),
    {"faults", 0, "N|A..B",
     "link faults at a time: exactly N, or A to B; without this and the next option: the faults of the scenario and of "
     "--fault",
     UT_RANGE(links), UT_GIVEN(links_given)},
    {"links", 0, UT_LINK_WORDS,
     "which links --faults counts, where terminals are told of other ways; default: network, those between switches",
     UT_WORD(classes)},
    {"switch-faults", 0, "N|A..B", "faulty switches at a time (where links have two directions: above the leaf level)",
     UT_RANGE(switches), UT_GIVEN(switches_given)},
    {"node-faults", 0, "N|A..B", "the same in networks without levels, where a switch is a node", UT_RANGE(switches),
     UT_GIVEN(nodes_given)},
    {"blocks", 0, NULL,
     "only sets of failed nodes that obey the fault model of the network (docs/reference/prove.md); others are counted",
     UT_FLAG(blocks)},
    {"dateline", 0, NULL,
     "with wrap links: blocks at the dateline of the highest dimension keep no unsafe nodes, these are disabled",
     UT_FLAG(dateline)},
    {"total", 0, "N|A..B", "link and switch faults together; default: any mixture of the two ranges", UT_RANGE(total),
     UT_GIVEN(total_given)},
    {"repairs", 0, NULL, "bits of re-route vectors may be left over from any other of the fault sets, repaired since",
     UT_FLAG(repairs)},
    {"exhaustive", 0, NULL, "all fault sets, however many there are", UT_FLAG(exhaustive), .without = "samples"},
    {"samples", 0, "N",
     "so many random fault sets for each number of faults that has more; default: 20000 where there are more than "
     "1000000",
     UT_COUNT(samples)},
    {"seed", 0, "N", "of the random fault sets, instead of run.seed of the scenario", UT_NUMBER(seed),
     UT_GIVEN(seed_given)},
    UT_JSON(json),
    {"svg", 0, "FILE.svg", "draws the counter-example, or the network if there is none", UT_FILE(svg)},
    {"replay", 0, "FILE.yaml",
     "writes a scenario that shows the counter-example in `cosim` (and its traffic beside it)", UT_TEXT(replay)},
    {"certificate", 0, "FILE",
     "writes what shows it to somebody who does not trust this program: tools/check_certificate FILE",
     UT_TEXT(certificate)},
    {"parametric", 0, "ALGORITHM",
     "without a scenario: the papers' theorems about the algorithm, for every k and n "
     "(docs/explanation/parametric_proofs.md)",
     UT_TEXT(parametric)},
    {"fabric", 0, "FILE",
     "without a scenario: a network from a file (docs/howto/fabrics.md), by the tables of its subnet manager",
     UT_TEXT(fabric.network)},
    {"tables", 0, "FILE", "those tables: opensm-lfts.dump, *.fdbs, what dump_lfts prints, or CSV",
     UT_TEXT(fabric.tables), .with = "fabric"},
    {"sl", 0, "FILE", "path SLs: rows of a source port's GUID, a destination LID and an SL", UT_TEXT(fabric.sl),
     .with = "fabric"},
    {"sl2vl", 0, "FILE", "SL-to-VL tables; without them the VL is the SL", UT_TEXT(fabric.sl2vl), .with = "sl"},
    {"from", 0, "FILE", "tables that these take the place of: also what may happen while they are being written",
     UT_TEXT(fabric.from), .with = "fabric"},
    {"compare", 0, "FILE", "tables of another manager for the same network, beside these", UT_TEXT(fabric.compare),
     .with = "fabric"},
    {"compare-sl", 0, "FILE", "path SLs of that other manager, instead of those of --sl", UT_TEXT(fabric.compare_sl),
     .with = "compare"},
    {"switches", 0, NULL, "terminals send to the LIDs of switches, too", UT_FLAG(fabric.switches), .with = "fabric"},
    {"show", 0, "discard|wrong_terminal|loop|cycle|numbering|escape|bubble|route", /* as ut_failure_name */
     "which kind of counter-example to print, draw and replay; default: the fewest faults, then the worst kind",
     UT_CHOICE(show)},
    {"workers", 0, "N", "processes; default: one for each core; changes no result", UT_COUNT(workers)},
    {0},
};

/* Theorems for every k and n know no scenario and no fault sets. */
static int check_parametric(const struct prove_options *options, struct ut_error *e) {
  if (options->path || options->fault.count || options->links_given || options->switches_given || options->svg ||
      options->replay || options->repairs || options->show != UT_FAILURES)
    return ut_fail(e, UT_BAD_INPUT,
                   "--parametric is about every k and n: no scenario, and of the other options only --certificate and "
                   "--json");
  return 0;
}

static int check_fabric(const struct prove_options *options, struct ut_error *e) {
  if (options->path || options->fault.count)
    return ut_fail(e, UT_BAD_INPUT, "--fabric is a network of its own: no scenario, and no --fault");
  if (options->links_given || options->switches_given) {
    if (options->fabric.sl || options->fabric.from || options->fabric.compare || options->fabric.switches)
      return ut_fail(e, UT_BAD_INPUT,
                     "--faults: what their manager would write after a fault is not known, so tables planned here are "
                     "examined: without --sl, --from, --compare and --switches");
    return 0;
  }
  if (!options->fabric.tables)
    return ut_fail(e, UT_BAD_INPUT,
                   "--fabric: which tables?  --tables FILE names them; or --faults 1 examines tables planned here");
  if (options->svg || options->certificate || options->repairs || options->show != UT_FAILURES)
    return ut_fail(e, UT_BAD_INPUT,
                   "--fabric: of the other options only --tables, --sl, --sl2vl, --switches, --from, --compare, "
                   "--replay, --json; and with --faults those of a scenario");
  return 0;
}

static int check_sets(void *input, struct ut_error *e) {
  struct prove_options *options = input;
  options->switches_given |= options->nodes_given;
  if (options->parametric)
    return check_parametric(options, e);
  if (options->fabric.network && check_fabric(options, e))
    return -1;
  if (!options->path && !options->fabric.network)
    return ut_fail(e, UT_BAD_INPUT, UT_WHICH_SCENARIO);
  if (options->fault.count && (options->links_given || options->switches_given))
    return ut_fail(e, UT_BAD_INPUT,
                   "--fault names a fault that is there; --faults, --switch-faults and --node-faults try all sets: one "
                   "of the two");
  if (options->blocks && options->links_given)
    return ut_fail(e, UT_BAD_INPUT, "--blocks is for sets of failed nodes: --node-faults, without --faults");
  if (options->classes && !options->links_given)
    return ut_fail(e, UT_BAD_INPUT, "--links says which links fail; how many at a time?  Add --faults 1, for example");
  return 0;
}

const struct ut_syntax ut_syntax_prove = {
    "SCENARIO | --parametric ALGORITHM | --fabric FILE --tables FILE",
    "Walks every packet through SCENARIO's network with faults, leaves every choice to an adversary, and looks for "
    "packets that do not arrive and channels that can wait for each other.  The routing code is that of the "
    "simulator.  Exit status 4 when a counter-example is found.",
    options, check_sets};

static void show_certified(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets certified");
}

/* ---- output */

static const char layout[] =
    "{scenario}: {_network}, {_switches} switches, {_terminals} terminals, {_algorithm}, {_vcs} VC{_vcs+s}\n"
    "  fault sets  {#_blocks}{count} with {links} link and {switches} {kind} faults, {how}{?sampled} of {all}{/}"
    "{\n              }{/}\n"
    "{?_classes}"
    "  links       {_links} can fail: --links {_classes}\n"
    "{/}{?_interrupted}"
    "  interrupted after {_looked_at} of them\n"
    "{/}{?_modelled}"
    "  fault model {fault_sets_outside_model} sets are outside{?only_blocks}, and were skipped{:} and examined all the "
    "same{/}\n"
    "{/}{?_bypass}"
    "  bypass      {_bypass}\n"
    "{/}"
    "  connected   {fault_sets_connected} of {fault_sets}: each of {?_at_least}at least {/}{pairs} pairs, whatever the "
    "adversary chooses\n"
    "  discarding  {fault_sets_discarding}\n"
    "  looping     {fault_sets_looping}\n"
    "{?_wrong}"
    "  misrouting  {_wrong} deliver to a wrong terminal\n"
    "{/}{_method}"
    "  speed       {fault_sets} fault sets in {wall_s:.2f} s\n";

/* The fault sets, by their number of faults. */
static json_t *blocks_json(const struct ut_prover *prover, const struct ut_fault_space *space) {
  json_t *list = json_array();
  for (unsigned i = 0; i < space->blocks; i++) {
    const struct ut_fault_block *block = &space->block[i];
    const char *how = space->is_fixed ? "those of the scenario" : block->exhaustive ? "all there are" : "random ones";
    json_array_append_new(list,
                          UT_OBJECT({"count", ut_int(block->count)}, {"links", ut_int(block->links)},
                                    {"switches", ut_int(block->switches)},
                                    {"kind", ut_string(prover->modelled ? "node" : "switch")}, {"how", ut_string(how)},
                                    {"sampled", json_boolean(!block->exhaustive)},
                                    {"all", block->all == UINT64_MAX ? ut_string("very many") : ut_int(block->all)}));
  }
  return list;
}

/* The lines of the method of proof. */
static json_t *method_text(const struct ut_prover *prover, const struct ut_proof *proof) {
  char *text;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (f)
    prover->method->put_text(prover, proof, f);
  if (!f || ut_memory_close(f, &text)) {
    ut_result_lack();
    return NULL;
  }
  json_t *lines = ut_string(text);
  free(text);
  return lines;
}

static void print(const struct prove_options *options, const struct ut_prover *prover,
                  const struct ut_fault_space *space, const struct ut_proof *proof,
                  const struct ut_counter_example *counter_example, double seconds) {
  json_t *j = ut_scenario_result(prover->scenario);
  char bypass[UT_BYPASS_SIZE];
  const bool failure = counter_example && counter_example->kind != UT_SEPARATED,
             whole = proof->sets + proof->skipped == space->count;
  bool exhaustive = whole; /* not after an interruption */
  for (unsigned i = 0; i < space->blocks; i++)
    exhaustive &= space->block[i].exhaustive;
  UT_ADD(
      j, {"_switches", ut_int(prover->topology->switches)}, {"_terminals", ut_int(prover->topology->terminals)},
      {"_blocks", blocks_json(prover, space)}, {"_classes", options->classes ? ut_string(options->classes) : NULL},
      {"_links", ut_int(space->links.count)}, {"_interrupted", json_boolean(!whole)},
      {"_looked_at", ut_int(proof->sets + proof->skipped)}, {"_modelled", json_boolean(prover->modelled)},
      {"_bypass", prover->scenario->routing.plane_bypass ? ut_string(ut_bypass_text(prover->scenario, bypass)) : NULL},
      {"_at_least", json_boolean(proof->separated || proof->without_route)},
      {"_wrong", ut_int(proof->failing[UT_FAILURE_WRONG])},
      {"_method", options->json ? NULL : method_text(prover, proof)});
  UT_ADD(j, {"exhaustive", json_boolean(exhaustive)}, {"repairs", json_boolean(options->repairs)},
         {"fault_sets", ut_int(proof->sets)},
         {"fault_sets_outside_model", prover->modelled ? ut_int(proof->outside) : NULL},
         {"only_blocks", prover->modelled ? json_boolean(space->in_model) : NULL},
         {"fault_sets_connected", ut_int(proof->connected)},
         {"fault_sets_discarding", ut_int(proof->failing[UT_FAILURE_DISCARD])},
         {"fault_sets_looping", ut_int(proof->failing[UT_FAILURE_LOOP])},
         {"fault_sets_with_cycle", ut_int(proof->failing[UT_FAILURE_CYCLE])},
         {"fault_sets_with_dependency_cycle", ut_int(proof->dependency_cycles)},
         {"fault_sets_without_subfunction", ut_int(proof->no_subfunction)},
         {"fault_sets_numbering_violated", ut_int(proof->failing[UT_FAILURE_NUMBERING])},
         {"pairs", ut_int(proof->pairs)}, {"longest_hops", ut_int(proof->longest)},
         {"most_u_turns", ut_int(proof->u_turns)});
  if (prover->method->put_json)
    prover->method->put_json(prover, proof, j);
  json_t *example = counter_example ? ut_example_json(&prover->explorer, counter_example) : json_null();
  UT_ADD(j, {"counter_example", failure ? json_incref(example) : json_null()},
         {"separated", counter_example && !failure ? json_incref(example) : NULL}, {"wall_s", ut_real(seconds)});
  ut_result_print(j, options->json, 9, layout);
  if (counter_example && !options->json)
    ut_result_put(example, ut_example_layout, stdout);
  json_decref(example);
}

/* ---- the command */

/* The classes of links that --faults counts. */
static unsigned classes_of(const struct prove_options *options) {
  unsigned classes = UT_CLASS_NETWORK;
  if (options->classes)
    ut_link_classes(options->classes, &classes);
  return classes;
}

static int make_space(const struct prove_options *options, const struct ut_scenario *scenario,
                      const struct ut_topology *topo, struct ut_fault_space *space, struct ut_error *e) {
  if (!options->links_given && !options->switches_given)
    return ut_fault_space_of_scenario(space, topo, scenario, e);
  struct ut_fault_request request = {
      .links = {options->links[0], options->links[1]},
      .switches = {options->switches[0], options->switches[1]},
      .total = {options->total_given ? options->total[0] : 0,
                options->total_given ? options->total[1] : options->links[1] + options->switches[1]},
      .classes = classes_of(options),
      .limit = options->exhaustive ? UINT64_MAX
               : options->samples  ? options->samples
                                   : DEFAULT_LIMIT,
      .samples = options->samples ? options->samples : DEFAULT_SAMPLES,
      .seed = options->seed_given ? options->seed : scenario->run.seed,
  };
  return ut_fault_space_init(space, topo, &request, e);
}

/* Kind of the counter-example to show; UT_SEPARATED: there is none, but perhaps a separated pair. */
static enum ut_failure choose(const struct prove_options *options, const struct ut_proof *proof) {
  if (options->show == UT_FAILURES)
    return ut_proof_worst(proof);
  return proof->first[options->show] != UINT64_MAX ? options->show : UT_SEPARATED;
}

static int write_files(const struct prove_options *options, struct ut_prover *prover,
                       const struct ut_counter_example *example, struct ut_error *e) {
  struct ut_drawing network = {
      .topology = prover->topology, .source = UINT32_MAX, .destination = UINT32_MAX, .end = UINT32_MAX};
  if (options->svg && (example ? ut_counter_example_draw(example, &prover->explorer, options->svg, e)
                               : ut_drawing_svg(&network, options->svg, e)))
    return -1;
  if (options->replay && example) {
    struct ut_replay_report report;
    if (ut_replay_write(prover, example, options->replay, &ut_interrupted, &report, e))
      return -1;
    fprintf(stderr, "uturn: %s: %s\n", options->replay, report.text);
  } else if (options->replay) {
    fprintf(stderr, "uturn: %s is not written: there is no counter-example\n", options->replay);
  }
  return 0;
}

/* What the method of proof for this network cannot do. */
static int check_options(const struct prove_options *options, const struct ut_scenario *scenario,
                         const struct ut_topology *topo, struct ut_error *e) {
  const struct ut_proof_method *method = ut_proof_method_of(topo, e);
  char name[UT_NETWORK_NAME_SIZE];
  if (!method)
    return -1;
  if (scenario->routing.plane_bypass && (options->links_given || options->switches_given))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: planes are switched off for the faults of the scenario; --faults is not supported with "
                   "'routing.plane_bypass'",
                   scenario->path);
  if (classes_of(options) != UT_CLASS_NETWORK && !ut_terminals_know_ways(topo))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: --links %s: in a %s terminals are told of no other way, so nothing can go round their links; "
                   "choose --links network",
                   scenario->path, options->classes, ut_scenario_network(scenario, name));
  if (options->nodes_given && topo->up_ports)
    return ut_fail(e, UT_BAD_INPUT, "%s: --node-faults: the switches of a %s are no nodes; use --switch-faults",
                   scenario->path, ut_scenario_network(scenario, name));
  if ((options->blocks || options->dateline) && !ut_scenario_algorithm(scenario)->states)
    return ut_fail(e, UT_BAD_INPUT, "%s: --%s: algorithm %s knows no model of failed nodes; algorithm detour does",
                   scenario->path, options->blocks ? "blocks" : "dateline", scenario->routing.algorithm);
  /* headers that name ways, or stops, are nothing that a trace can say */
  const bool replays = method->replays && !ut_terminals_know_ways(topo) && !ut_scenario_planned(scenario);
  if ((options->replay && !replays) || (options->repairs && !method->add_bits))
    return ut_fail(e, UT_BAD_INPUT, "%s: %s is not supported for this network, a %s", scenario->path,
                   options->replay && !replays ? "--replay" : "--repairs", ut_scenario_network(scenario, name));
  return 0;
}

struct results {
  struct ut_fault_space space;
  struct ut_proof proof;
  struct ut_counter_example example;
  ut_mask *stale;
  bool found; /* there is an example, of a failure or a separated pair */
  double seconds;
};

static int prove(struct results *results, const struct prove_options *options, struct ut_prover *prover,
                 struct ut_error *e) {
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = options->workers, .stop = &ut_interrupted, .progress = ut_progress_fault_sets, .ctx = &progress};
  ut_catch_interrupt();
  ut_progress_start(&progress);
  results->stale =
      options->repairs ? ut_prove_stale_bits(prover->scenario, prover->topology, &results->space, &parallel, e) : NULL;
  int status = options->repairs && !results->stale ? -1
                                                   : ut_prove(prover->scenario, prover->topology, &results->space,
                                                              results->stale, &parallel, &results->proof, e);
  ut_progress_end(&progress);
  results->seconds = ut_seconds() - progress.start;
  if (status)
    return -1;
  const enum ut_failure kind = choose(options, &results->proof);
  const bool separated =
      kind == UT_SEPARATED && ut_terminals_know_ways(prover->topology) && results->proof.separated > 0;
  prover->stale = results->stale;
  results->found = kind != UT_SEPARATED || separated;
  const uint64_t set = separated ? results->proof.first_separated : results->found ? results->proof.first[kind] : 0;
  if (results->found && ut_counter_example_find(&results->example, prover, &results->space, set, kind, e)) {
    results->found = false;
    return e->code == UT_INTERRUPTED ? 0 : -1; /* the sums are known */
  }
  return prover->method->conclude ? prover->method->conclude(prover, e) : 0;
}

/* The certificate, where everything holds. */
static int certify(const struct results *results, const struct prove_options *options, struct ut_prover *prover,
                   struct ut_error *e) {
  struct ut_progress progress;
  const struct ut_parallel parallel = {.stop = &ut_interrupted, .progress = show_certified, .ctx = &progress};
  struct ut_certificate_report report;
  if (results->found && results->example.kind != UT_SEPARATED) {
    fprintf(stderr, "uturn: %s is not written: there is a counter-example\n", options->certificate);
    return 0;
  }
  ut_progress_start(&progress);
  const int status = ut_certificate_write(prover, &results->space, options->certificate, &parallel, &report, e);
  ut_progress_end(&progress);
  if (!status && report.sets == results->space.count)
    fprintf(stderr,
            "uturn: %s: %" PRIu64
            " fault sets with %u different ranks of channels, %u rows in %u states of switches, at "
            "most %u hops; tools/check_certificate checks it\n",
            options->certificate, report.sets, (unsigned)report.ranks, (unsigned)report.rows, (unsigned)report.views,
            report.hops);
  return status;
}

static int show(const struct results *results, const struct prove_options *options, struct ut_prover *prover,
                struct ut_error *e) {
  const struct ut_counter_example *example = results->found ? &results->example : NULL;
  print(options, prover, &results->space, &results->proof, example, results->seconds);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  if (write_files(options, prover, example, e) || (options->certificate && certify(results, options, prover, e)))
    return ut_print_error(e);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (results->proof.failing[i])
      return UT_DEADLOCK;
  return UT_OK;
}

static int run(const struct prove_options *options, const struct ut_scenario *scenario,
               const struct ut_topology *topo) {
  struct ut_error e;
  struct ut_prover prover;
  struct results *results = calloc(1, sizeof *results);
  if (!results)
    return ut_print_no_memory();
  if (check_options(options, scenario, topo, &e) || make_space(options, scenario, topo, &results->space, &e) ||
      ut_prover_init(&prover, scenario, topo, &e)) {
    free(results);
    return ut_print_error(&e);
  }
  if ((options->certificate && (ut_certificate_possible(&prover, &results->space, &e) ||
                                ut_output_check(options->certificate, UT_OUTPUT_ANY, &e))) ||
      (options->replay && ut_output_check(options->replay, UT_OUTPUT_REGULAR, &e))) {
    ut_prover_free(&prover);
    free(results);
    return ut_print_error(&e);
  }
  results->space.in_model = options->blocks;
  results->space.dateline = options->dateline;
  prover.model.dateline = options->dateline;
  prover.stop = &ut_interrupted;
  int status = prove(results, options, &prover, &e) ? ut_print_error(&e) : show(results, options, &prover, &e);
  ut_counter_example_free(&results->example);
  ut_prover_free(&prover);
  free(results->stale);
  free(results);
  return status;
}

int ut_cmd_prove(int argc, char **argv) {
  struct prove_options options = {.show = UT_FAILURES};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_prove, argc, argv, &options, &status))
    return status;
  if (options.parametric)
    return ut_prove_parametric(options.parametric, options.certificate, options.json);
  if (options.fabric.network && !options.links_given && !options.switches_given) {
    options.fabric.replay = options.replay;
    options.fabric.json = options.json;
    return ut_prove_fabric(&options.fabric);
  }
  struct ut_scenario *scenario =
      options.fabric.network ? ut_fabric_scenario(&options.fabric, &e) : ut_scenario_load(options.path, &e);
  if (!scenario)
    return ut_print_error(&e);
  if (ut_scenario_add_faults(scenario, options.fault.text, options.fault.count, &e) || ut_bypass_planes(scenario, &e)) {
    ut_scenario_free(scenario);
    return ut_print_error(&e);
  }
  status = run(&options, scenario, ut_scenario_topology(scenario));
  ut_scenario_free(scenario);
  return status;
}
