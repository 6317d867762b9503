#!/bin/sh
# Runs every test and prints, as its last line, "N passed, N failed".
#
# Unit programs and check scripts speak TAP; a golden case is a folder:
#   tests/golden/NAME/cmd     shell, run in a scratch folder
#   tests/golden/NAME/why     one line: what would be lost without it
#   tests/golden/NAME/stdout, stderr (none: empty), status (none: 0)
# with $AITRACE the program, $D the test data and $T the scratch folder.
#
# usage: run.sh [PATTERN]   only what has PATTERN in its name
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/lib.sh"
only=${1:-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# Two tests at a time; each leaves its verdict in files of its own.
run_tap() { # name program
    mkdir -p "$work/$1.scratch"
    (
        cd "$work/$1.scratch" || exit 1
        T=$work/$1.scratch
        export T
        $2 >"$work/$1.out" 2>"$work/$1.err" </dev/null
        echo $? >"$work/$1.rc"
    )
    awk -v rc="$(cat "$work/$1.rc")" -v name="$1" -f "$root/tests/tap.awk" \
        "$work/$1.out" >"$work/$1.verdict"
    if ! grep -q '^0 ' "$work/$1.verdict"; then
        head -n 40 "$work/$1.err" >>"$work/$1.verdict"
    fi
    rm -rf "$work/$1.scratch"
}

run_golden() { # name
    golden_run "$root/tests/golden/$1" "$work/$1.got"
    if golden_diff "$root/tests/golden/$1" "$work/$1.got" \
        >"$work/$1.diff" 2>&1; then
        echo '0 1' >"$work/$1.verdict"
    else
        echo '1 0' >"$work/$1.verdict"
        {
            echo "FAIL golden/$1: $(cat "$root/tests/golden/$1/why")"
            cat "$work/$1.diff"
        } >>"$work/$1.verdict"
    fi
    rm -rf "$work/$1.got"
}

# A verdict: "FAILED PASSED", then what there is to say about it.
tally() { # name
    if [ -s "$work/$1.verdict" ]; then
        read -r f p <"$work/$1.verdict"
        sed 1d "$work/$1.verdict"
    else
        f=1 p=0
        echo "FAIL $1: gave no verdict"
    fi
    failed=$((failed + f))
    passed=$((passed + p))
}

names=
lane=0
start() { # name function arguments…
    case $1 in *"$only"*) ;; *) return ;; esac
    names="$names $1"
    shift
    "$@" &
    lane=$((lane + 1))
    if [ $((lane % 2)) = 0 ]; then
        wait
    fi
}

# The longest first, so that two lanes end at about the same time.
for f in "$root"/tests/check/*.sh; do
    n=check-$(basename "$f" .sh)
    start "$n" run_tap "$n" "sh $f"
done
for f in "$root"/tests/unit/*.c; do
    n=$(basename "$f" .c)
    start "$n" run_tap "$n" "$BUILD_DIR/unit/$n"
done
for d in "$root"/tests/golden/*/; do
    n=$(basename "$d")
    [ -f "$d/cmd" ] && start "$n" run_golden "$n"
done
wait
for n in $names; do
    tally "$n"
done

if [ $((passed + failed)) = 0 ]; then
    echo "no test ran"
    failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
