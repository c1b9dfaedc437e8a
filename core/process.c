#include "core/process.h"

#include "core/clock.h"
#include "core/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_DEFAULT = 64 << 20, LOG_KEPT = 64 << 10 };

struct pipes {
    int in[2], out[2], err[2];
};

static void close_all(struct pipes *pipes) {
    int *ends = &pipes->in[0];
    for (int i = 0; i < 6; i++)
        if (ends[i] >= 0) {
            close(ends[i]);
            ends[i] = -1;
        }
}

static void close_end(int *end) {
    close(*end);
    *end = -1;
}

static void limit(int what, uint64_t value) {
    struct rlimit bound = {value, value};
    if (value)
        setrlimit(what, &bound);
}

static _Noreturn void child(const struct pipes *pipes, const char *const *arguments,
                            const char *const *environment, const struct process_limits *limits,
                            int report_fd) {
    setpgid(0, 0);
    dup2(pipes->in[0], STDIN_FILENO);
    dup2(pipes->out[1], STDOUT_FILENO);
    dup2(pipes->err[1], STDERR_FILENO);
    limit(RLIMIT_AS, limits->memory_bytes);
    limit(RLIMIT_CPU, limits->cpu_seconds);
    signal(SIGPIPE, SIG_DFL);
    if (environment)
        execvpe(arguments[0], (char *const *)arguments, (char *const *)environment);
    else
        execvp(arguments[0], (char *const *)arguments);
    int cause = errno;
    (void)!write(report_fd, &cause, sizeof cause);
    _exit(127);
}

static bool open_pipes(struct pipes *pipes) {
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return pipe2(pipes->in, O_CLOEXEC) == 0 && pipe2(pipes->out, O_CLOEXEC) == 0 &&
           pipe2(pipes->err, O_CLOEXEC) == 0;
}

struct stream {
    struct buffer text;
    size_t keep;
    bool keep_tail;
    size_t line_start;
};

static void emit_lines(struct stream *s, process_line *on_line, void *context, bool finished) {
    if (!on_line)
        return;
    struct span all = buffer_span(&s->text);
    for (;;) {
        size_t end = span_find_byte(all, '\n', s->line_start);
        bool last = end == (size_t)-1;
        if (last && !(finished && s->line_start < all.len))
            return;
        on_line(context, span_slice(all, s->line_start, last ? all.len : end));
        s->line_start = last ? all.len : end + 1;
    }
}

/* Reads what is there; false at the end of the stream. */
static bool drain(int fd, struct stream *s) {
    char block[1 << 14];
    ssize_t got = read(fd, block, sizeof block);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got == 0)
        return false;
    if (s->keep_tail || s->text.len < s->keep)
        buffer_add(&s->text, span_make(block, (size_t)got));
    if (s->keep_tail && s->text.len > 2 * s->keep) {
        memmove(s->text.at, s->text.at + s->text.len - s->keep, s->keep);
        s->text.len = s->keep;
    }
    return true;
}

static void feed(int *fd, struct span *input) {
    ssize_t put = input->len ? write(*fd, input->at, input->len) : 0;
    if (put > 0)
        *input = span_slice(*input, (size_t)put, input->len);
    if (input->len == 0 || (put < 0 && errno != EAGAIN && errno != EINTR))
        close_end(fd);
}

static int wait_left_ms(const struct process_limits *limits, uint64_t started) {
    uint64_t spent = (clock_monotonic_ns() - started) / 1000000;
    if (limits->time_ms && spent >= limits->time_ms)
        return 0;
    uint64_t left = limits->time_ms ? limits->time_ms - spent : 200;
    return left < 200 ? (int)left : 200; /* looks at the interrupt flag five times a second */
}

/* Pumps the pipes until both outputs end or a limit is reached. */
static enum process_end pump(struct pipes *p, struct span input, struct stream *out,
                             struct stream *err, const struct process_limits *limits,
                             uint64_t started, process_line *on_line, void *context) {
    if (input.len == 0)
        close_end(&p->in[1]);
    else
        fcntl(p->in[1], F_SETFL, O_NONBLOCK);
    while (p->out[0] >= 0 || p->err[0] >= 0) {
        struct pollfd polls[3] = {
            {p->out[0], POLLIN, 0}, {p->err[0], POLLIN, 0}, {p->in[1], POLLOUT, 0}};
        int left = wait_left_ms(limits, started);
        if (left == 0)
            return PROCESS_TIMED_OUT;
        if (interrupt_signal())
            return PROCESS_INTERRUPTED;
        if (poll(polls, 3, left) <= 0)
            continue;
        if (polls[0].revents) {
            if (!drain(p->out[0], out))
                close_end(&p->out[0]);
            emit_lines(out, on_line, context, p->out[0] < 0);
        }
        if (polls[1].revents && !drain(p->err[0], err))
            close_end(&p->err[0]);
        if (polls[2].revents)
            feed(&p->in[1], &input);
    }
    return PROCESS_EXITED;
}

static uint64_t timeval_ns(struct timeval t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

/* Waits for the child within its time limit (it may close its pipes and run on). */
static void reap(pid_t pid, const struct process_limits *limits, uint64_t started,
                 struct process_result *result) {
    int status = 0;
    struct rusage usage = {0};
    for (;;) {
        bool give_up = result->end != PROCESS_EXITED;
        if (give_up)
            kill(-pid, SIGKILL);
        pid_t got = wait4(pid, &status, give_up ? 0 : WNOHANG, &usage);
        if (got == pid || (got < 0 && errno != EINTR))
            break;
        if (got == 0 && wait_left_ms(limits, started) == 0)
            result->end = PROCESS_TIMED_OUT;
        else if (got == 0 && interrupt_signal())
            result->end = PROCESS_INTERRUPTED;
        else if (got == 0)
            usleep(500);
    }
    kill(-pid, SIGKILL); /* what the child left running in its group */
    result->wall_ns = clock_monotonic_ns() - started;
    result->user_ns = timeval_ns(usage.ru_utime);
    result->system_ns = timeval_ns(usage.ru_stime);
    result->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (result->end == PROCESS_EXITED && WIFSIGNALED(status))
        result->end = PROCESS_SIGNALLED;
    result->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

bool process_run(struct arena *arena, const char *const *arguments, const char *const *environment,
                 struct span input, const struct process_limits *limits, process_line *on_line,
                 void *context, struct process_result *result, struct error *error) {
    struct pipes pipes;
    int report[2] = {-1, -1};
    *result = (struct process_result){0};
    if (!open_pipes(&pipes) || pipe2(report, O_CLOEXEC) != 0) {
        error_system(error, errno, arguments[0], "Close other programs.", "cannot make a pipe");
        close_all(&pipes);
        return false;
    }
    uint64_t started = clock_monotonic_ns();
    pid_t pid = fork();
    if (pid == 0)
        child(&pipes, arguments, environment, limits, report[1]);
    close(report[1]);
    close_end(&pipes.in[0]);
    close_end(&pipes.out[1]);
    close_end(&pipes.err[1]);
    int cause = pid < 0 ? errno : 0;
    bool failed = pid < 0 || read(report[0], &cause, sizeof cause) == (ssize_t)sizeof cause;
    close(report[0]);
    if (failed) {
        if (pid > 0)
            waitpid(pid, NULL, 0);
        close_all(&pipes);
        return error_system(error, cause, arguments[0], "Install it or check PATH.",
                            "cannot start program");
    }
    struct stream out = {.keep = limits->output_bytes ? limits->output_bytes : OUTPUT_DEFAULT};
    struct stream err = {.keep = LOG_KEPT, .keep_tail = true};
    result->end = pump(&pipes, input, &out, &err, limits, started, on_line, context);
    close_all(&pipes);
    reap(pid, limits, started, result);
    result->out = arena_copy(arena, buffer_span(&out.text));
    struct span log = buffer_span(&err.text);
    size_t from = log.len > LOG_KEPT ? log.len - LOG_KEPT : 0;
    result->err = arena_copy(arena, span_slice(log, from, log.len));
    buffer_free(&out.text);
    buffer_free(&err.text);
    return true;
}

const char *process_self(struct arena *arena) {
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path);
    return arena_string(arena, span_make(path, len > 0 ? (size_t)len : 0));
}
