/* Files: whole reads with a bound, and writes that are all or nothing. */
#ifndef CORE_FILE_H
#define CORE_FILE_H

#include "core/error.h"
#include "core/memory.h"

#include <stdint.h>

/* Reads a regular file (or standard input for "-") of at most max_bytes into the arena. A folder, a
 * device or a larger file is an error of the given kind with the path in it. */
bool file_read(struct arena *arena, const char *path, size_t max_bytes, enum error_kind kind,
               struct span *text, struct error *error);
/* Writes to a temporary name beside path, fsyncs, renames over path, fsyncs the folder. On failure
 * the old file stands and the temporary one is gone. */
bool file_write(const char *path, struct span text, struct error *error);
/* The same without waiting for the disk: for what is checked when read and can be had again. */
bool file_write_lightly(const char *path, struct span text, struct error *error);
/* Appends and fsyncs: for logs that must survive a crash (measurements.jsonl). */
bool file_append(const char *path, struct span text, struct error *error);
bool file_exists(const char *path);
/* Makes the folder and its parents; an existing folder is fine. */
bool folder_make(const char *path, struct error *error);
/* Removes a folder and what is in it; links are removed, never followed. */
bool folder_remove(const char *path, struct error *error);
/* "folder/name" in the arena. */
const char *path_join(struct arena *arena, const char *folder, const char *name);
/* The part behind the last '/'. */
const char *path_name(const char *path);
/* text as one safe file name: [a-z0-9._-], others become '-', no leading dot, at most 100 bytes,
 * never empty ("unnamed"). Names from outside must go through this. */
const char *path_slug(struct arena *arena, struct span text);

/* Temporary files of writes in flight are removed when a signal ends the program: the handler calls
 * this, which only uses async-signal-safe calls. */
void file_remove_temporary(void);

#endif
