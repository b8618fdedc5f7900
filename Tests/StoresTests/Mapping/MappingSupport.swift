import Documents
import Stores
import Testing

/// A store and the values in it.
struct MappedStore {
    let mapping: StoreMapping
    var values: [String: StoreValue] = [:]

    /// The store of a built-in profile.
    init(_ profile: String, _ platform: StorePlatform, _ side: DocumentView.Container) throws {
        let rule = try #require(Profile.builtIn(profile)?.documents.first)
        mapping = StoreMapping(try #require(rule.stores[platform]?[side]), of: rule)
    }

    /// A store on iOS in the group.
    init(_ store: String, versions: String = "") throws {
        let profile = try Profile(
            yaml: """
                profile: p
                timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
                documents:
                  d.json:
                    stores: {ios: {group: {\(store)}}}
                \(versions)
                """,
            file: "p"
        )
        let rule = profile.documents[0]
        mapping = StoreMapping(try #require(rule.stores[.ios]?.group), of: rule)
    }

    mutating func write(_ document: String?, at version: Int? = nil) throws {
        for (key, value) in try mapping.changes(writing: document.map { Array($0.utf8) }, at: version) {
            values[key.text] = value
        }
    }

    func document(at version: Int? = nil, last: String? = nil) throws -> String? {
        let last = last.map { Array($0.utf8) }
        return try mapping.document(from: { values[$0] }, at: version, last: last)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Why a document cannot be written.
    func fault(_ document: String) throws -> StoreMismatch.Reason {
        try #require(throws: StoreMismatch.self) {
            try mapping.changes(writing: Array(document.utf8), at: nil)
        }.reason
    }

    /// Why the values cannot be read.
    func fault(reading values: [String: StoreValue]) throws -> StoreMismatch {
        try #require(throws: StoreMismatch.self) { try mapping.document(from: { values[$0] }) }
    }
}

extension StoreMismatch.Reason {
    var isNumber: Bool { if case .number = self { true } else { false } }
    var isSyntax: Bool { if case .notJSON = self { true } else { false } }
    var isEncoding: Bool { if case .encoding = self { true } else { false } }
    var isTime: Bool { if case .time = self { true } else { false } }
}
