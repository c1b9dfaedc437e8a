/* Threads that share one command's work: the caller is member 0, the others are started once. */
#ifndef BENCH_DEVICE_CPU_TEAM_H
#define BENCH_DEVICE_CPU_TEAM_H

#include <stddef.h>

struct cpu_team;

/* NULL: a thread could not be started (errno says why). */
struct cpu_team *cpu_team_new(int members);
void cpu_team_free(struct cpu_team *team);
int cpu_team_members(const struct cpu_team *team);
/* Calls part(context, member, members) once on each member and returns when all are done. */
void cpu_team_run(struct cpu_team *team, void (*part)(void *context, int member, int members),
                  void *context);

#endif
