/* Leads for people and for programs. */
#include "fetch/leads.h"

#include "core/json.h"
#include "core/terminal.h"

static const char method[] =
    "Words of the claims and of the chapter's title, without stop words, weighed by the number of "
    "claims that hold them (title +3, defined terms +2). topic: the four heaviest; term: a defined "
    "term's words and the two heaviest; claim: its three rarest words and the two heaviest.";
static const char ranking[] =
    "Reciprocal rank fusion: each list that holds a lead at place r adds 1/(60 + r).";

static void put_query(struct json_writer *w, const struct lead_query *query) {
    json_begin_object(w, NULL);
    json_put_string(w, "from", query->from);
    json_put_optional(w, "claim", query->claim);
    json_begin_array(w, "words");
    for (size_t i = 0; i < query->word_count; i++)
        json_put_text(w, NULL, query->words[i]);
    json_end_array(w);
    json_end_object(w);
}

static const char *state_of(const struct lead_service_state *service) {
    return service->asked == 0 ? "not asked" : service->answered == 0 ? "unreachable" : "answered";
}

static void put_service(struct json_writer *w, const struct lead_service_state *service) {
    json_begin_object(w, NULL);
    json_put_string(w, "service", service->service);
    json_put_string(w, "state", state_of(service));
    json_put_size(w, "asked", service->asked);
    json_put_size(w, "answered", service->answered);
    json_put_size(w, "results", service->results);
    json_put_optional(w, "why", service->why);
    json_end_object(w);
}

static void put_lead(struct json_writer *w, const struct lead *lead) {
    json_begin_object(w, NULL);
    json_put_text(w, "id", lead->id);
    json_put_string(w, "reading", "lead");
    json_put_text(w, "kind", lead->kind);
    json_put_text(w, "url", lead->url);
    json_put_optional(w, "title", lead->title);
    json_put_optional(w, "authors", lead->authors);
    json_put_optional(w, "year", lead->year);
    json_put_text(w, "services", lead->services);
    json_put_text(w, "queries", lead->queries);
    json_put_optional(w, "discussion", lead->discussion);
    json_put_optional(w, "known", lead->known);
    json_put_number(w, "score", lead->score);
    json_end_object(w);
}

void leads_write_json(struct buffer *out, const struct leads *leads) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", "assay.leads.v1");
    json_put_string(&w, "method", method);
    json_put_string(&w, "ranking", ranking);
    json_begin_array(&w, "queries");
    for (size_t i = 0; i < leads->query_count; i++)
        put_query(&w, &leads->queries[i]);
    json_end_array(&w);
    json_begin_array(&w, "services");
    for (size_t i = 0; i < leads->service_count; i++)
        put_service(&w, &leads->services[i]);
    json_end_array(&w);
    json_begin_array(&w, "leads");
    for (size_t i = 0; i < leads->count; i++)
        put_lead(&w, &leads->leads[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

static void write_query(struct buffer *out, const struct lead_query *query) {
    struct span from = query->claim.len ? query->claim : span_of(query->from);
    buffer_printf(out, "  %-6.*s ", SPAN_ARG(from));
    for (size_t i = 0; i < query->word_count; i++) {
        buffer_add(out, i ? SPAN(" ") : SPAN(""));
        terminal_escape(out, query->words[i]);
    }
    buffer_add_string(out, "\n");
}

static void write_service(struct buffer *out, const struct lead_service_state *service) {
    buffer_printf(out, "  %-12s %s: %zu of %zu questions answered, %zu results", service->service,
                  state_of(service), service->answered, service->asked, service->results);
    if (service->why.len > 0) {
        buffer_add_string(out, " (");
        terminal_escape(out, service->why);
        buffer_add_string(out, ")");
    }
    buffer_add_string(out, "\n");
}

static void write_part(struct buffer *out, const char *before, struct span text) {
    if (text.len == 0)
        return;
    buffer_add_string(out, before);
    terminal_escape(out, text);
}

static void write_lead(struct buffer *out, size_t number, const struct lead *lead) {
    buffer_printf(out, "%3zu. [lead] ", number);
    terminal_escape(out, lead->title.len ? lead->title : lead->id);
    write_part(out, "\n     ",
               lead->authors.len > 80 ? span_slice(lead->authors, 0, 80) : lead->authors);
    write_part(out, lead->authors.len ? ", " : "\n     ", lead->year);
    write_part(out, "\n     ", lead->url);
    write_part(out, "\n     for ", lead->queries);
    write_part(out, "; by ", lead->services);
    write_part(out, "; already source ", lead->known);
    write_part(out, "\n     discussed at ", lead->discussion);
    buffer_add_string(out, "\n");
}

void leads_write_text(struct buffer *out, const struct leads *leads) {
    buffer_printf(out, "Queries. %s\n", method);
    for (size_t i = 0; i < leads->query_count; i++)
        write_query(out, &leads->queries[i]);
    buffer_add_string(out, "Asked:\n");
    for (size_t i = 0; i < leads->service_count; i++)
        write_service(out, &leads->services[i]);
    buffer_printf(out, "%zu leads; nobody has opened them, so none is evidence. %s\n", leads->count,
                  ranking);
    for (size_t i = 0; i < leads->count; i++)
        write_lead(out, i + 1, &leads->leads[i]);
}
