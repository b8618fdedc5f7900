// The calls of SQLite that Swift does not see, because their number of arguments varies.
#pragma once

#pragma clang assume_nonnull begin

// Whether closing the last connection to a database moves the content of its `-wal` file into it, and deletes
// that file. `connection` is an `sqlite3 *`.
int sqlite_set_checkpoint_on_close(void *connection, int is_on);

#pragma clang assume_nonnull end
