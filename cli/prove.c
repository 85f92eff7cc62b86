/* prove.c - `uturn prove`: connectivity, livelock and deadlock for every fault set, on the routing code that runs. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "counter_example.h"
#include "drawing.h"
#include "family.h"
#include "journey.h"
#include "method.h"
#include "plane_bypass.h"
#include "replay.h"
#include "ways.h"

enum { KEY_FAULTS = 0x300, KEY_SWITCH_FAULTS, KEY_TOTAL, KEY_EXHAUSTIVE, KEY_SAMPLES, KEY_SEED, KEY_JSON, KEY_SVG };
enum { KEY_REPLAY = 0x320, KEY_REPAIRS, KEY_SHOW, KEY_WORKERS };
enum { DEFAULT_LIMIT = 1000000, DEFAULT_SAMPLES = 20000 };

struct prove_options {
  const char *path, *svg, *replay;
  unsigned links[2], switches[2], total[2];
  bool links_given, switches_given, total_given, exhaustive, repairs, json, seed_given;
  uint64_t samples, seed;
  unsigned workers;
  enum ut_failure show; /* UT_FAILURES: the worst one with fewest faults */
};

static const struct argp_option options[] = {
    {"faults", KEY_FAULTS, "N|A..B", 0,
     "link faults at a time: exactly N, or A to B; without this and the next option: the scenario's own faults", 0},
    {"switch-faults", KEY_SWITCH_FAULTS, "N|A..B", 0, "faulty switches (above the leaf level) at a time", 0},
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
    {"show", KEY_SHOW, "discard|loop|cycle|numbering|escape|bubble|route", 0,
     "which kind of counter-example to print, draw and replay; default: the fewest faults, then the worst kind", 0},
    {"workers", KEY_WORKERS, "N", 0, "processes; default: one for each core; changes no result", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct prove_options *o = state->input;
  switch (key) {
  case KEY_FAULTS: ut_parse_range(arg, "--faults", o->links, state), o->links_given = true; break;
  case KEY_SWITCH_FAULTS: ut_parse_range(arg, "--switch-faults", o->switches, state), o->switches_given = true; break;
  case KEY_TOTAL: ut_parse_range(arg, "--total", o->total, state), o->total_given = true; break;
  case KEY_REPAIRS: o->repairs = true; break;
  case KEY_EXHAUSTIVE: o->exhaustive = true; break;
  case KEY_SAMPLES: o->samples = ut_parse_count(arg, "--samples", state); break;
  case KEY_SEED: o->seed = ut_parse_number(arg, "--seed", state), o->seed_given = true; break;
  case KEY_JSON: o->json = true; break;
  case KEY_SVG: o->svg = arg; break;
  case KEY_REPLAY: o->replay = arg; break;
  case KEY_WORKERS: o->workers = (unsigned)ut_parse_count(arg, "--workers", state); break;
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
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
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
  ut_progress_sets(ctx, done, items);
}

/* ---- output */

static json_t *fault_json(const struct ut_topology *t, const struct ut_fault_set *set) {
  json_t *list = json_array();
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *link = &t->link[set->link[i]];
    json_array_append_new(list, json_pack("{s:{s:i,s:i,s:i}}", "link", "level", t->level[link->lower], "switch",
                                          (int)t->position[link->lower], "port", link->lower_port));
  }
  for (unsigned i = 0; i < set->switches; i++)
    json_array_append_new(list, json_pack("{s:{s:i,s:i}}", "switch", "level", t->level[set->sw[i]], "switch",
                                          (int)t->position[set->sw[i]]));
  return list;
}

static json_t *step_json(const struct ut_explorer *x, const struct ut_step *s) {
  char name[UT_SWITCH_NAME_SIZE];
  json_t *o = json_pack("{s:s,s:i,s:i,s:i,s:i}", "switch", ut_topology_switch_name(x->topology, s->sw, name), "in_port",
                        s->in_port, "in_vc", s->in_vc, "rt", (int)s->rt, "vector", (int)(s->vector >> x->k));
  if (s->leaves) {
    json_object_set_new(o, "out_port", json_integer(s->out_port));
    json_object_set_new(o, "out_vc", json_integer(s->out_vc));
    json_object_set_new(o, "u_turn", json_boolean(s->u_turn));
  }
  return o;
}

static json_t *example_json(const struct ut_explorer *x, const struct ut_counter_example *c) {
  json_t *o = json_pack("{s:s,s:o}", "kind", ut_failure_name[c->kind], "faults", fault_json(x->topology, &c->set));
  json_t *list = json_array();
  for (size_t i = 0; i < c->steps; i++) {
    json_t *step = step_json(x, &c->step[i]);
    if (c->kind == UT_FAILURE_CYCLE) {
      json_object_set_new(step, "source", json_integer(c->step[i].src));
      json_object_set_new(step, "destination", json_integer(c->step[i].dst));
    }
    json_array_append_new(list, step);
  }
  if (c->kind == UT_FAILURE_CYCLE) {
    json_object_set_new(o, "cycle", list);
    json_object_set_new(o, "waiting_channels", json_integer((json_int_t)(c->waiting ? c->waiting : c->steps)));
  } else {
    json_object_set_new(o, "source", json_integer(c->src));
    json_object_set_new(o, "destination", json_integer(c->dst));
    json_object_set_new(o, "hops", json_integer(ut_counter_example_hops(c, x->topology)));
    json_object_set_new(o, "walk", list);
    if (c->kind == UT_FAILURE_LOOP)
      json_object_set_new(o, "back_to_step", json_integer((json_int_t)c->back_to));
  }
  return o;
}

static void print_faults(const struct ut_topology *t, const struct ut_fault_set *set) {
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE];
  for (unsigned i = 0; i < set->links; i++) {
    const struct ut_link *link = &t->link[set->link[i]];
    printf("%slink %s-%s", i ? ", " : "", ut_topology_switch_name(t, link->lower, name),
           ut_topology_switch_name(t, link->upper, other));
  }
  for (unsigned i = 0; i < set->switches; i++)
    printf("%sswitch %s", i || set->links ? ", " : "", ut_topology_switch_name(t, set->sw[i], name));
  if (!set->links && !set->switches)
    printf("none");
  printf("\n");
}

/* Where a packet has come from. */
static const char *arrival_text(const struct ut_explorer *x, const struct ut_step *s) {
  if (ut_explorer_feeder(x, s->sw, s->in_port).kind == UT_PEER_TERMINAL)
    return "the terminal at ";
  if (!ut_levelled(x->topology))
    return "";
  return s->from_above ? "above, " : "below, ";
}

/* A switch, with its coordinates where it has such. */
enum { PLACE_SIZE = UT_SWITCH_NAME_SIZE + UT_SWITCH_TUPLE_SIZE };
static const char *place_text(const struct ut_explorer *x, uint32_t sw, char text[PLACE_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  const bool coordinates = !ut_levelled(x->topology);
  ut_topology_switch_name(x->topology, sw, name);
  snprintf(text, PLACE_SIZE, "%s%s%s", name, coordinates ? " " : "",
           coordinates ? ut_topology_switch_tuple(x->topology, sw, tuple) : "");
  return text;
}

/* Output VCs that the route function offers, those under the bubble rule marked. */
static void print_candidates(const struct ut_explorer *x, const struct ut_step *s) {
  bool some = false;
  for (unsigned v = 0; v < x->v; v++)
    UT_FOR_EACH(port, s->cand[v]) {
      printf("%sport %u VC %u%s", some ? ", " : "", port, v, s->bubble[v] & ut_bit(port) ? " (bubble)" : "");
      some = true;
    }
  printf("%s\n", some ? "" : "nothing");
}

static void print_step(const struct ut_explorer *x, size_t number, const struct ut_step *s, enum ut_failure kind) {
  const struct ut_topology *t = x->topology;
  char place[PLACE_SIZE], vector[UT_MAX_PORTS + 1];
  printf("    %2zu  %-6s from %sport %u VC %u", number + 1, place_text(x, s->sw, place), arrival_text(x, s), s->in_port,
         s->in_vc);
  if (x->group[0].traits.rewrites)
    printf(", rt %u", (unsigned)s->rt);
  if (s->vector)
    printf(", vector %s%s", ut_vector_text(s->vector, x->k, vector),
           s->vector & ~s->own ? (s->own ? " (in part by others)" : " (by other packets)") : "");
  if (!s->leaves && kind == UT_FAILURE_DISCARD) {
    printf(": discarded\n");
    return;
  }
  if (!s->leaves) {
    printf(": offered ");
    print_candidates(x, s);
    return;
  }
  const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + s->out_port];
  printf("  %s port %u VC %u", s->u_turn ? "-U-turn->" : "->", s->out_port, s->out_vc);
  if (p->kind == UT_PEER_SWITCH)
    printf(" to %s\n", place_text(x, p->index, place));
  else
    printf(" to terminal %u\n", (unsigned)p->index);
}

/* Packets in channels, each with what it waits for. */
static void print_waiting(const struct ut_explorer *x, const struct ut_step *step, size_t steps, size_t from) {
  for (size_t i = 0; i < steps; i++) {
    printf("        packet from %u to %u\n", (unsigned)step[i].src, (unsigned)step[i].dst);
    print_step(x, from + i, &step[i], UT_FAILURE_CYCLE);
  }
}

static void print_example(const struct ut_explorer *x, const struct ut_counter_example *c) {
  printf("\ncounter-example: %s\n  faults: ", ut_counter_example_title(c->kind));
  print_faults(x->topology, &c->set);
  if (c->kind == UT_FAILURE_CYCLE) {
    if (c->waiting)
      printf("  cycle of %zu channels, in a set of %zu that wait for nothing else:\n", c->steps, c->waiting);
    else
      printf("  cycle of %zu %s:\n", c->steps,
             c->rings ? "rings, a packet of each that waits for the next one" : "channels");
    print_waiting(x, c->step, c->steps, 0);
    if (c->mores)
      printf("  the others of the set:\n");
    print_waiting(x, c->more, c->mores, c->steps);
    return;
  }
  printf("  packet from %u to %u%s\n", (unsigned)c->src, (unsigned)c->dst, c->steps ? ":" : ": its source discards it");
  for (size_t i = 0; i < c->steps; i++)
    print_step(x, i, &c->step[i], c->kind);
  if (c->kind == UT_FAILURE_LOOP)
    printf("        and so on from step %zu\n", c->back_to + 1);
  if (c->kind == UT_FAILURE_NUMBERING)
    printf("        channel number %" PRId64 " before, %" PRId64 " after\n", c->number[0], c->number[1]);
}

static void print_head(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                       const struct ut_fault_space *space, uint64_t sets) {
  char network[UT_NETWORK_NAME_SIZE];
  printf("%s: %s, %u switches, %u terminals, %s, %u VC%s\n", o->path, ut_scenario_network(s, network),
         (unsigned)t->switches, (unsigned)t->terminals, s->routing.algorithm, s->sw.vcs, s->sw.vcs == 1 ? "" : "s");
  for (unsigned i = 0; i < space->blocks; i++) {
    const struct ut_fault_block *b = &space->block[i];
    printf("  %-11s %" PRIu64 " with %u link and %u switch faults, %s", i ? "" : "fault sets", b->count, b->links,
           b->switches,
           space->is_fixed ? "those of the scenario\n"
           : b->exhaustive ? "all there are\n"
                           : "random ones");
    if (!b->exhaustive)
      printf(b->all == UINT64_MAX ? " of very many\n" : " of %" PRIu64 "\n", b->all);
  }
  if (sets != space->count)
    printf("  interrupted after %" PRIu64 " of them\n", sets);
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
  print_head(o, s, p->topology, space, proof->sets);
  ut_bypass_print(s);
  print_delivery(proof);
  p->method->put_text(p, proof, stdout);
  printf("  speed       %" PRIu64 " fault sets in %.2f s\n", proof->sets, seconds);
}

static void print_json(const struct prove_options *o, const struct ut_prover *p, const struct ut_fault_space *space,
                       const struct ut_proof *proof, const struct ut_counter_example *c, double seconds) {
  json_t *j = json_object();
  bool exhaustive = proof->sets == space->count; /* not after an interruption */
  for (unsigned i = 0; i < space->blocks; i++)
    exhaustive &= space->block[i].exhaustive;
#define PUT(key, value) json_object_set_new(j, key, value)
#define PUT_COUNT(key, value) PUT(key, json_integer((json_int_t)(value)))
  PUT("scenario", json_string(o->path));
  PUT("exhaustive", json_boolean(exhaustive));
  PUT("repairs", json_boolean(o->repairs));
  PUT_COUNT("fault_sets", proof->sets);
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
  PUT("counter_example", c ? example_json(&p->explorer, c) : json_null());
  PUT("wall_s", json_real(seconds));
#undef PUT
#undef PUT_COUNT
  json_dumpf(j, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(j);
}

/* ---- the command */

static int make_space(const struct prove_options *o, const struct ut_scenario *s, const struct ut_topology *t,
                      struct ut_fault_space *space, struct ut_error *e) {
  if (!o->links_given && !o->switches_given)
    return ut_fault_space_of_scenario(space, t, s, e);
  struct ut_fault_request request = {
      .links = {o->links[0], o->links[1]},
      .switches = {o->switches[0], o->switches[1]},
      .total = {o->total_given ? o->total[0] : 0, o->total_given ? o->total[1] : o->links[1] + o->switches[1]},
      .limit = o->exhaustive ? UINT64_MAX
               : o->samples  ? o->samples
                             : DEFAULT_LIMIT,
      .samples = o->samples ? o->samples : DEFAULT_SAMPLES,
      .seed = o->seed_given ? o->seed : s->run.seed,
  };
  return ut_fault_space_init(space, t, &request, e);
}

/* Kind of the counter-example to show; UT_FAILURES: there is none. */
static enum ut_failure choose(const struct prove_options *o, const struct ut_proof *proof) {
  if (o->show == UT_FAILURES)
    return ut_proof_worst(proof);
  return proof->first[o->show] != UINT64_MAX ? o->show : UT_FAILURES;
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
                   "%s: planes are switched off for the faults of the scenario; --faults cannot be had with "
                   "'routing.plane_bypass'",
                   s->path);
  if ((o->replay && !method->replays) || (o->repairs && !method->add_bits))
    return ut_fail(e, UT_BAD_INPUT, "%s: %s cannot be had for a network like this, a %s", s->path,
                   o->replay && !method->replays ? "--replay" : "--repairs", ut_scenario_network(s, name));
  return 0;
}

struct results {
  struct ut_fault_space space;
  struct ut_proof proof;
  struct ut_counter_example example;
  ut_mask *stale;
  bool found; /* there is an example */
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
  r->seconds = ut_now() - progress.start;
  if (status)
    return -1;
  enum ut_failure kind = choose(o, &r->proof);
  p->stale = r->stale;
  r->found = kind != UT_FAILURES;
  if (r->found && ut_counter_example_find(&r->example, p, &r->space, r->proof.first[kind], kind, e))
    return -1;
  return p->method->conclude ? p->method->conclude(p, e) : 0;
}

static int show(const struct results *r, const struct prove_options *o, struct ut_prover *p, struct ut_error *e) {
  const struct ut_counter_example *c = r->found ? &r->example : NULL;
  if (o->json)
    print_json(o, p, &r->space, &r->proof, c, r->seconds);
  else
    print_text(o, p->scenario, p, &r->space, &r->proof, r->seconds);
  if (c && !o->json)
    print_example(&p->explorer, c);
  if (ut_interrupted)
    return UT_INTERRUPTED;
  if (write_files(o, p, c, e))
    return ut_print_error(e);
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
    return UT_INTERNAL;
  if (check_options(o, s, t, &e) || make_space(o, s, t, &r->space, &e) || ut_prover_init(&p, s, t, &e)) {
    free(r);
    return ut_print_error(&e);
  }
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
  if (ut_parse(&argp, argc, argv, &o, &status))
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
