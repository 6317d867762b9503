#ifndef AIT_API_PIPELINE_H
#define AIT_API_PIPELINE_H
/*
 * The api stage: one way from files into a store (read, replay or map,
 * judge, keep) for the program and for the public library, and the library's
 * face (include/aitrace.h). Prints nothing, reads no environment.
 */
#include "analyse/analyse.h"
#include "api/direct.h"
#include "base/text.h"
#include "input/input.h"
#include "store/store.h"

/* Where imported traces go. Zero it, then ait_importer_open. */
typedef struct ait_importer {
    const char *path; /* of the database; NULL in memory */
    ait_store_mode mode;
    ait_store *store; /* NULL until there is something to keep */
    bool created;     /* the database was made by this importer */
    ait_direct *direct; /* not NULL: they go there, and to no store */
    ait_thresholds limits;
} ait_importer;

/* What came of one file; counts are final after a commit. */
typedef struct ait_imported {
    ait_file_report report;
    ait_put_counts counts;
    ait_issue_set issues; /* of the file and of its traces */
    _Atomic int64_t traces; /* so far, for progress, which is told by another
                               thread than the one that takes them */
} ait_imported;

/*
 * A database that is there already is opened at once, so that a foreign or
 * newer one is refused before any reading; a new one is made when the first
 * request is to be kept. `path` must outlive the importer.
 */
ait_code ait_importer_open(ait_importer *im, const char *path,
                           ait_store_mode mode, ait_error *err);
void ait_importer_close(ait_importer *im);

/*
 * Reads one file in one transaction. AIT_OK also where lines were bad (see
 * ait_file_lost). On an error nothing of this file is kept; what other files
 * brought stays. AIT_EINPUT: nothing usable.
 */
ait_code ait_importer_file(ait_importer *im, const char *file,
                           const ait_input_options *o, ait_imported *out,
                           ait_error *err);

#endif
