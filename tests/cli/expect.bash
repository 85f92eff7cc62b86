# SPDX-License-Identifier: Apache-2.0
# expect.bash - for scripts of commands: a folder of their own to work in, exit statuses, messages.
# Usage, behind set -eu: . "$UTURN_ROOT/tests/cli/expect.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
script=$(basename "$0" .sh)
fail() { echo "$script: $*" >&2; exit 1; }
cd "$work"

# expect STATUS COMMAND...: standard output in out, standard error in err
expect() {
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ $status = "$wanted" ] || fail "$*: exit status $status, expected $wanted: $(head -c 600 err)"
  if grep -q 'Sanitizer\|Assertion\|Segmentation\|Warning' err; then fail "$*: $(cat err)"; fi
}
# reject "WORD|WORD" COMMAND...: exit status 2, nothing on standard output, one message with the words, in any case
reject() {
  local words=$1 word
  shift
  expect 2 "$@"
  [ ! -s out ] || fail "$*: writes to standard output: $(head -c 200 out)"
  [ "$(grep '^uturn[^:]*: ' err | grep -vc ' s so far')" = 1 ] || fail "$*: not one message: $(cat err)"
  while read -r -d '|' word; do
    grep -qiF -- "$word" err || fail "$*: the message lacks '$word': $(cat err)"
  done <<<"$words|"
}
