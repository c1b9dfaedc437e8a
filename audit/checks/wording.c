/* Claims whose words promise more than a text can show: universal ones ("never", "always"), causal
 * ones ("because"), and statements of fact about others without a source. Each is reported with the
 * words that triggered it. A hedge, a link or a citation in the sentence, an instruction ("never
 * run this as root") or a quoted rule takes it out: precision before recall. */
#include "audit/checks/checks.h"
#include "audit/prose.h"

enum { MOST_SENTENCE = 600 }; /* longer stretches are no sentences */

static const char *const universal[] = {"never",
                                        "always",
                                        "impossible",
                                        "guaranteed",
                                        "in every case",
                                        "under all circumstances",
                                        "without exception",
                                        "no exceptions",
                                        "every time",
                                        NULL};
static const char *const causal[] = {"because",      "the reason is", "the reason the",
                                     "is caused by", "are caused by", "due to",
                                     "this is why",  "that is why",   NULL};
static const char *const unsourced[] = {
    "it is well known", "it is widely known", "studies show",      "research shows",
    "experts agree",    "everyone knows",     "it has been shown", "it is generally accepted",
    "the fastest",      "the most popular",   "industry standard", NULL};

static const char *const hedges[] = {
    "may",        "might",      "can",        "could",         "often",     "usually",
    "sometimes",  "typically",  "probably",   "perhaps",       "likely",    "seems",
    "seem",       "appears",    "suggests",   "suggest",       "tends",     "tend",
    "mostly",     "generally",  "we think",   "i think",       "believe",   "suspect",
    "presumably", "almost",     "in general", "in most cases", "as far as", "if",
    "unless",     "not always", "should",     "roughly",       "assume",    NULL};
/* words of instructions: what follows is advice, not a claim */
static const char *const advice[] = {"please",   "do not",    "don't",      "make sure",
                                     "you must", "must",      "you should", "prefer",
                                     "avoid",    "note that", "let",        NULL};
static const char *const sources[] = {
    "see", "according to", "doi",    "et al", "arxiv", "documented", "the documentation",
    "rfc", "section",      "figure", "table", "http",  "https",      NULL};

static const struct wording_rule {
    const char *name, *concern;
    const char *const *words;
    enum response response;
} rules[] = {
    {"universal", "a universal claim, which one counterexample refutes", universal,
     RESPONSE_CLARIFICATION},
    {"unsourced", "a claim about others without a source", unsourced, RESPONSE_CITATION},
    {"causal", "a causal claim without a measurement or source beside it", causal,
     RESPONSE_CITATION},
};

static bool links_in(const struct document *d, const struct sentence *s) {
    /* links are in order of place */
    size_t low = 0, high = d->chapter->link_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (d->chapter->links[middle].end <= s->start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->chapter->link_count && d->chapter->links[low].start < s->end;
}

static bool is_prose(const struct document *d, const struct sentence *s) {
    if (s->block >= d->chapter->block_count || s->end - s->start > MOST_SENTENCE)
        return false;
    enum block_kind kind = d->chapter->blocks[s->block].kind;
    return kind == BLOCK_PROSE;
}

static bool is_exempt(const struct document *d, const struct sentence *s, struct span text) {
    return prose_has_any(text, hedges, NULL) || prose_has_any(text, sources, NULL) ||
           prose_has_any(text, advice, NULL) || links_in(d, s) ||
           span_find_byte(text, '[', 0) != (size_t)-1 ||
           span_find_byte(text, '"', 0) != (size_t)-1 || (text.len && text.at[text.len - 1] == '?');
}

static void report(const struct check_input *input, struct findings *findings,
                   const struct sentence *s, const struct wording_rule *rule, const char *word) {
    struct finding_draft d;
    struct span text =
        span_trim(prose_sentence(input->document, (size_t)(s - input->document->sentences)));
    size_t start = (size_t)(text.at - input->document->chapter->view.at);
    finding_begin(&d, input, findings, "wording", FINDING_UNSUPPORTED, SEVERITY_LOW);
    finding_place(&d, start, start + text.len);
    finding_claim_at(&d, start, start + text.len);
    d.finding.response = rule->response;
    finding_say(&d, "\"%s\": %s.", word, rule->concern);
    finding_end(&d);
}

static bool is_wording(const struct claim *claim) {
    return claim->kind == CLAIM_UNIVERSAL || claim->kind == CLAIM_MECHANISM ||
           claim->kind == CLAIM_REFERENCE;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct document *d = input->document;
    for (size_t i = 0; i < d->sentence_count; i++) {
        const struct sentence *s = &d->sentences[i];
        if (!is_prose(d, s))
            continue;
        struct span text = span_trim(prose_sentence(d, i));
        if (is_exempt(d, s, text))
            continue;
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            const char *word;
            /* a causal sentence with its own numbers shows what it says */
            if (rules[r].words == causal && s->quantity_count)
                continue;
            if (prose_has_any(text, rules[r].words, &word)) {
                report(input, findings, s, &rules[r], word);
                break;
            }
        }
    }
    coverage_claims(input, findings, "wording", is_wording, "neither universal nor causal");
}

const struct check check_wording = {"wording", "Universal, causal and unsourced claims", run};
