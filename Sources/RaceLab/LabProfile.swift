package import Documents

/// The built-in profiles without their schemas: the lab's programs write only a few keys, and the bridge must
/// sync what they write.
package enum LabProfile {
    package static let budget = named("budget")

    /// Cached, since parsing one takes longer than many runs.
    private static let all: [String: Profile] = Profile.builtInNames.reduce(into: [:]) { profiles, name in
        var profile = Profile.builtIn(name)
        for place in profile?.documents.indices ?? 0..<0 { profile?.documents[place].passesInvalid = true }
        profiles[name] = profile
    }

    package static func named(_ name: String) -> Profile? { all[name] }
}
