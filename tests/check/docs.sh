#!/bin/sh
# Help, manual and the program's own tables name the same commands, options
# and words.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1

"$AITRACE" --help >"$T/help" 2>&1
commands=$(sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$T/help" | sort -u)
# shellcheck disable=SC2012
pages=$(ls man | sed -n 's/^aitrace-\([a-z]*\)\.1$/\1/p' | sort -u)
is "each command has a page, each page a command" "$pages" "$commands"
for c in $commands; do
    check "aitrace.1 names $c" grep -qE "aitrace-$c 1|Ic $c( |\$)" man/aitrace.1
done

# The options of a help text, and those of a page (.Fl -name, .Fl n).
of_help() {
    sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\1\2/p' "$1" |
        tr -d , | tr ' ' '\n' | sort -u
}
of_page() {
    sed -n 's/\\-/-/g; /^\.\\"/d; /Fl /p' "$1" |
        grep -oE 'Fl -?[a-z][a-z-]*' | sed 's/^Fl /-/' | sort -u
}
for c in $commands; do
    "$AITRACE" "$c" --help >"$T/help.$c" 2>&1
    is "help and page of $c name the same options" \
        "$(of_page "man/aitrace-$c.1" | tr '\n' ' ')" \
        "$(of_help "$T/help.$c" | tr '\n' ' ')"
    check "help of $c begins with examples" \
        sh -c "head -n 12 '$T/help.$c' | grep -qi '^examples\|^  aitrace '"
done

# The keys of evidence stand in the code alone.
missing=$(sed -n 's/.*ait_evidence[_a-z]*(f, "\([a-z_]*\)".*/\1/p
s/.*, "\(engine_[a-z_]*\)"},/\1/p' src/analyse/*.c | sort -u |
    while read -r n; do
        grep -qwF -- "$n" man/aitrace-metrics.7 || echo "$n"
    done)
is "every key of evidence is explained" "$missing" ""

# Every word of an output is explained.
"$BUILD_DIR/tools/names" | sort -u >"$T/names"
for kind in $(cut -d' ' -f1 "$T/names" | uniq); do
    missing=$(sed -n "s/^$kind //p" "$T/names" | while read -r n; do
        grep -qwF -- "$n" man/*.[1-8] || echo "$n"
    done)
    is "the manual names every $kind" "$missing" ""
done

# The views, column by column.
"$AITRACE" schema >"$T/schema" 2>/dev/null
for v in request attempt finding issue import; do
    check "schema shows the view $v" grep -qiE "VIEW +$v\\b" "$T/schema"
done
"$AITRACE" --db "$T/v.db" import testdata/trace-a.aicap.jsonl 2>/dev/null
for v in request attempt finding issue import measure; do
    missing=$("$BUILD_DIR/tools/db" "$T/v.db" \
        "SELECT name FROM pragma_table_info('$v')" | while read -r n; do
        grep -qwF -- "$n" man/aitrace-db.5 || echo "$n"
    done)
    is "aitrace-db(5) names every column of $v" "$missing" ""
done

# Examples of the manual that name a golden case are what it prints.
awk '
    /^\.\\" golden: / { name = $3; out = ENVIRON["T"] "/example." name; next }
    name && /^\.Bd/   { on = 1; next }
    name && /^\.Ed/   { close(out); print name; name = ""; on = 0 }
    on                { sub(/^\\&/, ""); gsub(/\\e/, "\\"); print > out }
' man/*.[1-8] >"$T/examples"
while read -r n; do
    sed '/^\$ /d' "$T/example.$n" >"$T/example"
    check "the manual's example is golden/$n" \
        diff "$T/example" "tests/golden/$n/stdout"
done <"$T/examples"
check "the manual has examples" test -s "$T/examples"

# What the recipes have a gateway log is what its mapping reads: each key of
# the line that comes of one stands in the recipe and in the mapping, and the
# line is read without a word ignored.
awk '
    /^\.\\" recipe: / { name = $3; out = ENVIRON["T"] "/recipe." name; next }
    name && /^\.Bd/   { on = 1; next }
    name && /^\.Ed/   { close(out); print name; name = ""; on = 0 }
    on                { print > out }
' man/aitrace-formats.5 >"$T/recipes"
for f in testdata/recipes/*.jsonl; do
    n=$(basename "$f" .jsonl)
    check "the manual has a recipe for $n" grep -qx "$n" "$T/recipes"
    missing=$(grep -oE '"[^"]*":' "$f" | tr -d '":' | sort -u |
        while read -r k; do
            case $k in
            Td) continue ;; # for people only
            *_details | reasoning_tokens | cached_tokens) ;; # usage, whole
            *) grep -qF -- "$k" "$T/recipe.$n" || echo "$k (manual)" ;;
            esac
            grep -qE "/${k}[\"/]" "schema/formats/$n.json" ||
                grep -qF "/$k" "schema/formats/$n.json" || echo "$k (mapping)"
        done)
    is "every key of the recipe for $n is read" "$missing" ""
    "$AITRACE" --db "$T/$n.db" import "$f" >"$T/said" 2>&1
    check "what the recipe for $n logs is recognised" \
        grep -q "$n (recognised by content" "$T/said"
    is "nothing of it is ignored" \
        "$(grep -cE 'value_ignored|unrecognised|bad line' "$T/said")" 0
done

# The README's diagnosis is the one the program prints.
awk '/^<!-- golden: / { name = $3; next } name && /^```/ { on = !on; if (!on) exit; next }
    on' README.md >"$T/readme"
name=$(sed -n 's/^<!-- golden: \([a-z-]*\) -->.*/\1/p' README.md | head -n 1)
check "the README's example is golden/$name" \
    diff "$T/readme" "tests/golden/$name/stdout"

if command -v mandoc >/dev/null 2>&1; then
    check "mandoc has nothing to say" mandoc -T lint -W warning man/*.[1-8]
fi
done_testing
