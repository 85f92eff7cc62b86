#!/bin/bash
# Random lockstep campaign: every seed is one scenario of 5,000 cycles, drawn over shapes, networks, traffic and faults.
#
#   tests/fuzz/campaign_slow.sh [FIRST_SEED [COUNT]]
#
# The same seed is the same scenario on every machine.  A scenario may deadlock beyond k-1 faults, with wormhole
# switching and with too few VCs.
set -eu
. "$(dirname "$0")/campaign.bash"
cycles=$((5000 * times))

# One elaboration a line: share k vcs depth packet flit_bits switching route_cycles alloc_cycles xbar_cycles crossbar algorithm.
# Of every sum(share) consecutive seeds, `share` use that line.  The size of forwarding tables is part of the elaboration:
# ALGORITHM:TERMINALS.
shapes='
4 2 1 4 2  64 vct      0 1 0 port reroute_adaptive_link
3 2 3 9 4  64 wormhole 2 2 0 vc   reroute_adaptive_link
2 2 1 1 1 128 wormhole 1 1 1 port reroute_adaptive_link
3 3 1 4 2  64 vct      1 1 0 port reroute_adaptive_link
2 3 2 5 3 128 vct      3 2 0 port reroute_adaptive_link
3 4 1 4 2  64 vct      0 1 1 port reroute_adaptive_link
2 4 2 6 3  64 vct      2 1 0 vc   reroute_adaptive_link
1 8 1 4 2  64 vct      0 1 0 port reroute_adaptive_link
1 16 1 4 2 64 vct      0 1 0 port reroute_adaptive_link
2 2 4 2 2  64 vct      4 1 1 port fta
1 5 2 3 2  64 wormhole 3 1 0 port fta
2 2 2 3 3  64 wormhole 0 1 0 port destro
2 3 2 4 4  64 vct      1 1 0 vc   destro
4 2 2 4 2  64 vct      1 1 1 port reroute_det_link
3 3 3 5 2 128 vct      0 2 0 port reroute_det_link
2 3 1 4 2  64 vct      1 1 0 port reroute_det_link
3 4 2 4 2  64 vct      0 1 1 port reroute_det_link
2 5 2 3 1  64 wormhole 3 1 0 vc   reroute_det_link
4 2 3 4 2  64 vct      0 1 1 port reroute_det_switch
3 3 3 4 3  64 vct      1 1 0 vc   reroute_det_switch
3 3 4 4 2 128 vct      2 2 0 port reroute_det_switch
3 4 3 4 2  64 vct      1 1 1 port reroute_det_switch
4 2 1 4 2  64 vct      0 1 0 port reroute_adaptive_switch
3 3 1 4 2  64 vct      1 1 1 port reroute_adaptive_switch
3 3 2 6 3 128 wormhole 3 2 0 vc   reroute_adaptive_switch
3 4 1 4 2  64 vct      0 1 0 port reroute_adaptive_switch
1 8 1 3 3  64 vct      2 1 1 port reroute_adaptive_switch
3 2 1 4 2  64 vct      0 1 0 port misroute_header
3 3 1 5 3  64 vct      2 1 0 port misroute_header
3 4 2 4 2 128 vct      1 2 1 vc   misroute_header
1 16 1 4 2 64 vct      0 1 0 port misroute_header
3 2 1 4 2  64 vct      0 1 0 port table:8
2 3 2 5 3 128 vct      2 2 0 vc   table:27
3 4 2 4 2  64 vct      0 1 1 port table_reroute_det_link:64
3 3 3 4 2  64 wormhole 1 1 0 port table_reroute_det_link:9
'

# scenario SEED: writes the YAML; its first line is a comment with the elaboration and the most faults at a time.
scenario() {
  echo "$shapes" | awk -v seed="$1" -v cycles="$cycles" -v queues="$queues" "$random"'
    function place(l, p, s) {
      l = rnd(n); s = rnd(width)
      # a leaf switch that fails takes its terminals with it; one below the roots takes k links down, which counts as k
      # faults where the algorithm is for link faults
      if (rnd(100) < 45 + 10 * (n == 1)) { faulty = l == n - 1 || (l > 0 && for_switches) ? 1 : k; return sprintf("switch: {level: %d, switch: %d}", l, s) }
      faulty = 1
      p = rnd(l == n - 1 ? k : 2 * k)
      return sprintf("link: {level: %d, switch: %d, port: %d}", l, s, p)
    }
    NF == 12 { add_shape() }
    END {
      split(slot[seed % slots], f, " ")
      tables = split(f[12], table, ":") == 2; f[12] = table[1]
      k = f[2]; wormhole = f[7] == "wormhole"; for_switches = f[12] ~ /_switch$/
      one_layer = f[12] ~ /reroute_det_link$/ && f[3] == 1
      x = (seed * 7919 + 12345) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      n = pick(k == 2 ? "1 2 3 3 4 4 5" : k == 3 ? "2 2 3 3 3" : k == 4 ? "1 2 2 3 3" : "1 2 2")
      if (tables) { n = 0; for (i = 1; i < table[2]; i *= k) n++ }
      width = 1; for (i = 1; i < n; i++) width *= k
      terminals = width * k
      even = 0; for (i = terminals; i > 1 && i % 2 == 0; i /= 2) even++
      patterns = "uniform uniform uniform hot_spot"
      if (i == 1) patterns = patterns " complement shuffle" (even % 2 ? "" : " transpose transpose")
      pattern = pick(patterns)
      load = rnd(5) == 0 ? 1 : rnd(2) ? 0.02 + rnd(200) / 1000 : 0.02 + rnd(980) / 1000
      if (k == 16) load = 0.02 + rnd(80) / 1000

      # faults
      wanted = rnd(5) == 0 ? 0 : rnd(6); count = 0
      for (i = 0; i < wanted; i++) {
        weight[i] = 1
        if (i > 0 && rnd(4) == 0) { what[i] = what[i-1]; weight[i] = weight[i-1]; at[i] = at[i-1] + rnd(600) } # again, or overlapping
        else {
          at[i] = rnd(5) == 0 ? rnd(30) : rnd(4500)
          kind = (n - 1) * terminals < 32 ? 9 : rnd(10) # random ones need a choice
          if (kind < 3) { weight[i] = 1 + rnd(k); what[i] = "random_links: " weight[i] }
          else if (kind == 3) { r = 1 + rnd(2); what[i] = "random_switches: " r; weight[i] = n == 2 || for_switches ? r : r * k }
          else { what[i] = place(); weight[i] = faulty }
        }
        r = rnd(10)
        until[i] = r < 3 ? 1e9 : r < 5 ? at[i] + 1 : r < 7 ? at[i] + 2 + rnd(40) : at[i] + 1 + rnd(1500)
      }
      most = 0
      for (i = 0; i < wanted; i++) {
        now = 0
        for (j = 0; j < wanted; j++) if (at[j] <= at[i] && until[j] > at[i]) now += weight[j]
        if (now > most) most = now
      }
      shape = slot[seed % slots]; sub(/^ *[0-9]+ +/, "", shape); gsub(/ +/, "-", shape)
      queued = queue(line[seed % slots], wormhole ? 1 : f[5]); shape = shape queue_name(queued)
      printf "# campaign_slow.sh %d 1: elaboration %s, faults at a time %d, may deadlock %d\n", seed, shape, most, (most >= k || wormhole || one_layer)
      printf "topology: {kind: fat_tree, k: %d, n: %d, link_cycles: %d}\n", k, n, 1 + (rnd(2) ? 0 : rnd(3))
      printf "switch: {vcs: %d, depth_flits: %d, packet_flits: %d, flit_bits: %d, switching: %s, route_cycles: %d, alloc_cycles: %d, xbar_cycles: %d, crossbar: %s%s}\n",
        f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], queued
      printf "routing: {algorithm: %s, reroute_timeout_cycles: %d, reroute_clear: %s", f[12], rnd(4) == 0 ? 0 : rnd(201), rnd(2) ? "timer" : "repair"
      if (tables && rnd(5) == 0) printf ", tables: static"
      else if (tables) printf ", manager_delay_cycles: %d, manager_switch_cycles: %d", rnd(300), rnd(60)
      print "}"
      printf "traffic: {pattern: %s, load_flits_per_cycle: %.3f, process: %s", pattern, load, rnd(2) ? "bernoulli" : "poisson"
      if (pattern == "hot_spot") printf ", hot_spot_fraction: %.2f, hot_spot_node: %d", rnd(60) / 100, rnd(terminals)
      print "}"
      if (wanted) print "faults:"
      for (i = 0; i < wanted; i++) {
        printf "  - {at: %d, ", at[i]
        if (until[i] < 1e9) printf "until: %d, ", until[i]
        print what[i] "}"
      }
      printf "run: {warmup_cycles: %d, measure_cycles: %d, drain: false, watchdog_cycles: 500, seed: %d}\n", rnd(1000), cycles, seed
    }'
}

campaign "$@"
