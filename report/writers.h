/* One writer a format: a file of the pass from the view. A new format is one write_NAME.c and one
 * line in the table of report.c. */
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "report/sections.h"

struct writer {
    const char *file; /* name in the pass */
    void (*write)(struct buffer *out, const struct report_content *content);
};

void write_markdown(struct buffer *out, const struct report_content *content);
void write_html(struct buffer *out, const struct report_content *content);
void write_sarif(struct buffer *out, const struct report_content *content);
void write_junit(struct buffer *out, const struct report_content *content);
void write_summary_json(struct buffer *out, const struct report_content *content);
void write_step_summary(struct buffer *out, const struct report_content *content);
void write_badge(struct buffer *out, const struct report_content *content);
void write_patch(struct buffer *out, const struct report_content *content);
void write_bibtex(struct buffer *out, const struct report_content *content);
void write_csl(struct buffer *out, const struct report_content *content);
void write_annotations(struct buffer *out, const struct report_content *content);
void write_crate(struct buffer *out, const struct report_content *content);
void write_dossier(struct buffer *out, const struct report_content *content);

#endif
