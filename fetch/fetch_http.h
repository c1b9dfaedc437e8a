/* The transport as the options of stage 1 ask for it. */
#ifndef FETCH_FETCH_HTTP_H
#define FETCH_FETCH_HTTP_H

#include "fetch/fetch.h"
#include "fetch/http.h"

/* The caller closes it; NULL with error. */
struct http *fetch_open_http(const struct fetch_options *options, struct error *error);

#endif
