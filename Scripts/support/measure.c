// Measures a program that keeps two directories in sync, from outside: nothing it says of itself is believed.
//
//   measure floor A B [sync]                     the least that carrying documents from A to B can cost
//   measure latency ROUNDS BLOCK GAP A1 B1 A2 B2 one document after another, in turns through two programs
//   measure burst COUNT A B                      COUNT documents as fast as they can be written
//   measure fill FIRST COUNT A                   COUNT documents, and no waiting
//   measure rewrite A B                          the least that rewriting all of A can cost, with originals kept in B
//   measure start A B COMMAND...                 how long until COMMAND prints "ready", and what it opened until then
//
// Results are lines of `NAME VALUE`. Times are milliseconds.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { document_limit = 1 << 16, patience_ms = 120000 };

static void give_up(const char *what) {
    fprintf(stderr, "measure: %s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void pause_for(double ms) {
    struct timespec t = {(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000L};
    nanosleep(&t, NULL);
}

// A budget document of 400 bytes; no two numbers give the same one.
static int compose(char *out, long number) {
    int length = sprintf(
        out,
        "{\"version\":2,\"data\":{\"totalAmount\":%ld.50,\"expenseCount\":%ld,\"hasError\":false,"
        "\"lastUpdated\":\"2026-01-18T14:30:00.000Z\",\"spent\":%ld.50,\"limit\":800.00,"
        "\"month\":\"Gennaio 2026\",\"currency\":\"\xe2\x82\xac\",\"percentage\":56.31,\"isDarkMode\":false,"
        "\"groupId\":\"123e4567-e89b-12d3-a456-426614174000\",\"groupName\":\"Famiglia Rossi\",\"note\":\"",
        number, number, number);
    while (length < 396) out[length++] = '.';
    return length + sprintf(out + length, "\"}}\n");
}

static int path_in(char *out, const char *directory, const char *name) {
    return snprintf(out, 4096, "%s/%s", directory, name);
}

// Saves as an app does that saves well: a temporary file, then its name.
static void save(const char *directory, const char *name, const char *bytes, int length) {
    char temporary[4096], path[4096];
    path_in(temporary, directory, ".measure.tmp");
    path_in(path, directory, name);
    int file = open(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, (size_t)length) != length) give_up(temporary);
    close(file);
    if (rename(temporary, path)) give_up(path);
}

static bool holds(const char *directory, const char *name, const char *bytes, int length) {
    char path[4096], found[document_limit];
    path_in(path, directory, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, found, sizeof found);
    close(file);
    return count == length && memcmp(found, bytes, (size_t)length) == 0;
}

// ---- floor

// No parsing, no journal, no look at what is overwritten.
static void carry(const char *a, const char *b, int directory, const char *name, bool sync) {
    static char bytes[document_limit];
    char from[4096], to[4096], temporary[4096];
    path_in(from, a, name);
    path_in(to, b, name);
    path_in(temporary, b, ".floor.tmp");
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = read(file, bytes, sizeof bytes);
    close(file);
    file = open(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (length < 0 || file < 0 || write(file, bytes, (size_t)length) != length) give_up(temporary);
    if (sync && fsync(file)) give_up(temporary);
    close(file);
    if (rename(temporary, to)) give_up(to);
    if (sync && fsync(directory)) give_up(b);
}

static void run_floor(const char *a, const char *b, bool sync) {
    static char events[1 << 16] __attribute__((aligned(8)));
    int watch = inotify_init1(IN_CLOEXEC), directory = open(b, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (watch < 0 || directory < 0 || inotify_add_watch(watch, a, IN_MOVED_TO) < 0) give_up(a);
    puts("ready");
    fflush(stdout);
    for (ssize_t length; (length = read(watch, events, sizeof events)) > 0;) {
        struct inotify_event *event;
        for (char *at = events; at < events + length; at += sizeof *event + event->len) {
            event = (struct inotify_event *)at;
            if (event->len && event->name[0] != '.') carry(a, b, directory, event->name, sync);
        }
    }
}

// ---- latency

struct contender {
    const char *a, *b;
    int watch, count, lost;
    double *times;
};

static void measure_one(struct contender *it, long number) {
    char bytes[document_limit], drop[8192];
    int length = compose(bytes, number);
    double start = now();
    bool arrived;
    save(it->a, "budget.json", bytes, length);
    while (!(arrived = holds(it->b, "budget.json", bytes, length)) && now() - start < 5000) {
        struct pollfd ready = {it->watch, POLLIN, 0};
        poll(&ready, 1, 5);
        while (read(it->watch, drop, sizeof drop) > 0) {}
    }
    if (arrived) it->times[it->count++] = now() - start;
    else ++it->lost;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_latency(int rounds, int block, double gap, char **directories) {
    struct contender both[2];
    for (int i = 0; i < 2; ++i) {
        both[i] = (struct contender){.a = directories[2 * i], .b = directories[2 * i + 1]};
        both[i].times = calloc((size_t)(rounds * block), sizeof(double));
        both[i].watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        if (inotify_add_watch(both[i].watch, both[i].b, IN_MOVED_TO | IN_CLOSE_WRITE) < 0) give_up(both[i].b);
    }
    long number = 1;
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < block; ++k, pause_for(gap)) measure_one(&both[(i + round) % 2], ++number);
    for (int i = 0; i < 2; ++i) {
        struct contender it = both[i];
        if (it.count == 0) give_up("nothing arrived");
        qsort(it.times, (size_t)it.count, sizeof(double), ascending);
        printf("%d.p50 %.3f\n%d.p90 %.3f\n", i, it.times[it.count / 2], i, it.times[it.count * 9 / 10]);
        printf("%d.p99 %.3f\n%d.lost %d\n", i, it.times[it.count * 99 / 100], i, it.lost);
    }
}

// ---- burst

static void run_burst(int count, const char *a, const char *b) {
    char name[64], bytes[document_limit];
    double start = now();
    for (int i = 0; i < count; ++i) {
        sprintf(name, "d%06d.json", i);
        save(a, name, bytes, compose(bytes, i));
    }
    for (int i = 0; i < count; ++i) {
        sprintf(name, "d%06d.json", i);
        int length = compose(bytes, i);
        while (!holds(b, name, bytes, length)) {
            if (now() - start > patience_ms) give_up("not all documents arrived");
            pause_for(1);
        }
    }
    printf("per_second %.0f\n", count / (now() - start) * 1e3);
}

static void run_fill(int first, int count, const char *a) {
    char name[64], bytes[document_limit];
    for (int i = first; i < first + count; ++i) {
        sprintf(name, "d%06d.json", i);
        save(a, name, bytes, compose(bytes, i));
    }
}

// ---- rewrite

enum { rewrite_batch = 256 };

static int created(const char *path, const char *bytes, ssize_t length) {
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (length < 0 || file < 0 || write(file, bytes, (size_t)length) != length) give_up(path);
    return file;
}

// Of each file an original and a replacement; all are written before the first is synced.
static void rewrite(const char *a, const char *b, char (*names)[256], int count) {
    static char bytes[document_limit];
    char from[4096], kept[4096], temporary[4096];
    int files[2 * rewrite_batch];
    for (int i = 0; i < count; ++i) {
        path_in(from, a, names[i]);
        path_in(kept, b, names[i]);
        snprintf(temporary, sizeof temporary, "%s/.%s", a, names[i]);
        int file = open(from, O_RDONLY | O_CLOEXEC);
        ssize_t length = read(file, bytes, sizeof bytes);
        close(file);
        files[2 * i] = created(kept, bytes, length);
        files[2 * i + 1] = created(temporary, bytes, length);
    }
    for (int i = 0; i < 2 * count; ++i)
        if (fsync(files[i]) || close(files[i])) give_up(a);
    for (int i = 0; i < count; ++i) {
        path_in(from, a, names[i]);
        snprintf(temporary, sizeof temporary, "%s/.%s", a, names[i]);
        if (rename(temporary, from)) give_up(from);
    }
}

static void run_rewrite(const char *a, const char *b) {
    static char names[1 << 14][256];
    int total = 0, count;
    DIR *directory = opendir(a), *kept = opendir(b);
    if (!directory || !kept) give_up(a);
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && total < 1 << 14) strcpy(names[total++], entry->d_name);
    for (int first = 0; first < total; first += count) {
        count = total - first < rewrite_batch ? total - first : rewrite_batch;
        rewrite(a, b, names + first, count);
        if (fsync(dirfd(directory)) || fsync(dirfd(kept))) give_up(a);
    }
}

// ---- start

static int count_opens(int watch) {
    static char events[1 << 16] __attribute__((aligned(8)));
    int opens = 0;
    for (ssize_t length; (length = read(watch, events, sizeof events)) > 0;) {
        struct inotify_event *event;
        for (char *at = events; at < events + length; at += sizeof *event + event->len) {
            event = (struct inotify_event *)at;
            if (event->mask & IN_Q_OVERFLOW) give_up("too many opens to count");
            if (event->len && !(event->mask & IN_ISDIR)) ++opens;
        }
    }
    return opens;
}

static pid_t launch(char **command, int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) give_up("pipe");
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execvp(command[0], command);
        give_up(command[0]);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

static void run_start(const char *a, const char *b, char **command) {
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), output, opens = 0, status;
    if (inotify_add_watch(watch, a, IN_OPEN) < 0 || inotify_add_watch(watch, b, IN_OPEN) < 0) give_up(a);
    char said[4096] = "";
    size_t length = 0;
    double start = now();
    pid_t child = launch(command, &output);
    while (!strstr(said, "ready\n") && length + 1 < sizeof said) {
        struct pollfd ready[2] = {{output, POLLIN, 0}, {watch, POLLIN, 0}};
        if (poll(ready, 2, patience_ms) <= 0) give_up("no ready line");
        if (ready[1].revents) opens += count_opens(watch);
        if (!ready[0].revents) continue;
        ssize_t count = read(output, said + length, sizeof said - length - 1);
        if (count <= 0) give_up("the program ended before it was ready");
        length += (size_t)count;
        said[length] = 0;
    }
    double ready = now() - start;
    opens += count_opens(watch);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    printf("ready %.1f\nopens %d\nstatus %d\n", ready, opens, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "floor") && count >= 4) run_floor(words[2], words[3], count > 4);
    else if (!strcmp(what, "latency") && count == 9)
        run_latency(atoi(words[2]), atoi(words[3]), atof(words[4]), words + 5);
    else if (!strcmp(what, "burst") && count == 5) run_burst(atoi(words[2]), words[3], words[4]);
    else if (!strcmp(what, "fill") && count == 5) run_fill(atoi(words[2]), atoi(words[3]), words[4]);
    else if (!strcmp(what, "rewrite") && count == 4) run_rewrite(words[2], words[3]);
    else if (!strcmp(what, "start") && count >= 5) run_start(words[2], words[3], words + 4);
    else {
        fputs("usage: measure floor|latency|burst|fill|rewrite|start ARGUMENTS...\n", stderr);
        return 64;
    }
    return 0;
}
