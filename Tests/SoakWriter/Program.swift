/// An app or a widget: it saves its own edits, in the ways that programs save, and knows nothing of a
/// bridge. It records what it writes over, so that everything else must still exist at the end.
struct Program {
    private let name: String
    private let folder: Folder
    private let ledger: Ledger
    private var draws: Draws
    private var edits = 0
    /// Documents that it has opened for writing, and writes to later.
    private var pens: [String: Pen] = [:]

    private static let documents = (0..<12).map { "d\($0).json" } + ["m0.json", "m1.json"] + folded
    /// The documents in a directory, which has one of two names.
    private static let folded = ["f", "g"].flatMap { name in (0..<3).map { "\(name)/e\($0).json" } }

    init(_ name: String, in folder: Folder, ledger: Ledger, draws: Draws) {
        self.name = name
        self.folder = folder
        self.ledger = ledger
        self.draws = draws
    }

    /// Repairs what a killed program with this name left: its temporary file, or the document that it had
    /// moved out; and documents that it, or a full disk, tore.
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

    /// One step. After a failure, as on a full disk, it continues with the next one.
    mutating func act() {
        let document = draws.pick(Self.documents)
        switch draws.below(100) {
        case 0..<2: try? delete(document)
        case 2..<18: try? saveInPlace(document)
        case 18..<20: open(document)
        case 20..<26: writeLater()
        case 26..<27: for other in Self.documents.prefix(8) { try? saveByExchange(other) }
        case 27..<28: try? folder.move("f", to: "g")
        case 28..<29: try? folder.move("g", to: "f")
        case 29..<32: folder.date(document, secondsFromNow: draws.pick([-86_400, 3_600, 86_400 * 40]))
        default: try? saveByExchange(document)
        }
    }

    private mutating func newId() -> String {
        edits += 1
        return "\(name)-\(edits)"
    }

    /// The app uses the first keys and the widget the last ones, except for one edit in ten.
    private mutating func key() -> String {
        let isApp = name.hasPrefix("app") != (draws.below(10) == 0)
        return draws.pick(Array(isApp ? Content.keys.prefix(4) : Content.keys.suffix(4)))
    }

    private func temporary(_ document: String) -> String {
        let parts = document.split(separator: "/")
        return (parts.dropLast() + [".\(parts.last ?? "").\(name.prefix(3)).tmp"]).joined(separator: "/")
    }

    // MARK: - The ways to save

    /// Exchanges instead of renaming, to see what was there at that moment.
    private mutating func saveByExchange(_ document: String) throws {
        putDownPen(of: document)
        let old = Folder.bytes(at: folder.file(document)) ?? []
        let id = newId()
        // A document that is missing, or torn by a full disk, is written again.
        let key = key()
        let edited = Content.setting(key, to: id, in: old) ?? Content.setting(key, to: id, in: Content.new)
        guard let new = edited else { return }
        let temporary = temporary(document)
        defer { folder.remove(temporary) }
        folder.makeDirectory(of: document)
        try folder.create(new, as: temporary)
        if (try? folder.move(temporary, to: document)) == nil {
            try folder.exchange(temporary, document)
            let displaced = Folder.bytes(at: folder.file(temporary)) ?? []
            ledger.gone(Content.ids(in: displaced).subtracting(Content.ids(in: new)))
        }
        ledger.gone(Content.ids(in: old).subtracting(Content.ids(in: new)))
        ledger.saved(id, in: key, of: document)
    }

    /// Keeps the file open: later writes go to it, wherever its name is by then.
    private mutating func open(_ document: String) {
        guard pens[document] == nil, !Self.folded.contains(document) else { return }
        pens[document] = try? Pen(folder.file(document))
    }

    private mutating func writeLater() {
        guard let document = pens.keys.sorted().first, let pen = pens.removeValue(forKey: document) else {
            return
        }
        try? save(through: pen, of: document)
        pen.close()
    }

    /// Before the program itself takes the file's only name away: what it wrote there then would be nowhere.
    private mutating func putDownPen(of document: String) { pens.removeValue(forKey: document)?.close() }

    private mutating func saveInPlace(_ document: String) throws {
        let pen = try Pen(folder.file(document))
        defer { pen.close() }
        try save(through: pen, of: document)
    }

    /// Truncates the file that it has read, and writes it again: if it is killed or out of space in
    /// between, the content is destroyed.
    private mutating func save(through pen: Pen, of document: String) throws {
        let id = newId()
        let key = key()
        var destroyed: Set<String> = []
        var kept: Set<String> = []
        do {
            try pen.rewrite { old in
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
        ledger.saved(id, in: key, of: document)
    }

    /// Moves it out by a rename, to see what it was.
    private mutating func delete(_ document: String) throws {
        putDownPen(of: document)
        let temporary = temporary(document)
        try folder.move(document, to: temporary)
        ledger.gone(Content.ids(in: Folder.bytes(at: folder.file(temporary)) ?? []))
        folder.remove(temporary)
    }
}

/// Splitmix64: the same numbers for the same seed.
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
