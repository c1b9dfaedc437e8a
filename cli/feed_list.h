/* assay fetch --feed: the entries of a feed and what is known here of each. */
#ifndef CLI_FEED_LIST_H
#define CLI_FEED_LIST_H

#include "cli/command.h"
#include "cli/options.h"

enum exit_status feed_list(const struct options *options, struct error *error);

#endif
