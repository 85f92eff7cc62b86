/* fat_tree.c - see fat_tree.h */
#include "fat_tree.h"

#include "layout.h"

enum { MAX_K = 16, MAX_TERMINALS = 65536 };

static struct ut_peer *port_of(const struct ut_topology *t, uint32_t sw, unsigned port) {
  return &t->peer[(size_t)sw * t->po + port];
}

static void attach_terminals(struct ut_topology *t, unsigned k) {
  for (uint32_t p = 0; p < t->terminals; p++) {
    uint8_t port = (uint8_t)(p % k);
    t->attachment[p] = (struct ut_attachment){.sw = p / k, .in_port = port, .out_port = port};
    *port_of(t, p / k, port) = (struct ut_peer){.index = p, .kind = UT_PEER_TERMINAL};
  }
}

/* The links between `level` and the level above, of which each has `width` switches; step = k^level.  Returns behind
 * the last. */
static struct ut_link *connect_level(struct ut_topology *t, struct ut_link *link, unsigned k, unsigned level,
                                     uint32_t width, uint32_t step) {
  for (uint32_t o = 0; o < width; o++) {
    unsigned digit = o / step % k;
    uint32_t lower = level * width + o;
    uint32_t first = lower + width - digit * step; /* above, with digit `level` = 0 */
    for (unsigned j = 0; j < k; j++) {
      uint32_t upper = first + j * step;
      *link = (struct ut_link){
          .lower = lower, .upper = upper, .lower_port = (uint8_t)(k + j), .upper_port = (uint8_t)digit};
      *port_of(t, lower, k + j) = (struct ut_peer){.index = upper, .port = link->upper_port, .kind = UT_PEER_SWITCH};
      *port_of(t, upper, digit) = (struct ut_peer){.index = lower, .port = link->lower_port, .kind = UT_PEER_SWITCH};
      link++;
    }
  }
  return link;
}

int ut_fat_tree_init(struct ut_topology *t, unsigned k, unsigned n, unsigned timeout, bool repair, struct ut_error *e) {
  *t = (struct ut_topology){0};
  if (k < 2 || k > MAX_K)
    return ut_fail(e, UT_BAD_INPUT, "fat_tree: k is %u, must be 2..%d", k, MAX_K);
  uint32_t terminals = 1;
  for (unsigned i = 0; i < n && terminals <= MAX_TERMINALS; i++)
    terminals *= k;
  if (n < 1 || terminals > MAX_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "fat_tree: n is %u, must be at least 1, and k^n at most %d terminals", n,
                   MAX_TERMINALS);
  if (timeout > 65535)
    return ut_fail(e, UT_BAD_INPUT, "fat_tree: the re-route timeout is %u cycles, must be 0..65535", timeout);

  uint32_t width = terminals / k;
  if (ut_topology_allocate(t, "fat_tree", n * width, terminals, 2 * k, 2 * k, (size_t)(n - 1) * terminals, true, e))
    return -1;
  t->levels = n;
  t->up_ports = ((UINT64_C(1) << k) - 1) << k;
  attach_terminals(t, k);
  struct ut_link *link = t->link;
  uint32_t step = 1; /* k^level */
  for (unsigned level = 0; level < n; level++, step *= k) {
    for (uint32_t o = 0; o < width; o++) {
      uint32_t sw = level * width + o;
      t->level[sw] = (uint8_t)level;
      t->position[sw] = o;
      t->straps[sw] = ut_fattree_strap_make((uint8_t)level, o / step * step * k, step, (uint16_t)timeout, repair);
    }
    if (level + 1 < n)
      link = connect_level(t, link, k, level, width, step);
  }
  return 0;
}
