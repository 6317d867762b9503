#!/bin/sh
# Every input of testdata/ at every block size: the same traces.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
exec "${BUILD_DIR:-build}/tools/split" testdata/*.jsonl testdata/*.gz
