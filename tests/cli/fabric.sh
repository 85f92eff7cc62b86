#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prove --fabric: tables of a subnet manager in each spelling give the same verdict; pairs that are lost, loops and cycles
# are found, also while tables take the place of others; a cycle is replayed into a deadlock; what is wrong in a file is
# said with its place.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cp "$UTURN_ROOT"/scenarios/ring5* .
prove() { "$UTURN_BIN" prove --fabric "$@"; }
# verdict STATUS "KEY VALUE ..." ARGUMENTS...: what the JSON says; a key of an object is OBJECT.KEY
verdict() {
  local status=$1 i words
  read -r -d '' -a words <<<"$2" || true
  shift 2
  expect "$status" prove "$@" --json
  for ((i = 0; i < ${#words[@]}; i += 2)); do
    case ${words[i]} in
    *.*) sed -n "/^  \"${words[i]%.*}\"/,/^  }/p" out | grep -q "^    \"${words[i]#*.}\": ${words[i + 1]},\?$" ;;
    *) grep -q "^  \"${words[i]}\": ${words[i + 1]},\?$" out ;;
    esac || fail "$*: ${words[i]} is not ${words[i + 1]}: $(cat out)"
  done
}

# ---- one ring, tables of OpenSM's minhop: the verdict of two other checkers, in each spelling
ring="pairs 90 unreachable 0 looping 0 hops_sum 120 hops_max 2 vls 1 channels 10 dependencies 10 cycles 2 channels_in_cycles 10
  load_max 12"
verdict 4 "$ring" ring5.net --tables ring5.lfts
fdbs() { # HEADER: the same as opensm.fdbs
  awk -v header="$1" '/^Unicast/ {match($0, /0x[0-9a-f]+ \(/); print header substr($0, RSTART, RLENGTH - 2)
      print "LID    : Port : Hops : Optimal"}
    /^0x/ {print toupper($1) " : " $2 "  : 01   : yes"}' ring5.lfts | sed 's/^0X/0x/'
}
fdbs "dump_ucast_routes: Switch " >opensm.fdbs
fdbs "osm_ucast_mgr_dump_ucast_routes: Switch " >older.fdbs
grep -q '^0x000A : 00' opensm.fdbs || fail "no rows in opensm.fdbs"
sed 's/$/\r/' ring5.lfts >crlf.lfts
awk '/^0x/ {rows[++n] = $0; next} {while (n) print rows[n--]; print} END {while (n) print rows[n--]}' ring5.lfts >backwards.lfts
printf '\xef\xbb\xbf' | cat - ring5.lfts >mark.lfts
for tables in opensm.fdbs older.fdbs crlf.lfts backwards.lfts mark.lfts; do
  verdict 4 "$ring" ring5.net --tables $tables
done
verdict 4 "pairs 140" ring5.net --tables ring5.lfts --switches
expect 4 prove ring5.net --tables ring5.lfts
grep -q 'cycle of 5 channels' out && grep -q ' ring3 port 3 to ring4 port 4, VL 0: packet from' out || fail "$(cat out)"

# ---- lash: two layers.  Terminals of one switch may have different SLs
lash="--tables ring5_lash.lfts --sl ring5_lash.sl"
verdict 0 "vls 2 channels 20 dependencies 10 cycles 0" ring5.net $lash --sl2vl ring5_lash.sl2vl
verdict 4 "vls 1 cycles 2" ring5.net --tables ring5_lash.lfts
sed '1,4s/ 0$/ 2/' ring5_lash.sl >apart.sl
verdict 0 "vls 3 cycles 0" ring5.net --tables ring5_lash.lfts --sl apart.sl
sed 's/:.*/: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0/' ring5_lash.sl2vl >one.sl2vl
verdict 4 "vls 1 cycles 2" ring5.net $lash --sl2vl one.sl2vl
# packets from terminals (ports 1 and 2) are on VL 1, those that come from another switch on VL 0: nothing waits twice
sed 's/^\([12] *[34] *\):.*/\1: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1/; s/^\([034] *[0-9]* *\):.*/\1: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0/' \
  ring5_lash.sl2vl >ports.sl2vl
verdict 0 "vls 2 channels 20 dependencies 10 cycles 0" ring5.net $lash --sl2vl ports.sl2vl
sed 3d ring5_lash.sl >lacks.sl
reject "no SL from 'H0' to 'H3'|none is assumed" prove ring5.net --tables ring5_lash.lfts --sl lacks.sl
sed '/^3   1/d' ring5_lash.sl2vl >lacks.sl2vl
reject "no VLs of 'ring3' from port 3 to port 1" prove ring5.net $lash --sl2vl lacks.sl2vl
reject "no SL from 'H6' to 'ring3'" prove ring5.net $lash --switches

# ---- pairs that are lost, and loops
sed '/^Unicast.*ring0/,/lids dumped/s/^0x000a 003/0x000a UNREACHABLE/' ring5.lfts >lost.lfts
verdict 4 "unreachable 2 looping 0" ring5.net --tables lost.lfts
expect 4 prove ring5.net --tables lost.lfts
grep -q "^H0 to H4: ring0 has no way to it" out || fail "$(cat out)"
sed '/^Unicast.*ring0/,/lids dumped/s/^0x000a 003/0x000a 004/' ring5.lfts >turned.lfts
sed '/^Unicast.*ring4/,/lids dumped/s/^0x000a .../0x000a 003/' turned.lfts >loop.lfts
verdict 4 "unreachable 4 looping 4" ring5.net --tables loop.lfts
expect 4 prove ring5.net --tables loop.lfts
grep -q "goes round through ring[04] and does not arrive" out || fail "$(cat out)"

# ---- all packets one way round take the place of all the other way: pairs of different switches may loop
way() { awk -v port="$1" '/^0x/ && ($2 == "003" || $2 == "004") {$2 = port} {print}' ring5.lfts >"$2"; }
way 003 right.lfts
way 004 left.lfts
verdict 4 "transition.lost 0 transition.looping 80 transition.entries 40 transition.pairs 90" ring5.net --tables right.lfts \
  --from left.lfts
verdict 4 "transition.lost 0 transition.looping 0 transition.entries 0 transition.cycles 2" ring5.net --tables ring5.lfts \
  --from ring5.lfts
verdict 4 "compare.entries 40 compare.hops_max 4 compare.hops_sum 200" ring5.net --tables right.lfts --compare left.lfts
verdict 0 "vls 2 cycles 0 compare.vls 3 compare.cycles 0" ring5.net $lash --compare ring5_lash.lfts --compare-sl apart.sl
expect 4 prove ring5.net --tables right.lfts --from left.lfts
grep -q "^while they take the place of left.lfts: 40 entries change" out && grep -q ' old entry, next \(new\|old\)' out ||
  fail "$(cat out)"
# of a cable that is gone, in the network of now: old entries that lead there are no way
grep -v '^\[3\] *"S-0*200000"\|^\[4\] *"S-0*200004"' ring5.net |
  awk '/^Switch/ {sw = $0} !(sw ~ /ring0/ && /^\[4\]/) && !(sw ~ /ring4/ && /^\[3\]/)' >cut.net
cmp -s cut.net ring5.net && fail "no cable is cut"
awk '/^Unicast/ {match($0, /ring[0-9]/); own = substr($0, RSTART + 4, 1)}
  /^0x/ {match($0, /portguid 0x[0-9a-f]+/); lid = $1; at = -1
    if (/Switch/) {match($0, /ring[0-9]/); at = substr($0, RSTART + 4, 1)}
    else {match($0, /H[0-9]/); at = int(substr($0, RSTART + 1, 1) / 2)}
    if (at != own) $2 = at > own ? "003" : "004"}
  {print}' ring5.lfts >line.lfts
verdict 0 "unreachable 0 cycles 0" cut.net --tables line.lfts
reject "ring5.lfts:|has no cable" prove cut.net --tables ring5.lfts
expect 4 prove cut.net --tables line.lfts --from ring5.lfts
grep -q "ring[04] has no way to it\|goes round" out || fail "$(cat out)"

# ---- a cycle, cut out, dies; also a mixture of old and new entries
expect 4 prove ring5.net --tables ring5.lfts --replay cycle.yaml
grep -q 'cycle.yaml: cosim ends with a deadlock, exit status 4' err || fail "$(cat err)"
expect 4 "$UTURN_BIN" run cycle.yaml
[ -f cycle.net ] && [ -f cycle.csv ] && [ -f cycle.trace ] || fail "files of the replay: $(ls)"
verdict 4 "cycles 1 channels_in_cycles 5" cycle.net --tables cycle.csv
expect 4 prove ring5.net --tables right.lfts --from left.lfts --replay mixture.yaml
expect 4 "$UTURN_BIN" run mixture.yaml
expect 0 prove ring5.net $lash --replay none.yaml
{ grep -q 'none.yaml is not written' err && [ ! -e none.yaml ]; } || fail "$(cat err)"

# ---- any network: anynet, tables by names.  Faults: with tables of ours
printf 'router 0 node 0 node 1 router 1\nrouter 1 node 2\n' >two.anynet
printf 'switch,destination,port\nrouter0,node0,0\nrouter0,node1,1\nrouter0,node2,2\nrouter1,node0,1\nrouter1,node1,1\nrouter1,node2,0\n' >two.csv
verdict 0 "pairs 6 hops_sum 4 channels 2 dependencies 0" two.anynet --tables two.csv
expect 0 prove ring5.net --tables ring5.lfts --faults 0..1
grep -q 'connected   6 of 6' out && grep -q 'ring5.lfts is not used' err || fail "$(cat out err)"

# ---- what cannot be
reject "which tables|--faults" prove ring5.net
reject "--tables is for --fabric" "$UTURN_BIN" prove --tables ring5.lfts
reject "--sl2vl is for --sl" prove ring5.net --tables ring5.lfts --sl2vl ring5_lash.sl2vl
reject "no scenario" prove ring5.net --tables ring5.lfts demo.yaml
reject "not known" prove ring5.net --tables ring5.lfts --from ring5.lfts --faults 1
reject "none.net" prove none.net --tables ring5.lfts
reject "none.lfts" prove ring5.net --tables none.lfts
reject "this is a folder" prove ring5.net --tables .
: >empty
reject "empty" prove ring5.net --tables empty
head -c 3000 /dev/zero >zeros
reject "not a text file" prove ring5.net --tables zeros
reject "no SL-to-VL tables" prove ring5.net $lash --sl2vl empty
reject "no SL from" prove ring5.net --tables ring5.lfts --sl empty
printf '0x0000000000100001 5 16\n' >high.sl
reject "high.sl:1:22|an SL is 0..15" prove ring5.net --tables ring5.lfts --sl high.sl
printf 'Switch 0x0000000000200009, base LID 2, "x"\n0 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n' >strange.sl2vl
reject "strange.sl2vl:1:8|one fabric" prove ring5.net $lash --sl2vl strange.sl2vl
sed '0,/^0x0001 .../s//0x0001 255/' ring5.lfts >p255
reject "p255:2|port 255 is none" prove ring5.net --tables p255
sed '0,/^0x0005 .../s//0x0005 009/' ring5.lfts >p9
reject "p9:6|port 9 of 'ring0' has no cable" prove ring5.net --tables p9
sed '0,/^0x0001/s//0xC001/' ring5.lfts >high
reject "high:2:1|a LID is 0x1..0xbfff" prove ring5.net --tables high
