/// The names of a profile's documents, by how they look: another name may differ in capitals, in spaces and
/// invisible characters, or in how an accented letter is composed. To every program it is another document.
package struct LookalikeNames: Sendable {
    private let profile: Profile
    private var names: [String: String] = [:]

    package init(of profile: Profile) {
        self.profile = profile
        for rule in profile.documents where DocumentPattern(rule.path) == nil {
            names[Self.look(of: rule.path)] = rule.path
        }
    }

    /// The name that this one only looks like; `nil` if there is none, or the profile has a rule for it.
    package func name(like other: String) -> String? {
        profile.named(other) == nil ? names[Self.look(of: other)] : nil
    }

    /// Equal for names that look alike, since Swift's texts are equal however a letter is composed.
    private static func look(of name: String) -> String {
        var look = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            if !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint { look.append(scalar) }
        }
        return String(look).lowercased()
    }
}
