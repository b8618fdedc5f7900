import Glibc

/// A program's saves, recorded as they happen, one line per step, so that they survive a kill.
///
/// `started`; `begins ID...` before it destroys a document with these edits; `saved ID PLACE` after its
/// save ended, which replaces what it set there before; `gone ID...` for edits that it wrote over, whether
/// it had read them or not.
struct Ledger {
    private let descriptor: Int32

    init(appendingTo path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(errno) }
    }

    func started() { write("started", []) }
    func begins(_ ids: Set<String>) { write("begins", ids.sorted()) }
    func gone(_ ids: Set<String>) { write("gone", ids.sorted()) }

    /// Directories may be renamed; the documents in them are not.
    func saved(_ id: String, in key: String, of document: String) {
        write("saved", [id, "\(document.split(separator: "/").last ?? "")#\(key)"])
    }

    private func write(_ word: String, _ rest: [String]) {
        let line = Array("\(word) \(rest.joined(separator: " "))\n".utf8)
        let count = unsafe Glibc.write(descriptor, line, line.count)
        precondition(count == line.count, "the ledger is not on the disk that fills up")
    }
}

/// The result of all ledgers.
struct Account {
    private(set) var saved: Set<String> = []
    private var gone: Set<String> = []

    mutating func read(_ ledger: [UInt8]) {
        var begun: [Substring] = []
        var standing: [Substring: Substring] = [:]
        for line in String(decoding: ledger, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "begins": begun = Array(words.dropFirst())
            case "gone": gone.formUnion(words.dropFirst().map(String.init))
            case "started":
                // It was killed in between.
                gone.formUnion(begun.map(String.init))
                begun = []
            default:
                saved.insert(String(words[1]))
                if let earlier = standing.updateValue(words[1], forKey: words[2]) {
                    gone.insert(String(earlier))
                }
                begun = []
            }
        }
        gone.formUnion(begun.map(String.init))
    }

    func missing(from found: Set<String>) -> [String] { saved.subtracting(gone).subtracting(found).sorted() }
}
