#!/bin/bash
# Random lockstep campaign over RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222: as campaign_slow.sh.
#
#   tests/fuzz/ruft_slow.sh [FIRST_SEED [COUNT]]
#
# Their channels form no cycle, whatever fails: nothing may deadlock.  Faults strike links between switches, links of
# terminals and whole switches; loads go beyond saturation, to one flit a cycle for each injection link.
set -eu
. "$(dirname "$0")/campaign.bash"
cycles=$((2500 * times))

# One line: share kind k n vcs depth packet flit_bits route_cycles alloc_cycles xbar_cycles crossbar parallel_links.  Of every
# sum(share) consecutive seeds, `share` use that line.  An FT-RUFT-212 has up to three elaborations; lines that differ in n
# alone share theirs.
shapes='
4 ruft        2 3 1  4  2  64 1 1 1 port -
4 ruft        4 3 2  3  1  64 0 2 0 vc   -
2 ruft        4 2 2  3  1  64 0 2 0 vc   -
2 ruft        8 2 1 32 16  64 4 1 1 port -
4 ruft_pl     2 3 1  6  2 128 0 1 0 port dynamic
4 ruft_pl     4 3 1 32 16  64 4 1 0 port static
2 ruft_pl     4 2 1 32 16  64 4 1 0 port static
4 ruft_pl     4 3 2  3  1  64 2 1 1 vc   dynamic
2 ruft_pl     4 2 2  3  1  64 2 1 1 vc   dynamic
4 ruft_pl     8 2 1  2  2  64 3 1 0 port dynamic
6 ft_ruft_212 2 3 1  4  2  64 1 2 0 port -
6 ft_ruft_212 4 3 1 32 16  64 4 1 1 port -
4 ft_ruft_212 4 2 1 32 16  64 4 1 1 port -
4 ft_ruft_212 8 2 1  3  1  64 0 1 0 port -
6 ft_ruft_222 2 3 1  6  2  64 0 1 0 port dynamic
6 ft_ruft_222 2 3 1  2  1 128 1 1 0 port static
2 ft_ruft_222 2 5 1  2  1 128 1 1 0 port static
6 ft_ruft_222 4 3 2 16 16  64 4 2 1 port dynamic
4 ft_ruft_222 4 2 2 16 16  64 4 2 1 port dynamic
4 ft_ruft_222 8 2 1  4  2  64 1 1 0 port dynamic
'

scenario() {
  echo "$shapes" | awk -v seed="$1" -v cycles="$cycles" -v queues="$queues" "$random"'
    NF == 13 { add_shape() }
    END {
      split(slot[seed % slots], f, " ")
      kind = f[2]; k = f[3]; levels = f[4]; terminals = k ^ levels; width = terminals / k
      ends = kind == "ruft" ? 1 : 2; links = kind == "ruft_pl" || kind ~ /222/ ? 2 : 1
      x = (seed * 7919 + 54321) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      pattern = pick("uniform uniform hot_spot complement shuffle")
      load = rnd(4) == 0 ? ends : 0.05 + rnd(2) * rnd(1000 * (ends - 0.05)) / 1000 + rnd(100) / 1000
      if (load > ends) load = ends
      wanted = rnd(4) ? 1 + rnd(5) : 0
      shape = slot[seed % slots]; sub(/^ *[0-9]+ +/, "", shape); gsub(/ +/, "-", shape)
      queued = queue(line[seed % slots], f[7]); shape = shape queue_name(queued)
      printf "# ruft_slow.sh %d 1: elaboration %s, entries of faults %d, may deadlock 0\n", seed, shape, wanted
      printf "topology: {kind: %s, k: %d, n: %d, link_cycles: %d", kind, k, levels, 1 + (rnd(2) ? 0 : rnd(3))
      if (rnd(2)) printf ", injection_cycles: %d", 1 + rnd(4)
      if (rnd(3)) printf ", ejection_cycles: %d", 1 + rnd(2 * levels)
      printf "}\nswitch: {vcs: %d, depth_flits: %d, packet_flits: %d, flit_bits: %d, route_cycles: %d, alloc_cycles: %d, xbar_cycles: %d, crossbar: %s%s}\n",
        f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], queued
      printf "routing: {algorithm: ruft, manager_delay_cycles: %d, manager_switch_cycles: %d", rnd(3) ? rnd(200) : 0, rnd(3) ? rnd(20) : 0
      if (f[13] != "-") printf ", parallel_links: %s", f[13]
      printf "}\ntraffic: {pattern: %s, load_flits_per_cycle: %.3f, process: %s", pattern, load, (load > f[7] || rnd(2)) ? "poisson" : "bernoulli"
      if (pattern == "hot_spot") printf ", hot_spot_fraction: %.2f, hot_spot_node: %d", rnd(60) / 100, rnd(terminals)
      print "}"
      if (wanted) print "faults:"
      for (i = 0; i < wanted; i++) {
        at = rnd(3) == 0 ? 0 : rnd(cycles - 100)
        printf "  - {at: %d, ", at
        if (rnd(3)) {
          last = 1 + rnd(rnd(2) ? 40 : 800)
          printf "until: %d, ", at + last
          if (rnd(4) == 0) printf "every: %d, times: %d, ", last + 1 + rnd(300), 2 + rnd(4)
        }
        what = rnd(12)
        if (what < 3) printf "random_links: %d}\n", 1 + rnd(2)
        else if (what < 5) printf "random_terminal_links: %d}\n", 1 + rnd(2)
        else if (what < 6) print "random_switches: 1}"
        else if (what < 8) printf "injection: {terminal: %d, link: %d}}\n", rnd(terminals), rnd(ends)
        else if (what < 9) printf "ejection: {terminal: %d, link: %d}}\n", rnd(terminals), rnd(ends)
        else if (what < 10) printf "switch: {level: %d, switch: %d}}\n", rnd(levels), rnd(width)
        else {
          level = rnd(levels)
          printf "link: {level: %d, switch: %d, port: %d}}\n", level, rnd(width), rnd(k * (level == levels - 1 ? ends : links))
        }
      }
      drain = load < 0.2 && rnd(2)
      printf "run: {warmup_cycles: %d, measure_cycles: %d, drain: %s, watchdog_cycles: 300, seed: %d}\n", rnd(1000), cycles, drain ? "true" : "false", seed
    }'
}

campaign "$@"
