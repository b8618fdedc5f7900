import Documents

/// The rules of a profile that a person named, for files that a person named.
struct NamedRules {
    private let profile: Profile
    private let document: String?

    /// `nil` where no profile is named.
    init?(_ profile: String?, _ document: String?, for command: String) throws {
        guard let profile else {
            if document == nil { return nil }
            throw UsageError.arguments("--document is one of a --profile", command: command)
        }
        self.profile = try NamedProfile(profile, at: "--profile").profile()
        self.document = document
    }

    /// A file may have any name where the profile has one document.
    func rule(for path: String) throws -> DocumentRule {
        let known = profile.documents
        if document == nil, known.count == 1, let only = known.first { return only }
        let name = document ?? path
        if let rule = profile.pattern(fitting: name) ?? profile.named(name) { return rule }
        // The ends of a file's path: the container may be anywhere.
        var rest = document == nil ? path[...] : ""
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            if let rule = profile.named(String(rest)) { return rule }
        }
        throw UsageError.unknownDocument(name, profile: profile.id, known: known.map(\.path))
    }
}
