#!/bin/sh
# Proportions: a function is at most 70 lines and nearly always at most 40, a
# file at most 700, a line at most 80 columns, and every prototype of a header
# stands under a comment.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1

sources=$(find src include tests -name '*.[ch]' | sort)

# A function's body begins with a brace of its own line; tables do not.
# shellcheck disable=SC2086
awk '
    FNR == 1        { name = "" }
    /^[a-zA-Z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^\{/           { start = FNR; in_body = 1 }
    /^\}/ && in_body { print FNR - start + 1, FILENAME, name; in_body = 0 }
' $sources | sort -n >"$T/functions"
is "no function is over 70 lines" "$(awk '$1 > 70' "$T/functions")" ""
count=$(wc -l <"$T/functions")
long=$(awk '$1 > 40' "$T/functions" | wc -l)
if [ "$count" -gt 0 ] && [ $((long * 100)) -le $((count * 5)) ]; then
    ok "95 % of the functions are at most 40 lines"
else
    not_ok "95 % of the functions are at most 40 lines" \
        "$long of $count:" "$(awk '$1 > 40' "$T/functions")"
fi

# shellcheck disable=SC2086
over=$(wc -l $sources | awk '$1 > 700 && $2 != "total"')
is "no file is over 700 lines" "$over" ""

# shellcheck disable=SC2086
wide=$(awk '
    { line = $0; gsub(/[\200-\277]/, "", line) }  # columns, not bytes
    length(line) > 80 { print FILENAME ":" FNR ": " length(line) }
' $sources)
is "no line is over 80 columns" "$wide" ""

# shellcheck disable=SC2086
tabs=$(grep -lE "$(printf '\t')|[ ]+\$" $sources)
is "no tabs, no white space at line ends" "$tabs" ""

# A block of prototypes shares one comment; a blank line ends it.
# shellcheck disable=SC2046
bare=$(awk '
    FNR == 1              { said = 0; depth = 0 }
    /\/\*|\*\//           { said = 1 }
    /^$/                  { said = 0 }
    /^[a-z].*\(.*[,;(]$|^[a-z].*\);/ {
        if (!said && $0 !~ /^typedef|\/\*/ && $1 != "static" &&
            $1 != "return" && $1 != "extern")
            print FILENAME ":" FNR ": " $0
    }
' $(find src include -name '*.h' | sort))
is "every prototype of a header stands under a comment" "$bare" ""

marks=$(grep -nE -w 'TODO|FIXME|XXX|HACK' -r src include tests man README.md \
    --include='*' 2>/dev/null | grep -v 'tests/check/lengths.sh')
is "nothing is left to do" "$marks" ""
done_testing
