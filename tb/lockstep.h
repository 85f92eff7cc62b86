/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.h - the RTL network and the golden network next to each other, every register compared in every cycle.
 *
 * Purpose: ut_lockstep_step() advances both networks by one cycle.  For each switch that at least one of the networks
 * did not skip as idle, it compares all registers of the observation bundle (tb/state_map.h), output registers among
 * them, and the outputs idle, discard and error.  Of deep buffers the empty places are compared in turn.  Registers
 * that reset initialises are compared from cycle 0; payload is too, because the golden model copies it once before
 * cycle 0.
 *
 * It also checks injected = delivered + discarded + in flight: in every cycle of a scenario with faults, in every 16th
 * cycle of one without.
 *
 * Interface: ut_lockstep_init(), ut_lockstep_step() until it returns false or the networks are done,
 * ut_lockstep_fini().
 *
 * Invariants: until the first difference both networks are in the same cycle and hold the same state.
 *
 * Mistakes that a caller can make: relying on comparisons after the first failure.  That failure is final: report it,
 * then call ut_lockstep_fini().  A caller that dumps waves may go on stepping; the networks then run independently and
 * nothing more is reported.  Also: using threads while waves are dumped; freeing scenario, models or threads too early.
 */
#ifndef UT_LOCKSTEP_H
#define UT_LOCKSTEP_H

#include "network.h"
#include "register_record.h"
#include "shim.h"

/* A fault that is injected on purpose, to test the checker. */
struct ut_injected_bug {
  uint64_t cycle; /* UINT64_MAX: none */
  uint32_t sw;
  char register_path[64]; /* flip `bit` of this register; empty: drop the next credit that reaches the switch */
  unsigned bit;
  bool missed; /* set if there is no such register */
};

struct ut_rtl; /* the RTL switches of one network */

struct ut_lockstep {
  struct ut_network golden, rtl;
  struct ut_rtl *dut;
  struct ut_injected_bug injected_bug;
  bool gates;          /* the switches called RTL here are netlists; set by the caller, for reports */
  bool spec;           /* the spec steps the golden switches, not the model */
  unsigned state_bits; /* bits compared for each switch, of the largest elaboration */
  uint64_t compared;   /* switch states compared so far */
  uint64_t probed;     /* cycle in which all RTL switches are stepped because both networks rest; UINT64_MAX: none */
  uint64_t mismatches; /* 0 or 1 */
  uint32_t mismatch_switch;
  char *report;                      /* one line about the first failure; mismatch.h tells more */
  struct ut_register_record *record; /* records the cycles of its window, at the end of each step; NULL: none */
};

/* The compiled classes (tb/model_cache.h) of a network's switches, by elaboration, and a watcher of all clocks of
 * lanes. */
struct ut_models {
  char *path[UT_MAX_ELABORATIONS];
  ut_model_watcher *watcher; /* NULL: nobody */
  void *watcher_ctx;
};
void ut_free_models(struct ut_models *models);

/* Loads the classes and builds the RTL switches of a network.  Returns NULL and fills *e on failure. */
struct ut_rtl *ut_rtl_open(const struct ut_models *models, const struct ut_topology *topo, uint64_t seed,
                           struct ut_error *e);
void ut_rtl_close(struct ut_rtl *rtl);
/* Returns the RTL switches as the backend of a network. */
const struct ut_backend *ut_rtl_backend(struct ut_rtl *rtl);
/* Toggle counts, of a class that counts toggles (model_cache.h).  ut_rtl_forget(): starts a new count in all switches.
 * ut_rtl_toggles(): adds the toggles of each net, over all switches of an elaboration, to sum[], and the cycles
 * counted, of all these switches, to *cycles.  ut_rtl_nets(): the length of sum[]. */
void ut_rtl_forget(struct ut_rtl *rtl);
unsigned ut_rtl_nets(const struct ut_rtl *rtl, unsigned elaboration);
void ut_rtl_toggles(struct ut_rtl *rtl, unsigned elaboration, uint64_t *sum, uint64_t *cycles);

int ut_lockstep_init(struct ut_lockstep *lockstep, const struct ut_scenario *scenario, const struct ut_models *models,
                     struct ut_error *e);
void ut_lockstep_fini(struct ut_lockstep *lockstep);

/* Makes the spec step the golden switches from now on.  Returns false when out of memory. */
bool ut_lockstep_use_spec(struct ut_lockstep *lockstep);

/* Moves both networks with these threads, like ut_network_use().  Not while waves are dumped: traced models share what
 * they write. */
bool ut_lockstep_use(struct ut_lockstep *lockstep, struct ut_threads *threads);

/* Visits all registers of that switch of which a bit can be flipped (struct ut_injected_bug). */
void ut_lockstep_flippable(const struct ut_lockstep *lockstep, uint32_t sw, ut_model_flippable *f, void *ctx);

/* Fills the view with all compared registers of its switch.  Returns false when out of memory, in the first call
 * only. */
bool ut_lockstep_see(const struct ut_lockstep *lockstep, struct ut_register_view *view);

/* Records what the record wants of this cycle, as a step does at its end; both networks stay where they are. */
void ut_lockstep_record(const struct ut_lockstep *lockstep);

/* Skips idle cycles of both networks, like ut_network_skip(); to be called before a step when the caller examines the
 * networks next in cycle `look` or later.  Both networks must rest.  In addition, a cycle in which all RTL switches are
 * stepped must have changed none of their registers: then no cycle without an event changes any. */
void ut_lockstep_skip(struct ut_lockstep *lockstep, uint64_t look);

/* Advances both networks by one cycle.  Returns false if they differ, or if a packet is missing from the accounts;
 * lockstep->report says which. */
bool ut_lockstep_step(struct ut_lockstep *lockstep);

#endif
