#include "cli/ledger_print.h"

#include "cli/output.h"
#include "core/terminal.h"

#include <stdio.h>

static void line(struct buffer *out, const char *name, struct span value) {
    if (value.len == 0)
        return;
    buffer_printf(out, "  %-12s ", name);
    terminal_escape(out, value);
    buffer_add_byte(out, '\n');
}

static struct span or_unverified(struct span value) {
    return value.len ? value : SPAN("UNVERIFIED");
}

static void print_history(struct buffer *out, const struct ledger_history *history) {
    buffer_add_string(out, "  history\n");
    for (size_t i = 0; i < history->count; i++) {
        const struct ledger_event *event = &history->events[i];
        struct span parts[] = {event->at, event->who, event->what};
        buffer_add_string(out, "   ");
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            buffer_add_byte(out, ' ');
            terminal_escape(out, parts[p]);
        }
        buffer_add_string(out, "\n      ");
        terminal_escape(out, event->command);
        buffer_add_byte(out, '\n');
    }
}

void print_source(struct buffer *out, const struct ledger_source *source, bool history) {
    buffer_printf(out, "%.*s  [%s]  ", SPAN_ARG(source->id),
                  word_of(&reading_words, (int)source->reading));
    terminal_escape(out, source->canonical);
    buffer_add_byte(out, '\n');
    line(out, "title", or_unverified(source->title));
    if (!history)
        return;
    line(out, "authors", or_unverified(source->authors));
    line(out, "venue", or_unverified(source->venue));
    line(out, "year", or_unverified(source->year));
    line(out, "metadata", or_unverified(source->metadata_status));
    line(out, "url", source->url);
    line(out, "reading", source->reading_reason);
    line(out, "read at", source->read_at);
    line(out, "text from", source->text_from);
    if (source->text_sha256.len)
        buffer_printf(out, "  %-12s %zu bytes, texts/%.*s\n", "text", source->text_bytes,
                      SPAN_ARG(source->text_sha256));
    line(out, "archive", source->archive);
    print_history(out, &source->history);
}

static void print_head(struct buffer *out, struct span id, struct span word,
                       const struct ledger_claim *claim, enum ledger_state state) {
    buffer_printf(out, "%.*s  %.*s  claim ", SPAN_ARG(id), SPAN_ARG(word));
    terminal_escape(out, claim->label);
    if (state != LEDGER_CURRENT)
        buffer_printf(out, "  [%s]", word_of(&ledger_state_words, (int)state));
    buffer_add_byte(out, '\n');
    line(out, "claim", claim->anchor.quote);
}

void print_evidence(struct buffer *out, const struct ledger_evidence *evidence, bool history) {
    print_head(out, evidence->id, evidence->relation, &evidence->claim, evidence->state);
    line(out, "source", evidence->source);
    line(out, "class", evidence->class);
    line(out, "quote", evidence->anchor.quote);
    if (evidence->quote_given.len) {
        line(out, "given as", evidence->quote_given);
        line(out, "normalized", evidence->normalization);
    }
    line(out, "note", evidence->note);
    line(out, "state", evidence->state_reason);
    if (!history)
        return;
    buffer_printf(out, "  %-12s bytes %zu to %zu of texts/%.*s\n", "place", evidence->anchor.start,
                  evidence->anchor.end, SPAN_ARG(evidence->anchor.sha256));
    print_history(out, &evidence->history);
}

void print_decision(struct buffer *out, const struct ledger_decision *decision, bool history) {
    print_head(out, decision->id, decision->decision, &decision->claim, decision->state);
    line(out, "reason", decision->reason);
    line(out, "replacement", decision->replacement);
    line(out, "by", decision->decided_by);
    line(out, "at", decision->decided_at);
    line(out, "state", decision->state_reason);
    for (size_t i = 0; i < decision->evidence_count; i++)
        line(out, "evidence", decision->evidence[i]);
    if (history)
        print_history(out, &decision->history);
}

void print_passage(struct buffer *out, const struct index_passage *passage) {
    buffer_printf(out, "  %.*s bytes %zu to %zu", SPAN_ARG(passage->source), passage->start,
                  passage->end);
    if (passage->score > 0)
        buffer_printf(out, ", BM25 %.2f", passage->score);
    buffer_add_string(out, "\n    ");
    terminal_escape(out, passage->text);
    buffer_add_string(out, "\n");
}

void print_out(struct buffer *out) {
    output_write(buffer_span(out));
    buffer_free(out);
}

void put_passages(struct json_writer *w, const struct index_passage *passages, size_t count) {
    json_begin_array(w, "passages");
    for (size_t i = 0; i < count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "source", passages[i].source);
        json_put_size(w, "start", passages[i].start);
        json_put_size(w, "end", passages[i].end);
        json_put_text(w, "text", passages[i].text);
        if (passages[i].score > 0)
            json_put_number(w, "score", passages[i].score);
        json_end_object(w);
    }
    json_end_array(w);
}

void put_problems(struct json_writer *w, const struct index_state *state) {
    json_begin_array(w, "problems");
    for (size_t i = 0; i < state->problem_count; i++)
        json_put_text(w, NULL, state->problems[i]);
    json_end_array(w);
}

void warn_problems(const struct index_state *state) {
    struct buffer out = {0};
    for (size_t i = 0; i < state->problem_count; i++) {
        buffer_add_string(&out, "assay: ledger: not indexed: ");
        terminal_escape(&out, state->problems[i]);
        buffer_add_byte(&out, '\n');
    }
    fwrite(out.at ? out.at : "", 1, out.len, stderr);
    buffer_free(&out);
}
