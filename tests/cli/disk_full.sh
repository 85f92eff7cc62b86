#!/bin/bash
# A disk that becomes full at a write: every command that writes files ends with status 2 and one message that names the file, whichever
# write it is; what stood under the name still does, and nothing is left beside it.  Writes that are drawn; disk_full_slow.sh: all.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
places=4
# shellcheck source=tests/cli/disk_full.bash
. "$UTURN_ROOT/tests/cli/disk_full.bash"
full "p.csv h.csv t.json" "$uturn" run brief.yaml --packets p.csv --histogram h.csv --timeline t.json --every 100
full "my.yaml" "$uturn" new torus my.yaml
full "page.md" "$uturn" schema --write page.md
full "net.svg" "$uturn" net brief.yaml --svg net.svg
full "replay.yaml" "$uturn" prove cycle.yaml --replay replay.yaml
full "good.cert" "$uturn" prove good.yaml --certificate good.cert
full "page.html" "$uturn" report page.html brief.yaml
full_results results.sqlite "$uturn" sweep sweep.yaml --results results.sqlite
echo "disk_full: $tried disks that became full"
