/* NVIDIA's management library, opened when it is there. Only what the bench records or watches is
 * declared; names and numbers are those of its public API (nvml.h, "NVML API Reference"). */
#ifndef BENCH_NVML_H
#define BENCH_NVML_H

#include <stdbool.h>
#include <stdint.h>

typedef struct nvml_device_handle *nvml_device;

struct nvml_memory {
    unsigned long long total, free, used; /* bytes */
};
struct nvml_utilization {
    unsigned gpu, memory; /* percent */
};

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

/* Functions that an older driver lacks are NULL. All return 0 on success. */
struct nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*driver)(char *text, unsigned size);
    int (*cuda_version)(int *version);
    int (*by_index)(unsigned index, nvml_device *device);
    int (*name)(nvml_device device, char *text, unsigned size);
    int (*uuid)(nvml_device device, char *text, unsigned size);
    int (*memory)(nvml_device device, struct nvml_memory *memory);
    int (*capability)(nvml_device device, int *major, int *minor);
    int (*cores)(nvml_device device, unsigned *count);
    int (*clock)(nvml_device device, int kind, unsigned *mhz);
    int (*max_clock)(nvml_device device, int kind, unsigned *mhz);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*power_limit)(nvml_device device, unsigned *milliwatts);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius);
    int (*reasons)(nvml_device device, unsigned long long *reasons);
    int (*utilization)(nvml_device device, struct nvml_utilization *utilization);
    int (*display)(nvml_device device, int *active);
    int (*ecc)(nvml_device device, int *current, int *pending);
    int (*mig)(nvml_device device, unsigned *current, unsigned *pending);
    int (*persistence)(nvml_device device, int *mode);
};

/* Opens the library and the GPU that CUDA would use first (CUDA_VISIBLE_DEVICES, else 0). False
 * where there is no library, driver or GPU. */
bool nvml_open(struct nvml *nvml, nvml_device *device);
void nvml_close(struct nvml *nvml);

#endif
