/* What every picture has in common: the look, and how outside words reach gnuplot. */
#ifndef REPORT_PLOT_STYLE_H
#define REPORT_PLOT_STYLE_H

#include "core/memory.h"

/* Begins a picture: everything before is forgotten. height in pixels, the width is fixed. */
void plot_begin(struct buffer *out, struct span title, int height);
/* One word of the picture inside single quotes, where gnuplot substitutes nothing: letters, digits
 * and a few marks pass, everything else becomes an underscore. limit in bytes, 0 = none. */
void plot_word(struct buffer *out, struct span text, size_t limit);
/* "set xlabel '...'", for "x" or "y". */
void plot_label(struct buffer *out, char axis, struct span text);
/* A logarithmic axis, said so by its label. */
void plot_logarithmic(struct buffer *out, char axis);
/* "<title>...</title><desc>...</desc>" for the picture. */
void plot_words(struct buffer *out, struct span title, struct span alt);

/* Fields of a CSV line (RFC 4180), separated by the caller. A value that is not finite is empty. */
void csv_text(struct buffer *out, struct span text);
void csv_number(struct buffer *out, double value);

#endif
