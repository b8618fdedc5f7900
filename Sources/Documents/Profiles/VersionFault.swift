/// Why the version of a document is unknown.
package enum VersionFault: Error, Sendable, Hashable {
    /// It matches no version of the profile's document with this path.
    case noShape(path: String)
    /// It took too long to check whether it matches.
    indirect case undecided(SchemaViolation)
    /// The field that holds the version is missing.
    case noField(key: String)
    case fieldTwice(JSONPosition, key: String)
    case notANumber(JSONPosition, key: String, found: String)
    /// A number that is not whole, or not written with digits only.
    case notWhole(JSONPosition, key: String, value: String)
    /// Not newer than the newest version of the profile, and none of its versions.
    case unlisted(JSONPosition, key: String, value: String, known: [Int])

    /// One line, with the position first.
    package var reason: String { located.text }

    package var located: LocatedText {
        switch self {
        case .noShape(let path): "it matches no version of `\(path)`"
        case .undecided(let violation): violation.located
        case .noField(let key): "it has no `\(key)`, the field that holds its version"
        case .fieldTwice(let position, let key): LocatedText("duplicate key `\(key)`", at: position)
        case .notANumber(let position, let key, let found):
            LocatedText("`\(key)` is \(found), not a version", at: position)
        case .notWhole(let position, let key, let value):
            LocatedText("`\(key)` is \(value), not a whole number", at: position)
        case .unlisted(let position, let key, let value, let known):
            LocatedText(
                "`\(key)` is \(value), a version that the profile does not know; it knows "
                    + known.map { "\($0)" }.joined(separator: ", "),
                at: position
            )
        }
    }
}
