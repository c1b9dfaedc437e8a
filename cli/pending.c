/* Stages that are not linked in yet answer with an error. Each definition is weak: the stage's own
 * replaces it. This file goes when the last stage has landed. */
#include "audit/audit.h"
#include "schemas/claims.h"
#include "schemas/plan.h"
#include "schemas/results.h"

#define PENDING __attribute__((weak))

static bool pending(const char *stage, struct error *error) {
    return error_set(error, ERROR_SYSTEM, stage, "Use a build that has it.",
                     "this build does not have the stage");
}

PENDING bool audit_pass(struct arena *arena, struct pass *pass, const struct audit_options *options,
                        struct error *error) {
    (void)arena, (void)pass, (void)options;
    return pending("audit", error);
}

PENDING bool audit_text(struct arena *arena, struct chapter *structure, struct span file_name,
                        const struct brief *brief, const struct audit_options *options,
                        struct claims *claims, struct findings *findings, struct error *error) {
    (void)arena, (void)structure, (void)file_name, (void)brief, (void)options, (void)claims;
    (void)findings;
    return pending("audit", error);
}

PENDING bool audit_explain(struct arena *arena, struct span text, const struct claims *claims,
                           const struct findings *findings, struct span claim, struct buffer *out,
                           struct error *error) {
    (void)arena, (void)text, (void)claims, (void)findings, (void)claim, (void)out;
    return pending("audit", error);
}

PENDING bool claims_read(struct arena *arena, struct span json, const char *where,
                         struct claims *claims, struct error *error) {
    (void)arena, (void)json, (void)where, (void)claims;
    return pending("claims", error);
}

PENDING void claims_write_members(struct json_writer *w, const struct claims *claims) {
    (void)w, (void)claims;
}

PENDING bool plan_read(struct arena *arena, struct span json, const char *where, struct plan *plan,
                       struct error *error) {
    (void)arena, (void)json, (void)where, (void)plan;
    return pending("plan", error);
}

PENDING bool results_read(struct arena *arena, struct span json, const char *where,
                          struct results *results, struct error *error) {
    (void)arena, (void)json, (void)where, (void)results;
    return pending("results", error);
}

PENDING bool sample_read(struct arena *arena, struct span line, const char *where,
                         struct sample *sample, struct error *error) {
    (void)arena, (void)line, (void)where, (void)sample;
    return pending("samples", error);
}
