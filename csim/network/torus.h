/* torus.h - places of the nodes of tori and meshes (torus.c), for the files of other rooms that belong to them. */
#ifndef UT_TORUS_H
#define UT_TORUS_H

#include "topology.h"

/* Coordinate of a node in dimension d. */
unsigned ut_topology_coordinate(const struct ut_topology *t, uint32_t node, unsigned d);

#endif
