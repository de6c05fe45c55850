/* Between a process and its disk: lets the k-th write fail, or notes all writes (LD_PRELOAD).

   Only what lies below the folder of DISK_FOLDER counts. disk_arm(k, how, error) lets the k-th
   call from now on fail once: how 0 fails with the error, how 1 writes half. disk_calls() has
   the number of calls so far. With DISK_TRACE every call is noted in that file:
   a line `op inode offset length path path2`, and the data behind it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name, type, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, #name)

static long calls, fail_at, failed;
static int how, error_number, trace = -2;
static char last[300];
static const char *folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void disk_arm(long k, int mode, int error) { failed = 0; how = mode; error_number = error; fail_at = calls + k; }
void disk_disarm(void) { fail_at = 0; }
long disk_calls(void) { return calls; }
long disk_failed(void) { return failed; }
const char *disk_last(void) { return last; }

static int ours(const char *path) {
    if (!folder) folder = getenv("DISK_FOLDER");
    return folder && path && !strncmp(path, folder, strlen(folder));
}

static int path_of(int fd, char *path) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4000);
    if (length <= 0) return 0;
    path[length] = 0;
    return ours(path);
}

/* Whether this call is the one that fails. */
static int hit(const char *op, const char *path) {
    pthread_mutex_lock(&lock);
    int now = ++calls == fail_at;
    if (now) { failed = 1; snprintf(last, sizeof last, "%s %s", op, path); }
    pthread_mutex_unlock(&lock);
    if (now && !how) errno = error_number;
    return now;
}

static void put(const void *data, size_t size) {
    static ssize_t (*real_write)(int, const void *, size_t);
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    while (size) {
        ssize_t done = real_write(trace, data, size);
        if (done <= 0) abort();
        data = (const char *)data + done; size -= done;
    }
}

static void note(const char *op, int fd, const char *path, const char *path2, long at,
                 const void *data, size_t size) {
    static int (*real_open)(const char *, int, ...);
    pthread_mutex_lock(&lock);
    if (trace == -2) {
        const char *name = getenv("DISK_TRACE");
        if (!real_open) real_open = dlsym(RTLD_NEXT, "open");
        trace = name ? real_open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (trace >= 0) {
        struct stat found;
        struct timespec now;
        char line[9000];
        memset(&found, 0, sizeof found);
        if (fd >= 0) fstat(fd, &found); else if (path) lstat(path2 ? path2 : path, &found);
        clock_gettime(CLOCK_REALTIME, &now);
        int length = snprintf(line, sizeof line, "%s\t%ld.%09ld\t%lu\t%ld\t%zu\t%s\t%s\n", op,
            (long)now.tv_sec, now.tv_nsec, (unsigned long)found.st_ino, at, data ? size : 0,
            path ? path : "", path2 ? path2 : "");
        put(line, length);
        if (data) put(data, size);
    }
    pthread_mutex_unlock(&lock);
}

#define ON_FD(name, op, params, names, offset, data, size) \
    { char path[4096]; \
      if (!path_of(fd, path)) return real names; \
      int failing = hit(op, path); \
      if (failing && !how) return -1; \
      if (failing && size > 1) { count = size / 2; } \
      long at = offset; \
      long result = real names; \
      if (result >= 0) note(op, fd, path, 0, at, data, data ? result : 0); \
      return result; }

ssize_t write(int fd, const void *data, size_t count) {
    REAL(write, ssize_t, int, const void *, size_t);
    ON_FD(write, "write", , (fd, data, count),
          (fcntl(fd, F_GETFL) & O_APPEND) ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR), data, count)
}
ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) {
    REAL(pwrite, ssize_t, int, const void *, size_t, off_t);
    ON_FD(pwrite, "write", , (fd, data, count, offset), offset, data, count)
}
ssize_t pwrite64(int fd, const void *data, size_t count, off64_t offset) {
    REAL(pwrite64, ssize_t, int, const void *, size_t, off64_t);
    ON_FD(pwrite64, "write", , (fd, data, count, offset), offset, data, count)
}

#define SYNC(name) \
    int name(int fd) { REAL(name, int, int); size_t count = 0; (void)count; \
        ON_FD(name, "sync", , (fd), 0, NULL, 0) }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, type) \
    int name(int fd, type length) { REAL(name, int, int, type); size_t count = 0; (void)count; \
        ON_FD(name, "truncate", , (fd, length), length, NULL, 0) }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define TWO(name, op, params, from, to, names) \
    int name params { \
        static int (*real) params; if (!real) real = dlsym(RTLD_NEXT, #name); \
        if (!ours(to)) return real names; \
        if (hit(op, to) && !how) return -1; \
        int result = real names; \
        if (!result) note(op, -1, from, to, 0, NULL, 0); \
        return result; }
TWO(rename, "rename", (const char *a, const char *b), a, b, (a, b))
TWO(link, "link", (const char *a, const char *b), a, b, (a, b))
TWO(linkat, "link", (int x, const char *a, int y, const char *b, int f), a, b, (x, a, y, b, f))
TWO(renameat, "rename", (int x, const char *a, int y, const char *b), a, b, (x, a, y, b))

#define ONE(name, op, params, path, names) \
    int name params { \
        static int (*real) params; if (!real) real = dlsym(RTLD_NEXT, #name); \
        if (!ours(path)) return real names; \
        if (hit(op, path) && !how) return -1; \
        int result = real names; \
        if (!result) note(op, -1, path, 0, 0, NULL, 0); \
        return result; }
ONE(unlink, "unlink", (const char *a), a, (a))
ONE(rmdir, "rmdir", (const char *a), a, (a))
ONE(mkdir, "mkdir", (const char *a, mode_t m), a, (a, m))

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        static int (*real)(const char *, int, ...); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, int); va_end(rest); \
        struct stat found; \
        int makes = (flags & (O_CREAT | O_TRUNC)) && ours(path); \
        int known = makes && !stat(path, &found); \
        if (makes && (!known || (flags & O_TRUNC)) && hit("open", path) && !how) return -1; \
        int fd = real(path, flags, mode); \
        if (fd >= 0 && makes && !known) note("create", fd, path, 0, 0, NULL, 0); \
        else if (fd >= 0 && makes && (flags & O_TRUNC)) note("truncate", fd, path, 0, 0, NULL, 0); \
        return fd; }
OPEN(open)
OPEN(open64)
