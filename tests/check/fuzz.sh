#!/bin/sh
# Every fuzz target over all test data and 300 mutations of it, the same on
# every machine. `make fuzz-smoke` searches longer.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1
for target in "$BUILD_DIR"/fuzz/replay-*; do
    case $target in *.d) continue ;; esac
    check "fuzz target ${target##*/replay-}" \
        "$target" -n 300 "$root"/tests/fuzz/*.seeds/* "$D"/*.jsonl "$D"/*.gz "$D"/other.bin
done
done_testing
