import Documents

/// The budget app's profile, but for its schemas: the lab's programs write only a few keys, and what they
/// write is to be carried.
enum LabProfile {
    static let budget: Profile? = {
        var profile = Profile.builtIn("budget")
        for place in profile?.documents.indices ?? 0..<0 { profile?.documents[place].passesInvalid = true }
        return profile
    }()
}
