/// The version of a document, as the document itself shows it.
package enum VersionReading: Sendable, Hashable {
    /// Documents of this name have no versions.
    case unversioned
    case known(Int)
    /// Newer than the profile knows: the document is held, and never rewritten.
    case newer(Int)
    /// Unknown.
    case unreadable(VersionFault)
}

extension DocumentRule {
    package func version(of document: JSON) -> VersionReading {
        guard let newest else { return .unversioned }
        switch versionMark {
        case nil: return .unversioned
        case .field(let key, let missing): return version(of: document, key, missing, newest)
        case .shapes:
            // If several match, the newest applies.
            for version in versions.reversed() {
                guard let shape = version.shape else {
                    return versions.newerMark(of: document).map { .newer($0) } ?? .known(version.number)
                }
                guard let violation = shape.firstViolation(of: document) else {
                    return .known(version.number)
                }
                if violation.isUndecided { return .unreadable(.undecided(violation)) }
            }
            return versions.newerMark(of: document).map { .newer($0) } ?? .unreadable(.noShape(path: path))
        }
    }

    private func version(of document: JSON, _ key: [UInt8], _ missing: Int?, _ newest: Int) -> VersionReading
    {
        guard let node = document.value(of: key, in: JSON.root) else {
            return missing.map { .known($0) } ?? .unreadable(.noField(key: name(key)))
        }
        // The position is only computed for a fault, because that reads the whole text.
        func fault(_ make: (JSONPosition, String) -> VersionFault) -> VersionReading {
            .unreadable(make(document.position(of: node), name(key)))
        }
        guard document.isOnly(node, of: key) else { return fault { .fieldTwice($0, key: $1) } }
        guard document.kind(node) == .number else {
            return fault { .notANumber($0, key: $1, found: document.kind(node).words) }
        }
        let text = name(document.slice(node))
        guard text.utf8.drop(while: { $0 == UInt8(ascii: "-") }).allSatisfy(\.isDigit) else {
            return fault { .notWhole($0, key: $1, value: text) }
        }
        // A number too large for an Int is newer as well.
        guard let number = Int(text), number <= newest else { return .newer(Int(text) ?? .max) }
        guard versions.contains(where: { $0.number == number }) else {
            return fault { .unlisted($0, key: $1, value: text, known: versionNumbers) }
        }
        return .known(number)
    }
}

/// Why a document of this version cannot be read.
package func newerVersionWords(_ number: Int) -> String {
    "\(versionWords(number)) is newer than the profile knows"
}

/// A version as text. One too large for an Int is only known to be at least `Int.max`.
package func versionWords(_ number: Int) -> String {
    number == .max ? "version \(Int.max) or above" : "version \(number)"
}

extension JSON {
    /// Whether the root has this member only once.
    fileprivate func isOnly(_ value: Int, of key: [UInt8]) -> Bool {
        guard nodes[JSON.root].traits.contains(.duplicateKeys) else { return true }
        return !members(of: JSON.root).contains { $0.value != value && string($0.key) == key }
    }
}

extension [VersionRule] {
    /// The version that a document says to have where the newest one requires its own number; `nil` if that
    /// is no newer one. One whose first part is higher has at least the next number.
    fileprivate func newerMark(of document: JSON) -> Int? {
        guard let version = last, let marks = version.shape?.marks(of: version.number) else { return nil }
        for parts in marks {
            let found = parts.lazy.map { ($0.number, Self.wholeNumber(at: $0.place, in: document)) }
            guard case (let known, let number?)? = found.first(where: { $0 != $1 }), known < number else {
                continue
            }
            return Swift.max(number.integer ?? .max, version.number + 1)
        }
        return nil
    }

    private static func wholeNumber(at place: JSONPointer, in document: JSON) -> ExactDecimal? {
        guard let node = document.node(at: place), document.kind(node) == .number else { return nil }
        let number = ExactDecimal(document.slice(node))
        return number.isInteger ? number : nil
    }
}
