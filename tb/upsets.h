/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.h - what becomes of a running network in which one flip-flop is flipped once.
 *
 * Copies of the network (copies.h) take an injection each, and are compared with copy 0, in which nothing is flipped:
 * all flip-flops, and what arrives at terminals.  A copy that is again as copy 0 is, is ready for the next one.
 */
#ifndef UT_UPSETS_H
#define UT_UPSETS_H

#include <signal.h>

#include "copies.h"

struct ut_upset {
  uint64_t cycle; /* it is there when this cycle has ended */
  uint32_t sw;
  unsigned flip_flop; /* its number in the circuit */
};

enum ut_upset_outcome {
  UT_UPSET_OPEN,         /* not injected yet */
  UT_UPSET_MASKED,       /* all is as if nothing had been, and terminals have seen nothing */
  UT_UPSET_LATENT,       /* flip-flops still differ after UT_UPSET_PATIENCE cycles, and terminals have seen nothing */
  UT_UPSET_DELAYED,      /* all packets have arrived as they must, but not all when or in the order they should */
  UT_UPSET_CORRUPTED,    /* the end-to-end check of a terminal refuses a packet, and none is missing */
  UT_UPSET_MISDELIVERED, /* a packet has arrived whole at a terminal that it was not sent to; nobody sees that */
  UT_UPSET_LOST,         /* a packet is missing, or there is one too many */
  UT_UPSET_STUCK,        /* something waits, or moves, for ever */
  UT_UPSET_OUTCOMES,
  UT_UPSET_ERROR = 0x80 /* beside one of these: error_o of a switch has risen */
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
  bool once;        /* no copy takes a second one in a run: for tests, slow */
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, uint64_t done, uint64_t of); /* injections that are decided; or NULL */
  void *ctx;
};

/* So many, by chance (run.seed): each cycle of the measurement window, each switch and each of its flip-flops, of which
 * there are so many by elaboration, is as likely as any other. */
void ut_upsets_draw(struct ut_upset *upset, size_t count, const struct ut_scenario *scenario,
                    const struct ut_topology *topo, const size_t flip_flops[UT_MAX_ELABORATIONS]);

/* What becomes of each: enum ut_upset_outcome.  It does not depend on the number of workers.  Returns 0, or -1 after
 * filling *e: UT_MISMATCH if copy 0 does not do what the golden model does. */
int ut_upsets_run(const struct ut_upset_campaign *campaign, uint8_t *outcome, struct ut_error *e);

#endif
