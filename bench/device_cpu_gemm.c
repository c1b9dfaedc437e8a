#include "bench/device_cpu_gemm.h"

#include "bench/blas.h"

#include <stdio.h>

struct job {
    const struct blas *blas;
    const struct command *command;
    const struct cpu_loops *loops;
    int64_t across; /* members side by side in a row of tiles; 0: one member does it all */
};

/* Tile edges are multiples of this, the widest register block of OpenBLAS's kernels. */
#define TILE_EDGE 16
/* Below this many multiplications a second thread costs more than it saves (measured: 2 x 5 us). */
#define GEMM_ALONE 500000.0

static int64_t edge(int64_t size, int64_t index, int64_t parts) {
    int64_t blocks = (size + TILE_EDGE - 1) / TILE_EDGE;
    int64_t at = blocks * index / parts * TILE_EDGE;
    return at < size ? at : size;
}

static void tile(const struct blas *blas, const struct command *c, int64_t row, int64_t row_end,
                 int64_t column, int64_t column_end) {
    int64_t m = c->size[0], n = c->size[1], k = c->size[2];
    bool transpose_a = c->size[3] & 1, transpose_b = c->size[3] & 2;
    const float *a = (const float *)c->at[0] + (transpose_a ? row : row * k);
    const float *b = (const float *)c->at[1] + (transpose_b ? column * k : column);
    float *out = (float *)c->at[2] + row * n + column;
    blas->sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, (blasint)(row_end - row),
                (blasint)(column_end - column), (blasint)k, 1.0f, a, (blasint)(transpose_a ? m : k),
                b, (blasint)(transpose_b ? k : n), c->scalar[0], out, (blasint)n);
}

static void part(void *context, int member, int members) {
    const struct job *job = context;
    const struct command *c = job->command;
    int64_t across = job->across ? job->across : 1, down = job->across ? members / across : 1;
    if (member >= across * down)
        return;
    int64_t row = edge(c->size[0], member / across, down);
    int64_t row_end = edge(c->size[0], member / across + 1, down);
    int64_t column = edge(c->size[1], member % across, across);
    int64_t column_end = edge(c->size[1], member % across + 1, across);
    if (row == row_end || column == column_end)
        return;
    tile(job->blas, c, row, row_end, column, column_end);
    if (c->variant != EPILOGUE_NONE)
        job->loops->epilogue(c, row, row_end, column, column_end);
}

/* How many members stand side by side: the divisor of members with the shortest tile outline, which
 * is what each member must read and pack. */
static int64_t members_across(int64_t m, int64_t n, int members) {
    int64_t best = 1;
    double shortest = -1;
    for (int64_t across = 1; across <= members; across++) {
        if (members % across != 0)
            continue;
        double outline = (double)m * (double)across / members + (double)n / (double)across;
        if (shortest < 0 || outline < shortest) {
            shortest = outline;
            best = across;
        }
    }
    return best;
}

void cpu_gemm(struct cpu_team *team, const struct cpu_loops *loops, const struct command *c) {
    struct job job = {.blas = blas_open(NULL), .command = c, .loops = loops};
    int members = cpu_team_members(team);
    double products = (double)c->size[0] * (double)c->size[1] * (double)c->size[2];
    if (members == 1 || products < GEMM_ALONE) {
        part(&job, 0, 1);
        return;
    }
    job.across = members_across(c->size[0], c->size[1], members);
    cpu_team_run(team, part, &job);
}

bool cpu_gemm_open(char *library, size_t size, int members, struct error *error) {
    const struct blas *blas = blas_open(error);
    if (!blas)
        return false;
    blas->set_threads(1);
    snprintf(library, size, "%s, kernel %s, %d x 1 thread", blas->config(), blas->core_name(),
             members);
    return true;
}
