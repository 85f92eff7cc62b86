/* SPDX-License-Identifier: Apache-2.0 */
/* vc_rows.c - see vc_rows.h */
#include "vc_rows.h"

#include "shape.h"

/* The VC behind that one; behind the last one there is none, or it is shared. */
static unsigned next_vc(const struct ut_planning *planning, unsigned vcs, unsigned vc) {
  if (vc + 1 < vcs)
    return 1u << (vc + 1);
  return planning->too_few_vcs == UT_TOO_FEW_SHARE ? 1u << vc : 0;
}

unsigned ut_vc_row(const struct ut_planning *planning, unsigned vcs, unsigned row, bool global) {
  const bool begins = row < UT_MAX_VC_MAP;
  const unsigned vc = begins ? row : row - UT_MAX_VC_MAP;
  switch (planning->planner) {
  case UT_PLANNER_FILE:
  case UT_PLANNER_LAYERS: return vc < vcs ? 1u << vc : 0;
  case UT_PLANNER_HOPS: return begins ? 1 : next_vc(planning, vcs, vc);
  case UT_PLANNER_GLOBAL_HOPS:
    if (begins)
      return 1;
    return global ? (vc == 0 || planning->too_few_vcs == UT_TOO_FEW_SHARE) : next_vc(planning, vcs, vc);
  default: return (1u << vcs) - 1;
  }
}

unsigned ut_vc_row_at(const struct ut_topology *topo, const struct ut_planning *planning, unsigned vcs, unsigned row,
                      uint32_t sw, unsigned out_port) {
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + out_port];
  if (peer->kind != UT_PEER_SWITCH)
    return peer->kind == UT_PEER_TERMINAL ? (1u << vcs) - 1 : 0;
  return ut_vc_row(planning, vcs, row, ut_topology_leaves_group(topo, sw, peer->index));
}
