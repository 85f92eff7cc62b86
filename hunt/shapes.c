/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c - see shapes.h
 *
 * In the order in which a hunt takes them, within a family: small switches first, which are compiled soon; some with
 * many options at once, then each algorithm, then others. */
#include "shapes.h"

enum { TREES, RUFT, TORI, NODES, GRAPHS };

const struct ut_hunt_family ut_hunt_families[UT_HUNT_FAMILIES] = {
    [TREES] = {.name = "trees",
               .share = {4, 2, 1, 1, 3, 1, 1},
               .deadlock = UT_HUNT_FROM_K_FAULTS_ON,
               .levels = true,
               .vectors = true},
    [RUFT] = {.name = "ruft",
              .share = {3, 2, 2, 1, 2, 1, 1},
              .deadlock = UT_HUNT_NEVER,
              .terminal_links = true,
              .manager = true,
              .drains = true},
    [TORI] = {.name = "tori", .share = {3, 2, 1, 1, 4, 1, 1}, .deadlock = UT_HUNT_WITH_FAULTS},
    [NODES] = {.name = "nodes",
               .share = {.node = 3, .random_nodes = 1},
               .deadlock = UT_HUNT_BEYOND_MODEL,
               .nodes = true},
    [GRAPHS] = {.name = "graphs", .share = {4, 2, 1, 1, 3, 1, 1}, .deadlock = UT_HUNT_WITH_FAULTS},
};

/* Every other shape is one of a tree, which has most algorithms. */
const unsigned ut_hunt_family_order[UT_HUNT_FAMILY_ORDER] = {TREES, RUFT, TREES, TORI, TREES, NODES, GRAPHS};

const struct ut_hunt_shape ut_hunt_shapes[] = {
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 2, depth_flits: 5, packet_flits: 4, switching: wormhole, route_cycles: 3, alloc_cycles: 2, "
     "xbar_cycles: 1, crossbar: vc, arbitration: oldest_first, output_depth_flits: 3, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_switch",
     "vcs: 2, depth_flits: 5, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, crossbar: vc, "
     "arbitration: oldest_first, output_depth_flits: 4"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 2, depth_flits: 3, packet_flits: 6, switching: wormhole, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: destro",
     "vcs: 2, depth_flits: 3, packet_flits: 3, switching: wormhole, route_cycles: 0, alloc_cycles: 1, "
     "output_depth_flits: 3"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_switch",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: fta, exclusion_intervals: 2",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 1, packet_flits: 1, flit_bits: 128, switching: wormhole, route_cycles: 1, "
     "alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: misroute_header",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, output_depth_flits: 4"},
    {TREES, "kind: fat_tree, k: 2, n: 3", "algorithm: table",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, output_depth_flits: 2"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 3, depth_flits: 9, packet_flits: 4, switching: wormhole, route_cycles: 2, alloc_cycles: 2, "
     "crossbar: vc, output_depth_flits: 4, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_det_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 2"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_det_switch",
     "vcs: 3, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3, n: 2", "algorithm: table_reroute_det_link",
     "vcs: 3, depth_flits: 4, packet_flits: 2, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: fta",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, "
     "arbitration: priority, selection: rotating"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: misroute_header",
     "vcs: 1, depth_flits: 5, packet_flits: 3, route_cycles: 2, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 5", "algorithm: fta",
     "vcs: 2, depth_flits: 3, packet_flits: 2, switching: wormhole, route_cycles: 3, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_switch",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 2"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_det_link",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 30, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_switch",
     "vcs: 2, depth_flits: 6, packet_flits: 3, flit_bits: 128, switching: wormhole, route_cycles: 3, "
     "alloc_cycles: 2, crossbar: vc"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: fta, exclusion_intervals: 1",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 4"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: destro",
     "vcs: 2, depth_flits: 4, packet_flits: 4, route_cycles: 1, alloc_cycles: 1, crossbar: vc"},
    {TREES, "kind: fat_tree, k: 5", "algorithm: reroute_det_link",
     "vcs: 2, depth_flits: 3, packet_flits: 1, switching: wormhole, route_cycles: 3, alloc_cycles: 1, "
     "crossbar: vc, output_depth_flits: 4, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3, n: 3", "algorithm: table",
     "vcs: 2, depth_flits: 5, packet_flits: 3, flit_bits: 128, route_cycles: 2, alloc_cycles: 2, "
     "crossbar: vc"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: fta",
     "vcs: 4, depth_flits: 2, packet_flits: 2, route_cycles: 4, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 9, selection: output_space"},
    {TREES, "kind: fat_tree, k: 4, n: 3", "algorithm: table_reroute_det_link",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 5, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_det_switch",
     "vcs: 4, depth_flits: 4, packet_flits: 2, flit_bits: 128, route_cycles: 2, alloc_cycles: 2"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_adaptive_link",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, "
     "arbitration: oldest_first, selection: random"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: reroute_adaptive_switch",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, "
     "output_depth_flits: 9, selection: output_space"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: reroute_det_link",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: misroute_header",
     "vcs: 2, depth_flits: 4, packet_flits: 2, flit_bits: 128, route_cycles: 1, alloc_cycles: 2, "
     "xbar_cycles: 1, crossbar: vc, output_depth_flits: 30, selection: output_space"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_det_switch",
     "vcs: 3, depth_flits: 4, packet_flits: 3, route_cycles: 1, alloc_cycles: 1, crossbar: vc, "
     "output_depth_flits: 4"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 3"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_det_link",
     "vcs: 3, depth_flits: 5, packet_flits: 2, flit_bits: 128, route_cycles: 0, alloc_cycles: 2"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: reroute_det_switch",
     "vcs: 3, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 14, selection: output_space"},
    {TREES, "kind: fat_tree, k: 16", "algorithm: misroute_header",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 14, selection: output_space"},
    {TREES, "kind: fat_tree, k: 8", "algorithm: reroute_adaptive_switch",
     "vcs: 1, depth_flits: 3, packet_flits: 3, route_cycles: 2, alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_link",
     "vcs: 2, depth_flits: 5, packet_flits: 3, flit_bits: 128, route_cycles: 3, alloc_cycles: 2"},
    {TREES, "kind: fat_tree, k: 4", "algorithm: reroute_adaptive_link",
     "vcs: 2, depth_flits: 6, packet_flits: 3, route_cycles: 2, alloc_cycles: 1, crossbar: vc"},
    {TREES, "kind: fat_tree, k: 8", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, output_depth_flits: 2"},
    {TREES, "kind: fat_tree, k: 16", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: table_reroute_adaptive_link",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 4"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_switch_one_fault",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: reroute_det_switch_one_fault",
     "vcs: 2, depth_flits: 5, packet_flits: 3, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1"},
    {TREES, "kind: fat_tree, k: 3", "algorithm: reroute_adaptive_link_one_fault",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1"},
    {RUFT, "kind: ruft, k: 2, n: 3", "algorithm: ruft",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1"},
    {RUFT, "kind: ft_ruft_212, k: 2, n: 3", "algorithm: ruft",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 2"},
    {RUFT, "kind: ruft_pl, k: 2, n: 3", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 1, depth_flits: 6, packet_flits: 2, flit_bits: 128, route_cycles: 0, alloc_cycles: 1"},
    {RUFT, "kind: ft_ruft_222, k: 2, n: 3", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 1, depth_flits: 6, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {RUFT, "kind: ft_ruft_212, k: 4, n: 2", "algorithm: ruft",
     "vcs: 1, depth_flits: 32, packet_flits: 16, route_cycles: 4, alloc_cycles: 1, xbar_cycles: 1"},
    {RUFT, "kind: ft_ruft_222, k: 2, n: 5", "algorithm: ruft, parallel_links: static",
     "vcs: 1, depth_flits: 2, packet_flits: 1, flit_bits: 128, route_cycles: 1, alloc_cycles: 1"},
    {RUFT, "kind: ruft_pl, k: 4, n: 2", "algorithm: ruft, parallel_links: static",
     "vcs: 1, depth_flits: 32, packet_flits: 16, route_cycles: 4, alloc_cycles: 1"},
    {RUFT, "kind: ruft, k: 4, n: 2", "algorithm: ruft",
     "vcs: 2, depth_flits: 3, packet_flits: 1, route_cycles: 0, alloc_cycles: 2, crossbar: vc"},
    {RUFT, "kind: ft_ruft_212, k: 4, n: 3", "algorithm: ruft",
     "vcs: 1, depth_flits: 32, packet_flits: 16, route_cycles: 4, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 18"},
    {RUFT, "kind: ft_ruft_222, k: 2, n: 3", "algorithm: ruft, parallel_links: static",
     "vcs: 1, depth_flits: 2, packet_flits: 1, flit_bits: 128, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 1"},
    {RUFT, "kind: ruft, k: 8, n: 2", "algorithm: ruft",
     "vcs: 1, depth_flits: 32, packet_flits: 16, route_cycles: 4, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 17"},
    {RUFT, "kind: ruft_pl, k: 4, n: 3", "algorithm: ruft, parallel_links: static",
     "vcs: 1, depth_flits: 32, packet_flits: 16, route_cycles: 4, alloc_cycles: 1, "
     "output_depth_flits: 28, selection: output_space"},
    {RUFT, "kind: ft_ruft_212, k: 8, n: 2", "algorithm: ruft",
     "vcs: 1, depth_flits: 3, packet_flits: 1, route_cycles: 0, alloc_cycles: 1, "
     "output_depth_flits: 29, selection: output_space"},
    {RUFT, "kind: ruft, k: 4, n: 3", "algorithm: ruft",
     "vcs: 2, depth_flits: 3, packet_flits: 1, route_cycles: 0, alloc_cycles: 2, crossbar: vc, "
     "output_depth_flits: 4, selection: output_space"},
    {RUFT, "kind: ft_ruft_222, k: 4, n: 2", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 2, depth_flits: 16, packet_flits: 16, route_cycles: 4, alloc_cycles: 2, xbar_cycles: 1"},
    {RUFT, "kind: ruft_pl, k: 4, n: 2", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 2, depth_flits: 3, packet_flits: 1, route_cycles: 2, alloc_cycles: 1, xbar_cycles: 1, "
     "crossbar: vc"},
    {RUFT, "kind: ft_ruft_222, k: 4, n: 3", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 2, depth_flits: 16, packet_flits: 16, route_cycles: 4, alloc_cycles: 2, xbar_cycles: 1, "
     "output_depth_flits: 19, selection: output_space"},
    {RUFT, "kind: ruft_pl, k: 8, n: 2", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 1, depth_flits: 2, packet_flits: 2, route_cycles: 3, alloc_cycles: 1, "
     "output_depth_flits: 9, selection: output_space"},
    {RUFT, "kind: ft_ruft_222, k: 8, n: 2", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 3"},
    {RUFT, "kind: ruft_pl, k: 4, n: 3", "algorithm: ruft, parallel_links: dynamic",
     "vcs: 2, depth_flits: 3, packet_flits: 1, route_cycles: 2, alloc_cycles: 1, xbar_cycles: 1, "
     "crossbar: vc, output_depth_flits: 1"},
    {TORI, "kind: torus, sizes: [4, 4]", "algorithm: duato",
     "vcs: 2, depth_flits: 6, packet_flits: 2, route_cycles: 2, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 4"},
    {TORI, "kind: torus, sizes: [3, 3]",
     "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     "vcs: 5, depth_flits: 12, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TORI, "kind: torus, sizes: [9]", "algorithm: dor, mechanisms: {misroute: true}",
     "vcs: 1, depth_flits: 4, packet_flits: 1, route_cycles: 3, alloc_cycles: 1, xbar_cycles: 1"},
    {TORI, "kind: mesh, sizes: [3, 5, 2], local_ports: 4", "algorithm: duato",
     "vcs: 3, depth_flits: 9, packet_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 2, "
     "crossbar: vc"},
    {TORI, "kind: torus, sizes: [5, 5]", "algorithm: dor_without_bubble",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, "
     "output_depth_flits: 9, selection: output_space"},
    {TORI, "kind: torus, sizes: [3, 3, 3]", "algorithm: dor",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TORI, "kind: torus, sizes: [4, 4]", "algorithm: duato",
     "vcs: 2, depth_flits: 6, packet_flits: 3, route_cycles: 0, alloc_cycles: 1, "
     "arbitration: transit_first"},
    {TORI, "kind: torus, sizes: [5, 4], local_ports: 2", "algorithm: direction_order",
     "vcs: 2, depth_flits: 6, packet_flits: 3, flit_bits: 128, route_cycles: 2, alloc_cycles: 2, "
     "xbar_cycles: 1"},
    {TORI, "kind: mesh, sizes: [4, 4]", "algorithm: duato, mechanisms: {deterministic: true, misroute: true}",
     "vcs: 3, depth_flits: 8, packet_flits: 4, route_cycles: 0, alloc_cycles: 1"},
    {TORI, "kind: mesh, sizes: [8, 8]", "algorithm: dor, mechanisms: {intermediate: 2}",
     "vcs: 3, depth_flits: 10, packet_flits: 3, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 31, selection: output_space"},
    {TORI, "kind: torus, sizes: [4, 4, 4]", "algorithm: duato, mechanisms: {deterministic: true}",
     "vcs: 2, depth_flits: 6, packet_flits: 3, flit_bits: 128, route_cycles: 0, alloc_cycles: 1, "
     "crossbar: vc, output_depth_flits: 16"},
    {TORI, "kind: mesh, sizes: [6, 6]", "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}",
     "vcs: 3, depth_flits: 8, packet_flits: 2, route_cycles: 4, alloc_cycles: 1, output_depth_flits: 16"},
    {TORI, "kind: torus, sizes: [8, 8]", "algorithm: duato, mechanisms: {intermediate: 3}",
     "vcs: 5, depth_flits: 14, packet_flits: 4, route_cycles: 2, alloc_cycles: 1, "
     "output_depth_flits: 16, selection: output_space"},
    {TORI, "kind: torus, sizes: [8, 8, 8], local_ports: 4", "algorithm: duato",
     "vcs: 4, depth_flits: 8, packet_flits: 4, route_cycles: 1, alloc_cycles: 1"},
    {TORI, "kind: torus, sizes: [3, 3, 3]",
     "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     "vcs: 4, depth_flits: 8, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1"},
    {TORI, "kind: torus, sizes: [3, 3, 3]", "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}",
     "vcs: 3, depth_flits: 10, packet_flits: 4, route_cycles: 0, alloc_cycles: 1, crossbar: vc, "
     "output_depth_flits: 16, selection: output_space"},
    {TORI, "kind: torus, sizes: [3, 3, 3, 3]", "algorithm: duato, mechanisms: {misroute: true}",
     "vcs: 3, depth_flits: 6, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 16"},
    {TORI, "kind: torus, sizes: [4, 4, 4]", "algorithm: duato, mechanisms: {intermediate: 1}",
     "vcs: 4, depth_flits: 12, packet_flits: 4, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "crossbar: vc"},
    {TORI, "kind: torus, sizes: [8, 8, 8]", "algorithm: duato, mechanisms: {intermediate: 2, deterministic: true}",
     "vcs: 5, depth_flits: 10, packet_flits: 3, route_cycles: 1, alloc_cycles: 1, crossbar: vc, "
     "output_depth_flits: 16"},
    {NODES, "kind: hypercube, n: 4", "algorithm: ecube",
     "vcs: 1, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, local_first: true"},
    {NODES, "kind: mesh, sizes: [4, 4]", "algorithm: detour",
     "vcs: 2, depth_flits: 3, switching: wormhole, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "local_first: true, arbitration: oldest_first, output_depth_flits: 2"},
    {NODES, "kind: mesh, sizes: [8, 8]", "algorithm: ecube",
     "vcs: 1, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 4, selection: output_space"},
    {NODES, "kind: hypercube, n: 3", "algorithm: detour",
     "vcs: 2, depth_flits: 1, switching: wormhole, route_cycles: 0, alloc_cycles: 1"},
    {NODES, "kind: hypercube, n: 4", "algorithm: detour_literal",
     "vcs: 2, depth_flits: 2, switching: wormhole, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1"},
    {NODES, "kind: mesh, sizes: [16, 16]", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1"},
    {NODES, "kind: mesh, sizes: [8, 8]", "algorithm: adaptive_vin",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {NODES, "kind: torus, sizes: [8, 8]", "algorithm: ecube",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {NODES, "kind: mesh, sizes: [4, 3]", "algorithm: detour_literal",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 2"},
    {NODES, "kind: hypercube, n: 6", "algorithm: adaptive_vin",
     "vcs: 2, depth_flits: 2, switching: wormhole, route_cycles: 0, alloc_cycles: 1, "
     "output_depth_flits: 8, selection: output_space"},
    {NODES, "kind: torus, sizes: [5, 5]", "algorithm: detour",
     "vcs: 4, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, local_first: true"},
    {NODES, "kind: torus, sizes: [5, 5]", "algorithm: adaptive_vin",
     "vcs: 5, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, vin1_vcs: 2, "
     "output_depth_flits: 1"},
    {NODES, "kind: mesh, sizes: [5, 4]", "algorithm: detour",
     "vcs: 2, depth_flits: 1, switching: wormhole, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 4, selection: output_space"},
    {NODES, "kind: hypercube, n: 4", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "local_first: true, output_depth_flits: 2"},
    {NODES, "kind: torus, sizes: [8, 8]", "algorithm: detour",
     "vcs: 4, depth_flits: 2, switching: wormhole, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1"},
    {NODES, "kind: mesh, sizes: [7, 7]", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 3"},
    {NODES, "kind: hypercube, n: 5", "algorithm: detour",
     "vcs: 2, depth_flits: 8, switching: wormhole, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "crossbar: vc"},
    {NODES, "kind: torus, sizes: [5, 5, 5]", "algorithm: detour",
     "vcs: 4, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 13, selection: output_space"},
    {NODES, "kind: mesh, sizes: [8, 8]", "algorithm: detour",
     "vcs: 2, depth_flits: 2, switching: wormhole, route_cycles: 1, alloc_cycles: 1, crossbar: vc, "
     "local_first: true"},
    {NODES, "kind: hypercube, n: 7", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 2, alloc_cycles: 2, local_first: true"},
    {NODES, "kind: mesh, sizes: [4, 4, 4]", "algorithm: detour",
     "vcs: 2, depth_flits: 8, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "output_depth_flits: 1"},
    {NODES, "kind: hypercube, n: 8", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, xbar_cycles: 1, "
     "output_depth_flits: 1"},
    {NODES, "kind: mesh, sizes: [3, 3, 3, 3]", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 2"},
    {NODES, "kind: hypercube, n: 6", "algorithm: detour",
     "vcs: 3, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, vin1_vcs: 2, "
     "output_depth_flits: 13, selection: output_space"},
    {NODES, "kind: mesh, sizes: [5, 4]", "algorithm: detour_low_high",
     "vcs: 3, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {NODES, "kind: mesh, sizes: [4, 4]", "algorithm: detour_reserved",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {NODES, "kind: mesh, sizes: [4, 3, 3]", "algorithm: detour",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, misroute_hops: 1"},
    {NODES, "kind: hypercube, n: 4", "algorithm: detour",
     "vcs: 3, depth_flits: 4, switching: wormhole, route_cycles: 0, alloc_cycles: 1, misroute_hops: 2"},
    {NODES, "kind: hypercube, n: 4", "algorithm: detour_reserved",
     "vcs: 2, depth_flits: 4, switching: wormhole, route_cycles: 0, alloc_cycles: 1"},
    {NODES, "kind: mesh, sizes: [8, 8]", "algorithm: detour",
     "vcs: 4, depth_flits: 4, switching: wormhole, route_cycles: 1, alloc_cycles: 1, vin1_vcs: 2, "
     "output_depth_flits: 29, selection: output_space"},
    {TREES, "kind: m_port_tree, k: 2, n: 3", "algorithm: reroute_adaptive_link",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TREES, "kind: m_port_tree, k: 3, n: 2", "algorithm: reroute_det_switch",
     "vcs: 3, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 2"},
    {TREES, "kind: m_port_tree, k: 2, n: 2", "algorithm: misroute_header",
     "vcs: 2, depth_flits: 5, packet_flits: 3, route_cycles: 1, alloc_cycles: 2, xbar_cycles: 1, crossbar: vc"},
    {TREES, "kind: fat_tree, k: 2, n: 3", "algorithm: table, reconfiguration: static",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1, output_depth_flits: 2"},
    {TREES, "kind: fat_tree, k: 2", "algorithm: fta, exclusion_intervals: 2, reconfiguration: static",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {RUFT, "kind: ft_ruft_212, k: 2, n: 3", "algorithm: ruft, reconfiguration: static",
     "vcs: 1, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 2"},
    {TORI, "kind: torus, sizes: [3, 3]",
     "algorithm: duato, mechanisms: {intermediate: 1, deterministic: true, misroute: true}, reconfiguration: static",
     "vcs: 5, depth_flits: 12, packet_flits: 2, route_cycles: 0, alloc_cycles: 1"},
    {TORI, "kind: torus, sizes: [4, 4], terminal_links: 2",
     "algorithm: dor, mechanisms: {intermediate: 1}, reconfiguration: static",
     "vcs: 2, depth_flits: 6, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, output_depth_flits: 6"},
    {TORI, "kind: torus, sizes: [4, 5]", "algorithm: dor_dateline",
     "vcs: 3, depth_flits: 3, packet_flits: 5, switching: wormhole, route_cycles: 1, alloc_cycles: 1"},
    {TORI, "kind: torus, sizes: [3, 4]", "algorithm: duato_dateline, mechanisms: {intermediate: 1}",
     "vcs: 5, depth_flits: 6, packet_flits: 3, route_cycles: 0, alloc_cycles: 1, xbar_cycles: 1, crossbar: vc"},
    {TREES, "kind: fat_tree, k: 2, n: 3", "algorithm: forwarding",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, next_hop_groups: 6"},
    {GRAPHS, "kind: dragonfly, routers: 2, global_links: 1, global_cycles: 4", "algorithm: forwarding, planner: ugal",
     "vcs: 3, depth_flits: 8, packet_flits: 3, route_cycles: 0, alloc_cycles: 1, next_hop_groups: 8"},
    {GRAPHS, "kind: xgft, down: [2, 3], up: [1, 2], cables: [1, 2]", "algorithm: table",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 2, xbar_cycles: 1"},
    {GRAPHS, "kind: hyperx, sizes: [3, 2]", "algorithm: forwarding_escape",
     "vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole, route_cycles: 1, alloc_cycles: 1, "
     "next_hop_groups: 8, crossbar: vc"},
    {GRAPHS, "kind: slim_fly, q: 3", "algorithm: forwarding, planner: layers",
     "vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, next_hop_groups: 6, "
     "output_depth_flits: 2"},
    {GRAPHS, "kind: hyperx, sizes: [3, 3]", "algorithm: forwarding, planner: valiant",
     "vcs: 4, depth_flits: 3, packet_flits: 2, route_cycles: 1, alloc_cycles: 1, next_hop_groups: 9, crossbar: vc"},
    {GRAPHS, "kind: dragonfly, routers: 2, global_links: 1, global_arrangement: absolute",
     "algorithm: forwarding, planner: global_hops",
     "vcs: 2, depth_flits: 6, packet_flits: 4, switching: wormhole, route_cycles: 2, alloc_cycles: 1, "
     "next_hop_groups: 5"},
};
const unsigned ut_hunt_shape_count = sizeof ut_hunt_shapes / sizeof *ut_hunt_shapes;
