# threads.scenarios.bash - for scripts about threads: writes scenarios of every family into a folder, all of them with
# faults while they run, with more terminals than one word of a bitmap has bits where the family is fast enough.
# Usage: write_scenarios FOLDER
write_scenarios() {
  local folder=$1 name text script
  while IFS='|' read -r name text; do
    printf '%b\n' "$text" >"$folder/$name.yaml"
  done <<'LIST'
fat_tree|topology: {kind: fat_tree, k: 4, n: 4, link_cycles: 2}\nrouting: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 300, reroute_clear: repair}\nswitch: {vcs: 1, depth_flits: 4, packet_flits: 2}\ntraffic: {load_flits_per_cycle: 0.4}\nfaults:\n  - {at: 200, link: {level: 1, switch: 5, port: 2}}\n  - {at: 300, until: 700, switch: {level: 2, switch: 9}}\n  - {at: 400, until: 800, link: {level: 0, switch: 3, port: 1}}\n  - {at: 500, random_links: 3}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
switches|topology: {kind: fat_tree, k: 4, n: 3}\nrouting: {algorithm: reroute_adaptive_switch}\nswitch: {vcs: 2, depth_flits: 6}\ntraffic: {load_flits_per_cycle: 0.4}\nfaults:\n  - {at: 300, until: 700, switch: {level: 1, switch: 5}}\n  - {at: 400, switch: {level: 2, switch: 9}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
table|topology: {kind: fat_tree, k: 4, n: 4}\nrouting: {algorithm: table, tables: reconfigured, manager_delay_cycles: 50, manager_switch_cycles: 3}\nswitch: {vcs: 1, depth_flits: 4, packet_flits: 4}\ntraffic: {load_flits_per_cycle: 0.3}\nfaults:\n  - {at: 200, until: 600, switch: {level: 2, switch: 9}}\n  - {at: 300, link: {level: 1, switch: 5, port: 6}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
torus|topology: {kind: torus, k: 6, n: 3}\nrouting: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}\nswitch: {vcs: 5, depth_flits: 10, packet_flits: 4, route_cycles: 1, crossbar: vc}\ntraffic: {load_flits_per_cycle: 0.4}\nfaults:\n  - {at: 0, random_links: 9}\nrun: {warmup_cycles: 100, measure_cycles: 700}
mesh|topology: {kind: mesh, sizes: [12, 12], terminal_links: 2}\nrouting: {algorithm: duato}\nswitch: {vcs: 3, depth_flits: 150, packet_flits: 8, flit_bits: 128}\ntraffic: {load_flits_per_cycle: 0.3}\nfaults:\n  - {at: 100, until: 600, link: {level: 0, switch: 17, port: 1}}\n  - {at: 300, until: 800, injection: {terminal: 40, link: 1}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
detour|topology: {kind: mesh, sizes: [9, 9], link_cycles: 2}\nrouting: {algorithm: detour, patience_cycles: 200}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole}\ntraffic: {load_flits_per_cycle: 0.3}\nfaults:\n  - {at: 200, switch: {level: 0, switch: 30}}\n  - {at: 400, until: 900, switch: {level: 0, switch: 50}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
hypercube|topology: {kind: hypercube, n: 7}\nrouting: {algorithm: detour, patience_cycles: 200}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 6, switching: wormhole}\ntraffic: {load_flits_per_cycle: 0.3}\nfaults:\n  - {at: 200, switch: {level: 0, switch: 30}}\n  - {at: 400, until: 900, switch: {level: 0, switch: 99}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
ruft|topology: {kind: ruft, k: 4, n: 4, link_cycles: 3, ejection_cycles: 5}\nrouting: {algorithm: ruft, manager_delay_cycles: 50, manager_switch_cycles: 2}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 4}\ntraffic: {load_flits_per_cycle: 0.4}\nfaults:\n  - {at: 300, until: 700, link: {level: 1, switch: 3, port: 1}}\n  - {at: 400, until: 800, injection: {terminal: 9, link: 0}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
ft_ruft|topology: {kind: ft_ruft_212, k: 4, n: 4, injection_cycles: 1, ejection_cycles: 4}\nrouting: {algorithm: ruft, manager_delay_cycles: 50, manager_switch_cycles: 2}\nswitch: {vcs: 1, depth_flits: 8, packet_flits: 4, route_cycles: 1}\ntraffic: {load_flits_per_cycle: 0.4}\nfaults:\n  - {at: 200, link: {level: 0, switch: 3, port: 1}}\n  - {at: 400, until: 900, ejection: {terminal: 40, link: 1}}\n  - {at: 500, until: 900, switch: {level: 1, switch: 6}}\nrun: {warmup_cycles: 100, measure_cycles: 1100}
LIST
  for script in campaign torus detour ruft; do # and of the random campaigns, for their parameters
    "$UTURN_ROOT/tests/fuzz/${script}_slow.sh" --print 5 >"$folder/${script}_5.yaml"
  done
}
