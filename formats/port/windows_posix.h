/* The calls of POSIX that the formats and the command make, for Windows.  SPDX-License-Identifier: MIT
 *
 * Paths are UTF-8, with / or \, and may be longer than 260 characters. What the system has nothing
 * like does nothing: owners, modes, links, signals other than those of the console. */
#ifndef TENSORPAD_PORT_WINDOWS_POSIX_H
#define TENSORPAD_PORT_WINDOWS_POSIX_H

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

void system_begin(int *argc, char ***argv);
#define system_slashes "/\\"
char *system_last_slash(const char *path);
int system_compare_names(const char *a, const char *b);
#undef PATH_MAX
#define PATH_MAX 4096
const char *system_strerror(int number); /* the C library calls EBUSY "Resource device" */
#define strerror system_strerror

/* ---- Files ------------------------------------------------------------------------------------ */

enum { O_CLOEXEC = _O_NOINHERIT, O_NOCTTY = 0 };

struct system_stat {
    uint64_t st_dev, st_ino;
    int64_t st_size;
    unsigned st_mode;
    int st_uid, st_gid;
};

int system_open(const char *path, int flags, ...);
int system_stat(const char *path, struct system_stat *status);
int system_lstat(const char *path, struct system_stat *status);
int system_fstat(int fd, struct system_stat *status);
int system_access(const char *path, int mode);
int system_unlink(const char *path);
int system_rename(const char *from, const char *to);
int system_mkdir(const char *path, unsigned mode);
int system_rmdir(const char *path);
int system_isatty(int fd);
int system_ftruncate(int fd, int64_t bytes);
int64_t system_lseek(int fd, int64_t by, int from);
FILE *system_fopen(const char *path, const char *mode);
char *realpath(const char *path,
               char *resolved); /* with /; `resolved` has PATH_MAX bytes or is NULL */

#define open             system_open
#define stat             system_stat
#define lstat            system_lstat
#define fstat            system_fstat
#define access           system_access
#define unlink           system_unlink
#define rename           system_rename
#define mkdir            system_mkdir
#define rmdir            system_rmdir
#define isatty           system_isatty
#define ftruncate        system_ftruncate
#define lseek            system_lseek
#define fopen            system_fopen
#define read(fd, at, n)  _read((fd), (at), (unsigned)(n))
#define write(fd, at, n) _write((fd), (at), (unsigned)(n))
#define fchown(fd, u, g) (0)
#define fchmod(fd, mode) ((void)(mode), 0)
#define fcntl            system_fcntl
#undef S_ISBLK
#define S_ISBLK(mode) 0
#define mode_t        unsigned
#define dev_t         uint64_t
#define ino_t         uint64_t
typedef int uid_t;
typedef int gid_t;

enum { F_GETFD, F_DUPFD_CLOEXEC };
int system_fcntl(int fd, int what, ...);

enum { AT_FDCWD = -1 };
#define RENAME_NOREPLACE 1u
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int link(const char *from, const char *to); /* always refused */

struct statvfs {
    uint64_t f_blocks, f_frsize, f_bfree;
};
int fstatvfs(int fd, struct statvfs *disk); /* nothing is known of the disk */
int posix_fallocate(int fd, int64_t from, int64_t bytes);
int64_t getrandom(void *bytes, size_t count, unsigned flags);

struct dirent {
    char d_name[1024];
};
int scandir(const char *folder, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **a, const struct dirent **b);

/* ---- Memory ----------------------------------------------------------------------------------- */

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MADV_HUGEPAGE = 14 };
#define MAP_FAILED ((void *)-1)
void *mmap(void *at, size_t bytes, int rights, int flags, int fd, int64_t offset);
int munmap(void *at, size_t bytes);
#define madvise(at, bytes, advice) ((void)(at), (void)(bytes), 0)
#define aligned_alloc(to, bytes)   _aligned_malloc((bytes), (to))
#define system_aligned_free(at)    _aligned_free(at)

/* ---- Text ------------------------------------------------------------------------------------- */

char *strndup(const char *text, size_t most);
char *strsep(char **rest, const char *ends);
int64_t getline(char **line, size_t *room, FILE *file);
FILE *open_memstream(char **text, size_t *bytes); /* filled in by system_fclose */
int system_fclose(FILE *file);
#define fclose system_fclose

/* ---- Libraries --------------------------------------------------------------------------------- */

#define system_library(name, version) "lib" name "-" version ".dll"
enum { RTLD_LOCAL = 0, RTLD_NOW = 2 };
/* Looks beside the program and in the folders of Windows: neither PATH nor the current folder may
 * bring code. */
void *dlopen(const char *library, int flags);
void *dlsym(void *library, const char *name);

/* ---- Processes, signals ------------------------------------------------------------------------ */

enum { _SC_NPROCESSORS_ONLN = 84 };
long sysconf(int name);
int pause(void);

enum { SIGHUP = 1, SIGBUS = 7, SIGPIPE = 13, SIGXFSZ = 25 };
#undef SIG_BLOCK
#undef SIG_SETMASK
#undef pthread_sigmask
typedef struct system_sigset {
    int none;
} system_sigset;
#define sigset_t system_sigset
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
#define pthread_sigmask(how, set, before) ((void)(set), (void)(before))
void (*system_signal(int number, void (*handler)(int)))(int);
int system_raise(int number);
#define signal system_signal
#define raise  system_raise

#endif
