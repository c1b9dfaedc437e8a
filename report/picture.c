#include "report/picture.h"

#include <math.h>
#include <stdlib.h>

static const struct result *result_of(const struct view *view, struct span id) {
    for (size_t i = 0; i < view->results.count; i++)
        if (span_equal(view->results.results[i].id, id))
            return &view->results.results[i];
    return NULL;
}

static const struct measured *measured_of(const struct result *result, struct span name) {
    for (size_t i = 0; result && i < result->measured_count; i++)
        if (span_equal(result->measured[i].variant, name) && isfinite(result->measured[i].median))
            return &result->measured[i];
    return NULL;
}

void picture_variants(const struct view *view,
                      void (*visit)(void *context, const struct picture_variant *variant),
                      void *context) {
    for (size_t i = 0; i < view->plan.count; i++) {
        const struct experiment *experiment = &view->plan.experiments[i];
        const struct result *result =
            i < view->results.count && span_equal(view->results.results[i].id, experiment->id)
                ? &view->results.results[i]
                : result_of(view, experiment->id);
        for (size_t k = 0; k < experiment->variant_count; k++) {
            struct picture_variant variant = {result, &experiment->variants[k],
                                              measured_of(result, experiment->variants[k].name)};
            visit(context, &variant);
        }
    }
}

bool variant_has(const struct plan_variant *variant, const char *boundary, const char *metric) {
    return span_equal(variant->boundary, span_of(boundary)) &&
           span_equal(variant->metric, span_of(metric));
}

double variant_number(const struct plan_variant *variant, const char *parameter) {
    struct span text = plan_fields_get(&variant->parameters, parameter);
    char digits[32], *end;
    if (text.len == 0 || text.len >= sizeof digits)
        return NAN;
    memcpy(digits, text.at, text.len);
    digits[text.len] = '\0';
    double value = strtod(digits, &end);
    return *end == '\0' && isfinite(value) ? value : NAN;
}
