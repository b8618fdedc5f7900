// SPDX-License-Identifier: GPL-2.0-only
#pragma once
#include <inotifytools/inotifytools.h>
#include <inotifytools/inotify.h>
