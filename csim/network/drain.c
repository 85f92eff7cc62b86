/* SPDX-License-Identifier: Apache-2.0 */
/* drain.c - see drain.h */
#include "drain.h"

#include <stdlib.h>

#include "terminal.h"

bool ut_drain_init(struct ut_drain *drain, uint32_t terminals) {
  *drain = (struct ut_drain){.begun = calloc(terminals, sizeof *drain->begun)};
  return drain->begun != NULL;
}

void ut_drain_fini(struct ut_drain *drain) {
  free(drain->begun);
  *drain = (struct ut_drain){0};
}

void ut_drain_begin(struct ut_drain *drain, const struct ut_terminals *terminals) {
  for (uint32_t i = 0; i < terminals->count; i++)
    drain->begun[i] = terminals->terminal[i].injected;
  drain->done = 0;
}

bool ut_drain_done(struct ut_drain *drain, const struct ut_terminals *terminals) {
  while (drain->done < terminals->count && terminals->terminal[drain->done].base >= drain->begun[drain->done])
    drain->done++;
  return drain->done == terminals->count;
}
