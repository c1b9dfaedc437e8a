/* The closing summary on a terminal: at most SUMMARY_LINES lines. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "report/sections.h"

enum { SUMMARY_LINES = 30 };

/* Every line is at most width columns (0 = 80); colour only when asked. */
void summary_write(struct buffer *out, const struct report_content *content, bool color, int width);

#endif
