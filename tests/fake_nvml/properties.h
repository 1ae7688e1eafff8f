/* The properties of the fake library, the gate that every call passes, and the device handles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7, TIMEOUT = 10, GPU_IS_LOST = 15
};
enum { CARDS = 16, SLICES = 8, TEXT = 96 };

typedef unsigned int u32;
typedef unsigned long long u64;
typedef struct { int card, slice; } Device;

static Device devices[CARDS][SLICES + 1];
static char *text;
static struct timespec stamp;
static ino_t inode;
static int opened;

/* ------------------------------------------------------------------ the properties */

/* Keys and values as strings of their own, sorted by key: a large node has thousands. */
static char **lines;
static size_t count;

static int by_key(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void index_lines(void) {
    count = 0;
    for (char *at = text; (at = strchr(at, '\n')); at++) count++;
    free(lines);
    lines = calloc(count + 1, sizeof *lines);
    count = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        char *blank = strchr(line, ' ');
        if (!blank) continue;
        *blank = 0;
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, by_key);
}

static void reload(void) {
    const char *path = getenv("FAKE_NVML_STATE");
    struct stat now;
    if (!path || stat(path, &now)) return;
    if (text && now.st_ino == inode && !memcmp(&stamp, &now.st_mtim, sizeof stamp)) return;
    FILE *file = fopen(path, "r");
    if (!file) return;
    free(text);
    text = calloc(1, (size_t)now.st_size + 1);
    size_t length = fread(text, 1, (size_t)now.st_size, file);
    text[length] = 0;
    fclose(file);
    stamp = now.st_mtim;
    inode = now.st_ino;
    index_lines();
}

static const char *look(const char *key) {
    char *const *line = bsearch(&key, lines, count, sizeof *lines, by_key);
    return line ? *line + strlen(*line) + 1 : NULL;
}

/* The whole value, however long; NULL where there is none. */
static const char *whole_text(const Device *device, const char *name) {
    char key[256];
    if (!device) return look(name);
    if (device->slice < 0) snprintf(key, sizeof key, "card%d.%s", device->card, name);
    else snprintf(key, sizeof key, "card%d.mig%d.%s", device->card, device->slice, name);
    return look(key);
}

static int find(const Device *device, const char *name, char *value) {
    const char *found = whole_text(device, name);
    if (found) snprintf(value, 512, "%s", found);
    return found != NULL;
}

static double number(const Device *device, const char *name, double otherwise) {
    char value[512];
    return find(device, name, value) ? strtod(value, NULL) : otherwise;
}

static u64 whole(const Device *device, const char *name, u64 otherwise) {
    char value[512];
    return find(device, name, value) ? strtoull(value, NULL, 0) : otherwise;
}

/* A switch such as "hang" for a function by its name, with or without the version in it. */
static double toggle(const Device *device, const char *what, const char *function) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s", what, function);
    double found = number(device, name, number(NULL, name, 0));
    char *version = strstr(name, "_v");
    if (found || !version) return found;
    *version = 0;
    return number(device, name, number(NULL, name, 0));
}

/* Every call passes here: it may hang, fail by its own switch, or meet a lost card. */
static int gate(const Device *device, const char *function) {
    reload();
    while (toggle(device, "hang", function)) pause();
    int code = (int)toggle(device, "fail", function);
    if (code) return code;
    if (opened && opened != 1 + (int)number(NULL, "load", 0) && strncmp(function, "nvmlInit", 8))
        return UNINITIALIZED;
    if (!device) return SUCCESS;
    if (!opened) return UNINITIALIZED;
    char uuid[512];
    if (device->slice >= 0 && !find(device, "uuid", uuid)) return NOT_FOUND;
    Device card = {device->card, -1};
    return number(&card, "lost", 0) ? GPU_IS_LOST : SUCCESS;
}

#define ENTER(device) do { int code = gate(device, __func__); if (code) return code; } while (0)

static int number_of(const Device *device, const char *name, u64 *value) {
    char word[512];
    if (!find(device, name, word)) return NOT_SUPPORTED;
    *value = strtoull(word, NULL, 0);
    return SUCCESS;
}

static int small(const Device *device, const char *name, u32 *value) {
    u64 wide = 0;
    int code = number_of(device, name, &wide);
    *value = (u32)wide;
    return code;
}

static int word(const Device *device, const char *name, char *out, u32 length) {
    char value[512];
    if (!find(device, name, value)) return NOT_SUPPORTED;
    snprintf(out, length, "%s", value);
    return SUCCESS;
}

static int sliced(const Device *device) { return device->slice >= 0 || number(device, "mig", 0); }
