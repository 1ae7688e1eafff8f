/* Holds device nodes open from the first call of NVML's initialisation to its shutdown, as the
   real library does.  Linked with the fake library; FAKE_NVML_NODES names a folder of nodes. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int held[64], count;

__attribute__((constructor)) static void open_nodes(void) {
    const char *folder = getenv("FAKE_NVML_NODES");
    DIR *nodes = folder ? opendir(folder) : NULL;
    if (!nodes) return;
    for (struct dirent *one; (one = readdir(nodes)) && count < 64;) {
        char path[512];
        if (one->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        held[count++] = open(path, O_RDWR | O_CLOEXEC);
    }
    closedir(nodes);
}
