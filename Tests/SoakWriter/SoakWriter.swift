import CLinux
import Glibc

/// The programs of `Scripts/soak` besides the bridge: an app or a widget that saves, and the check at the
/// end.
///
///     SoakWriter write NAME DIRECTORY LEDGER SEED RATE
///     SoakWriter check LEDGER... -- DIRECTORY...
///     SoakWriter lock JOURNAL MILLISECONDS
@main struct SoakWriter {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "write": try write(Array(arguments))
        case "check": check(Array(arguments))
        case "lock": exit(lock(Array(arguments)) ? 0 : 1)
        default: misuse()
        }
    }

    /// Saves until it is asked to end, this many times per second; with a rate of 0 not at all.
    private static func write(_ arguments: [String]) throws {
        guard arguments.count == 5, let seed = UInt64(arguments[3]), let rate = Int(arguments[4]), rate >= 0
        else { misuse() }
        let ledger = try Ledger(appendingTo: arguments[2])
        let draws = Draws(seed)
        var program = Program(arguments[0], in: Folder(path: arguments[1]), ledger: ledger, draws: draws)
        program.recover()
        if rate == 0 { return }
        var ending = sigset_t()
        unsafe sigemptyset(&ending)
        unsafe sigaddset(&ending, SIGTERM)
        unsafe sigprocmask(SIG_BLOCK, &ending, nil)
        var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000_000 / rate)
        while unsafe sigtimedwait(&ending, nil, &pause) != SIGTERM { program.act() }
    }

    /// Prints the lost edits, and ends with 1 if there are any.
    private static func check(_ arguments: [String]) {
        guard let place = arguments.firstIndex(of: "--") else { misuse() }
        var account = Account()
        for path in arguments[..<place] { account.read(Folder.bytes(at: path) ?? []) }
        let found = Folder.ids(beneath: Array(arguments[(place + 1)...]))
        let lost = account.missing(from: found)
        for id in lost { print("lost:", id) }
        print(account.saved.count, "saves,", lost.count, "lost")
        exit(lost.isEmpty ? 0 : 1)
    }

    /// Holds SQLite's lock for writing, as a backup that writes to the database would. It is the lock on
    /// one byte of the file beside it (https://www.sqlite.org/walformat.html, 2.3.1). Returns `false` if no
    /// process has the database open, so that the file does not exist.
    private static func lock(_ arguments: [String]) -> Bool {
        guard arguments.count == 2, let milliseconds = Int(arguments[1]) else { misuse() }
        let descriptor = unsafe open("\(arguments[0])-shm", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        var writers = flock()
        writers.l_type = Int16(F_WRLCK)
        writers.l_whence = Int16(SEEK_SET)
        writers.l_start = 120
        writers.l_len = 1
        guard unsafe fcntl(descriptor, F_SETLKW, &writers) == 0 else { return false }
        var nothing = sigset_t()
        unsafe sigemptyset(&nothing)
        var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        unsafe sigtimedwait(&nothing, nil, &time)
        return true
    }

    private static func misuse() -> Never {
        print(
            """
            usage: SoakWriter write NAME DIRECTORY LEDGER SEED RATE
                   SoakWriter check LEDGER... -- DIRECTORY...
                   SoakWriter lock JOURNAL MILLISECONDS
            """
        )
        exit(64)
    }
}
