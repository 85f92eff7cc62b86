/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.h - the effect of flipping one flip-flop, once, in a running network.
 *
 * Copies of the network (copies.h) take one injection each, and are compared with copy 0, in which nothing is flipped:
 * all flip-flops, and what arrives at terminals.  A copy that equals copy 0 again takes the next injection.
 */
#ifndef UT_UPSETS_H
#define UT_UPSETS_H

#include <signal.h>

#include "copies.h"

struct ut_upset {
  uint64_t cycle; /* the flip is visible at the end of this cycle */
  uint32_t sw;
  unsigned flip_flop; /* its number in the circuit */
};

enum ut_upset_outcome {
  UT_UPSET_OPEN,         /* not injected yet */
  UT_UPSET_MASKED,       /* the state is as without the flip, terminals saw nothing */
  UT_UPSET_LATENT,       /* flip-flops differ after UT_UPSET_PATIENCE cycles, terminals saw nothing */
  UT_UPSET_DELAYED,      /* all packets have arrived at their destinations, but not all in the same cycle or order */
  UT_UPSET_CORRUPTED,    /* the end-to-end check of a terminal refuses a packet, and no packet is missing */
  UT_UPSET_MISDELIVERED, /* a packet has arrived intact at a wrong terminal, undetected */
  UT_UPSET_LOST,         /* a packet is missing, or there is one too many */
  UT_UPSET_STUCK,        /* packets wait, or move, for ever */
  UT_UPSET_OUTCOMES,
  UT_UPSET_ERROR = 0x80 /* flag in addition to one of these: error_o of a switch was 1 */
};
enum { UT_UPSET_PATIENCE = 1000 };
/* "masked", ... */
const char *ut_upset_outcome_name(enum ut_upset_outcome outcome);

struct ut_upset_campaign {
  const struct ut_scenario *scenario;
  const struct ut_models *models; /* lanes */
  const struct ut_upset *upset;   /* [count], by ascending cycle */
  size_t count;
  unsigned workers; /* processes; 0: as many as there are cores */
  bool once;        /* no copy takes a second injection in a run: slow, for tests */
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, uint64_t done, uint64_t of); /* injections that are decided; or NULL */
  void *ctx;
};

/* Draws `count` injections at random (run.seed): each cycle of the measurement window, each switch and each of its
 * flip-flops is equally likely.  The numbers of flip-flops are given by elaboration. */
void ut_upsets_draw(struct ut_upset *upset, size_t count, const struct ut_scenario *scenario,
                    const struct ut_topology *topo, const size_t flip_flops[UT_MAX_ELABORATIONS]);

/* Determines the outcome of each injection: enum ut_upset_outcome.  It does not depend on the number of workers.
 * Returns 0, or -1 after filling *e: UT_MISMATCH if copy 0 does not do what the golden model does. */
int ut_upsets_run(const struct ut_upset_campaign *campaign, uint8_t *outcome, struct ut_error *e);

#endif
