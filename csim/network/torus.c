/* torus.c - see torus.h */
#include "torus.h"

#include "layout.h"

enum { MAX_TERMINALS = 65536 };

/* The links of a node towards higher numbers, in the order of its ports; returns behind the last. */
static struct ut_link *connect_node(struct ut_topology *t, struct ut_link *link, const unsigned *size,
                                    unsigned dimensions, bool wrap, uint32_t node) {
  uint32_t step = 1;
  for (unsigned d = 0; d < dimensions; step *= size[d++])
    for (unsigned back = 0; back < 2; back++) {
      uint32_t here = node / step % size[d], there = back ? (here + size[d] - 1) % size[d] : (here + 1) % size[d];
      if (!wrap && (back ? here == 0 : here + 1 == size[d]))
        continue;
      uint32_t peer = node - here * step + there * step;
      uint8_t port = (uint8_t)(2 * d + back), peer_port = port ^ 1;
      t->peer[(size_t)node * t->po + port] = (struct ut_peer){.index = peer, .port = peer_port, .kind = UT_PEER_SWITCH};
      if (node < peer)
        *link++ = (struct ut_link){.lower = node, .upper = peer, .lower_port = port, .upper_port = peer_port};
    }
  return link;
}

int ut_torus_init(struct ut_topology *t, const unsigned *size, unsigned dimensions, unsigned local_ports, bool wrap,
                  struct ut_error *e) {
  const char *kind = wrap ? "torus" : "mesh";
  uint64_t nodes = 1, links = 0;
  *t = (struct ut_topology){0};
  if (dimensions < 1 || dimensions > UT_MAX_DIMENSIONS)
    return ut_fail(e, UT_BAD_INPUT, "%s: %u dimensions, must be 1..%d", kind, dimensions, UT_MAX_DIMENSIONS);
  for (unsigned d = 0; d < dimensions; d++) {
    if (size[d] < 2 || size[d] > UT_MAX_RADIX)
      return ut_fail(e, UT_BAD_INPUT, "%s: size %u, must be 2..%d", kind, size[d], UT_MAX_RADIX);
    nodes *= size[d];
  }
  if (local_ports < 1 || 2 * dimensions + local_ports > UT_MAX_PORTS || nodes * local_ports > MAX_TERMINALS)
    return ut_fail(e, UT_BAD_INPUT, "%s: %u local ports at %llu nodes: at least 1, at most %d terminals", kind,
                   local_ports, (unsigned long long)nodes, MAX_TERMINALS);
  for (unsigned d = 0; d < dimensions; d++)
    links += wrap ? nodes : nodes / size[d] * (size[d] - 1);
  unsigned ports = 2 * dimensions + local_ports;
  if (ut_topology_allocate(t, kind, (uint32_t)nodes, (uint32_t)nodes * local_ports, ports, ports, links, true, e))
    return -1;
  t->levels = 1;
  t->dimensions = dimensions;
  t->wrap = wrap;
  for (unsigned d = 0; d < dimensions; d++)
    t->size[d] = size[d];
  struct ut_link *link = t->link;
  for (uint32_t node = 0; node < nodes; node++) {
    uint8_t place[UT_MAX_DIMENSIONS] = {0};
    uint32_t rest = node;
    for (unsigned d = 0; d < dimensions; rest /= size[d++])
      place[d] = (uint8_t)(rest % size[d]);
    t->position[node] = node;
    t->straps[node] = ut_torus_strap_make(place[0], place[1], place[2], place[3]);
    link = connect_node(t, link, size, dimensions, wrap, node);
    for (unsigned l = 0; l < local_ports; l++) {
      uint32_t terminal = node * local_ports + l;
      uint8_t port = (uint8_t)(2 * dimensions + l);
      t->attachment[terminal] = (struct ut_attachment){.sw = node, .in_port = port, .out_port = port};
      t->peer[(size_t)node * t->po + port] = (struct ut_peer){.index = terminal, .kind = UT_PEER_TERMINAL};
    }
  }
  return 0;
}
