/// Whether the profile translates between a document of one version and the expected document of another.
package struct FixtureCheck: Sendable {
    package enum Way: Sendable { case up, down }

    package enum Fault: Sendable {
        /// The document is recognized as another version than expected.
        case version(VersionReading, expected: Int)
        case breaksSchema(version: Int, SchemaViolation)
        case untranslatable(Way, DocumentError)
        /// The patch from the actual document to the expected one.
        case differs(Way, JSONPatch)
    }

    package private(set) var faults: [Fault] = []
    /// What the newer version cannot represent, so that the way back may lack it.
    package private(set) var losses: [Loss] = []

    package init(_ rule: DocumentRule, old: JSON, new: JSON, from: Int, to: Int) {
        for (document, version) in [(old, from), (new, to)] {
            let reading = rule.version(of: document)
            if reading != .known(version) {
                faults.append(.version(reading, expected: version))
            } else if let violation = rule.firstViolation(of: document, version: version) {
                faults.append(.breaksSchema(version: version, violation))
            }
        }
        guard faults.isEmpty else { return }
        do throws(DocumentError) {
            let made: Migration = try rule.migration(of: old, from: from, to: to)
            losses = made.losses
            let patch = JSONPatch.diff(from: made.document, to: new)
            if !patch.isEmpty { faults.append(.differs(.up, patch)) }
        } catch {
            faults.append(.untranslatable(.up, error))
        }
        do throws(DocumentError) {
            let back = try rule.translate(new, from: to, to: from, agreed: nil)
            let patch = JSONPatch.diff(from: back, to: old)
            let places = losses.map(\.pointer)
            if !patch.places.allSatisfy({ place in places.contains { place.isWithin($0) } }) {
                faults.append(.differs(.down, patch))
            }
        } catch {
            faults.append(.untranslatable(.down, error))
        }
    }
}

extension String {
    /// Whether one of the two paths leads to the other's value, or into it.
    fileprivate func isWithin(_ place: String) -> Bool {
        self == place || hasPrefix(place + "/") || place.hasPrefix(self + "/")
    }
}

/// Both the command line and the comments of a draft show this text.
extension FixtureCheck.Fault {
    package var text: String {
        switch self {
        case .version(let reading, let expected):
            "the document of version \(expected) is recognized as \(reading.words)"
        case .breaksSchema(let version, let violation):
            violation.located.behind("it violates the schema of version \(version): ").text
        case .untranslatable(let way, let error): "\(way.words): \(error.reason)"
        case .differs(let way, let patch):
            "\(way.words): the result differs from the expected document; the patch between them is \(JSONText(patch.json).description)"
        }
    }
}

extension FixtureCheck.Way {
    package var words: String { self == .up ? "migrating up" : "migrating back" }
}

extension VersionReading {
    var words: String {
        switch self {
        case .unversioned: "a document without versions"
        case .known(let version): "version \(version)"
        case .newer(let version): "\(versionWords(version)), which is newer than the profile knows"
        case .unreadable(let fault): "no version: \(fault.reason)"
        }
    }
}
