/*
 * What is written goes to the disk while keys are still put in order: a
 * commit that finds nothing there yet waits for all of it.
 */
#include "base/belt.h"
#include "store/private.h"

static void *write_out(void *ctx)
{
    sqlite3_file *file = ctx;

    /* Whether it worked is asked by the commit. */
    file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
    return NULL;
}

void ait_early_begin(ait_store *s)
{
    sqlite3_file *file = NULL;

    if (s->threads < 2 || !ait_runs_many(s) ||
        sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER,
                             &file) != SQLITE_OK ||
        !file || !file->pMethods)
        return;
    s->early_on = ait_thread_start(&s->early, write_out, file);
}

void ait_early_end(ait_store *s)
{
    if (s->early_on)
        pthread_join(s->early, NULL);
    s->early_on = false;
}

void ait_store_threads(ait_store *s, int threads)
{
    s->threads = threads;
}
