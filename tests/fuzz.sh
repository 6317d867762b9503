#!/bin/sh
# Each fuzz target for FUZZ_SECONDS: with clang's fuzzer where there is one,
# else the replay program with its own mutations. Seeds are the test data.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/lib.sh"
seconds=${FUZZ_SECONDS:-60}
work=$BUILD_DIR/fuzz/work
mkdir -p "$work"
bad=0

if echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);
int LLVMFuzzerTestOneInput(const char *d, unsigned long n)
{ (void)d; return n > 9; }' >"$work/probe.c" &&
    clang -fsanitize=fuzzer,address "$work/probe.c" -o "$work/probe" \
        2>/dev/null; then
    engine=search
    # objects for the fuzzer are clang's and stand apart
    fuzz_build=$BUILD_DIR/clang
    ${MAKE:-make} --no-print-directory -j2 BUILD="$fuzz_build" CC=clang \
        search-build || exit 1
else
    echo "fuzz: clang with its fuzzer is not there; replaying mutations"
    engine=replay
    fuzz_build=$BUILD_DIR
    ${MAKE:-make} --no-print-directory -j2 BUILD="$fuzz_build" CC="${CC:-cc}" \
        replay-build || exit 1
fi

for source in "$root"/tests/fuzz/*.c; do
    n=$(basename "$source" .c)
    [ "$n" != main ] || continue
    program=$fuzz_build/fuzz/$engine-$n
    mkdir -p "$work/$n"
    cd "$work/$n" || exit 1
    dict=$root/tests/fuzz/$n.dict
    if [ $engine = search ]; then
        mkdir -p corpus seeds
        for f in "$D"/*.jsonl "$D"/*.gz "$D"/planted/* "$D"/maps/* \
            "$root"/schema/formats/*.json "$root/tests/fuzz/$n".seeds/*; do
            [ ! -f "$f" ] || cp "$f" seeds/
        done
        # shellcheck disable=SC2046
        "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
            -max_len=65536 -print_final_stats=0 -verbosity=0 \
            $([ ! -f "$dict" ] || echo "-dict=$dict") corpus seeds \
            >log 2>&1
    else
        "$program" -t "$seconds" "$root"/tests/fuzz/*.seeds/* "$D"/*.jsonl "$D"/*.gz >log 2>&1
    fi
    rc=$?
    if [ $rc = 0 ]; then
        echo "fuzz: $n: $seconds s, no finding"
    else
        bad=$((bad + 1))
        echo "fuzz: $n: FINDING (exit $rc), see $work/$n/log"
        grep -E 'ERROR|SUMMARY|runtime error|bug' log | head -n 5
    fi
done
echo "fuzz: $bad findings"
[ $bad = 0 ]
