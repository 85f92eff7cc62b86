/* SPDX-License-Identifier: Apache-2.0 */
/* certificate.c - see certificate.h */
#include "certificate.h"

#include <inttypes.h>

#include "certificate_text.h"
#include "dependency.h"
#include "family.h"
#include "layers.h"
#include "output.h"
#include "scenario_facts.h"
#include "scenario_switches.h"

struct certificate {
  struct ut_prover *prover;
  const struct ut_fault_space *space;
  struct ut_certificate_walk walk;
  struct ut_rank_pool pool;
  uint32_t *use; /* [sets]: ranks of each */
  unsigned hops;
};

int ut_certificate_possible(const struct ut_prover *prover, const struct ut_fault_space *space, struct ut_error *e) {
  const struct ut_explorer *explorer = &prover->explorer;
  const struct ut_form *form = &explorer->group[0].form;
  const char *why = NULL;
  if (!explorer->topology->bidirectional)
    why = "its links have one direction; certificates are for links with two";
  else if (explorer->topology->injections > 1) /* and as many that lead out */
    why = "its terminals have several links; certificates are for one";
  else if (ut_scenario_planned(prover->scenario))
    why = "its routes are planned; certificates are for packets with one plain header word";
  else if (form->states)
    why = "what its switches know of faults is computed by many of them; certificates are for algorithms that look at "
          "their own ports, and at reports of neighbours";
  else if (explorer->replans && space->count > 1)
    why =
        "its tables or intervals are written anew for each fault set: certify one set at a time, that of the scenario "
        "and of --fault";
  else if (form->vector && !explorer->repair)
    why = "a bit of a re-route vector outlives its fault; certificates need reroute_clear: repair";
  for (unsigned i = 0; i < space->blocks && !why; i++)
    if (!space->block[i].exhaustive)
      why = "only some of the fault sets are asked for; certificates are for all of a family: --exhaustive, or fewer "
            "faults";
  return why ? ut_fail(e, UT_BAD_INPUT, "%s: --certificate is not supported: %s", ut_scenario_path(prover->scenario),
                       why)
             : 0;
}

/* ---- the fault sets */

static uint64_t key_of(const struct certificate *certificate, const struct ut_fault_set *set) {
  const struct ut_topology *topo = certificate->prover->topology;
  unsigned digit[UT_MAX_LEVELS];
  uint64_t key = 0;
  if (!topo->up_ports)
    return 0;
  ut_choose_planes(&certificate->prover->explorer, set, digit);
  for (unsigned i = 0; i < topo->levels; i++)
    key = key * UT_MAX_PORTS + digit[i];
  return key;
}

static int examine(struct certificate *certificate, uint64_t index, struct ut_error *e) {
  struct ut_fault_set set;
  bool none;
  ut_fault_space_get(certificate->space, index, &set);
  ut_explorer_set_faults(&certificate->prover->explorer, &set);
  if (!ut_certificate_walk_run(&certificate->walk))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the certificate");
  if (certificate->walk.failure)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: no certificate: fault set %" PRIu64 ": %s, where re-route vectors may have any bit that stands "
                   "for a fault",
                   ut_scenario_path(certificate->prover->scenario), index, certificate->walk.failure);
  certificate->hops = certificate->walk.hops > certificate->hops ? certificate->walk.hops : certificate->hops;
  certificate->use[index] = ut_rank_pool_find(&certificate->pool, key_of(certificate, &set), &none);
  if (none)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: no certificate: under fault set %" PRIu64 " channels have no ranks: some packet can wait where "
                   "no candidate leads upwards",
                   ut_scenario_path(certificate->prover->scenario), index);
  return certificate->use[index] != UINT32_MAX ? 0 : ut_fail(e, UT_BAD_INPUT, "out of memory for the certificate");
}

/* ---- the file */

static void put_faults(const struct certificate *certificate, FILE *f) {
  const struct ut_fault_space *space = certificate->space;
  const struct ut_topology *topo = certificate->prover->topology;
  for (unsigned i = 0; i < space->blocks && !space->is_fixed; i++)
    fprintf(f, "all %u %u\n", space->block[i].links, space->block[i].switches);
  if (!space->is_fixed)
    return;
  fprintf(f, "set\n");
  for (unsigned i = 0; i < space->fixed.links; i++) {
    const struct ut_peer from = ut_topology_sender(topo, ut_link_channel(topo, space->fixed.link[i]));
    fprintf(f, "link %u %u\n", (unsigned)from.index, (unsigned)from.port);
  }
  for (unsigned i = 0; i < space->fixed.switches; i++)
    fprintf(f, "switch %u\n", (unsigned)space->fixed.sw[i]);
}

/* Flits of a buffer, or of an output queue that is shorter. */
static unsigned least_depth(const struct ut_shape *shape) {
  return shape->output_depth && shape->output_depth < shape->depth ? shape->output_depth : shape->depth;
}

static void put_head(const struct certificate *certificate, FILE *f) {
  const struct ut_explorer *explorer = &certificate->prover->explorer;
  const struct ut_topology *topo = explorer->topology;
  const struct ut_shape *shape = &explorer->group[0].shape;
  const struct ut_form *form = &explorer->group[0].form;
  char network[UT_NETWORK_NAME_SIZE];
  fprintf(f, "uturn certificate 1\n");
  fprintf(
      f,
      "# %s: routing that cannot deadlock or go round, docs/reference/certificate.md; check: tools/check_certificate\n",
      ut_scenario_algorithm(certificate->prover->scenario)->name);
  fprintf(f, "network %s\n",
          topo->family->any_form ? "graph" : ut_scenario_network(certificate->prover->scenario, network));
  fprintf(f, "parts %u %u %u %u\n", (unsigned)topo->switches, (unsigned)topo->terminals, (unsigned)topo->pi,
          explorer->v);
  if (topo->family->any_form)
    ut_certificate_put_cables(topo, f);
  fprintf(f, "start %u\n", ut_first_layer_vcs(explorer->v, explorer->layers));
  fprintf(f, "reports %s\n", !form->vector ? "none" : form->far ? "far" : "near");
  fprintf(f, "rise %s\n", certificate->pool.every ? "every" : "some");
  fprintf(f, "buffer %u\n", least_depth(shape) / shape->max_packet);
  fprintf(f, "hops %u\n", certificate->hops);
  put_faults(certificate, f);
}

/* The ranks that each fault set uses, runs of the same together. */
static void put_use(const struct certificate *certificate, FILE *f) {
  const uint64_t sets = certificate->space->count;
  for (uint64_t from = 0, to; from < sets; from = to) {
    for (to = from + 1; to < sets && certificate->use[to] == certificate->use[from]; to++)
      ;
    fprintf(f, "use %u %" PRIu64 "\n", (unsigned)certificate->use[from], to - from);
  }
  fprintf(f, "end\n");
}

static int write(const struct certificate *certificate, const char *path, struct ut_error *e) {
  struct ut_output out;
  if (ut_output_open(&out, path, UT_OUTPUT_ANY, e))
    return -1;
  put_head(certificate, out.file);
  if (!ut_certificate_put_rows(&certificate->walk.rows, out.file)) {
    ut_output_drop(&out);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the certificate");
  }
  ut_certificate_put_ranks(&certificate->pool, out.file);
  put_use(certificate, out.file);
  return ut_output_close(&out, e);
}

static int run(struct certificate *certificate, const char *path, const struct ut_parallel *parallel,
               struct ut_certificate_report *report, struct ut_error *e) {
  const uint64_t sets = certificate->space->count;
  uint64_t i = 0;
  certificate->use = sets < SIZE_MAX / sizeof *certificate->use ? calloc(sets, sizeof *certificate->use) : NULL;
  if (!ut_rank_pool_init(&certificate->pool, &certificate->walk) || !certificate->use)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the certificate");
  for (; i < sets && !(parallel->stop && *parallel->stop); i++) {
    if (examine(certificate, i, e))
      return -1;
    if (parallel->progress && i % 1024 == 0)
      parallel->progress(parallel->ctx, i, sets);
  }
  *report = (struct ut_certificate_report){.sets = i,
                                           .views = certificate->walk.rows.views,
                                           .rows = certificate->walk.rows.rows,
                                           .ranks = certificate->pool.count,
                                           .hops = certificate->hops};
  return i < sets ? 0 : write(certificate, path, e);
}

int ut_certificate_write(struct ut_prover *prover, const struct ut_fault_space *space, const char *path,
                         const struct ut_parallel *parallel, struct ut_certificate_report *report, struct ut_error *e) {
  struct certificate certificate = {.prover = prover, .space = space};
  *report = (struct ut_certificate_report){0};
  ut_certificate_walk_init(&certificate.walk, &prover->explorer);
  const int status = run(&certificate, path, parallel, report, e);
  ut_rank_pool_free(&certificate.pool);
  ut_certificate_walk_free(&certificate.walk);
  free(certificate.use);
  return status;
}
