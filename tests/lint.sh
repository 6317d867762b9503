#!/bin/sh
# Static checks. A tool that is not there is skipped and named.
# Needs LINT_FLAGS and BUILD from the Makefile.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
sources=$(find src -name '*.c' | sort)
bad=0
skipped=

run() { # name command…
    name=$1
    shift
    echo "lint: $name"
    if ! "$@"; then
        bad=$((bad + 1))
        echo "lint: $name: found something"
    fi
}
have() {
    command -v "$1" >/dev/null 2>&1 && return 0
    skipped="$skipped $1"
    return 1
}
flags="-std=c11 -Wall -Wextra -Wpedantic -Werror"
# each COMPILER FLAGS…: every source by itself
each() {
    rc=0
    for f in $sources; do
        # shellcheck disable=SC2086
        eval "$* $flags $LINT_FLAGS -c $f -o /dev/null" || rc=1
    done
    return $rc
}

${MAKE:-make} --no-print-directory BUILD="$BUILD" "$BUILD/gen/migrations.h" \
    "$BUILD/gen/formats.h" >/dev/null || exit 1
if have gcc; then
    # gcc 12 loses track of arrays that memcpy fills in part, and of memory
    # handed out as its first member; the sanitizers see to those
    run "gcc -fanalyzer" each gcc -O1 -fanalyzer -Wshadow -Wvla \
        -Wno-analyzer-use-of-uninitialized-value \
        -Wno-analyzer-malloc-leak \
        -Wstrict-prototypes -Wmissing-prototypes
fi
if have clang; then
    run "clang" each clang -O1 -Wshadow -Wvla -Wstrict-prototypes \
        -Wmissing-prototypes -Wcomma
fi
if have cppcheck; then
    # shellcheck disable=SC2086
    run cppcheck cppcheck -q --std=c11 --error-exitcode=1 -j2 \
        --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem -Isrc -Iinclude $sources
fi
if have shellcheck; then
    # shellcheck disable=SC2046
    run shellcheck shellcheck -x -P SCRIPTDIR -e SC1091 \
        $(find tests .ci -name '*.sh') .ci/run
fi
if have mandoc; then
    run mandoc mandoc -T lint -W warning man/*.[1-8]
fi

[ -z "$skipped" ] || echo "lint: skipped, not installed:$skipped"
echo "lint: $bad tools found something"
[ "$bad" = 0 ]
