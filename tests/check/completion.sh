#!/bin/sh
# The completion script for bash, run in bash: commands, options, values.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1

"$AITRACE" completion bash >script
cat >complete <<'END'
. ./script
compopt() { echo "(nothing)"; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_aitrace
echo "${COMPREPLY[*]}"
END
# offers WANTED NAME WORDS… (the last is completed)
offers() {
    want=$1
    name=$2
    shift 2
    if ! command -v bash >/dev/null 2>&1; then
        ok "$name # SKIP no bash"
        return
    fi
    is "$name" "$(bash ./complete aitrace "$@")" "$want"
}
offers "diagnose" "a command" diag
offers "--version" "an option before any" --v
offers "--source --sort" "an option of a command" list --so
offers "" "files behind import" import ""
offers "rate_limited" "an outcome" list --outcome ra
offers "rate_limited" "the same as one word" list --outcome = ra
offers "complete rate_limited error cancelled timeout incomplete \
truncated_capture unknown" "every outcome" list --outcome =
offers "headers_slow" "a finding" diagnose --finding he
offers "model" "a field" report --by mo
offers "provider,model" "a second field" report --by provider,mo
offers "litellm-slp litellm-spend" "a format" import --format lite
offers "linear" "a choice" report --percentile-method l
offers "" "files of --from" list --from ""
offers "(nothing)" "nothing where nobody can know" list --model m
offers "fish" "a shell" completion f
offers "show" "a page" help sh
done_testing
