// Writers that race a bridge, and who watches them.
//
//   race APP GROUP NAME LOG WRITERS EDITS STYLE SEED
//
// On each side that many processes add members to one document, each its own, and never take one away. They take
// turns by a lock of their side, as the processes of one app do, and do not ask the bridge: what it publishes
// between one's reading and its saving, that one does not see. STYLE is how they save: `rename` (a new file, renamed
// over it), `in-place` (truncated and written in two pieces), `late` (opened first, written much later, whatever has
// become of its name), or `mixed`. Every save that has ended is a line in LOG.
//
// One more process on each side reads all the time, under the same lock: a document that is torn or missing then is
// the bridge's doing. After its save a writer keeps looking for a while whether its member is there: how long it was
// not is the moment between an exchange and its forward merge. Another watches the container for a rename over the
// document: how long ago what it replaces was read is the window that is left without an exchange.
//
// Results are lines of `NAME VALUE`; `unseen` and `window` are microseconds, one line each.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { limit = 1 << 20, most_times = 1 << 14, looking_us = 2000, patience_us = 200000 };

// What all processes count together.
struct counts {
    atomic_long saves, reads, torn, missing, undone, unseens, windows;
    atomic_bool over;
    atomic_long unseen[most_times], window[most_times];
};
static struct counts *counts;

struct side {
    char letter;
    const char *directory;
    char path[4096], lock[4096], part[4096];
};

static void give_up(const char *what) {
    fprintf(stderr, "race: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void pause_us(long us) {
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static void note(atomic_long *count, atomic_long *times, long us) {
    long place = atomic_fetch_add(count, 1);
    if (place < most_times) times[place] = us;
}

static int take_turn(const struct side *side, int how) {
    int lock = open(side->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || flock(lock, how) != 0) give_up(side->lock);
    return lock;
}

// The whole file; -1 where it is missing.
static long read_open(int file, char *bytes) {
    long length = 0, count;
    while ((count = pread(file, bytes + length, limit - 1 - length, length)) > 0) length += count;
    bytes[length] = 0;
    return length;
}

static long read_document(const struct side *side, char *bytes) {
    int file = open(side->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    long length = read_open(file, bytes);
    close(file);
    return length;
}

// {"a0-1":1,"g2-7":1} and nothing else, but for blanks.
static bool is_whole(const char *s) {
    bool first = true;
#define BLANKS while (*s == ' ' || *s == '\n') s++
    BLANKS;
    if (*s++ != '{') return false;
    for (;; first = false) {
        BLANKS;
        if (*s == '}' && first) break;
        if (*s++ != '"') return false;
        while (*s && *s != '"') s++;
        if (*s++ != '"') return false;
        BLANKS;
        if (*s++ != ':') return false;
        BLANKS;
        if (*s++ != '1') return false;
        BLANKS;
        if (*s == '}') break;
        if (*s++ != ',') return false;
    }
    s++;
    BLANKS;
    return *s == 0;
}

static void write_all(int file, const char *bytes, long length) {
    if (file < 0 || write(file, bytes, length) != length) give_up("write");
}

// Adds a member to a document that is whole.
static long with_member(char *bytes, const char *member) {
    char *end = strrchr(bytes, '}');
    bool is_first = strchr(bytes, '"') == NULL;
    return end - bytes + sprintf(end, "%s%s:1}\n", is_first ? "" : ",", member);
}

static void put(int file, const char *bytes, long length) {
    write_all(file, bytes, length / 2);
    write_all(file, bytes + length / 2, length - length / 2);
    close(file);
}

static bool save(const struct side *side, int style, const char *member, char *bytes, unsigned *seed) {
    int file = open(side->path, O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    long length = read_open(file, bytes);
    if (!is_whole(bytes)) return close(file), false;
    length = with_member(bytes, member);
    pause_us(rand_r(seed) % (style == 2 ? 1500 : 300));
    if (style == 2) {
        if (ftruncate(file, 0) != 0) give_up("truncate");
        put(file, bytes, length);
        return true;
    }
    close(file);
    if (style == 1) {
        put(open(side->path, O_WRONLY | O_TRUNC | O_CLOEXEC), bytes, length);
    } else {
        put(open(side->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), bytes, length);
        if (rename(side->part, side->path) != 0) give_up("rename");
    }
    return true;
}

// Whether the member stays visible after its save.
static void look_for(const struct side *side, const char *member, char *bytes) {
    long start = now_us(), seen = start, now;
    bool is_gone = false;
    while ((now = now_us()) < start + (is_gone ? patience_us : looking_us)) {
        if (read_document(side, bytes) < 0) continue;
        if (!strstr(bytes, member)) {
            is_gone = true;
        } else if (is_gone) {
            note(&counts->unseens, counts->unseen, now_us() - seen);
            return;
        } else {
            seen = now;
        }
    }
    if (is_gone) counts->undone++;
}

static void write_side(const struct side *side, int log, int number, int edits, int style, unsigned seed) {
    char *bytes = malloc(limit), member[64];
    for (int edit = 0; edit < edits;) {
        int turn = take_turn(side, LOCK_EX);
        sprintf(member, "\"%c%d-%d\"", side->letter, number, edit);
        if (save(side, style, member, bytes, &seed)) {
            strcat(member, "\n");
            write_all(log, member, strlen(member));
            member[strlen(member) - 1] = 0;
            counts->saves++;
            edit++;
            look_for(side, member, bytes);
        }
        close(turn);
        pause_us(rand_r(&seed) % 1500);
    }
    exit(0);
}

static void read_side(const struct side *side) {
    char *bytes = malloc(limit);
    while (!counts->over) {
        int turn = take_turn(side, LOCK_SH);
        if (read_document(side, bytes) < 0) counts->missing++;
        else if (!is_whole(bytes)) counts->torn++;
        counts->reads++;
        close(turn);
        pause_us(100);
    }
    exit(0);
}

// What is read under a second name just before a rename takes the document's place.
static void watch_side(const struct side *side) {
    static char buffer[1 << 16];
    const char *name = strrchr(side->path, '/') + 1;
    long read_at = 0;
    unsigned own = 0;
    int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (inotify_add_watch(queue, side->directory, IN_ACCESS | IN_MOVED_FROM | IN_MOVED_TO) < 0) give_up("inotify");
    while (!counts->over) {
        struct pollfd one = {.fd = queue, .events = POLLIN};
        if (poll(&one, 1, 10) <= 0) continue;
        long length = read(queue, buffer, sizeof buffer), now = now_us();
        for (long place = 0; place < length;) {
            struct inotify_event *event = (struct inotify_event *)(buffer + place);
            bool is_bridges = event->len && strncmp(event->name, ".widgetbridge", 13) == 0;
            if (event->mask & IN_ACCESS && is_bridges) read_at = now;
            if (event->mask & IN_MOVED_FROM && is_bridges) own = event->cookie;
            if (event->mask & IN_MOVED_TO && event->cookie == own && strcmp(event->name, name) == 0) {
                // Told in one breath, nobody knows how long it took.
                if (read_at && read_at != now) note(&counts->windows, counts->window, now - read_at);
                read_at = 0;
            }
            place += sizeof *event + event->len;
        }
    }
    exit(0);
}

static void report(const char *name, const atomic_long *times, long count) {
    for (long place = 0; place < count && place < most_times; place++) printf("%s %ld\n", name, times[place]);
}

// A child that does not outlive its parent: it would hold the pipe of its errors open.
static pid_t begin(void) {
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

int main(int argc, char **argv) {
    if (argc != 9) return fprintf(stderr, "race: wrong usage\n"), 64;
    static struct side sides[2] = {{.letter = 'a'}, {.letter = 'g'}};
    const char *styles[] = {"rename", "in-place", "late"};
    int writers = atoi(argv[5]), edits = atoi(argv[6]), style = 3, left = 2 * writers;
    unsigned seed = strtoul(argv[8], NULL, 10);
    for (int s = 0; s < 3; s++) if (strcmp(argv[7], styles[s]) == 0) style = s;
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int log = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (counts == MAP_FAILED || log < 0) give_up(argv[4]);
    pid_t watchers[4];
    for (int s = 0; s < 2; s++) {
        struct side *side = &sides[s];
        side->directory = argv[1 + s];
        sprintf(side->path, "%s/%s", side->directory, argv[3]);
        sprintf(side->part, "%s/%s.part", side->directory, argv[3]);
        sprintf(side->lock, "%s.%c.lock", argv[4], side->letter);
        if ((watchers[2 * s] = begin()) == 0) read_side(side);
        if ((watchers[2 * s + 1] = begin()) == 0) watch_side(side);
        for (int writer = 0; writer < writers; writer++) {
            int own = style == 3 ? writer % 3 : style;
            if (begin() == 0) write_side(side, log, writer, edits, own, seed * 1000 + s * 100 + writer);
        }
    }
    int status, failures = 0;
    while (left > 0) {
        pid_t ended = wait(&status);
        if (ended < 0) give_up("wait");
        failures += status != 0;
        bool is_watcher = false;
        for (int w = 0; w < 4; w++) is_watcher |= ended == watchers[w];
        if (is_watcher) return fprintf(stderr, "race: who watches has ended\n"), 1;
        left--;
    }
    counts->over = true;
    while (wait(&status) > 0) failures += status != 0;
    printf("saves %ld\nreads %ld\ntorn %ld\nmissing %ld\nundone %ld\n", counts->saves, counts->reads,
        counts->torn, counts->missing, counts->undone);
    report("unseen", counts->unseen, counts->unseens);
    report("window", counts->window, counts->windows);
    return failures != 0;
}
