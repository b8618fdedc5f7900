import Glibc

/// The programs of `Scripts/soak` beside the bridge: an app or a widget that saves, and the check at the end.
///
///     SoakWriter write NAME DIRECTORY LEDGER SEED RATE
///     SoakWriter check LEDGER... -- DIRECTORY...
@main struct SoakWriter {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "write": try write(Array(arguments))
        case "check": check(Array(arguments))
        default: misuse()
        }
    }

    /// Saves until it is asked to end, so many times a second; not at all with a rate of 0.
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

    /// Prints what is lost, and ends with 1 if anything is.
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

    private static func misuse() -> Never {
        print("usage: SoakWriter write NAME DIRECTORY LEDGER SEED RATE | check LEDGER... -- DIRECTORY...")
        exit(64)
    }
}
