/* A service that knows something about documents: one file each (service_NAME.c), one line in the
 * table of services.c. The queue (verify.c) asks it about items and keeps its rules.
 *
 * A service says which items it can be asked about, forms the request for one or several of them,
 * and reads the answer. It never judges what silence means: an answer is found, absent, or not
 * readable, and everything else (no connection, 429, HTML instead of JSON) is "unreachable". */
#ifndef FETCH_SERVICE_H
#define FETCH_SERVICE_H

#include "fetch/http.h"
#include "schemas/sources.h"

#include <cjson/cJSON.h>

enum { SERVICES_MOST = 20, SERVICE_ALONE_BELOW = 5 };

/* What an answer says beyond the record: becomes a finding of that kind (schemas/sources.h). */
struct service_note {
    const char *kind;
    enum severity severity;
    struct span message;
};

struct service_record {
    struct source_record fields;
    struct service_note *notes;
    size_t note_count, note_capacity;
    struct span docs_root; /* of a documentation page: where objects.inv is */
};

struct service_answer {
    bool settled; /* asked and dealt with, or decided that it is not asked */
    enum registry_state state;
    bool found;
    struct span why, url, at;
    int status;   /* of the HTTP answer; 0 = none */
    size_t batch; /* most items of a request that holds this one; 0 = the service's */
    struct service_record *record; /* of a found one */
};

/* One source on its way through the services. */
struct service_item {
    struct source *source;
    struct service_answer answers[SERVICES_MOST]; /* in the order of the table */
};

struct service_settings {
    const char *const *bases; /* "crossref=https://...", NULL-terminated or NULL */
    const char *contact;      /* NULL = none */
};

struct service_ask {
    struct arena *arena;
    const struct service_settings *settings;
    struct span base; /* without a slash at its end */
    struct service_item *const *items;
    size_t count;
    struct http_request *request; /* to be filled; max_bytes is set */
};

struct service_reply {
    struct arena *arena;
    size_t service; /* index of the answers */
    struct service_item *const *items;
    size_t count;
    const struct http_result *result; /* 2xx */
};

struct service {
    const char *id;          /* "crossref": in sources.json */
    const char *base_id;     /* whose base URL it uses in --service; NULL = its own */
    bool is_page;            /* its answer is the source itself */
    const char *base;        /* default base URL; "" = the item's own URL */
    const char *absent;      /* what a 404 of this service means, as a clause */
    const char *absent_kind; /* finding that an absence makes; NULL = it proves nothing */
    int absent_status;       /* a status that means the same as 404 here; 0 = none */
    size_t batch;            /* items one request may hold */
    size_t most;             /* requests of one run; 0 = no limit of its own */
    size_t max_bytes;        /* of an answer; 0 = 4 MiB */
    bool halves;             /* a batch that fails is asked again in halves, not one by one */
    struct span (*environment_base)(
        void); /* a base that the environment sets, or ""; NULL = none */
    bool (*alone)(const struct service_item *item); /* never in a batch; NULL = none is so */
    /* Whether the item is its business now. A service that could be asked but is not (no key) says
     * why in *why and returns false. */
    bool (*accepts)(const struct service_item *item, const struct service_settings *settings,
                    const char **why);
    void (*ask)(struct service_ask *ask);
    /* NULL, or why the answer cannot be read. Items it does not settle are absent. */
    const char *(*read)(struct service_reply *reply);
};

extern const struct service *const services[];
size_t service_count(void);
/* Index of the service of that id; it must exist. */
size_t service_index(const char *id);
/* The base URL to use: --service, else the default; without a slash at its end. */
struct span service_base(const struct service *service, const struct service_settings *settings);
/* The answer of another service about the item. */
const struct service_answer *service_answer_of(const struct service_item *item, const char *id);
/* Asked, or decided not to be. */
bool service_is_settled(const struct service_item *item, const char *id);
bool service_has_record(const struct service_item *item, const char *id);

/* What stands behind a prefix of the source's id ("doi:"), or the empty span. */
struct span service_id(const struct service_item *item, const char *prefix);
/* Bytes that are not unreserved (RFC 3986, 2.3) or in keep are percent-encoded. */
struct span service_escape(struct arena *arena, struct span text, const char *keep);

/* Settles items[i] as found and returns its record to fill. */
struct service_record *service_found(struct service_reply *reply, size_t i);
void service_absent(struct service_reply *reply, size_t i, const char *why);
void service_note(struct arena *arena, struct service_record *record, const char *kind,
                  enum severity severity, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Whether a record found by searching is the claimed work: its title matches, and its authors are
 * not others. */
bool service_is_same_work(struct arena *arena, const struct source_claimed *claimed,
                          const struct source_record *record);

/* The answer as JSON, or NULL with *fault. Caller frees with cJSON_Delete. */
cJSON *service_json(const struct service_reply *reply, const char **fault);
/* "Family, Given; Family, Given" under construction. */
struct span service_add_author(struct arena *arena, struct span authors, struct span family,
                               struct span given);
/* "Ashish Vaswani" -> family "Vaswani", given "Ashish"; "Vaswani, Ashish" too. */
void service_split_name(struct span name, struct span *family, struct span *given);
/* White space runs as one space, markup and entities left as they are. */
struct span service_clean(struct arena *arena, struct span text);
/* The first four digits of a date that are a year from 1000 to 2999, or the empty span. */
struct span service_year(struct span date);

#endif
