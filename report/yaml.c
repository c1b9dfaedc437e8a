#include "report/yaml.h"

#include "report/page.h"

static int append(void *context, unsigned char *bytes, size_t len) {
    buffer_add(context, span_make((const char *)bytes, len));
    return 1;
}

static void emit(struct yaml_writer *w, yaml_event_t *event, int made) {
    if (!made || !yaml_emitter_emit(&w->emitter, event))
        w->failed = true;
}

/* plain: a scalar that is not a string (number, true, null), or a key of our own. */
static void scalar(struct yaml_writer *w, struct span text, bool plain) {
    yaml_event_t event;
    emit(w, &event,
         yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text.at,
                                      (int)text.len, plain, !plain,
                                      plain ? YAML_PLAIN_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE));
}

static void put_key(struct yaml_writer *w, const char *key) {
    if (key)
        scalar(w, span_of(key), true);
}

void yaml_begin(struct yaml_writer *w, struct buffer *out) {
    yaml_event_t event;
    w->failed = !yaml_emitter_initialize(&w->emitter);
    if (w->failed)
        return;
    yaml_emitter_set_output(&w->emitter, append, out);
    yaml_emitter_set_unicode(&w->emitter, 1);
    yaml_emitter_set_width(&w->emitter, -1);
    emit(w, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(w, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
}

bool yaml_end(struct yaml_writer *w) {
    yaml_event_t event;
    emit(w, &event, yaml_document_end_event_initialize(&event, 1));
    emit(w, &event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_delete(&w->emitter);
    return !w->failed;
}

void yaml_map_begin(struct yaml_writer *w, const char *key) {
    yaml_event_t event;
    put_key(w, key);
    emit(w, &event,
         yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

void yaml_map_end(struct yaml_writer *w) {
    yaml_event_t event;
    emit(w, &event, yaml_mapping_end_event_initialize(&event));
}

void yaml_list_begin(struct yaml_writer *w, const char *key) {
    yaml_event_t event;
    put_key(w, key);
    emit(w, &event,
         yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
}

void yaml_list_end(struct yaml_writer *w) {
    yaml_event_t event;
    emit(w, &event, yaml_sequence_end_event_initialize(&event));
}

void yaml_text(struct yaml_writer *w, const char *key, struct span text) {
    struct buffer visible = {0};
    size_t cut;
    page_visible(&visible, text, PAGE_QUOTE_LIMIT, &cut);
    if (cut)
        buffer_add(&visible, SPAN("…"));
    put_key(w, key);
    scalar(w, buffer_span(&visible), false);
    buffer_free(&visible);
}

void yaml_string(struct yaml_writer *w, const char *key, const char *text) {
    yaml_text(w, key, span_of(text));
}

void yaml_optional(struct yaml_writer *w, const char *key, struct span text) {
    if (text.len)
        yaml_text(w, key, text);
    else
        yaml_null(w, key);
}

void yaml_size(struct yaml_writer *w, const char *key, size_t value) {
    struct buffer text = {0};
    buffer_printf(&text, "%zu", value);
    put_key(w, key);
    scalar(w, buffer_span(&text), true);
    buffer_free(&text);
}

void yaml_flag(struct yaml_writer *w, const char *key, bool value) {
    put_key(w, key);
    scalar(w, value ? SPAN("true") : SPAN("false"), true);
}

void yaml_null(struct yaml_writer *w, const char *key) {
    put_key(w, key);
    scalar(w, SPAN("null"), true);
}
