#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Certificates: what prove writes is accepted by tools/check_certificate, which shares no code with it; forged ones are
# refused, each for its own reason; the answers in it are those of `uturn route`; what cannot be certified is said.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
check() { "$UTURN_ROOT/tools/check_certificate" "$@"; }
tree() { # K N ALGORITHM VCS
  printf 'topology: {kind: fat_tree, k: %s, n: %s}\nswitch: {vcs: %s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$1" "$2" "$4" "$3"
}
grid() { # KIND K N ALGORITHM VCS
  printf 'topology: {kind: %s, k: %s, n: %s}\nswitch: {vcs: %s, depth_flits: 8, packet_flits: 4}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' \
    "$1" "$2" "$3" "$5" "$4"
}
# certify NAME FAULTS...: NAME.cert is written and accepted
certify() {
  local name=$1
  shift
  expect 0 "$UTURN_BIN" prove "$name.yaml" "$@" --certificate "$name.cert"
  grep -q "fault sets with" err || fail "$name: says nothing of its certificate"
  expect 0 check "$name.cert"
  grep -q accepted out || fail "$name: $(cat out)"
}
# forge NAME "WORDS" SED-SCRIPT: a changed copy is refused, with these words
forged=0
forge() {
  local name=$1 words=$2
  sed "$3" "$name.cert" >forged.cert
  ! cmp -s "$name.cert" forged.cert || fail "$name: '$3' changes nothing"
  expect 1 check forged.cert
  { [ ! -s out ] && grep -q "refused: .*$words" err; } || fail "$name: '$3': expected '$words': $(cat err)"
  forged=$((forged + 1))
}

# ---- what holds is accepted
tree 2 3 reroute_adaptive_link 1 >link.yaml
tree 3 2 reroute_adaptive_link 1 >three.yaml
tree 3 2 reroute_det_switch 3 >switch.yaml
tree 3 2 reroute_adaptive_switch 1 >both.yaml
tree 3 2 misroute_header 1 >header.yaml
tree 2 3 table_reroute_det_link 2 | sed 's/algorithm:/tables: static, algorithm:/' >table.yaml
grid torus 4 2 duato 2 >torus.yaml
grid torus 5 1 dor 1 >ring.yaml
grid mesh 4 2 duato 2 >mesh.yaml
grid mesh 4 2 dor 1 | sed 's/vcs/switching: wormhole, vcs/' >worm.yaml
printf 'topology: {kind: hypercube, n: 3}\nrouting: {algorithm: ecube}\ntraffic: {load_flits_per_cycle: 0.1}\n' >cube.yaml
certify link --faults 0..1
grep -q ' 17 fault sets' out || fail "$(cat out)"
certify three --faults 0..2
certify switch --faults 0..2 --switch-faults 0..2 --total 0..2
grep -q ' 79 fault sets' out || fail "$(cat out)"
certify both --faults 0..2 --switch-faults 0..2 --total 0..2
for name in header table torus ring mesh worm cube; do
  case $name in header) certify $name --faults 0..2 ;; table) certify $name --faults 0..1 ;; *) certify $name ;; esac
done

# ---- graphs, whose tables are planned for the fault set
for kind in 'dragonfly, routers: 2, local_ports: 1, global_links: 1' 'xgft, down: [2, 3], up: [1, 2], cables: [1, 2]'; do
  for algorithm in table forwarding; do
    printf 'topology: {kind: %s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$kind" $algorithm >graph.yaml
    certify graph
    case $kind in dragonfly*) certify graph --fault 'link g0.r0-g0.r1' ;; *) certify graph --fault 'link s0.0-s1.0, port 2' ;; esac
  done
done
reject "--certificate|one set at a time" "$UTURN_BIN" prove graph.yaml --faults 1 --certificate x.cert
forge graph 'does not work\|discards\|no link between' '0,/^cable /{/^cable /d}'
forge graph 'of 6 terminals have a cable' '/^terminal 5/d'
forge graph 'terminal 2 comes next' '/^terminal 2/d'
forge graph 'has a cable already' '0,/^cable /s/^cable .*/&\n&/'
forge graph 'not to its own' 's/^terminal 0 \(.*\)/terminal 0 X\1/; s/^terminal 1 \(.*\)/terminal 1 Y\1/; s/X4 0/4 1/; s/Y4 1/4 0/; s/X2 0/2 1/; s/Y2 1/2 0/; s/X0 0/0 1/; s/Y0 1/0 0/'

# ---- its answers are those that route prints, also with faults
tree 2 3 reroute_adaptive_link 1 >one.yaml
echo 'faults: [{link: {level: 0, switch: 0, port: 2}, at: 0}]' >>one.yaml
certify one
for name in one torus ring mesh; do
  "$UTURN_BIN" route $name.yaml --all --json >answers
  compared=$(python3 "$UTURN_ROOT/tests/cli/certificate_table.py" $name.cert answers) || fail "$name: table and route differ"
  [ "$compared" -ge 10 ] || fail "$name: only $compared answers"
done

# ---- forged: walks
forge link 'is on its way after 5 hops' 's/^hops 6/hops 5/'
forge link 'discards a packet' '0,/^to /s/^\(to [^ ]*\) [^ ]*/\1 -/'
forge link 'no answer for some destination' '0,/^to /{/^to /d}'
forge link 'not to its own' '/^to/s/ 0\.0 / 1.0 /'
forge link 'does not work' 's/^view 0 b 0 0/view 0 X/; s/^view 0 7 0 0/view 0 b 0 0/; s/^view 0 X/view 0 7 0 0/'
forge link 'what does switch' 's/^view 0 b 0 0/view 0 3 0 0/'
forge link 'there before' 's/^view 0 b 0 0/view 0 f 0 0/'
forge three 'is on its way after' '/^to/s/ [0-9a-f]* 0$/ 0 0/' # packets forget where they turned back
forge header 'is on its way after\|what does switch' '/^to/s/ [0-9]*$/ 0/'
forge torus 'is on its way after' 's/^hops 4/hops 3/'
# ---- ranks
forge link 'no candidate has a higher rank' '/^rank /s/ [0-9]\+/ 1/2g'
forge link 'no candidate has a higher rank' '/^use /s/ [0-9]*/ 0/'
forge worm 'not every candidate has a higher rank' '/^rank /s/ [0-9]\+/ 1/2g'
forge torus 'no candidate has a higher rank\|no ring of one rank' '0,/^rank 5/{/^rank 5/s/ [0-9]\+/ 0/2g}'
forge ring 'no ring of one rank\|higher rank' '/^rank 3/s/ [0-9]\+/ 7/3'
forge torus 'entered without space' '/^to/s/\*//g'
forge ring 'entered without space' '/^to/s/\*//g'
forge ring 'buffers of two packets\|higher rank' 's/^buffer .*/buffer 1/'
forge mesh 'higher rank' '/^rank 5 /s/ [0-9]\+/ 9/3g'
forge torus 'not every' 's/^rise some/rise every/'
# ---- fault sets
forge link 'no ranks for this fault set' '/^use /d'
forge link 'ranks for 117 fault sets, there are 17' 's/^end/use 0 100\nend/'
forge link 'ranks for 17 fault sets, there are 1$' '/^all 1 0/d'
forge link 'what does switch\|no ranks for' 's/^all 1 0/all 2 0/'
forge one 'what does switch' '/^link /d'
forge one 'no link between switches' 's/^link .*/link 0 0/'
# ---- networks, and what is no certificate
forge link 'other numbers of parts' 's/^network .*/network 2-ary 2-tree/'
forge link 'is not known' 's/^network .*/network 2-ary 3-trees/'
forge link 'is not known' 's/^network .*/&, and all others/'
forge link 'whole packets' 's/^buffer .*/buffer 0/'
forge torus 'what does switch' 's/^network .*/network 4x4 mesh/'
forge link 'no number up to' 's/^start .*/start 2/'
forge link 'packets start' 's/^start .*/start 0/'
forge link 'have answered\|has answered' '0,/^at /s/^at .*/&\n&/'
forge link 'two answers' '0,/^to /s/^to .*/&\n&/'
forge link 'has no end' '/^end/d'
forge link 'behind the end' '$s/$/\nall 0 0/'
forge link 'is missing' '/^buffer/d'
forge link 'is not expected here' 's/^rank 0/frank 0/'
forge link 'no certificate' '1d'
forge link 'x1b\[2K.*x0d.*is not expected here' "5s/^/\x1b[2K\r\x9b/" # a terminal is told nothing else
if grep -q "$(printf '\033')" err; then fail "a control character: $(cat -v err)"; fi
cp forged.cert "$(printf 'f\033[2K\302\233.cert')"
expect 1 check "$(printf 'f\033[2K\302\233.cert')"
expect 2 check "$(printf 'nothing\033[2K.cert')"
if LC_ALL=C grep -q "$(printf '\033\|\302\233')" err; then fail "a control character of a name: $(cat -v err)"; fi
head -c 3000 link.cert >forged.cert
expect 1 check forged.cert
expect 2 check nothing.cert
# ---- what is no file, and nowhere to answer to
mkfifo pipe
for name in pipe . /dev/zero /dev/null; do
  expect 2 timeout 20 "$UTURN_ROOT/tools/check_certificate" $name
  grep -q "^$name: cannot be read" err || fail "$name: $(cat err)"
done
for to in /dev/full '&-'; do
  status=0
  eval "check link.cert >$to" 2>err || status=$?
  [ $status = 2 ] && grep -q 'accepted, but that cannot be written' err || fail "the answer goes to $to: status $status, $(cat err)"
done

# ---- what cannot be certified
tree 2 3 fta 1 >fta.yaml
expect 4 "$UTURN_BIN" prove fta.yaml --faults 1 --certificate fta.cert
grep -q 'fta.cert is not written' err || fail "$(cat err)"
[ ! -e fta.cert ] || fail "a certificate of what does not hold"
reject "certificate|only some|exhaustive" "$UTURN_BIN" prove link.yaml --faults 0..2 --samples 5 --certificate x.cert
reject "x/x.cert" "$UTURN_BIN" prove link.yaml --faults 0..1 --certificate x/x.cert
sed 's/algorithm:/reroute_clear: timer, algorithm:/' link.yaml >timer.yaml
reject "certificate|reroute_clear: repair" "$UTURN_BIN" prove timer.yaml --faults 0..1 --certificate x.cert
printf 'topology: {kind: ruft, k: 2, n: 3}\nrouting: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n' >ruft.yaml
reject "certificate|one direction" "$UTURN_BIN" prove ruft.yaml --certificate x.cert
[ ! -e x.cert ] || fail "a certificate of what has none"
echo "certificates of 12 networks accepted; $forged forged ones refused"
