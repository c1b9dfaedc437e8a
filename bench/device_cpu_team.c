#include "bench/device_cpu_team.h"
#include "bench/device_cpu_spin.h"
#include "core/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct helper {
    struct cpu_team *team;
    int member;
    pthread_t thread;
};

/* part and context are written before round grows and read after it was seen to grow. */
struct cpu_team {
    int members;
    struct helper *helpers; /* members - 1 */
    void (*part)(void *, int, int);
    void *context;
    _Atomic unsigned round; /* jobs given out */
    _Atomic int busy;       /* helpers that have not finished this round */
    _Atomic int sleepers;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t work;
};

static void wait_for_round(struct cpu_team *team, unsigned seen) {
    for (int i = 0; i < CPU_SPIN_ROUNDS; i++) {
        if (atomic_load(&team->round) != seen)
            return;
        cpu_relax();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->round) == seen)
        pthread_cond_wait(&team->work, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void *help(void *at) {
    struct helper *helper = at;
    struct cpu_team *team = helper->team;
    cpu_flush_subnormals();
    for (unsigned seen = 0;; seen++) {
        wait_for_round(team, seen);
        if (atomic_load(&team->stop))
            return NULL;
        team->part(team->context, helper->member, team->members);
        atomic_fetch_sub(&team->busy, 1);
    }
}

static void begin_round(struct cpu_team *team) {
    atomic_fetch_add(&team->round, 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->lock);
}

void cpu_team_run(struct cpu_team *team, void (*part)(void *, int, int), void *context) {
    if (team->members > 1) {
        team->part = part;
        team->context = context;
        atomic_store(&team->busy, team->members - 1);
        begin_round(team);
    }
    part(context, 0, team->members);
    for (int i = 0; team->members > 1 && atomic_load(&team->busy) > 0; i++) {
        if (i < CPU_SPIN_ROUNDS)
            cpu_relax();
        else
            sched_yield();
    }
}

int cpu_team_members(const struct cpu_team *team) {
    return team->members;
}

static void stop_helpers(struct cpu_team *team, int started) {
    atomic_store(&team->stop, true);
    begin_round(team);
    for (int i = 0; i < started; i++)
        pthread_join(team->helpers[i].thread, NULL);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->work);
    free(team->helpers);
    free(team);
}

struct cpu_team *cpu_team_new(int members) {
    struct cpu_team *team = memory_alloc(sizeof *team);
    *team = (struct cpu_team){.members = members};
    team->helpers = memory_alloc((size_t)members * sizeof *team->helpers);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->work, NULL);
    for (int i = 0; i < members - 1; i++) {
        team->helpers[i] = (struct helper){.team = team, .member = i + 1};
        int failed = pthread_create(&team->helpers[i].thread, NULL, help, &team->helpers[i]);
        if (!failed)
            continue;
        stop_helpers(team, i);
        errno = failed;
        return NULL;
    }
    return team;
}

void cpu_team_free(struct cpu_team *team) {
    stop_helpers(team, team->members - 1);
}
