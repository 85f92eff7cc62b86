#!/bin/bash
# Random lockstep campaign over hypercubes, meshes and tori whose nodes fail (DETOUR): as campaign_slow.sh.
#
#   tests/fuzz/detour_slow.sh [FIRST_SEED [COUNT]]
#
# Blocks are there from the start, nodes fail amid the traffic and come back; loads go beyond saturation.  Several
# faults may leave the fault model: then, and only then, packets may deadlock.  A failure at run time can leave
# a deadlock behind that the manager dissolves: the watchdog is slower than it.
set -eu
. "$(dirname "$0")/campaign.bash"
cycles=$((4000 * times))
scenarios=10 # of three elaborations; `tests/fuzz/detour_slow.sh 1 320` is the campaign

# One line: share topology vcs[/vin1_vcs] depth algorithm route_cycles alloc_cycles xbar_cycles crossbar local_first.  Of every sum(share)
# consecutive seeds, `share` use that line.
shapes='
3 hypercube,n:3             2 1 detour         0 1 0 port false
5 mesh,sizes:[5;4]          2 1 detour         0 1 1 port false
3 torus,sizes:[5;5]         4 4 detour         1 1 0 port true
3 hypercube,n:4             2 4 detour         1 1 0 port true
3 hypercube,n:5             2 8 detour         1 1 1 vc   false
3 hypercube,n:6           3/2 4 detour         1 1 0 port false
2 hypercube,n:7             2 4 detour         2 2 0 port true
2 hypercube,n:8             2 4 detour         1 1 1 port false
1 hypercube,n:4             1 4 ecube          1 1 0 port true
1 hypercube,n:6             2 2 adaptive_vin   0 1 0 port false
1 hypercube,n:4             2 2 detour_literal 1 1 1 port false
4 mesh,sizes:[7;7]          2 4 detour         1 1 0 port false
4 mesh,sizes:[8;8]          2 2 detour         1 1 0 vc   true
2 mesh,sizes:[8;8]        4/2 4 detour         1 1 0 port false
2 mesh,sizes:[16;16]        2 4 detour         1 1 1 port false
3 mesh,sizes:[4;4;4]        2 8 detour         1 1 0 port false
2 mesh,sizes:[3;3;3;3]      2 4 detour         1 2 0 port false
1 mesh,sizes:[8;8]          1 4 ecube          1 1 0 port false
1 mesh,sizes:[8;8]          2 4 adaptive_vin   1 1 0 port false
1 mesh,sizes:[4;3]          2 4 detour_literal 1 1 0 port false
3 torus,sizes:[8;8]         4 2 detour         0 1 1 port false
2 torus,sizes:[5;5;5]       4 4 detour         1 1 0 port false
1 torus,sizes:[8;8]         2 4 ecube          1 1 0 port false
1 torus,sizes:[5;5]       5/2 4 adaptive_vin   1 1 0 port false
'

scenario() {
  echo "$shapes" | awk -v seed="$1" -v cycles="$cycles" -v queues="$queues" "$random"'
    NF == 10 { add_shape() }
    END {
      split(slot[seed % slots], f, " ")
      topology = f[2]; gsub(";", ", ", topology); gsub(",n:", ", n: ", topology); gsub(",sizes:", ", sizes: ", topology)
      nodes = 1; list = f[2]; sub(/^[a-z]*,[a-z]*:/, "", list); gsub(/[][]/, "", list)
      if (f[2] ~ /^hyper/) nodes = 2 ^ list
      else { dims = split(list, size, ";"); for (i = 1; i <= dims; i++) nodes *= size[i] }
      x = (seed * 7919 + 13579) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      faulty = f[5] ~ /^detour/
      wanted = faulty ? rnd(5) : 0
      load = rnd(3) == 0 ? 1 : 0.02 + rnd(400) / 1000
      shape = slot[seed % slots]; sub(/^ *[0-9]+ +/, "", shape); gsub(/ +/, "-", shape)
      queued = queue(line[seed % slots], 1); shape = shape queue_name(queued)
      beyond = faulty && wanted > 1
      printf "# detour_slow.sh %d 1: elaboration %s, entries of faults %d, may deadlock %d\n", seed, shape, wanted, beyond || f[5] ~ /literal/
      length_of = rnd(3)
      flits = pick("1 2 4 8 16 64")
      if (length_of == 0) flits = "{distribution: exponential, mean: " pick("4 8 20") ", max: 64}"
      if (length_of == 1 && rnd(2)) flits = "{distribution: bimodal, short: 1, long: 32, long_fraction: 0.25}"
      printf "topology: {kind: %s, link_cycles: %d}\n", topology, 1 + (rnd(3) ? 0 : rnd(3))
      divided = split(f[3], vcs, "/") > 1
      printf "switch: {vcs: %d%s, depth_flits: %d, packet_flits: %s, switching: wormhole, route_cycles: %d, alloc_cycles: %d, xbar_cycles: %d, crossbar: %s, local_first: %s%s}\n",
        vcs[1], divided ? ", vin1_vcs: " vcs[2] : "", f[4], flits, f[6], f[7], f[8], f[9], f[10], queued
      printf "routing: {algorithm: %s%s%s}\n", f[5], beyond ? ", beyond_fault_model: true" : "", faulty ? ", patience_cycles: " pick("300 600") : ""
      printf "traffic: {pattern: uniform, load_flits_per_cycle: %.3f, process: poisson}\n", load
      if (wanted) print "faults:"
      for (i = 0; i < wanted; i++) {
        at = rnd(2) ? 0 : rnd(cycles / 2)
        printf "  - {at: %d, ", at
        if (at && rnd(2)) printf "until: %d, ", at + 100 + rnd(800)
        if (beyond && rnd(2)) print "random_switches: 1}"
        else printf "switch: {level: 0, switch: %d}}\n", rnd(nodes)
      }
      printf "run: {warmup_cycles: 0, measure_cycles: %d, drain: false, watchdog_cycles: 3700, seed: %d}\n", cycles, seed
    }'
}

campaign "$@"
