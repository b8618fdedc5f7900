import Documents
import StateStore

/// The journal remembers by which profile its bases were agreed. By another one the same texts would mean
/// something else. The name decides: a profile of the same name with other content is a newer edition of it.
extension Engine {
    private static var profileKey: String { "profile" }

    /// To work by none is to work by a profile without a name.
    private static func name(of profile: Profile?) -> String { profile?.id ?? "" }

    /// Whether the journal remembers this very name. A journal of before names were kept has none, and takes
    /// the first that it gets.
    static func remembers(
        _ profile: Profile?,
        _ journal: any Journal,
        _ settings: EngineSettings
    ) throws(EngineError) -> Bool {
        let known: String?
        do { known = try journal.value(of: profileKey) } catch { throw .journal(error) }
        let name = name(of: profile)
        if let known, known != name, !settings.changesProfile {
            throw .otherProfile(known: known, named: name)
        }
        return known == name
    }

    /// With whatever is agreed on first, and before that where somebody looks at everything.
    package mutating func rememberProfile() {
        guard !remembersProfile else { return }
        journal.add([.value(Self.name(of: profile), key: Self.profileKey)])
        remembersProfile = true
    }
}
