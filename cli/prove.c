/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c - `uturn prove`: connectivity, livelock and deadlock for every fault set, on the routing code that runs. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "cli.h"
#include "counter_example.h"
#include "drawing.h"
#include "example_text.h"
#include "json_text.h"
#include "method.h"
#include "output.h"
#include "plane_bypass.h"
#include "reachability.h"
#include "replay.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"
#include "topology_build.h"

enum { KEY_FAULTS = 0x300, KEY_SWITCH_FAULTS, KEY_TOTAL, KEY_EXHAUSTIVE, KEY_SAMPLES, KEY_SEED, KEY_JSON, KEY_SVG };
enum {
  KEY_REPLAY = 0x320,
  KEY_REPAIRS,
  KEY_SHOW,
  KEY_WORKERS,
  KEY_LINKS,
  KEY_NODE_FAULTS,
  KEY_BLOCKS,
  KEY_DATELINE,
  KEY_CERTIFICATE
};
enum { DEFAULT_LIMIT = 1000000, DEFAULT_SAMPLES = 20000 };

struct prove_options {
  const char *path, *svg, *replay, *certificate, *classes; /* classes: the word of --links, NULL: not given */
  unsigned links[2], switches[2], total[2];
  bool links_given, switches_given, total_given, exhaustive, repairs, json, seed_given;
  bool nodes_given, blocks, dateline;
  uint64_t samples, seed;
  unsigned workers;
  enum ut_failure show; /* UT_FAILURES: the worst one with fewest faults */
};

static const struct argp_option options[] = {
    {"faults", KEY_FAULTS, "N|A..B", 0,
     "link faults at a time: exactly N, or A to B; without this and the next option: the scenario's own faults", 0},
    {"links", KEY_LINKS, UT_LINK_WORDS, 0,
     "which links --faults counts, where terminals are told of other ways; default: network, those between switches",
     0},
    {"switch-faults", KEY_SWITCH_FAULTS, "N|A..B", 0,
     "faulty switches at a time (where links have two directions: above the leaf level)", 0},
    {"node-faults", KEY_NODE_FAULTS, "N|A..B", 0, "the same in networks without levels, where a switch is a node", 0},
    {"blocks", KEY_BLOCKS, 0, 0,
     "only sets of failed nodes that obey the fault model of the network (docs/reference/prove.md); others are counted",
     0},
    {"dateline", KEY_DATELINE, 0, 0,
     "with wrap links: blocks at the dateline of the highest dimension keep no unsafe nodes, these are disabled", 0},
    {"total", KEY_TOTAL, "N|A..B", 0, "link and switch faults together; default: any mixture of the two ranges", 0},
    {"repairs", KEY_REPAIRS, 0, 0,
     "bits of re-route vectors may be left over from any other of the fault sets, repaired since", 0},
    {"exhaustive", KEY_EXHAUSTIVE, 0, 0, "all fault sets, however many there are", 0},
    {"samples", KEY_SAMPLES, "N", 0,
     "so many random fault sets for each number of faults that has more; default: 20000 where there are more than "
     "1000000",
     0},
    {"seed", KEY_SEED, "N", 0, "of the random fault sets, instead of run.seed of the scenario", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else", 0},
    {"svg", KEY_SVG, "FILE", 0, "draws the counter-example, or the network if there is none", 0},
    {"replay", KEY_REPLAY, "FILE.yaml", 0,
     "writes a scenario that shows the counter-example in `cosim` (and its traffic beside it)", 0},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "writes what shows it to somebody who does not trust this program: tools/check_certificate FILE", 0},
    {"show", KEY_SHOW, "discard|loop|cycle|numbering|escape|bubble|route", 0,
     "which kind of counter-example to print, draw and replay; default: the fewest faults, then the worst kind", 0},
    {"workers", KEY_WORKERS, "N", 0, "processes; default: one for each core; changes no result", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct prove_options *o = state->input;
  unsigned classes;
  switch (key) {
  case KEY_FAULTS: ut_parse_range(arg, "--faults", o->links, state), o->links_given = true; break;
  case KEY_SWITCH_FAULTS: ut_parse_range(arg, "--switch-faults", o->switches, state), o->switches_given = true; break;
  case KEY_NODE_FAULTS:
    ut_parse_range(arg, "--node-faults", o->switches, state);
    o->switches_given = o->nodes_given = true;
    break;
  case KEY_BLOCKS: o->blocks = true; break;
  case KEY_DATELINE: o->dateline = true; break;
  case KEY_TOTAL: ut_parse_range(arg, "--total", o->total, state), o->total_given = true; break;
  case KEY_LINKS:
    if (!ut_link_classes(arg, &classes))
      argp_error(state, "--links %s: choose network, injection, ejection, terminal or all", arg);
    o->classes = arg;
    break;
  case KEY_REPAIRS: o->repairs = true; break;
  case KEY_EXHAUSTIVE: o->exhaustive = true; break;
  case KEY_SAMPLES: o->samples = ut_parse_count(arg, "--samples", state); break;
  case KEY_SEED: o->seed = ut_parse_number(arg, "--seed", state), o->seed_given = true; break;
  case KEY_JSON: o->json = true; break;
  case KEY_SVG: o->svg = ut_parse_file(arg, "--svg", ".svg", state); break;
  case KEY_REPLAY: o->replay = arg; break;
  case KEY_CERTIFICATE: o->certificate = arg; break;
  case KEY_WORKERS: o->workers = ut_parse_small_count(arg, "--workers", state); break;
  case KEY_SHOW:
    for (o->show = 0; o->show < UT_FAILURES && strcmp(arg, ut_failure_name[o->show]); o->show++)
      ;
    if (o->show == UT_FAILURES)
      argp_error(state, "--show knows discard, loop, cycle, numbering, escape, bubble and route, not '%s'", arg);
    break;
  case ARGP_KEY_ARG:
    if (o->path)
      argp_error(state, "one scenario at a time: '%s' is too many", arg);
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path)
      argp_error(state, "which scenario?  For example scenarios/demo.yaml");
    if (o->exhaustive && o->samples)
      argp_error(state, "--exhaustive or --samples, not both");
    if (o->blocks && o->links_given)
      argp_error(state, "--blocks is for sets of failed nodes: --node-faults, without --faults");
    if (o->classes && !o->links_given)
      argp_error(state, "--links says which links fail; how many at a time?  Add --faults 1, for example");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_prove = {
    options,
    parse,
    "SCENARIO",
    "Walks every packet through SCENARIO's network with faults, leaves every choice to an adversary, and looks for "
    "packets that do not arrive and channels that can wait for each other.  The routing code is that of the "
    "simulator.  Exit status 4 when a counter-example is found.",
    0,
    0,
    0};

static void show_progress(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets");
}

static void show_certified(void *ctx, uint64_t done, uint64_t items) {
  ut_progress_items(ctx, done, items, "fault sets certified");
}

/* ---- output */

static void print_head(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                       const struct ut_fault_space *space, bool nodes, const struct ut_proof *proof) {
  char network[UT_NETWORK_NAME_SIZE];
  printf("%s: %s, %u switches, %u terminals, %s, %u VC%s\n", o->path, ut_scenario_network(s, network),
         (unsigned)t->switches, (unsigned)t->terminals, s->routing.algorithm, s->sw.vcs, s->sw.vcs == 1 ? "" : "s");
  for (unsigned i = 0; i < space->blocks; i++) {
    const struct ut_fault_block *b = &space->block[i];
    printf("  %-11s %" PRIu64 " with %u link and %u %s faults, %s", i ? "" : "fault sets", b->count, b->links,
           b->switches, nodes ? "node" : "switch",
           space->is_fixed ? "those of the scenario\n"
           : b->exhaustive ? "all there are\n"
                           : "random ones");
    if (!b->exhaustive)
      printf(b->all == UINT64_MAX ? " of very many\n" : " of %" PRIu64 "\n", b->all);
  }
  if (o->classes)
    printf("  links       %u can fail: --links %s\n", (unsigned)space->links.count, o->classes);
  if (proof->sets + proof->skipped != space->count)
    printf("  interrupted after %" PRIu64 " of them\n", proof->sets + proof->skipped);
  if (nodes)
    printf("  fault model %" PRIu64 " sets are outside%s\n", proof->outside,
           space->in_model ? ", and were skipped" : " and examined all the same");
}

static void print_delivery(const struct ut_proof *proof) {
  printf("  connected   %" PRIu64 " of %" PRIu64 ": each of %s%" PRIu64 " pairs, whatever the adversary chooses\n",
         proof->connected, proof->sets, proof->separated || proof->without_route ? "at least " : "", proof->pairs);
  printf("  discarding  %" PRIu64 "\n  looping     %" PRIu64 "\n", proof->failing[UT_FAILURE_DISCARD],
         proof->failing[UT_FAILURE_LOOP]);
  if (proof->failing[UT_FAILURE_WRONG])
    printf("  misrouting  %" PRIu64 " deliver to a wrong terminal\n", proof->failing[UT_FAILURE_WRONG]);
}

static void print_text(const struct prove_options *o, const struct ut_scenario *s, const struct ut_prover *p,
                       const struct ut_fault_space *space, const struct ut_proof *proof, double seconds) {
  print_head(o, s, p->topology, space, p->modelled, proof);
  ut_bypass_print(s);
  print_delivery(proof);
  p->method->put_text(p, proof, stdout);
  printf("  speed       %" PRIu64 " fault sets in %.2f s\n", proof->sets, seconds);
}

static void print_json(const struct prove_options *o, const struct ut_prover *p, const struct ut_fault_space *space,
                       const struct ut_proof *proof, const struct ut_counter_example *c, double seconds) {
  json_t *j = json_object();
  bool exhaustive = proof->sets + proof->skipped == space->count; /* not after an interruption */
  for (unsigned i = 0; i < space->blocks; i++)
    exhaustive &= space->block[i].exhaustive;
#define PUT(key, value) json_object_set_new(j, key, value)
#define PUT_COUNT(key, value) PUT(key, json_integer((json_int_t)(value)))
  PUT("scenario", ut_json_text(o->path));
  PUT("exhaustive", json_boolean(exhaustive));
  PUT("repairs", json_boolean(o->repairs));
  PUT_COUNT("fault_sets", proof->sets);
  if (p->modelled)
    PUT_COUNT("fault_sets_outside_model", proof->outside);
  if (p->modelled)
    PUT("only_blocks", json_boolean(space->in_model));
  PUT_COUNT("fault_sets_connected", proof->connected);
  PUT_COUNT("fault_sets_discarding", proof->failing[UT_FAILURE_DISCARD]);
  PUT_COUNT("fault_sets_looping", proof->failing[UT_FAILURE_LOOP]);
  PUT_COUNT("fault_sets_with_cycle", proof->failing[UT_FAILURE_CYCLE]);
  PUT_COUNT("fault_sets_with_dependency_cycle", proof->dependency_cycles);
  PUT_COUNT("fault_sets_without_subfunction", proof->no_subfunction);
  PUT_COUNT("fault_sets_numbering_violated", proof->failing[UT_FAILURE_NUMBERING]);
  PUT_COUNT("pairs", proof->pairs);
  PUT_COUNT("longest_hops", proof->longest);
  PUT_COUNT("most_u_turns", proof->u_turns);
  if (p->method->put_json)
    p->method->put_json(p, proof, j);
  const bool failure = c && c->kind != UT_SEPARATED;
  PUT("counter_example", failure ? ut_example_json(&p->explorer, c) : json_null());
  if (c && !failure)
    PUT("separated", ut_example_json(&p->explorer, c));
  PUT("wall_s", json_real(seconds));
#undef PUT
#undef PUT_COUNT
  json_dumpf(j, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(j);
}

/* ---- the command */

/* The classes of links that --faults counts. */
static unsigned classes_of(const struct prove_options *o) {
  unsigned classes = UT_CLASS_NETWORK;
  if (o->classes)
    ut_link_classes(o->classes, &classes);
  return classes;
}

static int make_space(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                      struct ut_fault_space *space, struct ut_error *e) {
  if (!o->links_given && !o->switches_given)
    return ut_fault_space_of_scenario(space, t, s, e);
  struct ut_fault_request request = {
      .links = {o->links[0], o->links[1]},
      .switches = {o->switches[0], o->switches[1]},
      .total = {o->total_given ? o->total[0] : 0, o->total_given ? o->total[1] : o->links[1] + o->switches[1]},
      .classes = classes_of(o),
      .limit = o->exhaustive ? UINT64_MAX
               : o->samples  ? o->samples
                             : DEFAULT_LIMIT,
      .samples = o->samples ? o->samples : DEFAULT_SAMPLES,
      .seed = o->seed_given ? o->seed : s->run.seed,
  };
  return ut_fault_space_init(space, t, &request, e);
}

/* Kind of the counter-example to show; UT_SEPARATED: there is none, but perhaps a separated pair. */
static enum ut_failure choose(const struct prove_options *o, const struct ut_proof *proof) {
  if (o->show == UT_FAILURES)
    return ut_proof_worst(proof);
  return proof->first[o->show] != UINT64_MAX ? o->show : UT_SEPARATED;
}

static int write_files(const struct prove_options *o, struct ut_prover *p, const struct ut_counter_example *c,
                       struct ut_error *e) {
  struct ut_drawing network = {
      .topology = p->topology, .source = UINT32_MAX, .destination = UINT32_MAX, .end = UINT32_MAX};
  if (o->svg && (c ? ut_counter_example_draw(c, &p->explorer, o->svg, e) : ut_drawing_svg(&network, o->svg, e)))
    return -1;
  if (o->replay && c) {
    struct ut_replay_report report;
    if (ut_replay_write(p, c, o->replay, &ut_interrupted, &report, e))
      return -1;
    fprintf(stderr, "uturn: %s: %s\n", o->replay, report.text);
  } else if (o->replay) {
    fprintf(stderr, "uturn: %s is not written: there is no counter-example\n", o->replay);
  }
  return 0;
}

/* What the method of proof for this network cannot do. */
static int check_options(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                         struct ut_error *e) {
  const struct ut_proof_method *method = ut_proof_method_of(t, e);
  char name[UT_NETWORK_NAME_SIZE];
  if (!method)
    return -1;
  if (s->routing.plane_bypass && (o->links_given || o->switches_given))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: planes are switched off for the faults of the scenario; --faults is not supported with "
                   "'routing.plane_bypass'",
                   s->path);
  if (classes_of(o) != UT_CLASS_NETWORK && !ut_terminals_know_ways(t))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: --links %s: in a %s terminals are told of no other way, so nothing can go round their links; "
                   "choose --links network",
                   s->path, o->classes, ut_scenario_network(s, name));
  if (o->nodes_given && t->up_ports)
    return ut_fail(e, UT_BAD_INPUT, "%s: --node-faults: the switches of a %s are no nodes; use --switch-faults",
                   s->path, ut_scenario_network(s, name));
  if ((o->blocks || o->dateline) && !ut_scenario_algorithm(s)->states)
    return ut_fail(e, UT_BAD_INPUT, "%s: --%s: algorithm %s knows no model of failed nodes; algorithm detour does",
                   s->path, o->blocks ? "blocks" : "dateline", s->routing.algorithm);
  /* headers that name ways, or stops, are nothing that a trace can say */
  const bool replays = method->replays && !ut_terminals_know_ways(t) && !ut_scenario_planned(s);
  if ((o->replay && !replays) || (o->repairs && !method->add_bits))
    return ut_fail(e, UT_BAD_INPUT, "%s: %s is not supported for this network, a %s", s->path,
                   o->replay && !replays ? "--replay" : "--repairs", ut_scenario_network(s, name));
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

static int prove(struct results *r, const struct prove_options *o, struct ut_prover *p, struct ut_error *e) {
  struct ut_progress progress;
  struct ut_parallel parallel = {
      .workers = o->workers, .stop = &ut_interrupted, .progress = show_progress, .ctx = &progress};
  ut_catch_interrupt();
  ut_progress_start(&progress);
  r->stale = o->repairs ? ut_prove_stale_bits(p->scenario, p->topology, &r->space, &parallel, e) : NULL;
  int status =
      o->repairs && !r->stale ? -1 : ut_prove(p->scenario, p->topology, &r->space, r->stale, &parallel, &r->proof, e);
  ut_progress_end(&progress);
  r->seconds = ut_seconds() - progress.start;
  if (status)
    return -1;
  const enum ut_failure kind = choose(o, &r->proof);
  const bool separated = kind == UT_SEPARATED && ut_terminals_know_ways(p->topology) && r->proof.separated > 0;
  p->stale = r->stale;
  r->found = kind != UT_SEPARATED || separated;
  const uint64_t set = separated ? r->proof.first_separated : r->found ? r->proof.first[kind] : 0;
  if (r->found && ut_counter_example_find(&r->example, p, &r->space, set, kind, e)) {
    r->found = false;
    return e->code == UT_INTERRUPTED ? 0 : -1; /* the sums are known */
  }
  return p->method->conclude ? p->method->conclude(p, e) : 0;
}

/* The certificate, where everything holds. */
static int certify(const struct results *r, const struct prove_options *o, struct ut_prover *p, struct ut_error *e) {
  struct ut_progress progress;
  const struct ut_parallel parallel = {.stop = &ut_interrupted, .progress = show_certified, .ctx = &progress};
  struct ut_certificate_report report;
  if (r->found && r->example.kind != UT_SEPARATED) {
    fprintf(stderr, "uturn: %s is not written: there is a counter-example\n", o->certificate);
    return 0;
  }
  ut_progress_start(&progress);
  const int status = ut_certificate_write(p, &r->space, o->certificate, &parallel, &report, e);
  ut_progress_end(&progress);
  if (!status && report.sets == r->space.count)
    fprintf(stderr,
            "uturn: %s: %" PRIu64
            " fault sets with %u different ranks of channels, %u rows in %u states of switches, at "
            "most %u hops; tools/check_certificate checks it\n",
            o->certificate, report.sets, (unsigned)report.ranks, (unsigned)report.rows, (unsigned)report.views,
            report.hops);
  return status;
}

static int show(const struct results *r, const struct prove_options *o, struct ut_prover *p, struct ut_error *e) {
  const struct ut_counter_example *c = r->found ? &r->example : NULL;
  if (o->json)
    print_json(o, p, &r->space, &r->proof, c, r->seconds);
  else
    print_text(o, p->scenario, p, &r->space, &r->proof, r->seconds);
  if (c && !o->json)
    ut_example_print(&p->explorer, c);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  if (write_files(o, p, c, e) || (o->certificate && certify(r, o, p, e)))
    return ut_print_error(e);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  for (unsigned i = 0; i < UT_FAILURES; i++)
    if (r->proof.failing[i])
      return UT_DEADLOCK;
  return UT_OK;
}

static int run(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_error e;
  struct ut_prover p;
  struct results *r = calloc(1, sizeof *r);
  if (!r)
    return ut_print_no_memory();
  if (check_options(o, s, t, &e) || make_space(o, s, t, &r->space, &e) || ut_prover_init(&p, s, t, &e)) {
    free(r);
    return ut_print_error(&e);
  }
  if ((o->certificate &&
       (ut_certificate_possible(&p, &r->space, &e) || ut_output_check(o->certificate, UT_OUTPUT_ANY, &e))) ||
      (o->replay && ut_output_check(o->replay, UT_OUTPUT_REGULAR, &e))) {
    ut_prover_free(&p);
    free(r);
    return ut_print_error(&e);
  }
  r->space.in_model = o->blocks;
  r->space.dateline = o->dateline;
  p.model.dateline = o->dateline;
  p.stop = &ut_interrupted;
  int status = prove(r, o, &p, &e) ? ut_print_error(&e) : show(r, o, &p, &e);
  ut_counter_example_free(&r->example);
  ut_prover_free(&p);
  free(r->stale);
  free(r);
  return status;
}

int ut_cmd_prove(int argc, char **argv) {
  struct prove_options o = {.show = UT_FAILURES};
  struct ut_topology t;
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_prove, argc, argv, &o, &status))
    return status;
  struct ut_scenario *s = ut_scenario_load(o.path, &e);
  if (!s)
    return ut_print_error(&e);
  if (ut_bypass_planes(s, &e) || ut_topology_init(&t, s, &e)) {
    ut_scenario_free(s);
    return ut_print_error(&e);
  }
  status = run(&o, s, &t);
  ut_topology_free(&t);
  ut_scenario_free(s);
  return status;
}
