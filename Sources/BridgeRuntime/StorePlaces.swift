import Logging
import Model
import StateStore
import StoreReplica

/// In which store each side keeps each document. A document without one is a file of its own.
struct StorePlaces: Equatable {
    /// Of the text in the journal.
    static let key = "stores"

    /// The bytes of the store's fields.
    private var stores: [Location: [UInt8]] = [:]

    init(_ layouts: BothSides<StoreLayout>) {
        for side in Side.allCases {
            for document in layouts[side].paths {
                guard let store = layouts[side][document] else { continue }
                let place = store.place.map(\.asField).joined(separator: "\t")
                stores[Location(side, document)] = Array(place.utf8)
            }
        }
    }

    /// Reads what `text` wrote.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let place = Location(side: fields[0], path: fields[1]) else { continue }
            stores[place] = Array(fields[2].utf8)
        }
    }

    var text: String {
        stores.map { place, store in "\(place.asFields)\t" + String(decoding: store, as: UTF8.self) }
            .sorted().joined(separator: "\n")
    }

    func isSame(_ document: RelativePath, as other: StorePlaces) -> Bool {
        Side.allCases.allSatisfy { side in
            stores[Location(side, document)] == other.stores[Location(side, document)]
        }
    }
}

extension BridgePaths {
    /// A command that only reads goes on without what was synced before, where that is to be forgotten.
    mutating func adopt(
        _ layouts: BothSides<StoreLayout>,
        in journal: inout SQLiteJournal,
        logger: Logger
    ) throws(BridgeError) {
        let places = StorePlaces(layouts)
        if onlyLooks, scratch == nil {
            let known: String?
            do { known = try journal.value(of: StorePlaces.key) } catch { throw unusable(error) }
            guard let known, StorePlaces(text: known) != places else { return }
            try makeScratch()
            journal = try openJournal(logger: logger)
        }
        do { try journal.adopt(places) } catch { throw unusable(error) }
    }
}

extension Journal {
    /// Forgets what was synced of documents that are in another store than before: one that is missing there
    /// was not deleted, and what is there is no edit of it. They are synced as for the first time.
    fileprivate func adopt(_ places: StorePlaces) throws(JournalError) {
        guard let text = try value(of: StorePlaces.key) else {
            return try setValue(places.text, of: StorePlaces.key)
        }
        let known = StorePlaces(text: text)
        if known == places { return }
        var entries: [JournalEntry] = []
        for (document, record) in try documents() where !places.isSame(document, as: known) {
            entries.append(.gone(document, generation: record.generation))
        }
        try record(entries + [.value(places.text, key: StorePlaces.key)])
    }
}
