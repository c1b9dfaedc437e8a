/* Items of the ledger on the terminal and as JSON. Text from outside is escaped. */
#ifndef CLI_LEDGER_PRINT_H
#define CLI_LEDGER_PRINT_H

#include "ledger/index.h"

void print_source(struct buffer *out, const struct ledger_source *source, bool history);
void print_evidence(struct buffer *out, const struct ledger_evidence *evidence, bool history);
void print_decision(struct buffer *out, const struct ledger_decision *decision, bool history);
void print_passage(struct buffer *out, const struct index_passage *passage);

/* Writes out to stdout and frees it. */
void print_out(struct buffer *out);

void put_passages(struct json_writer *w, const struct index_passage *passages, size_t count);
/* Files of the ledger that could not be read, as a JSON member and on stderr. */
void put_problems(struct json_writer *w, const struct index_state *state);
void warn_problems(const struct index_state *state);

#endif
