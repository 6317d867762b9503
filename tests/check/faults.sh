#!/bin/sh
# Allocation n fails, for every n of an import.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
exec "${BUILD_DIR:-build}/tools/faults" "$T" testdata/interleaved.aicap.jsonl \
    testdata/anthropic.aicap.jsonl testdata/gzip-body.aicap.jsonl \
    testdata/fields.log.jsonl
