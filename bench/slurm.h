/* The executor `slurm`: the processes of an experiment as one job array. Partition, account and the
 * like come from Slurm's own variables (SBATCH_PARTITION, SBATCH_GRES ...; sbatch(1)). */
#ifndef BENCH_SLURM_H
#define BENCH_SLURM_H

#include "core/process.h"

struct slurm_task {
    struct span input;         /* what the process reads */
    struct process_result ran; /* end, status, out, err, wall_ns; nothing else is known */
    struct span lost;          /* why it gave no result: "job 12_0 was cancelled"; empty: it did */
    bool timed_out;            /* with lost: Slurm ended it at its limit */
};

struct slurm_options {
    const char *const *arguments; /* of each process, NULL at the end */
    const char *folder;   /* on a disk that the nodes share; files of the jobs go below it */
    bool gpu;             /* asks for one GPU, unless SBATCH_GRES is set */
    double limit_seconds; /* of each process */
    uint64_t latest_ns;   /* monotonic; what has not ended then is cancelled */
};

/* Submits, waits and collects as tasks finish. ERROR_UNAVAILABLE where there is no Slurm or it
 * refuses the job; ERROR_INTERRUPTED after cancelling on an interruption. */
bool slurm_run(struct arena *arena, const struct slurm_options *options, struct slurm_task *tasks,
               size_t count, struct error *error);

#endif
