/* Whole import: any bytes as a file, through every stage to the trace JSON.
 * Blocks of 64 KiB and of 7 bytes must give the same traces. */
#include "../tools/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t blocks[] = {0, 7};
    pipeline a, b;
    ait_code rc = pipeline_run(&a, "fuzz", data, size, blocks[0]);

    if (pipeline_run(&b, "fuzz", data, size, blocks[1]) != rc ||
        a.out.len != b.out.len ||
        (a.out.len && memcmp(a.out.data, b.out.data, a.out.len)))
        AIT_BUG("blocks change the traces");
    pipeline_free(&a);
    pipeline_free(&b);
    return 0;
}
