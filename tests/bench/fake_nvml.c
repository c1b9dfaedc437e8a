/* A stand-in for libnvidia-ml.so.1 with the signatures of nvml.h (NVML API Reference): one GPU
 * whose state the environment sets, "NAME=FIRST,THEN": FIRST for the first reading, THEN for the
 * rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned value(const char *name, unsigned otherwise, int *readings) {
    const char *text = getenv(name), *comma = text ? strchr(text, ',') : NULL;
    if (!text)
        return otherwise;
    return (unsigned)strtoul(comma && (*readings)++ ? comma + 1 : text, NULL, 0);
}
#define VALUE(name, otherwise)                                                                     \
    ({                                                                                             \
        static int readings;                                                                       \
        value(name, otherwise, &readings);                                                         \
    })

int nvmlInit_v2(void) {
    return getenv("FAKE_BROKEN") ? 9 : 0;
}
int nvmlShutdown(void) {
    return 0;
}
int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    return snprintf(text, size, "570.01") < 0;
}
int nvmlSystemGetCudaDriverVersion_v2(int *v) {
    return *v = 12080, 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) {
    return *d = (void *)&nvmlInit_v2, i > 0 ? 2 : 0;
}
int nvmlDeviceGetName(void *d, char *text, unsigned size) {
    return (void)d, snprintf(text, size, "NVIDIA Test 9000") < 0;
}
int nvmlDeviceGetUUID(void *d, char *text, unsigned size) {
    return (void)d, snprintf(text, size, "GPU-0123") < 0;
}
int nvmlDeviceGetMemoryInfo(void *d, unsigned long long m[3]) {
    return (void)d, m[0] = 12ull << 30, m[1] = 9ull << 30, m[2] = 3ull << 30, 0;
}
int nvmlDeviceGetCudaComputeCapability(void *d, int *a, int *b) {
    return (void)d, *a = 7, *b = 5, 0;
}
int nvmlDeviceGetClockInfo(void *d, int kind, unsigned *mhz) {
    return (void)d, *mhz = kind == 1 ? VALUE("FAKE_CLOCK", 1680) : 7001, 0;
}
int nvmlDeviceGetMaxClockInfo(void *d, int kind, unsigned *mhz) {
    return (void)d, *mhz = kind == 1 ? 2100 : 7001, 0;
}
int nvmlDeviceGetPowerUsage(void *d, unsigned *mw) {
    return (void)d, *mw = 45500, 0;
}
int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *c) {
    return (void)d, (void)sensor, *c = 61, 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *r) {
    return (void)d, *r = VALUE("FAKE_REASONS", 1), 0;
}
int nvmlDeviceGetUtilizationRates(void *d, unsigned u[2]) {
    return (void)d, u[0] = VALUE("FAKE_LOAD", 0), u[1] = 0, 0;
}
int nvmlDeviceGetDisplayActive(void *d, int *on) {
    return (void)d, *on = 1, 0;
}
int nvmlDeviceGetEccMode(void *d, int *a, int *b) {
    return (void)d, (void)a, (void)b, 3; /* not supported */
}
int nvmlDeviceGetPersistenceMode(void *d, int *on) {
    return (void)d, *on = 0, 0;
}
