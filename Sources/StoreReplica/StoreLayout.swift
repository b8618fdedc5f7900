package import DatabaseStore
package import Model
package import Stores

/// Where a document is that is no file of its own.
package enum StoredDocument: Sendable {
    case keyed(KeyedDocument)
    case row(DatabaseDocument)

    /// The store, beneath the container.
    package var file: RelativePath {
        switch self {
        case .keyed(let document): document.file
        case .row(let document): document.file.path
        }
    }

    package var address: StoreAddress {
        switch self {
        case .keyed(let document):
            let keys = document.identity
            return StoreAddress(document.file, keys.count == 1 ? .key(keys[0]) : .keys)
        case .row(let document):
            return StoreAddress(document.file.path, .row(table: document.table, key: document.key))
        }
    }

    var valueFile: RelativePath? { if case .keyed(let document) = self { document.valueFile } else { nil } }

    /// What distinguishes it from other stores: the file and its keys; in a database, the table and the row.
    package var place: [String] {
        switch self {
        case .keyed(let document): [document.file.description] + document.identity
        case .row(let document): [document.file.path.description, document.table, document.key]
        }
    }
}

/// The documents of one side that are not files of their own.
package struct StoreLayout: Sendable {
    /// In order.
    package let paths: [RelativePath]
    /// The documents that are composed of single values.
    let composed: [RelativePath]
    private let documents: [RelativePath: StoredDocument]
    private let byFile: [RelativePath: [RelativePath]]
    private let databases: Set<RelativePath>

    package init(_ documents: [RelativePath: StoredDocument] = [:]) {
        self.documents = documents
        paths = documents.keys.sorted()
        composed = paths.filter {
            if case .keyed(let document) = documents[$0] { document.isComposed } else { false }
        }
        let valueFiles = paths.compactMap { path in
            documents[path]?.valueFile.map { (file: $0, document: path) }
        }
        byFile = Dictionary(grouping: paths) { documents[$0]?.file ?? $0 }
            .merging(valueFiles.map { ($0.file, [$0.document]) }) { $0 + $1 }
        databases = Set(
            documents.values.compactMap { if case .row(let row) = $0 { row.file.path } else { nil } }
        )
    }

    package var isEmpty: Bool { documents.isEmpty }
    package subscript(path: RelativePath) -> StoredDocument? { documents[path] }

    func keyed(_ path: RelativePath) -> KeyedDocument? {
        if case .keyed(let document) = documents[path] { document } else { nil }
    }

    /// The documents that may have changed with this file; `nil` if it is no store and belongs to none.
    package func documents(in file: RelativePath) -> [RelativePath]? {
        if let found = byFile[file] { return found }
        if DatabaseFiles.contains(file, of: databases) {
            let changed = DatabaseFiles.database(changedBy: file, among: databases)
            return changed.flatMap { byFile[$0] } ?? []
        }
        guard file.name.hasSuffix(Self.backup), let store = file.sibling(String(file.name.dropLast(4))),
            let found = byFile[store], found.contains(where: { keyed($0)?.format.hasBackup == true })
        else { return nil }
        return found
    }

    /// The documents whose stores are beneath the directory, or were before it was moved away.
    func paths(beneath directory: RelativePath) -> [RelativePath] {
        paths.filter { path in
            let files = [documents[path]?.file, documents[path]?.valueFile]
            return files.contains { $0?.isInside(directory) == true }
        }
    }

    static let backup = ".bak"
}
