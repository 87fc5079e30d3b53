// A disk that is full: preloaded, it lets no byte be written to what lies in
// the folder $FULL_DISK.

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int isOnFullDisk(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof(path));
  const char *folder = getenv("FULL_DISK");
  return length > 0 && folder && strlen(folder) < (size_t)length &&
         strncmp(path, folder, strlen(folder)) == 0;
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (isOnFullDisk(file)) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, file, bytes, size);
}
