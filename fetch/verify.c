#include "fetch/verify.h"

#include "fetch/verify_record.h"

#include <stdlib.h>

enum { ROUNDS_MOST = 12, ANSWER_BYTES = 4 << 20 };

/* One request of a round, and whom it asks about. */
struct question {
    size_t service;
    struct service_item **items;
    size_t count;
};

struct queue {
    struct arena *arena;
    const struct service_settings *settings;
    struct service_item *items;
    size_t count;
    struct question *questions; /* of this round */
    size_t question_count, question_capacity;
    size_t asked[SERVICES_MOST]; /* requests so far */
};

static void leave(struct service_item *item, size_t service, enum registry_state state,
                  struct span why) {
    struct service_answer *answer = &item->answers[service];
    answer->settled = true;
    answer->state = state;
    answer->why = why;
}

static size_t batch_of(const struct service_item *item, size_t service) {
    size_t batch = item->answers[service].batch;
    bool alone = services[service]->alone && services[service]->alone(item);
    return alone ? 1 : batch ? batch : services[service]->batch;
}

/* Whether the service is asked about the item in this round. */
static bool wants(struct queue *queue, struct service_item *item, size_t service) {
    const char *why = NULL;
    if (item->answers[service].settled)
        return false;
    if (services[service]->accepts(item, queue->settings, &why))
        return true;
    if (why)
        leave(item, service, REGISTRY_NOT_ASKED, span_of(why));
    return false;
}

static void push(struct queue *queue, size_t service, struct service_item **items, size_t count) {
    size_t most = services[service]->most;
    if (most > 0 && queue->asked[service] >= most) {
        struct span why = arena_printf(
            queue->arena, "a run asks this service at most %zu times, to stay within its limits",
            most);
        for (size_t i = 0; i < count; i++)
            leave(items[i], service, REGISTRY_NOT_ASKED, why);
        return;
    }
    queue->asked[service]++;
    struct question question = {service, items, count};
    LIST_PUSH(queue->arena, queue->questions, queue->question_count, queue->question_capacity,
              question);
}

/* Items of one batch size are cut into requests; a few are asked for one by one. */
static void push_group(struct queue *queue, size_t service, struct service_item **items,
                       size_t count, size_t batch) {
    size_t step = batch;
    if (count < SERVICE_ALONE_BELOW && !services[service]->halves)
        step = 1;
    for (size_t i = 0; i < count; i += step)
        push(queue, service, items + i, count - i < step ? count - i : step);
}

static void collect(struct queue *queue, size_t service) {
    struct service_item **all = arena_array(queue->arena, queue->count, sizeof *all);
    size_t all_count = 0;
    for (size_t i = 0; i < queue->count; i++)
        if (wants(queue, &queue->items[i], service))
            all[all_count++] = &queue->items[i];
    for (size_t batch = services[service]->batch; batch > 0; batch /= 2) {
        struct service_item **group = arena_array(queue->arena, all_count, sizeof *group);
        size_t count = 0;
        for (size_t i = 0; i < all_count; i++) {
            size_t own = batch_of(all[i], service);
            if (own == batch || (own < batch && own > batch / 2))
                group[count++] = all[i];
        }
        push_group(queue, service, group, count, batch);
    }
}

static void ask(struct queue *queue, const struct question *question,
                struct http_request *request) {
    const struct service *service = services[question->service];
    *request =
        (struct http_request){.max_bytes = service->max_bytes ? service->max_bytes : ANSWER_BYTES};
    struct service_ask ask = {
        .arena = queue->arena,
        .settings = queue->settings,
        .base = service_base(service, queue->settings),
        .items = question->items,
        .count = question->count,
        .request = request,
    };
    service->ask(&ask);
}

/* A batch that was refused or cannot be read is asked for again in smaller parts. */
static void part(const struct question *question) {
    bool halves = services[question->service]->halves;
    for (size_t i = 0; i < question->count; i++)
        question->items[i]->answers[question->service].batch = halves ? question->count / 2 : 1;
}

static void mark(const struct question *question, const struct http_result *result,
                 enum registry_state state, struct span why) {
    for (size_t i = 0; i < question->count; i++) {
        struct service_item *item = question->items[i];
        if (item->answers[question->service].settled)
            continue;
        leave(item, question->service, state, why);
        item->answers[question->service].url = result->url;
        item->answers[question->service].at = result->received_at;
        item->answers[question->service].status = result->status;
    }
}

/* 404 and 410 answer a question about one item: there is no such thing here. */
static bool is_absent(const struct question *question, const struct http_result *result) {
    return question->count == 1 && result->outcome == HTTP_ANSWERED &&
           (result->status == 404 || result->status == 410 ||
            result->status == services[question->service]->absent_status);
}

static bool can_part(const struct question *question, const struct http_result *result) {
    return question->count > 1 && result->outcome == HTTP_ANSWERED &&
           (result->status < 300 || (result->status >= 400 && result->status < 500 &&
                                     result->status != 429 && result->status != 403));
}

static void take(struct queue *queue, const struct question *question,
                 const struct http_result *result) {
    const struct service *service = services[question->service];
    struct service_reply reply = {
        .arena = queue->arena,
        .service = question->service,
        .items = question->items,
        .count = question->count,
        .result = result,
    };
    struct span absent = span_of(service->absent ? service->absent : "it has no record of it");
    const char *fault = NULL;
    if (http_is_ok(result) && !(fault = service->read(&reply)))
        mark(question, result, REGISTRY_ANSWERED, absent);
    else if (can_part(question, result))
        part(question);
    else if (is_absent(question, result))
        mark(question, result, REGISTRY_ANSWERED, absent);
    else if (result->outcome == HTTP_OFFLINE || result->outcome == HTTP_NOT_ARCHIVED)
        mark(question, result, REGISTRY_NOT_ASKED, result->reason);
    else
        mark(question, result, REGISTRY_UNREACHABLE, fault ? span_of(fault) : result->reason);
}

/* Order of questions by what they ask for, so that the same is asked only once. */
static int by_request(const void *x, const void *y) {
    const struct http_request *const *a = x, *const *b = y;
    size_t shorter = (*a)->url.len < (*b)->url.len ? (*a)->url.len : (*b)->url.len;
    int order = memcmp((*a)->url.at, (*b)->url.at, shorter);
    if (order == 0)
        order = ((*a)->url.len > (*b)->url.len) - ((*a)->url.len < (*b)->url.len);
    return order ? order : (*a > *b) - (*a < *b);
}

/* slots[i] gets the place of request i among the different ones, in unique; returns how many. */
static size_t merge(struct arena *arena, const struct http_request *requests, size_t count,
                    struct http_request *unique, size_t *slots) {
    const struct http_request **order = arena_array(arena, count, sizeof *order);
    size_t *first = arena_array(arena, count, sizeof *first), total = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = &requests[i];
    qsort(order, count, sizeof *order, by_request);
    for (size_t i = 0; i < count; i++) {
        size_t index = (size_t)(order[i] - requests);
        bool again = i > 0 && span_equal(order[i]->url, order[i - 1]->url) &&
                     span_equal(order[i]->accept, order[i - 1]->accept);
        first[index] = again ? first[order[i - 1] - requests] : index;
    }
    for (size_t i = 0; i < count; i++) {
        if (first[i] == i)
            unique[slots[i] = total++] = requests[i];
        else
            slots[i] = slots[first[i]];
    }
    return total;
}

static bool run_round(struct queue *queue, struct http *http, struct error *error) {
    size_t count = queue->question_count;
    struct http_request *requests = arena_array(queue->arena, count, sizeof *requests);
    struct http_request *unique = arena_array(queue->arena, count, sizeof *unique);
    struct http_result *results = arena_array(queue->arena, count, sizeof *results);
    size_t *slots = arena_array(queue->arena, count, sizeof *slots);
    for (size_t i = 0; i < count; i++)
        ask(queue, &queue->questions[i], &requests[i]);
    size_t total = merge(queue->arena, requests, count, unique, slots);
    if (!http_fetch_all(http, queue->arena, unique, total, results, error))
        return false;
    for (size_t i = 0; i < count; i++)
        take(queue, &queue->questions[i], &results[slots[i]]);
    return true;
}

bool verify_items(struct arena *arena, struct http *http, const struct service_settings *settings,
                  struct service_item *items, size_t count, struct error *error) {
    struct queue queue = {.arena = arena, .settings = settings, .items = items, .count = count};
    for (int round = 0; round < ROUNDS_MOST; round++) {
        queue.questions = NULL;
        queue.question_count = queue.question_capacity = 0;
        for (size_t service = 0; service < service_count(); service++)
            collect(&queue, service);
        if (queue.question_count == 0)
            return true;
        if (!run_round(&queue, http, error))
            return false;
    }
    return true;
}

static struct service_item *items_of(struct arena *arena, struct sources *sources, size_t *count) {
    struct service_item *items = arena_array(arena, sources->count, sizeof *items);
    *count = 0;
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->sources[i];
        bool own =
            span_equal(source->kind, SPAN("chapter")) || span_equal(source->kind, SPAN("pack"));
        if (!own && source->reading != READING_NOT_ACCESSIBLE)
            items[(*count)++].source = source;
    }
    return items;
}

bool verify_sources(struct arena *arena, struct http *http, const struct service_settings *settings,
                    struct sources *sources, struct error *error) {
    size_t count;
    struct service_item *items = items_of(arena, sources, &count);
    if (!verify_items(arena, http, settings, items, count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        verify_record(arena, &items[i]);
    return true;
}
