/* pass.json (assay.pass.v1) and manifest.json (assay.manifest.v1), and the pass directory itself:
 * the only thing stages share. */
#ifndef SCHEMAS_PASS_H
#define SCHEMAS_PASS_H

#include "core/file.h"
#include "core/json.h"
#include "schemas/status.h"

#define PASS_SCHEMA "assay.pass.v1"
#define MANIFEST_SCHEMA "assay.manifest.v1"

struct pass_stage {
    enum stage_state state;
    struct span started_at, finished_at;
    struct span detail; /* why partial, interrupted or failed */
};

struct pass {
    const char *folder; /* not stored: no machine path in an artifact */
    struct span id;     /* "<book>:<chapter>:<YYYYMMDDTHHMMSS>:<12 hex>", derived, never invented */
    struct span book, chapter, stable_id;
    struct span created_at;
    struct span tool_version;
    struct span environment; /* kernel and machine type, set by pass_create */
    struct span command;     /* as given, paths reduced to their last part */
    struct span scope;       /* full | excerpt | none */
    enum fingerprint_verdict fingerprint;
    struct pass_stage stages[STAGE_COUNT];
    bool sealed; /* manifest.json was written */
};

/* Makes folder/passes/<book>/<chapter>/<UTC time>-<first 8 of fingerprint>/ (a suffix -2, -3 ...
 * when it exists) for pass->book, chapter, created_at; sets pass->folder and id. */
bool pass_create(struct arena *arena, const char *workspace, struct span fingerprint,
                 struct pass *pass, struct error *error);
/* Reads folder/pass.json. A folder that is no pass is ERROR_INPUT. */
bool pass_open(struct arena *arena, const char *folder, struct pass *pass, struct error *error);
/* Writes pass.json. */
bool pass_save(const struct pass *pass, struct error *error);
/* Marks a stage and saves. detail is copied into the arena. */
bool pass_stage_begin(struct arena *arena, struct pass *pass, enum stage stage,
                      struct error *error);
bool pass_stage_end(struct arena *arena, struct pass *pass, enum stage stage,
                    enum stage_state state, const char *detail, struct error *error);

/* Artifacts by name ("claims.json"). */
const char *pass_path(struct arena *arena, const struct pass *pass, const char *name);
bool pass_has(const struct pass *pass, const char *name);
bool pass_read(struct arena *arena, const struct pass *pass, const char *name, struct span *text,
               struct error *error);
bool pass_write(const struct pass *pass, const char *name, struct span text, struct error *error);

/* Writes manifest.json: SHA-256 and size of every file of the pass but itself and manifest.sig. */
bool pass_seal(struct arena *arena, struct pass *pass, struct error *error);
/* Compares the files with manifest.json. Appends one line a difference ("changed: claims.json ...",
 * "missing: ...", "not in the manifest: ...") to out; *differences counts them. */
bool pass_verify(struct arena *arena, const char *folder, struct buffer *out, size_t *differences,
                 struct error *error);

#endif
