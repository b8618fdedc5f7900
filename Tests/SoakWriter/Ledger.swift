import Glibc

/// What a program has saved, written down as it happens, one line a step: a killed program's lines are there.
///
/// `started`; `begins ID...` before it destroys a document with these edits in it; `saved ID` once its save
/// has ended; `gone ID...` for edits that it has written over, whether it had read them or not.
struct Ledger {
    private let descriptor: Int32

    init(appendingTo path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(errno) }
    }

    func started() { write("started", []) }
    func begins(_ ids: Set<String>) { write("begins", ids) }
    func saved(_ id: String) { write("saved", [id]) }
    func gone(_ ids: Set<String>) { write("gone", ids) }

    private func write(_ word: String, _ ids: Set<String>) {
        let line = Array("\(word) \(ids.sorted().joined(separator: " "))\n".utf8)
        let count = unsafe Glibc.write(descriptor, line, line.count)
        precondition(count == line.count, "the ledger is not on the disk that fills up")
    }
}

/// What the ledgers say in the end.
struct Account {
    private(set) var saved: Set<String> = []
    private var gone: Set<String> = []

    mutating func read(_ ledger: [UInt8]) {
        var begun: [Substring] = []
        for line in String(decoding: ledger, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "begins": begun = Array(words.dropFirst())
            case "gone": gone.formUnion(words.dropFirst().map(String.init))
            case "started":
                // It was killed in the middle.
                gone.formUnion(begun.map(String.init))
                begun = []
            default:
                saved.formUnion(words.dropFirst().map(String.init))
                begun = []
            }
        }
        gone.formUnion(begun.map(String.init))
    }

    func missing(from found: Set<String>) -> [String] { saved.subtracting(gone).subtracting(found).sorted() }
}
