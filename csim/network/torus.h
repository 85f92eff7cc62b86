/* torus.h - tori and meshes of 1 to 4 dimensions: k-ary n-cubes, and those whose dimensions differ in size.
 *
 * A node is a switch with local ports, one for each of its terminals.  Node number = x + size0 * (y + size1 * (z +
 * ...)). Port 2d leads on in dimension d, port 2d + 1 back; flits from there arrive at port 2d + 1 and 2d.  A mesh has
 * no links beyond its borders.  The local ports follow; terminal t is at local port t % L of node t / L.  All nodes are
 * at level 0.  In a torus two neighbours in a dimension of size 2 are joined by two links.
 */
#ifndef UT_TORUS_H
#define UT_TORUS_H

#include <stdbool.h>

#include "topology.h"

/* sizes 2..UT_MAX_RADIX, at most 65536 terminals.  -1 and *e when impossible, or when memory ran out. */
int ut_torus_init(struct ut_topology *t, const unsigned *size, unsigned dimensions, unsigned local_ports, bool wrap,
                  struct ut_error *e);

#endif
