/* What the CPU device's threads share: how they wait and how they round. */
#ifndef BENCH_DEVICE_CPU_SPIN_H
#define BENCH_DEVICE_CPU_SPIN_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Waiting without sleeping is for waits that are usually shorter than waking a thread takes. About
 * 20 to 50 us: several times what a sleeping thread needs to wake (measured 5 to 10 us). */
#define CPU_SPIN_ROUNDS 1000

static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Subnormal results and operands count as zero in this thread from now on, as GPUs take them at
 * full speed and this hardware does not: an MLP that has learned its batch has subnormal gradients,
 * and a step then took ten times as long. (Intel SDM volume 1, 10.2.3: MXCSR bits 15 FTZ and 6 DAZ;
 * Arm ARM: FPCR bit 24 FZ.) */
static inline void cpu_flush_subnormals(void) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | 1UL << 24));
#endif
}

#endif
