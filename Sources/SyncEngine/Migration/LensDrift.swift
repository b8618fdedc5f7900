package import Documents
import Model
package import StateStore
import Stores

extension MigrationHistory {
    /// The lenses that migrated documents of this history, and that were edited since.
    package func drift(from rules: (String) -> DocumentRule?) -> [LensDrift] {
        var applied: [ExactText: [Int: [String]]] = [:]
        let standing = Set(standing.values.flatMap { $0.map(\.run.number) })
        for run in runs where standing.contains(run.number) {
            for list in run.lenses { applied[ExactText(list.rule), default: [:]][list.version] = list.texts }
        }
        return applied.sorted { $0.key < $1.key }.flatMap { rule, versions -> [LensDrift] in
            guard let now = rules(rule.text) else { return [] }
            return versions.sorted { $0.key < $1.key }.flatMap { version, texts in
                LensDrift.all(rule.text, version, texts, now.lensTexts(to: version))
            }
        }
    }
}

/// A lens that was edited after it migrated documents.
package struct LensDrift: Sendable, Hashable, Codable {
    package var document: String
    package var version: Int
    /// From 1.
    package var number: Int
    package var applied: String?
    package var now: String?

    static func all(_ document: String, _ version: Int, _ applied: [String], _ now: [String]) -> [LensDrift] {
        (0..<max(applied.count, now.count)).compactMap { index in
            let was = index < applied.count ? applied[index] : nil
            let `is` = index < now.count ? now[index] : nil
            if was.map({ ExactText($0) }) == `is`.map({ ExactText($0) }) { return nil }
            return LensDrift(document: document, version: version, number: index + 1, applied: was, now: `is`)
        }
    }

    package var text: String {
        let was = applied.map { "was \($0) when it was applied" } ?? "was not there when it was applied"
        let isNow = now.map { "is \($0)" } ?? "is gone"
        return "\(document): lens \(number) to version \(version) \(was), and \(isNow) now"
    }
}
