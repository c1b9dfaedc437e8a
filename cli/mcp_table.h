/* The tools of `assay mcp` as a table. */
#ifndef CLI_MCP_TABLE_H
#define CLI_MCP_TABLE_H

#include <stdbool.h>

enum { MCP_ARGUMENTS_MOST = 12, MCP_COMMAND_MOST = 4 };

struct mcp_argument {
    const char *name, *type; /* "string", "integer", "boolean", "array" (of strings) */
    const char *option;      /* "--claim"; NULL: an argument by its place, in the order here */
    bool required;
    const char *description;
    const char *choices; /* "accept|revise|..."; NULL: any */
};

struct mcp_tool {
    const char *name, *description;
    const char *command[MCP_COMMAND_MOST];             /* NULL-terminated */
    bool changes, fetches;                             /* the workspace; from outside */
    bool takes_out, takes_who;                         /* --out, --who */
    struct mcp_argument arguments[MCP_ARGUMENTS_MOST]; /* up to the first without a name */
};

/* Ends with a tool without a name. */
extern const struct mcp_tool mcp_tools[];

#endif
