#include "bench/nvml.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Function pointers of the struct by name. */
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    {"nvmlInit_v2", offsetof(struct nvml, init)},
    {"nvmlShutdown", offsetof(struct nvml, shutdown)},
    {"nvmlSystemGetDriverVersion", offsetof(struct nvml, driver)},
    {"nvmlSystemGetCudaDriverVersion_v2", offsetof(struct nvml, cuda_version)},
    {"nvmlDeviceGetHandleByIndex_v2", offsetof(struct nvml, by_index)},
    {"nvmlDeviceGetName", offsetof(struct nvml, name)},
    {"nvmlDeviceGetUUID", offsetof(struct nvml, uuid)},
    {"nvmlDeviceGetMemoryInfo", offsetof(struct nvml, memory)},
    {"nvmlDeviceGetCudaComputeCapability", offsetof(struct nvml, capability)},
    {"nvmlDeviceGetNumGpuCores", offsetof(struct nvml, cores)},
    {"nvmlDeviceGetClockInfo", offsetof(struct nvml, clock)},
    {"nvmlDeviceGetMaxClockInfo", offsetof(struct nvml, max_clock)},
    {"nvmlDeviceGetPowerUsage", offsetof(struct nvml, power)},
    {"nvmlDeviceGetEnforcedPowerLimit", offsetof(struct nvml, power_limit)},
    {"nvmlDeviceGetTemperature", offsetof(struct nvml, temperature)},
    {"nvmlDeviceGetCurrentClocksThrottleReasons", offsetof(struct nvml, reasons)},
    {"nvmlDeviceGetUtilizationRates", offsetof(struct nvml, utilization)},
    {"nvmlDeviceGetDisplayActive", offsetof(struct nvml, display)},
    {"nvmlDeviceGetEccMode", offsetof(struct nvml, ecc)},
    {"nvmlDeviceGetMigMode", offsetof(struct nvml, mig)},
    {"nvmlDeviceGetPersistenceMode", offsetof(struct nvml, persistence)},
};

static void load(struct nvml *nvml) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *symbol = dlsym(nvml->library, functions[i].name);
        memcpy((char *)nvml + functions[i].offset, &symbol, sizeof symbol);
    }
}

static unsigned first_visible(void) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char *end;
    unsigned long index = visible ? strtoul(visible, &end, 10) : 0;
    return index < 1024 ? (unsigned)index : 0;
}

bool nvml_open(struct nvml *nvml, nvml_device *device) {
    *nvml = (struct nvml){0};
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library)
        return false;
    load(nvml);
    if (nvml->init && nvml->shutdown && nvml->by_index && nvml->init() == 0) {
        if (nvml->by_index(first_visible(), device) == 0)
            return true;
        nvml->shutdown();
    }
    dlclose(nvml->library);
    nvml->library = NULL;
    return false;
}

void nvml_close(struct nvml *nvml) {
    nvml->shutdown();
    dlclose(nvml->library);
    nvml->library = NULL;
}
