import Documents
import Model
import SyncEngine

/// The documents of a plan, together where the same happens to them.
struct MigrationGroups {
    struct Group {
        /// The first one, with its name.
        let example: MigrationItem
        let name: String
        /// The number of the others.
        var others = 0
        /// The names of the others, if they cannot be migrated: each needs a person.
        var names: [String] = []
    }

    /// In the order of their first documents.
    private(set) var all: [Group] = []
    private var places: [Kind: Int] = [:]

    mutating func add(_ item: MigrationItem, _ name: String) {
        let kind = Kind(item)
        guard let index = places[kind] else {
            places[kind] = all.count
            all.append(Group(example: item, name: name))
            return
        }
        all[index].others += 1
        if item.migration.verdict.isLeft { all[index].names.append(name) }
    }

    /// What happens to a document, whatever it holds.
    private struct Kind: Hashable {
        var verdict: String
        var from: Int?
        var to: Int?
        var lenses: [MigrationStep]
        var losses: Set<Loss>
        var block: MigrationBlock?

        init(_ item: MigrationItem) {
            let migration = item.migration
            verdict = migration.verdict.name
            (from, to, lenses) = (migration.from, migration.to, migration.lenses)
            // Of a loss in each element of a list, as many as there are.
            losses = Set(item.losses.map { Loss(pointer: $0.pointer.withoutPlaces, reason: $0.reason) })
            block = migration.verdict.block
        }
    }
}

extension MigrationGroups.Group {
    /// The example, and how many others there are; all by name if none can be migrated.
    func text(by printer: TextPrinter, _ format: DiffFormat?) -> String {
        let example = printer.migration(example, name, format)
        if names.isEmpty, others > 0 {
            let more = others == 1 ? "one more document is" : "\(others.grouped) more documents are"
            let text = "… \(more) migrated in the same way; \(printer.hint.migrate("plan --all")) lists each"
            return example + printer.wrapped("  ", text).map { "\($0)\n" }.joined()
        }
        return example + names.map { "\($0.withoutControls)  likewise\n" }.joined()
    }
}

extension DocumentMigration.Verdict {
    /// Whether the document stays as it is, although it is not of the version.
    fileprivate var isLeft: Bool {
        switch self {
        case .blocked, .invalid, .newer: true
        case .current, .lossless, .lossy, .unversioned: false
        }
    }

    fileprivate var block: MigrationBlock? {
        switch self {
        case .blocked(let block), .invalid(let block): block
        case .current, .lossless, .lossy, .newer, .unversioned: nil
        }
    }
}

extension String {
    /// A JSON Pointer without the numbers of elements.
    fileprivate var withoutPlaces: String {
        split(separator: "/", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } ? "*" : String($0) }
            .joined(separator: "/")
    }
}
