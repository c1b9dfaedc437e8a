/* The tools that `assay mcp` offers: each is one command of this program, run in a process of its
 * own, so that an assistant can do exactly what a person at the terminal can, checked the same. */
#ifndef CLI_MCP_TOOLS_H
#define CLI_MCP_TOOLS_H

#include "core/error.h"
#include "core/json.h"

/* What the server itself was started with; given to every command that takes it. */
struct mcp_settings {
    const char *out, *who;
    bool offline;
};

struct mcp_answer {
    struct span text;       /* what the command printed, or why it refused; in the arena */
    bool is_json, is_error; /* text is one JSON object; nothing was done */
};

/* Writes the array "tools": names, descriptions, JSON Schemas of the arguments. */
void mcp_list_tools(struct json_writer *w);
/* Runs a tool. Wrong arguments and refusals are answers with is_error, so that the caller can mend
 * them. False: there is no tool of that name. */
bool mcp_call_tool(struct arena *arena, const struct mcp_settings *settings, struct span name,
                   const cJSON *arguments, struct mcp_answer *answer);

#endif
