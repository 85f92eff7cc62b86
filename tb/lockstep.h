/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.h - the RTL network and the golden network side by side, every register of every switch compared in every
 * cycle.
 *
 * ut_lockstep_step compares, for each switch that either network did not skip as idle: all registers of the observation
 * bundle (tb/state_map.h; output registers among them; of deep buffers the empty places in turn) and the outputs that
 * say what goes on in it (idle, discarded packets, errors); the reset-safe ones from cycle 0, payload because the
 * golden model adopts it once before cycle 0.  It also checks that injected = delivered + discarded + in flight, in
 * every cycle of a scenario with faults and in every 16th of one without.  The first failure is final: report it, then
 * fini; who dumps waves may go on, then both networks move each by itself and nothing more is reported.
 */
#ifndef UT_LOCKSTEP_H
#define UT_LOCKSTEP_H

#include "network.h"
#include "register_record.h"
#include "shim.h"

/* Faults planted on purpose, to test the checker. */
struct ut_injected_bug {
  uint64_t cycle; /* UINT64_MAX: none */
  uint32_t sw;
  char register_path[64]; /* flip `bit` of that register; empty: lose the next credit that reaches the switch */
  unsigned bit;
  bool missed; /* set when there is no such register */
};

struct ut_rtl; /* the RTL switches of one network */

struct ut_lockstep {
  struct ut_network golden, rtl;
  struct ut_rtl *dut;
  struct ut_injected_bug injected_bug;
  bool gates;          /* what is called RTL here is a netlist; set by the caller, for reports */
  bool spec;           /* the golden switches are those of the spec: asked for, or the model does not know them */
  unsigned state_bits; /* compared per switch, of the kind that has most */
  uint64_t compared;   /* switch states compared so far */
  uint64_t probed;     /* all RTL switches are stepped in that cycle, for both networks rest; UINT64_MAX: in none */
  uint64_t mismatches; /* 0 or 1 */
  uint32_t mismatch_switch;
  char *report;                      /* of the first failure, a line; mismatch.h tells more */
  struct ut_register_record *record; /* NULL: none; takes the cycles of its window, at the end of each step */
};

/* The built classes (tb/model_cache.h) of a network's switches, by elaboration; and who sees all clocks of lanes. */
struct ut_models {
  char *path[UT_MAX_ELABORATIONS];
  ut_model_watcher *watcher; /* NULL: nobody */
  void *watcher_ctx;
};
void ut_free_models(struct ut_models *models);

/* Loads the classes and builds the RTL switches of a network.  NULL and *e on failure. */
struct ut_rtl *ut_rtl_open(const struct ut_models *models, const struct ut_topology *topo, uint64_t seed,
                           struct ut_error *e);
void ut_rtl_close(struct ut_rtl *rtl);
/* As the backend of a network. */
const struct ut_backend *ut_rtl_backend(struct ut_rtl *rtl);
/* Of a class that counts toggles (model_cache.h): a new count begins for all switches; adds those of each net of all
 * switches of an elaboration to sum[], and the cycles of each switch that they are of to *cycles.  ut_rtl_nets(): there
 * must be room for so many. */
void ut_rtl_forget(struct ut_rtl *rtl);
unsigned ut_rtl_nets(const struct ut_rtl *rtl, unsigned elaboration);
void ut_rtl_toggles(struct ut_rtl *rtl, unsigned elaboration, uint64_t *sum, uint64_t *cycles);

int ut_lockstep_init(struct ut_lockstep *lockstep, const struct ut_scenario *scenario, const struct ut_models *models,
                     struct ut_error *e);
void ut_lockstep_fini(struct ut_lockstep *lockstep);

/* From now on the golden switches are those of the spec, not of the model.  false: out of memory. */
bool ut_lockstep_use_spec(struct ut_lockstep *lockstep);

/* Moves both with these threads, as ut_network_use; not while waves are dumped: traced models share what they write. */
bool ut_lockstep_use(struct ut_lockstep *lockstep, struct ut_threads *threads);

/* Tells of all registers of that switch of which a bit can be flipped (struct ut_injected_bug). */
void ut_lockstep_flippable(const struct ut_lockstep *lockstep, uint32_t sw, ut_model_flippable *f, void *ctx);

/* Looks at all registers that are compared of the switch of that view.  false: out of memory, the first time. */
bool ut_lockstep_see(const struct ut_lockstep *lockstep, struct ut_register_view *view);

/* Both stand where they are: what a record wants of this cycle, as a step does at its end. */
void ut_lockstep_record(const struct ut_lockstep *lockstep);

/* Before a step whose result somebody looks at next when the networks are in cycle `look`, or later: goes on to the
 * next event, as ut_network_skip().  Both networks must rest, and a cycle in which all RTL switches are stepped must
 * have changed none of their registers: then no cycle without an event does. */
void ut_lockstep_skip(struct ut_lockstep *lockstep, uint64_t look);

/* One cycle of both networks.  false: they differ, or a packet is missing from the accounts; lockstep->report tells
 * all. */
bool ut_lockstep_step(struct ut_lockstep *lockstep);

#endif
