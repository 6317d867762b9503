# shellcheck shell=sh
# What the test scripts share. Needs $root, the project's folder.
LC_ALL=C
TZ=UTC0
export LC_ALL TZ
BUILD_DIR=${BUILD:-build}
# shellcheck disable=SC2154
case $BUILD_DIR in /*) ;; *) BUILD_DIR=$root/$BUILD_DIR ;; esac
AITRACE=${AITRACE:-$BUILD_DIR/san/aitrace}
D=$root/testdata
export AITRACE D BUILD_DIR
unset AITRACE_DB NO_COLOR COLUMNS MAKEFLAGS MFLAGS MAKELEVEL
# Mapping files of whoever runs the tests have no say in them.
XDG_CONFIG_HOME=/nonexistent
export XDG_CONFIG_HOME
# A check that is started by hand, not by run.sh, gets a scratch folder of its
# own: without one it would write where it stands.
case $0 in
*check/*.sh)
    if [ -z "${T:-}" ]; then
        T=$(mktemp -d)
        trap 'rm -rf "$T"' EXIT
        trap 'exit 1' INT TERM
    fi
    export T
    ;;
esac

# ---- golden cases ---------------------------------------------------------
# The case runs where `testdata` is a link, so that no path of this machine
# gets into an output.
golden_run() { # case-folder result-folder
    mkdir -p "$2/scratch"
    ln -s "$root/testdata" "$2/scratch/testdata"
    (
        cd "$2/scratch" || exit 1
        D=testdata T=. HOME=. sh "$1/cmd" >../stdout 2>../stderr </dev/null
        echo $? >../status
    )
    rm -rf "$2/scratch"
}

golden_diff() { # case-folder result-folder; status 0 where all is equal
    rc=0
    for part in stdout stderr status; do
        if [ -f "$1/$part" ]; then
            want=$1/$part
        elif [ $part = status ]; then
            echo 0 >"$2/want.status"
            want=$2/want.status
        else
            want=/dev/null
        fi
        diff -u "$want" "$2/$part" | sed "1s|.*|--- $part wanted|
2s|.*|+++ $part got|" >"$2/diff"
        [ ! -s "$2/diff" ] || rc=1
        cat "$2/diff"
    done
    return $rc
}

# ---- TAP for check scripts --------------------------------------------------
tap_n=0
tap_bad=0
ok() { # name
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1"
}
not_ok() { # name [what was seen…]
    tap_n=$((tap_n + 1))
    tap_bad=$((tap_bad + 1))
    name=$1
    shift
    for line; do
        echo "$line" | sed 's/^/# /'
    done
    echo "not ok $tap_n - $name"
}
# check NAME COMMAND…: passes where the command succeeds.
check() {
    name=$1
    shift
    if said=$("$@" 2>&1); then
        ok "$name"
    else
        not_ok "$name" "$(echo "$said" | head -n 30)"
    fi
}
# is NAME GOT WANT
is() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        not_ok "$1" "got:  $2" "want: $3"
    fi
}
done_testing() {
    echo "1..$tap_n"
    [ $tap_bad = 0 ]
    exit
}
