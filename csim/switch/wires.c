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

bool ut_wires_init(struct ut_wires *wires, uint32_t lanes) {
  const unsigned slots = larger(larger(wires->link_cycles, wires->injection_cycles), wires->ejection_cycles) + 1;
  wires->lanes = lanes;
  wires->slots = slots;
  wires->wide = wires->depth > 127;
  wires->ring_words = 2 * (size_t)wires->depth * (wires->words + 1);
  wires->ring = ut_memory(lanes * wires->ring_words * sizeof *wires->ring);
  wires->to = ut_memory(lanes * sizeof *wires->to);
  wires->from = ut_memory(lanes * sizeof *wires->from);
  wires->write = ut_memory((size_t)lanes << wires->wide);
  wires->send = ut_memory((size_t)lanes << wires->wide);
  wires->flits = calloc(slots, sizeof *wires->flits);
  wires->credits = calloc(slots, sizeof *wires->credits);
  bool there = wires->ring && wires->to && wires->from && wires->write && wires->send && wires->flits && wires->credits;
  for (unsigned i = 0; there && i < slots; i++) {
    wires->flits[i] = ut_memory(lanes);
    wires->credits[i] = ut_memory(lanes);
    there = wires->flits[i] && wires->credits[i];
  }
  return there;
}

void ut_wires_fini(struct ut_wires *wires) {
  for (unsigned i = 0; wires->flits && i < wires->slots; i++)
    free(wires->flits[i]);
  for (unsigned i = 0; wires->credits && i < wires->slots; i++)
    free(wires->credits[i]);
  free(wires->ring), free(wires->to), free(wires->from), free(wires->write), free(wires->send), free(wires->flits),
      free(wires->credits);
  memset(wires, 0, sizeof *wires);
}

void ut_wires_join(struct ut_wires *wires, uint32_t output, uint32_t input, unsigned vc) {
  wires->large = ++wires->joined * wires->ring_words * sizeof *wires->ring >= LARGE_RINGS;
  wires->to[output] = input;
  wires->from[input] = output;
  for (unsigned i = 0; i < 2 * wires->depth; i++)
    ut_wires_flit(wires, input, i)[wires->words] = ut_flit_meta(0, vc) & ~(uint64_t)UT_COMES;
}
