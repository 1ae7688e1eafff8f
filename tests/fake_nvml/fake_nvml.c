/*
 * A libnvidia-ml.so.1 without hardware, for tests through the real Python binding.
 *
 * It plays the properties of a text file (named by FAKE_NVML_STATE), which is read again whenever
 * it changed: one `key value` a line.  Keys begin with the thing they speak of:
 *
 *   driver 595.71.05           cards 2                  card0.uuid.bytes f8b2 (hexadecimal)
 *   card0.uuid GPU-0           card0.name NVIDIA H100    card0.arch 9       card0.util 37
 *   card0.memory.total 1000    card0.memory.used 10      card0.power 70000  card0.energy 5000
 *   card0.gpm 1                card0.gpm.2 62.5          card0.gpm.5.status 3
 *   card0.gpm.249.rate 1e9 (grows so much a second)      card0.gpm.highest 210 (no higher number)
 *   card0.processes 71:1048576,72:18446744073709551615   card0.graphics 73:4096
 *   card0.use 71:50:1000000,72:7:1000001 (pid, percent, microseconds, 0 for now)
 *   card0.mig 1                card0.mig0.uuid MIG-0     card0.mig0.gi 7    card0.mig0.gpm.2 nan
 *   card0.xid 79               card0.xid.serial 1        (an event whenever the serial grows)
 *   card0.lost 1               fail.nvmlInit_v2 9        card1.fail.nvmlDeviceGetPowerUsage 3
 *   hang.nvmlDeviceGetCount 1                            card1.hang.nvmlDeviceGetPowerUsage 1
 *   load 2                     (the driver was loaded anew: all that was opened before is void)
 *
 * FAKE_NVML_SAMPLES names a file that always holds the number of GPM samples not freed.
 * A symbol is left out at link time by a version script, as an old driver would leave it out.
 */
#include <math.h>

#include "properties.h"

typedef struct { int card, instance; double taken; } Sample;
typedef struct { u32 pid; u64 memory; u32 gi, ci; } Process;
typedef struct { u32 pid; u64 at; u32 sm, memory, encoder, decoder; } Use;
typedef struct { u32 id, status; double value; const char *names[3]; } Metric;
typedef struct { u32 version, count; Sample *first, *second; Metric metrics[]; } Metrics;
typedef struct { u32 id, scope; long long at, latency; u32 type, status; u64 value; } Field;
typedef struct { Device *device; u64 type, number; u32 gi, ci; } Event;
typedef struct { char legacy[16]; u32 domain, bus, device, ids, subsystem; char id[32]; } Pci;

static int samples, registered[CARDS];
static long heard[CARDS];

/* ------------------------------------------------------------------ the library itself */

int nvmlInit_v2(void) { ENTER(NULL); opened = 1 + (int)number(NULL, "load", 0); return SUCCESS; }
int nvmlInitWithFlags(u32 flags) { (void)flags; return nvmlInit_v2(); }
int nvmlShutdown(void) { ENTER(NULL); opened = 0; return SUCCESS; }
const char *nvmlErrorString(int code) { (void)code; return "an error of the fake library"; }
int nvmlSystemGetDriverVersion(char *out, u32 length) {
    ENTER(NULL);
    return word(NULL, "driver", out, length);
}

/* ------------------------------------------------------------------ identity */

int nvmlDeviceGetCount_v2(u32 *count) { ENTER(NULL); *count = (u32)whole(NULL, "cards", 0); return SUCCESS; }
int nvmlDeviceGetHandleByIndex_v2(u32 index, Device **out) {
    if (index >= CARDS) return INVALID_ARGUMENT;
    Device *card = &devices[index][SLICES];
    *card = (Device){(int)index, -1};
    ENTER(card);
    *out = card;
    return SUCCESS;
}
int nvmlDeviceGetUUID(Device *d, char *out, u32 n) {
    ENTER(d);
    char bytes[512];
    if (!find(d, "uuid.bytes", bytes)) return word(d, "uuid", out, n);
    memset(out, 0, n);
    for (u32 i = 0, one; i < n && sscanf(bytes + 2 * i, "%2x", &one) == 1; i++) out[i] = (char)one;
    return SUCCESS;
}
int nvmlDeviceGetName(Device *d, char *out, u32 n) { ENTER(d); return word(d, "name", out, n); }
int nvmlDeviceGetMinorNumber(Device *d, u32 *out) { ENTER(d); *out = (u32)whole(d, "minor", (u64)d->card); return SUCCESS; }
int nvmlDeviceGetArchitecture(Device *d, u32 *out) { ENTER(d); return small(d, "arch", out); }
int nvmlDeviceGetPciInfo_v3(Device *d, Pci *out) {
    ENTER(d);
    memset(out, 0, sizeof *out);
    snprintf(out->id, sizeof out->id, "00000000:%02X:00.0", d->card + 1);
    return SUCCESS;
}
int nvmlDeviceGetMigMode(Device *d, u32 *now, u32 *next) {
    ENTER(d);
    *next = (u32)whole(d, "mig.next", whole(d, "mig", 0));
    return small(d, "mig", now);
}
int nvmlDeviceGetMaxMigDeviceCount(Device *d, u32 *out) { ENTER(d); *out = number(d, "mig", 0) ? SLICES : 0; return SUCCESS; }
int nvmlDeviceGetMigDeviceHandleByIndex(Device *d, u32 index, Device **out) {
    char uuid[512];
    ENTER(d);
    if (index >= SLICES) return INVALID_ARGUMENT;
    Device *slice = &devices[d->card][index];
    *slice = (Device){d->card, (int)index};
    if (!find(slice, "uuid", uuid)) return NOT_FOUND;
    *out = slice;
    return SUCCESS;
}
int nvmlDeviceGetGpuInstanceId(Device *d, u32 *out) { ENTER(d); return small(d, "gi", out); }
int nvmlDeviceGetComputeInstanceId(Device *d, u32 *out) { ENTER(d); *out = (u32)whole(d, "ci", 0); return SUCCESS; }

/* ------------------------------------------------------------------ readings */

int nvmlDeviceGetUtilizationRates(Device *d, u32 out[2]) {
    ENTER(d);
    if (sliced(d)) return NOT_SUPPORTED;
    out[1] = (u32)whole(d, "util.memory", 0);
    return small(d, "util", &out[0]);
}
static int busy(const Device *d, const char *name, u32 *use, u32 *period) {
    *period = 167000;
    return sliced(d) ? NOT_SUPPORTED : small(d, name, use);
}
int nvmlDeviceGetEncoderUtilization(Device *d, u32 *use, u32 *period) { ENTER(d); return busy(d, "encoder", use, period); }
int nvmlDeviceGetDecoderUtilization(Device *d, u32 *use, u32 *period) { ENTER(d); return busy(d, "decoder", use, period); }
int nvmlDeviceGetJpgUtilization(Device *d, u32 *use, u32 *period) { ENTER(d); return busy(d, "jpg", use, period); }
int nvmlDeviceGetOfaUtilization(Device *d, u32 *use, u32 *period) { ENTER(d); return busy(d, "ofa", use, period); }
int nvmlDeviceGetMemoryInfo(Device *d, u64 out[3]) {
    ENTER(d);
    out[2] = whole(d, "memory.used", 0) + whole(d, "memory.reserved", 0);
    int code = number_of(d, "memory.total", &out[0]);
    out[1] = out[0] - out[2];
    return code;
}
int nvmlDeviceGetMemoryInfo_v2(Device *d, u64 out[5]) {
    ENTER(d);
    out[2] = whole(d, "memory.reserved", 0);
    out[4] = whole(d, "memory.used", 0);
    int code = number_of(d, "memory.total", &out[1]);
    out[3] = out[1] - out[2] - out[4];
    return code;
}
int nvmlDeviceGetPowerUsage(Device *d, u32 *out) { ENTER(d); return small(d, "power", out); }
int nvmlDeviceGetEnforcedPowerLimit(Device *d, u32 *out) { ENTER(d); return small(d, "limit", out); }
int nvmlDeviceGetTotalEnergyConsumption(Device *d, u64 *out) { ENTER(d); return number_of(d, "energy", out); }
int nvmlDeviceGetTemperature(Device *d, u32 sensor, u32 *out) { (void)sensor; ENTER(d); return small(d, "temperature", out); }
int nvmlDeviceGetClockInfo(Device *d, u32 kind, u32 *out) { (void)kind; ENTER(d); return small(d, "clock", out); }
int nvmlDeviceGetCurrentClocksEventReasons(Device *d, u64 *out) { ENTER(d); return number_of(d, "reasons", out); }
int nvmlDeviceGetCurrentClocksThrottleReasons(Device *d, u64 *out) { ENTER(d); return number_of(d, "reasons", out); }
int nvmlDeviceGetTotalEccErrors(Device *d, u32 kind, u32 counter, u64 *out) {
    (void)counter;
    ENTER(d);
    return number_of(d, kind ? "ecc.uncorrected" : "ecc.corrected", out);
}
int nvmlDeviceGetRemappedRows(Device *d, u32 *corrected, u32 *uncorrected, u32 *pending, u32 *failed) {
    ENTER(d);
    *uncorrected = (u32)whole(d, "rows.uncorrectable", 0);
    *pending = (u32)whole(d, "rows.pending", 0);
    *failed = (u32)whole(d, "rows.failed", 0);
    return small(d, "rows.correctable", corrected);
}
int nvmlDeviceGetFieldValues(Device *d, int count, Field *fields) {
    char name[32];
    ENTER(d);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "field.%u", fields[i].id);
        fields[i].type = 3;
        fields[i].status = (u32)number_of(d, name, &fields[i].value);
    }
    return SUCCESS;
}

/* ------------------------------------------------------------------ processes */

static int list(const Device *d, const char *name, u32 *count, Process *out) {
    u32 room = *count, found = 0;
    for (const char *item = whole_text(d, name); item && *item; found++) {
        char *rest;
        Process one = {(u32)strtoul(item, &rest, 0), 0, 0, 0};
        if (*rest == ':') one.memory = strtoull(rest + 1, &rest, 0);
        if (out && found < room) out[found] = one;
        item = *rest == ',' ? rest + 1 : NULL;
    }
    *count = found;
    return found > room ? INSUFFICIENT_SIZE : SUCCESS;
}
int nvmlDeviceGetComputeRunningProcesses_v3(Device *d, u32 *count, Process *out) { ENTER(d); return list(d, "processes", count, out); }
int nvmlDeviceGetComputeRunningProcesses_v2(Device *d, u32 *count, Process *out) { ENTER(d); return list(d, "processes", count, out); }
int nvmlDeviceGetGraphicsRunningProcesses_v2(Device *d, u32 *count, Process *out) { ENTER(d); return list(d, "graphics", count, out); }
int nvmlDeviceGetGraphicsRunningProcesses_v3(Device *d, u32 *count, Process *out) { ENTER(d); return list(d, "graphics", count, out); }

static u64 microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (u64)now.tv_sec * 1000000 + (u64)now.tv_nsec / 1000;
}
/* Rows younger than a time; the real library gives none as NOT_FOUND, or a count of 0 as success. */
int nvmlDeviceGetProcessUtilization(Device *d, Use *out, u32 *count, u64 since) {
    char value[512], *rest = value;
    u32 room = out ? *count : 0, found = 0;
    ENTER(d);
    if (sliced(d)) return NOT_SUPPORTED;
    if (!find(d, "use", value)) value[0] = 0;
    for (char *item; (item = strsep(&rest, ",")) && *item;) {
        Use use = {0};
        sscanf(item, "%u:%u:%llu", &use.pid, &use.sm, &use.at);
        if (!use.at) use.at = microseconds();
        if (use.at <= since && !number(d, "use.stale", 0)) continue;
        if (found < room) out[found] = use;
        found++;
    }
    *count = found;
    if (!found) return (int)number(d, "use.none", NOT_FOUND);
    return found > room ? INSUFFICIENT_SIZE : SUCCESS;
}

/* ------------------------------------------------------------------ GPM */

static int count_samples(int by) {
    const char *path = getenv("FAKE_NVML_SAMPLES");
    FILE *file = path ? fopen(path, "w") : NULL;
    samples += by;
    if (file) fprintf(file, "%d\n", samples), fclose(file);
    return SUCCESS;
}
static int take(const Device *d, int instance, Sample *sample) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *sample = (Sample){d->card, instance, (double)now.tv_sec + (double)now.tv_nsec / 1e9};
    return SUCCESS;
}
int nvmlGpmQueryDeviceSupport(Device *d, u32 out[2]) { ENTER(d); out[1] = (u32)whole(d, "gpm", 0); return SUCCESS; }
int nvmlGpmSampleAlloc(Sample **out) { ENTER(NULL); *out = calloc(1, sizeof **out); return count_samples(1); }
int nvmlGpmSampleFree(Sample *sample) { ENTER(NULL); free(sample); return count_samples(-1); }
int nvmlGpmSampleGet(Device *d, Sample *sample) { ENTER(d); return take(d, -1, sample); }

/* The slice that now has the GPU instance id of the sample, or the card itself. */
static Device of_sample(const Sample *sample) {
    Device found = {sample->card, -1};
    for (int i = 0; sample->instance >= 0 && i < SLICES; i++) {
        Device slice = {sample->card, i};
        char uuid[512];
        if (find(&slice, "uuid", uuid) && (int)number(&slice, "gi", -1) == sample->instance) return slice;
    }
    return found;
}
int nvmlGpmMigSampleGet(Device *d, u32 instance, Sample *sample) {
    Sample taken;
    ENTER(d);
    take(d, (int)instance, &taken);
    Device slice = of_sample(&taken);
    if (slice.slice < 0) return INVALID_ARGUMENT;
    int code = (int)toggle(&slice, "fail", __func__);
    if (code) return code;
    *sample = taken;
    return SUCCESS;
}
int nvmlGpmMetricsGet(Metrics *request) {
    const Sample *first = request->first, *second = request->second;
    ENTER(&devices[first->card][SLICES]);
    if (first->card != second->card || first->instance != second->instance) return INVALID_ARGUMENT;
    if (second->taken - first->taken < 0.1) return INVALID_ARGUMENT;
    Device device = of_sample(second);
    for (u32 i = 0; i < request->count; i++)
        if (request->metrics[i].id > number(&device, "gpm.highest", 1e9)) return INVALID_ARGUMENT;
    for (u32 i = 0; i < request->count; i++) {
        char name[40], value[512];
        Metric *metric = &request->metrics[i];
        snprintf(name, sizeof name, "gpm.%u", metric->id);
        metric->status = find(&device, name, value) ? SUCCESS : NOT_SUPPORTED;
        metric->value = metric->status ? NAN : strtod(value, NULL);
        snprintf(name, sizeof name, "gpm.%u.rate", metric->id);
        metric->value += number(&device, name, 0) * second->taken;
        snprintf(name, sizeof name, "gpm.%u.status", metric->id);
        metric->status = (u32)whole(&device, name, metric->status);
    }
    return SUCCESS;
}

/* ------------------------------------------------------------------ Xid events */

int nvmlEventSetCreate(void **out) { ENTER(NULL); *out = registered; return SUCCESS; }
int nvmlEventSetFree(void *set) { (void)set; ENTER(NULL); memset(registered, 0, sizeof registered); return SUCCESS; }
int nvmlDeviceRegisterEvents(Device *d, u64 kinds, void *set) {
    (void)set; (void)kinds;
    ENTER(d);
    registered[d->card] = 1;
    heard[d->card] = (long)number(d, "xid.serial", 0);
    return SUCCESS;
}
int nvmlEventSetWait_v2(void *set, Event *out, u32 milliseconds) {
    (void)set; (void)milliseconds;
    ENTER(NULL);
    for (int i = 0; i < CARDS; i++) {
        Device *card = &devices[i][SLICES];
        if (!registered[i] || (long)number(card, "xid.serial", 0) <= heard[i]) continue;
        heard[i]++;
        *out = (Event){card, 8, whole(card, "xid", 0), 0, 0};
        return SUCCESS;
    }
    return TIMEOUT;
}
