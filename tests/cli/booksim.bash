# SPDX-License-Identifier: Apache-2.0
# booksim.bash - a stand-in for BookSim 2, for scripts of commands: behind expect.bash.  Makes small.yaml, and
# book/booksim, which does that: two packets are told of, every load is carried with 20 cycles; all that it was told is kept.
cat >small.yaml <<'S'
topology: {kind: mesh, k: 2, n: 1, link_cycles: 2}
switch: {vcs: 2, depth_flits: 8, packet_flits: 3, switching: wormhole, route_cycles: 1, alloc_cycles: 2}
routing: {algorithm: dor}
traffic: {pattern: complement, load_flits_per_cycle: 0.1}
run: {measure_cycles: 500}
S
mkdir book
cat >book/booksim <<'B'
#!/bin/sh
here=$(dirname "$0")
cp "$1" "$here/configuration"
echo "$*" >>"$here/told"
for word; do
  case $word in
  injection_rate=*) rate=${word#*=} ;;
  watch_file=*) sed -n 1,3p "${word#*=}" >"$here/watched"; watch=1 ;;
  esac
done
if [ "${watch-}" ]; then
  echo "45 | node1 | Retiring packet 0 (plat = 19, nlat = 19, frag = 0, src = 0, dest = 1)."
  echo "85 | node1 | Retiring packet 1 (plat = 14, nlat = 14, frag = 0, src = 0, dest = 1)."
  echo "98 | node0 | Retiring packet 2 (plat = 15, nlat = 15, frag = 0, src = 1, dest = 0)."
  echo "99 | node0 | Retiring packet 3 (plat = 9, nlat = 9, frag = 0, src = 0, dest = 0)."
fi
echo "Packet latency average = 20 (1 samples)"
echo "Accepted flit rate average = $rate (1 samples)"
exit 255
B
chmod +x book/booksim
