#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Theorems for every k and n: what prove --parametric writes is accepted by tools/check_theorems.c, which shares no code
# with it; changed certificates are refused, each for its own reason; the papers' literal text has counter-examples.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
check() { "$UTURN_ROOT/tools/check_certificate" "$@"; }
forge() { # NAME "WORDS" SED-SCRIPT: a changed copy is refused, with these words
  sed "$3" "$1.cert" >forged.cert
  ! cmp -s "$1.cert" forged.cert || fail "$1: '$3' changes nothing"
  expect 1 check forged.cert
  grep -q "refused: .*$2" err || fail "$1: '$3': expected '$2': $(cat err)"
}

# ---- proven, and accepted by the checker
for algorithm in reroute_det_link reroute_det_switch reroute_adaptive_link reroute_adaptive_switch misroute_header \
  reroute_det_link_one_fault reroute_adaptive_link_one_fault detour detour_reserved; do
  count=2
  case $algorithm in *_one_fault) count=1 ;; esac
  expect 0 "$UTURN_BIN" prove --parametric $algorithm --certificate $algorithm.cert
  [ "$(grep -c ': proven: ' out)" = $count ] || fail "$algorithm: $(cat out)"
  expect 0 check $algorithm.cert
  grep -q "accepted: $count theorem" out || fail "$algorithm: $(cat out)"
done
grep -q 'theorems about detour_reserved' out || fail "$(cat out)"
expect 0 "$UTURN_BIN" prove --parametric detour
grep -q '^detour, for all hypercubes with n from 2 on$' out || fail "$(cat out)"
expect 0 "$UTURN_BIN" prove --parametric reroute_det_link --json
[ "$(jq -c '[.theorems[] | [.theorem, .proven, .hops, .failing]]' out)" = \
  '[["REROUTE theorem 1",true,7,null],["REROUTE lemma 6",true,0,null]]' ] || fail "JSON: $(cat out)"

# ---- the papers' text where it is wrong, and one fault too many: a counter-example, no certificate
literal() { # ALGORITHM "WORDS"...
  local algorithm=$1 words
  shift
  expect 4 "$UTURN_BIN" prove --parametric "$algorithm" --certificate literal.cert
  [ ! -e literal.cert ] || fail "$algorithm: a certificate is written"
  ! grep -q ': proven: ' out || fail "$algorithm: something is proven: $(cat out)"
  for words; do grep -q "$words" out || fail "$algorithm: expected '$words': $(cat out)"; done
}
literal reroute_det_link_literal 'fails: next_uturn, with k = 2, n = 2, s = 0, i = 0, j = 0' 'fails: known_after_step_2b, with .* a = 1,'
literal reroute_det_switch_literal 'fails: step_4a, with k = 2, n = 3, s = 0, i = 0'
literal reroute_adaptive_link_literal 'fails: uturn, with' 'fails: uturn_has_a_port, with k = 2,' 'fails: uturn_in_plane, with' \
  'fails: some_plane_has_no_fault, with k = 2, n = 2, d = 2'
literal reroute_one_fault_literal 'fails: uturn_back, with k = 2, n = 2, t = 0' 'fails: uturn_out, with k = 2, n = 2, t = 0'
literal detour_literal 'fails: through_unsafe_node, with n = 2, m = 0' 'fails: into_unsafe_node, with n = 2, r = 2' \
  'fails: unsafe_node_has_safe_neighbour, with n = 2, s = 2' 'fails: half_of_n_faults_and_one, with n = 2, c = 1, g = 2, s = 2'

# ---- changed certificates
forge reroute_det_link 'kind nl_down: the rank is not shown to be at most' 's/^rank n-1+s\*(2\*k+1)$/rank n-1+s*2*k/'
forge reroute_det_link 'hop leave: the rank is not shown to rise' 's/^hop leave ml_down(s, i) -> nl_down(s+1)/hop leave ml_down(s, i) -> nl_down(s)/'
forge reroute_det_link 'hop next_uturn: the rank is not shown' '/^hop next_uturn/,/^by/s/^when j-i-1/when j-i/'
forge reroute_det_link 'hop back_down: ' 's/^hop back_down ml_up(s, i) -> ml_down(s, i)/hop back_down ml_down(s, i) -> ml_up(s, i)/'
forge reroute_det_link 'kind nl_up: the rank is not shown to be at most n-4' '/^most/s/-2/-4/'
forge reroute_det_link "there is no kind 'ml'" 's/-> ml_up(s, i)/-> ml(s, i)/'
forge reroute_det_link "kind 'ml_up' has 2 parameters" 's/-> ml_up(s, i)/-> ml_up(s)/'
forge reroute_det_link "'f' is not known here" 's/^rank n-2-s/rank f-2-s/'
forge reroute_det_link '#99: there are' 's/ #2, 2 #1 #2/ #99, 2 #1 #2/'
forge reroute_det_link 'no positive number' 's/^by 1: 2 #7/by 1: -2 #7/'
forge reroute_det_link 'hop nl_down: the rank' 's/^by 1: 2 #1, 4/by 1: 2 #1, 3/'
forge reroute_det_link 'no proof' 's/^by 1: 2 #7/by 0: 2 #7/'
forge reroute_det_link "no proof" '/^by/d'
forge reroute_det_link "is not known here" '/^end/d'
forge reroute_det_link 'claim some_up_port_works is not shown' 's/^shows k-d-1/shows k-d-2/'
forge reroute_adaptive_link 'kind astray: the rank is not shown to be at most' 's/^rank -t-1/rank -t/'
forge reroute_adaptive_link "'hop leave .*' is no proof" 's/back_up(t, c+1)/back_up(t, c)/'
forge reroute_adaptive_link "kind 'down' has 3 ranks" '0,/^rank -n/{/^rank -n/d}'
forge misroute_header "a second kind 'climb'" 's/^kind down t/kind climb t/'
forge reroute_det_link_one_fault 'hop uturn: the rank is not shown' 's/down_in(t) -> up_out(t)/down_out(t) -> up_in(t)/'
forge detour 'hop detour_on: the rank is not shown' 's/^when e-d-1/when e-d/'
forge detour 'kind first: the rank is not shown to be at most' '/^kind first/,/^kind enter/s/^rank n$/rank n+1/'
forge detour "kind 'leave' has 0 parameters" 's/leave() -> first(j)/leave(n) -> first(j)/'
forge detour "kind 'first' has 1 parameters" 's/leave() -> first(j)/leave() -> first()/'
forge detour 'claim half_of_n_faults_n_even is not shown' 's/^when c-g$/when c+1-g/'
printf 'uturn theorems 1\nalgorithm a\n' >forged.cert
expect 1 check forged.cert
grep -q 'there is no theorem' err || fail "$(cat err)"

# ---- what cannot be asked
reject 'no theorem|reroute_det_link' "$UTURN_BIN" prove --parametric nothing --certificate nothing.cert
[ ! -e nothing.cert ] || fail "a certificate of nothing"
reject 'every k and n|--certificate' "$UTURN_BIN" prove --parametric reroute_det_link --faults 1
reject 'every k and n' "$UTURN_BIN" prove "$UTURN_ROOT/scenarios/demo.yaml" --parametric reroute_det_link
reject 'which scenario' "$UTURN_BIN" prove
