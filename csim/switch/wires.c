/* SPDX-License-Identifier: Apache-2.0 */
/* wires.c - the memory of the wires. */
#include "wires.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };
/* Bytes of rings in use from which on a network is large. */
enum { LARGE_RINGS = 1 << 25 };

void *ut_memory(size_t size) {
  const size_t page = size < LARGE_PAGE ? 64 : LARGE_PAGE;
  size = (size + page - 1) / page * page;
  void *memory = aligned_alloc(page, size);
  if (!memory)
    return NULL;
  if (page == LARGE_PAGE)
    madvise(memory, size, MADV_HUGEPAGE);
  return memset(memory, 0, size);
}

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

bool ut_wires_init(struct ut_wires *w, uint32_t lanes) {
  const unsigned slots = larger(larger(w->link_cycles, w->injection_cycles), w->ejection_cycles) + 1;
  w->lanes = lanes;
  w->slots = slots;
  w->wide = w->depth > 127;
  w->ring_words = 2 * (size_t)w->depth * (w->words + 1);
  w->ring = ut_memory(lanes * w->ring_words * sizeof *w->ring);
  w->to = ut_memory(lanes * sizeof *w->to);
  w->from = ut_memory(lanes * sizeof *w->from);
  w->write = ut_memory((size_t)lanes << w->wide);
  w->send = ut_memory((size_t)lanes << w->wide);
  w->flits = calloc(slots, sizeof *w->flits);
  w->credits = calloc(slots, sizeof *w->credits);
  bool there = w->ring && w->to && w->from && w->write && w->send && w->flits && w->credits;
  for (unsigned i = 0; there && i < slots; i++) {
    w->flits[i] = ut_memory(lanes);
    w->credits[i] = ut_memory(lanes);
    there = w->flits[i] && w->credits[i];
  }
  return there;
}

void ut_wires_fini(struct ut_wires *w) {
  for (unsigned i = 0; w->flits && i < w->slots; i++)
    free(w->flits[i]);
  for (unsigned i = 0; w->credits && i < w->slots; i++)
    free(w->credits[i]);
  free(w->ring), free(w->to), free(w->from), free(w->write), free(w->send), free(w->flits), free(w->credits);
  memset(w, 0, sizeof *w);
}

void ut_wires_join(struct ut_wires *w, uint32_t output, uint32_t input, unsigned vc) {
  w->large = ++w->joined * w->ring_words * sizeof *w->ring >= LARGE_RINGS;
  w->to[output] = input;
  w->from[input] = output;
  for (unsigned i = 0; i < 2 * w->depth; i++)
    ut_wires_flit(w, input, i)[w->words] = ut_flit_meta(0, vc) & ~(uint64_t)UT_COMES;
}
