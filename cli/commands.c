/* Every subcommand, in the order of the help text. A new one is one cmd_NAME.c and one line here.
 */
#include "cli/command.h"

const struct command *const commands[] = {
    NULL,
};
