# TAP in, verdict out: "FAILED PASSED" and, where something failed, the lines
# that say what. A program that dies, or stops before its plan, fails once
# more: its missing tests cannot be counted.
/^ok /      { passed++; said = ""; next }
/^not ok /  { failed++; lines = lines said "FAIL " name ": " substr($0, 8) "\n"
              said = ""; next }
/^1\.\.[0-9]+/ { plan = substr($0, 4) + 0; planned = 1; next }
            { said = said "     " $0 "\n" }
END {
    if (!planned || plan != passed + failed) {
        failed++
        lines = lines said "FAIL " name ": stopped after test " \
            (passed + failed - 1) ", exit status " rc "\n"
    } else if (rc != 0 && failed == 0) {
        failed++
        lines = lines said "FAIL " name ": exit status " rc "\n"
    } else if (plan == 0) {
        failed++
        lines = lines "FAIL " name ": has no tests\n"
    }
    printf "%d %d\n%s", failed + 0, passed + 0, lines
}
