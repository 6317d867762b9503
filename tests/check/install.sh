#!/bin/sh
# `make install` puts the pieces where PREFIX and DESTDIR say, a program of
# someone else builds against them, and `make uninstall` leaves nothing.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1
stage=$T/stage
# shellcheck disable=SC2317
run_make() {
    ${MAKE:-make} --no-print-directory BUILD="$BUILD_DIR" CC="${CC:-cc}" \
        DESTDIR="$stage" PREFIX=/usr "$@"
}

check "install" run_make install
for f in bin/aitrace lib/libaitrace.a include/aitrace.h \
    lib/pkgconfig/aitrace.pc share/man/man1/aitrace.1 \
    share/man/man7/aitrace-metrics.7 share/man/man5/aitrace-formats.5 \
    share/aitrace/output/trace.schema.json; do
    check "installed: $f" test -s "$stage/usr/$f"
done

cat >"$T/user.c" <<'END'
#include <aitrace.h>
#include <stdio.h>
int main(void)
{
    puts(aitrace_version());
    return 0;
}
END
export PKG_CONFIG_PATH="$stage/usr/lib/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$stage"
# shellcheck disable=SC2317
build_user() {
    # shellcheck disable=SC2046,SC2317
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$stage/usr/include" \
        "$T/user.c" "$stage/usr/lib/libaitrace.a" \
        $(PKG_CONFIG_SYSROOT_DIR='' pkg-config --static --libs sqlite3 \
            libcjson zlib) -lm -lpthread -o "$T/user"
}
check "a program builds against the installed library" build_user
is "the library says its version" "$("$T/user" 2>&1)" \
    "$(sed -n 's/^VERSION := //p' Makefile)"
is "pkg-config says it, too" "$(pkg-config --modversion aitrace 2>&1)" \
    "$(sed -n 's/^VERSION := //p' Makefile)"

check "uninstall" run_make uninstall
is "uninstall leaves no file" "$(find "$stage" -type f)" ""
done_testing
