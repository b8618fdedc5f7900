/// Why the version of a document cannot be told, as facts.
package enum VersionFault: Error, Sendable, Hashable {
    /// It fits the shape of no version of the profile's document of that path.
    case noShape(path: String)
    /// Whether it fits a shape was not found out.
    indirect case undecided(SchemaViolation)
    /// The field that tells the version is not there.
    case noField(key: String)
    case fieldTwice(JSONPosition, key: String)
    case notANumber(JSONPosition, key: String, found: String)
    /// A number, but not a whole one, or written in another way than with digits alone.
    case notWhole(JSONPosition, key: String, value: String)
    /// Not newer than what the profile knows, and none of its versions.
    case unlisted(JSONPosition, key: String, value: String)

    /// In one line, the place first.
    package var reason: String { located.text }

    package var located: LocatedText {
        switch self {
        case .noShape(let path): "it looks like no version of `\(path)`"
        case .undecided(let violation): violation.located
        case .noField(let key): "it has no `\(key)`, which tells its version"
        case .fieldTwice(let position, let key): LocatedText("`\(key)` stands twice", at: position)
        case .notANumber(let position, let key, let found):
            LocatedText("`\(key)` is \(found), not a version", at: position)
        case .notWhole(let position, let key, let value):
            LocatedText("`\(key)` is \(value), not a whole number", at: position)
        case .unlisted(let position, let key, let value):
            LocatedText("`\(key)` is \(value), a version that the profile does not know", at: position)
        }
    }
}
