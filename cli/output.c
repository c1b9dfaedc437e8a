#include "cli/output.h"

#include "core/clock.h"
#include "core/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { REDRAW_NS = 100 * 1000 * 1000, LINE_LONGEST = 512 };

static struct {
    struct progress base;
    bool live, verbose, drawn;
    const char *stage; /* of the stage whose rate is shown */
    uint64_t started_ns, drawn_ns, last_total;
} view;

static int columns_of(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
        return size.ws_col;
    return 80;
}

static void clear_line(void) {
    if (view.drawn)
        fputs("\r\033[K", stderr);
    view.drawn = false;
}

static void add_bytes(struct buffer *out, uint64_t bytes, double seconds) {
    if (bytes == 0)
        return;
    buffer_printf(out, "  %.1f MB", (double)bytes / 1e6);
    if (seconds > 0.2)
        buffer_printf(out, "  %.1f MB/s", (double)bytes / 1e6 / seconds);
}

static void describe(struct buffer *out, const char *stage, uint64_t done, uint64_t total,
                     uint64_t bytes, const char *what) {
    double seconds = (double)(clock_monotonic_ns() - view.started_ns) / 1e9;
    buffer_printf(out, "%s: %" PRIu64, stage, done);
    if (total)
        buffer_printf(out, "/%" PRIu64, total);
    add_bytes(out, bytes, seconds);
    if (total > done && done > 0 && seconds > 1)
        buffer_printf(out, "  %.0f s left", seconds / (double)done * (double)(total - done));
    buffer_add_string(out, "  ");
    terminal_escape(out, span_of(what));
}

static void step(struct progress *progress, const char *stage, uint64_t done, uint64_t total,
                 uint64_t bytes, const char *what) {
    (void)progress;
    uint64_t now = clock_monotonic_ns();
    bool due = now - view.drawn_ns >= REDRAW_NS || done == total || view.stage != stage;
    if (view.stage != stage) {
        view.stage = stage;
        view.started_ns = now;
    }
    if (!(view.live && due) && !view.verbose)
        return;
    struct buffer line = {0};
    describe(&line, stage, done, total, bytes, what);
    clear_line();
    if (view.live) {
        fprintf(stderr, "%.*s", columns_of(STDERR_FILENO) - 1, line.at);
        view.drawn = true;
        fflush(stderr);
    } else {
        fprintf(stderr, "%.*s\n", LINE_LONGEST, line.at);
    }
    view.drawn_ns = now;
    buffer_free(&line);
}

static void note(struct progress *progress, const char *stage, const char *text) {
    (void)progress;
    struct buffer line = {0};
    terminal_escape(&line, span_of(text));
    clear_line();
    fprintf(stderr, "%s: %.*s\n", stage, SPAN_ARG(buffer_span(&line)));
    buffer_free(&line);
}

struct progress *output_progress(bool quiet, bool verbose) {
    if (quiet)
        return NULL;
    view.base = (struct progress){step, note};
    view.live = isatty(STDERR_FILENO) && !verbose;
    view.verbose = verbose;
    return &view.base;
}

void output_finish(void) {
    clear_line();
}

/* https://no-color.org: a non-empty NO_COLOR turns colours off unless the user asked for them. */
bool output_color(enum color_mode mode) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
           !(term && strcmp(term, "dumb") == 0);
}

int output_width(void) {
    return isatty(STDOUT_FILENO) ? columns_of(STDOUT_FILENO) : 80;
}

void output_write(struct span text) {
    fwrite(text.at, 1, text.len, stdout);
}
