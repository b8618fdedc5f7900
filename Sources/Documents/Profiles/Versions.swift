/// What a document says of its version.
package enum VersionReading: Sendable, Hashable {
    /// Documents of this name have no versions.
    case unversioned
    case known(Int)
    /// Newer than the profile knows: to be held, and never rewritten.
    case newer(Int)
    /// It cannot be told.
    case unreadable(VersionFault)
}

extension DocumentRule {
    package func version(of document: JSON) -> VersionReading {
        guard let newest else { return .unversioned }
        switch versionMark {
        case nil: return .unversioned
        case .field(let key, let missing): return version(of: document, key, missing, newest)
        case .shapes:
            // Where several fit, the newest.
            for version in versions.reversed() {
                let violations = version.shape?.violations(of: document) ?? []
                if violations.isEmpty { return .known(version.number) }
                if let undecided = violations.first(where: \.isUndecided) {
                    return .unreadable(.undecided(undecided))
                }
            }
            return .unreadable(.noShape(path: path))
        }
    }

    private func version(of document: JSON, _ key: [UInt8], _ missing: Int?, _ newest: Int) -> VersionReading
    {
        guard let node = document.value(of: key, in: JSON.root) else {
            return missing.map { .known($0) } ?? .unreadable(.noField(key: name(key)))
        }
        // Counting lines takes a look at the whole text.
        func fault(_ make: (JSONPosition, String) -> VersionFault) -> VersionReading {
            .unreadable(make(document.position(of: node), name(key)))
        }
        guard document.isOnly(node, of: key) else { return fault { .fieldTwice($0, key: $1) } }
        guard document.kind(node) == .number else {
            return fault { .notANumber($0, key: $1, found: document.kind(node).words) }
        }
        let text = name(document.slice(node))
        guard text.utf8.allSatisfy(\.isDigit) else {
            return fault { .notWhole($0, key: $1, value: text) }
        }
        // More digits than an Int has is newer than anything.
        guard let number = Int(text), number <= newest else { return .newer(Int(text) ?? .max) }
        guard versions.contains(where: { $0.number == number }) else {
            return fault { .unlisted($0, key: $1, value: text) }
        }
        return .known(number)
    }
}

/// Why a document of that version cannot be read.
package func newerVersionWords(_ number: Int) -> String {
    "\(versionWords(number)) is newer than the profile knows"
}

/// A version in words. One with more digits than an Int has is known only to be above all others.
package func versionWords(_ number: Int) -> String {
    number == .max ? "version \(Int.max) or above" : "version \(number)"
}

extension JSON {
    /// Does the root have this member once?
    fileprivate func isOnly(_ value: Int, of key: [UInt8]) -> Bool {
        guard nodes[JSON.root].traits.contains(.duplicateKeys) else { return true }
        return !members(of: JSON.root).contains { $0.value != value && string($0.key) == key }
    }
}
