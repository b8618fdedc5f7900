/// An app or a widget: it saves edits of its own, in the ways that programs save, and knows nothing of a
/// bridge. Whatever it writes over it writes down, so that all else must still be there in the end.
struct Program {
    private let name: String
    private let folder: Folder
    private let ledger: Ledger
    private var draws: Draws
    private var edits = 0

    private static let documents = (0..<12).map { "d\($0).json" } + ["m0.json", "m1.json"]

    init(_ name: String, in folder: Folder, ledger: Ledger, draws: Draws) {
        self.name = name
        self.folder = folder
        self.ledger = ledger
        self.draws = draws
    }

    /// Puts right what a killed one of this name has left: its file, or the document that it had taken out;
    /// and documents that it, or a full disk, had torn.
    mutating func recover() {
        ledger.started()
        for document in Self.documents {
            if let left = Folder.bytes(at: folder.file(temporary(document))) {
                ledger.gone(Content.ids(in: left))
                folder.remove(temporary(document))
            }
            let isWhole = Folder.bytes(at: folder.file(document)).map(Content.isWhole) ?? true
            if !isWhole { try? saveByExchange(document) }
        }
    }

    /// One step. A full disk fails it, and it goes on with the next.
    mutating func act() {
        let document = draws.pick(Self.documents)
        switch draws.below(100) {
        case 0..<2: try? delete(document)
        case 2..<20: try? saveInPlace(document)
        default: try? saveByExchange(document)
        }
    }

    private mutating func newId() -> String {
        edits += 1
        return "\(name)-\(edits)"
    }

    /// The app's are the first keys, the widget's the last ones, but for one edit in ten.
    private mutating func key() -> String {
        let isApp = name.hasPrefix("app") != (draws.below(10) == 0)
        return draws.pick(Array(isApp ? Content.keys.prefix(4) : Content.keys.suffix(4)))
    }

    private func temporary(_ document: String) -> String { ".\(document).\(name.prefix(3)).tmp" }

    // MARK: - The ways to save

    /// Exchanges rather than renames, to see what was there in that very moment.
    private mutating func saveByExchange(_ document: String) throws {
        let old = Folder.bytes(at: folder.file(document)) ?? []
        let id = newId()
        // A document that is not there, or that a full disk has torn, is written anew.
        let key = key()
        let edited = Content.setting(key, to: id, in: old) ?? Content.setting(key, to: id, in: Content.new)
        guard let new = edited else { return }
        let temporary = temporary(document)
        defer { folder.remove(temporary) }
        try folder.create(new, as: temporary)
        if (try? folder.move(temporary, to: document)) == nil {
            try folder.exchange(temporary, document)
            let displaced = Folder.bytes(at: folder.file(temporary)) ?? []
            ledger.gone(Content.ids(in: displaced).subtracting(Content.ids(in: new)))
        }
        ledger.gone(Content.ids(in: old).subtracting(Content.ids(in: new)))
        ledger.saved(id)
    }

    /// Truncates the file that it has read, and writes it again: killed or out of space between, it has
    /// destroyed what was in there.
    private mutating func saveInPlace(_ document: String) throws {
        let id = newId()
        let key = key()
        var destroyed: Set<String> = []
        var kept: Set<String> = []
        do {
            try folder.rewrite(document) { old in
                guard let new = Content.setting(key, to: id, in: old) else { return nil }
                destroyed = Content.ids(in: old)
                kept = Content.ids(in: new)
                ledger.begins(destroyed)
                return new
            }
        } catch {
            ledger.gone(destroyed)
            throw error
        }
        guard !kept.isEmpty else { return }
        ledger.gone(destroyed.subtracting(kept))
        ledger.saved(id)
    }

    /// Takes it out by a rename, to see what it was.
    private func delete(_ document: String) throws {
        let temporary = temporary(document)
        try folder.move(document, to: temporary)
        ledger.gone(Content.ids(in: Folder.bytes(at: folder.file(temporary)) ?? []))
        folder.remove(temporary)
    }
}

/// Splitmix64: the same draws for the same seed.
struct Draws {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(limit))
    }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
