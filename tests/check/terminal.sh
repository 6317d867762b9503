#!/bin/sh
# What reaches a terminal: no control character of a file's name or of an id,
# in no command's output and no error; and a command that is shown for
# copying works when it is copied.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1

# ESC, a line end, C1 as UTF-8, right-to-left, a space and a quote
name=$(printf 'x\033[31m\nq\302\2331m\342\200\256 it'"'"'s')
mkdir "$name.d"
cp "$D/trace-a.aicap.jsonl" "$name"
cp "$D/bad-lines.aicap.jsonl" "$name.bad"

# What is written as text, all of it, without line ends.
seen() {
    LC_ALL=C.UTF-8 "$AITRACE" "$@" 2>&1 </dev/null | tr -d '\n'
}
bare() { # name arguments…
    what=$1
    shift
    said=$(seen "$@")
    case $said in
    '') not_ok "$what says something" ;;
    *"$(printf '\033')"* | *"$(printf '\302\233')"* | \
        *"$(printf '\342\200\256')"*)
        not_ok "$what" "$(echo "$said" | LC_ALL=C tr -c '\12\40-\176' '?')"
        ;;
    *) ok "$what" ;;
    esac
}
bare "import" --db "$name.db" import "$name"
bare "import of bad lines" --db "$name.db" import "$name.bad"
bare "list" --db "$name.db" list
bare "show" show --from "$name" --request-id req-1a2b
bare "diagnose" diagnose --from "$name"
bare "report" report --from "$name" --by model
bare "no such file" import "$name.none"
bare "a folder" import "$name.d"
bare "no such database" --db "$name.none" list
bare "no database at all" --db "$name" list
bare "limits that are none" list --from "$name" --thresholds "$name"
bare "a mapping that is none" import --map "$name" "$name"
bare "a mapping that is checked" formats check "$name"
bare "an output that is a folder" list --from "$name" -o "$name.d"
bare "an output that is read" list --from "$name" -o "$name"
bare "an unknown command" "$name"
bare "an unknown option" list "--$name"
bare "an unknown id" show --from "$name" --request-id "$name"
bare "an unknown field" report --from "$name" --by "$name"
bare "an unknown outcome" list --from "$name" --outcome "$name"
bare "a condition that is none" list --from "$name" --where "$name"

# runs NAME LABEL COMMAND…: the command after LABEL does its work.
aitrace() {
    "$AITRACE" "$@"
}
runs() {
    what=$1
    label=$2
    shift 2
    line=$(LC_ALL=C.UTF-8 "$AITRACE" "$@" 2>&1 </dev/null |
        sed -n "s/^$label *\(aitrace .*\)/\1/p" | tail -n 1)
    if [ -n "$line" ] && (eval "$line") >out 2>&1 </dev/null; then
        ok "$what"
    else
        not_ok "$what" "$line" "$(head -n 5 out)"
    fi
}
runs "the next command of list" next: list --from "$name"
runs "the next command of show" next: show --from "$name"
runs "the next command of diagnose" next diagnose --from "$name"
# an id that the shell would take apart
sed "s/req-1a2b/it's \$(false) ;a/g" "$D/trace-a.aicap.jsonl" >odd.aicap.jsonl
runs "an id with quotes and spaces" next: show --from odd.aicap.jsonl \
    --request-id "it's \$(false) ;a"
runs "the same from list" next: list --from odd.aicap.jsonl
done_testing
