// SPDX-License-Identifier: GPL-2.0-only
//
// What widgetbridge-watch needs of C: the fence round libinotifytools, and the calls Glibc hides from Swift.
#pragma once

#include <dirent.h>
#include <stdint.h>
#include <sys/inotify.h>

// The descriptor of the one inotify instance; -1 before there is one.
int watch_descriptor(void);

// Opens a directory for reading, beneath `directory` and through no symbolic link; -1 and errno.
int watch_open_beneath(int directory, const char *path);

// Opens what a root is known by; follows links, as the path was given by a person. -1 and errno.
int watch_open_root(const char *path);

// The name in a directory entry, as long as the entry lives.
const char *watch_entry_name(const struct dirent *entry);

// The name in an event, as long as the event lives.
const char *watch_event_name(const struct inotify_event *event);

// What a careless parent left us is put in order: descriptors that would keep a deleted root from being told
// of are closed, SIGINT and SIGTERM are let through and end the program with status 0, and a closed pipe is
// an error of write, not a signal.
void watch_set_up_process(void);
