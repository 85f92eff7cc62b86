#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Long commands say how far they are and what is left: where no terminal watches in a line every ten seconds, with --quiet not at all.
# The clock runs 200 times as fast here.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
hostile fast_clock
scenarios
sed "s|k: 2|k: 4|; s|faults:.*|run: {seed: 1}|; /- {at/d; /^run: {w/d" brief.yaml >tree.yaml
left=', [0-9.]+ (s|min|h) left'
# says LINE COMMAND...: at least two lines of standard error are LINE, behind "uturn: "; the others too, or those of a drain or a build
says() {
  local line=$1 lines
  shift
  expect 0 env LD_PRELOAD="$work/fast_clock.so" timeout 60 "$@"
  lines=$(grep -cE "^uturn: +($line)$" err) || :
  [ "$lines" -ge 2 ] && [ "$lines" -le 100 ] && ! grep -qvE "^uturn: +($line|100 %  cycle .*|switch model .*)$" err ||
    fail "$*: $lines lines, expected some that are '$line': $(head -c 1000 err)"
  ! grep -q "$(printf '\r')" err || fail "$*: moves the cursor in a pipe"
}
cycles="[0-9]+ %  cycle [0-9]+ of [0-9]+, [0-9]+ cycles/s$left"
says "$cycles" "$UTURN_BIN" run good.yaml --cycles 120000
! grep -q '%  cycle' out || fail "progress on standard output"
expect 0 "$UTURN_BIN" cosim good.yaml --cycles 10 # its model is there then
says "$cycles" "$UTURN_BIN" cosim good.yaml --cycles 20000
says "[0-9]+ %  [0-9]+ of [0-9]+ fault sets, [0-9.]+ a second$left" "$UTURN_BIN" prove tree.yaml --faults 0..2 --samples 2000 --workers 1
says "scenario [12] of 2: +($cycles|switch model .*)" "$UTURN_BIN" coverage good.yaml good.yaml --cycles 6000
! grep -q 'scenario 3' err && grep -q 'scenario 2 of 2' err || fail "coverage does not say of which scenario: $(cat err)"
sed -i 's/repeat: 2/repeat: 12/' sweep.yaml
says "[0-9]+ %  [0-9]+ of 24 runs, [0-9]+ running($left)?" "$UTURN_BIN" sweep sweep.yaml --jobs 1

# validate: our runs, and BookSim's, which a script stands for
. "$UTURN_ROOT/tests/cli/booksim.bash"
sed -i 's/measure_cycles: 500/measure_cycles: 300000/' small.yaml
says "$cycles|BookSim 2: .*" "$UTURN_BIN" validate small.yaml --booksim book --only loads --loads 0.1:0.2:0.1

# a tool that takes long: Yosys' step is named
mkdir tools
cat >tools/yosys <<'END'
#!/bin/sh
case $* in *-V*) exec /usr/bin/yosys -V ;; esac
for step in 1 2 3 4 5; do echo "$step.1. Executing ABC pass (technology mapping)."; sleep 0.2; done
exit 1
END
chmod +x tools/yosys
expect 2 env PATH="$work/tools:$PATH" UTURN_CACHE="$work/cache" LD_PRELOAD="$work/fast_clock.so" "$UTURN_BIN" cost good.yaml
[ "$(grep -cE '^uturn: .*: [0-9]+ s so far: [1-5].1. Executing ABC pass' err)" -ge 2 ] || fail "cost: $(cat err)"

for command in "run good.yaml --cycles 120000" "prove tree.yaml --faults 0..2 --samples 2000 --workers 1"; do
  expect 0 env LD_PRELOAD="$work/fast_clock.so" "$UTURN_BIN" $command --quiet
  [ ! -s err ] || fail "$command --quiet: $(cat err)"
done
# a terminal has one line, which goes away
script -qec "env LD_PRELOAD=$work/fast_clock.so $UTURN_BIN run good.yaml --cycles 120000" /dev/null >terminal </dev/null
tr '\r' '\n' <terminal | grep -qE "^ *$cycles *$" || fail "a terminal: $(head -c 1000 terminal | cat -v)"
! grep -q 'uturn:' terminal || fail "a terminal is told in lines: $(cat -v terminal)"
! grep -q "$(printf '\033')" terminal || fail "a terminal is told in colours: $(cat -v terminal)"
