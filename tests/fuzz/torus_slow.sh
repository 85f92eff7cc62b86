#!/bin/bash
# Random lockstep campaign over tori and meshes: as campaign_slow.sh.
#
#   tests/fuzz/torus_slow.sh [FIRST_SEED [COUNT]]
#
# A packet that meets a fault that was not planned for is discarded, and one that has lost its escape channel can wait in
# a cycle: with such faults and without the bubble rule a scenario may deadlock.
set -eu
. "$(dirname "$0")/campaign.bash"
cycles=$((5000 * times))

# One elaboration a line: share kind sizes local_ports vcs depth packet flit_bits switching route_cycles alloc_cycles
# xbar_cycles crossbar algorithm intermediate_nodes deterministic misroute.  Of every sum(share) consecutive seeds, `share` use that line.
shapes='
6 torus 3,3,3   1 1  4  2  64 vct      0 1 0 port dor                0 0 0
6 torus 3,3,3   1 3 10  4  64 vct      0 1 0 vc   duato              1 1 0
6 torus 3,3,3   1 4  8  2  64 vct      1 1 1 port duato              1 1 1
6 torus 4,4,4   1 2  6  3 128 vct      0 1 0 vc   duato              0 1 0
6 torus 4,4,4   1 4 12  4  64 vct      1 1 1 vc   duato              1 0 0
4 torus 8,8     1 5 14  4  64 vct      2 1 0 port duato              3 0 0
4 torus 5,4     2 2  6  3 128 vct      2 2 1 port direction_order    0 0 0
4 torus 3,3,3,3 1 3  6  2  64 vct      1 1 0 port duato              0 0 1
4 torus 9       1 1  4  1  64 vct      3 1 1 port dor                0 0 1
1 torus 5,5     1 1  4  2  64 vct      0 1 0 port dor_without_bubble 0 0 0
1 torus 8,8,8   4 4  8  4  64 vct      1 1 0 port duato              0 0 0
1 torus 8,8,8   1 5 10  3  64 vct      1 1 0 vc   duato              2 1 0
6 mesh  4,4     1 3  8  4  64 vct      0 1 0 port duato              0 1 1
4 mesh  8,8     1 3 10  3  64 vct      1 1 1 port dor                2 0 0
2 mesh  3,5,2   4 3  9  4  64 wormhole 1 2 0 vc   duato              0 0 0
2 mesh  6,6     1 3  8  2  64 vct      4 1 0 port duato              1 0 1
'

scenario() {
  echo "$shapes" | awk -v seed="$1" -v cycles="$cycles" -v queues="$queues" "$random"'
    NF == 17 { add_shape() }
    END {
      split(slot[seed % slots], f, " ")
      dimensions = split(f[3], size, ","); nodes = 1
      for (i = 1; i <= dimensions; i++) nodes *= size[i]
      terminals = nodes * f[4]
      x = (seed * 7919 + 54321) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      even = 0; for (i = terminals; i > 1 && i % 2 == 0; i /= 2) even++
      patterns = "uniform uniform uniform hot_spot"
      if (i == 1) patterns = patterns " complement shuffle" (even % 2 ? "" : " transpose transpose")
      pattern = pick(patterns)
      load = rnd(4) == 0 ? 1 : 0.02 + rnd(600) / 1000
      wanted = rnd(2) ? 0 : 1 + rnd(4)
      shape = slot[seed % slots]; sub(/^ *[0-9]+ +/, "", shape); gsub(/ +/, "-", shape)
      queued = queue(line[seed % slots], f[9] == "wormhole" ? 1 : f[6]); shape = shape queue_name(queued)
      printf "# torus_slow.sh %d 1: elaboration %s, entries of faults %d, may deadlock %d\n", seed, shape, wanted,
        (wanted > 0 || f[14] ~ /without/)
      printf "topology: {kind: %s, sizes: [%s], local_ports: %d, link_cycles: %d}\n", f[2], f[3], f[4], 1 + (rnd(2) ? 0 : rnd(3))
      printf "switch: {vcs: %d, depth_flits: %d, packet_flits: %d, flit_bits: %d, switching: %s, route_cycles: %d, alloc_cycles: %d, xbar_cycles: %d, crossbar: %s%s}\n",
        f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], queued
      printf "routing: {algorithm: %s", f[14]
      planned = f[15] || f[16] || f[17]
      if (planned) printf ", mechanisms: {intermediate: %d, deterministic: %s, misroute: %s}", f[15], f[16] ? "true" : "false", f[17] ? "true" : "false"
      print "}"
      printf "traffic: {pattern: %s, load_flits_per_cycle: %.3f, process: %s", pattern, load, rnd(2) ? "bernoulli" : "poisson"
      if (pattern == "hot_spot") printf ", hot_spot_fraction: %.2f, hot_spot_node: %d", rnd(60) / 100, rnd(terminals)
      print "}"
      early = planned && rnd(4) ? 1 + rnd(f[2] == "mesh" ? 3 : 8) : 0 # links, planned for
      if (dimensions == 1 && early > 1) early = 1 # a ring has few links: every entry must find one that is still whole
      if (wanted || early) print "faults:"
      if (early) printf "  - {at: 0, random_links: %d}\n", early
      for (i = 0; i < wanted; i++) {
        at = rnd(3) == 0 ? 0 : rnd(4500)
        printf "  - {at: %d, ", at
        if (rnd(3)) printf "until: %d, ", at + 1 + rnd(rnd(2) ? 40 : 1500)
        kind = rnd(10)
        if (kind < 5) printf "random_links: %d}\n", 1 + rnd(dimensions == 1 ? 1 : 3)
        else if (kind < 7) printf "switch: {level: 0, switch: %d}}\n", rnd(nodes)
        else if (kind < 8) print "random_switches: 1}"
        else printf "link: {level: 0, switch: %d, port: %d}}\n", rnd(nodes), 2 * dimensions + rnd(f[4]) # of a terminal
      }
      printf "run: {warmup_cycles: %d, measure_cycles: %d, drain: false, watchdog_cycles: 500, seed: %d}\n", rnd(1000), cycles, seed
    }'
}

campaign "$@"
