import Documents

/// The rules of a profile from the command line, for files from the command line.
struct NamedRules {
    private let profile: Profile
    private let document: String?

    /// `nil` if no profile is given.
    init?(_ profile: String?, _ document: String?, for command: String) throws {
        guard let profile else {
            if document == nil { return nil }
            throw UsageError.arguments("--document is one of a --profile", command: command)
        }
        self.profile = try NamedProfile(profile, at: "--profile").profile()
        self.document = document
    }

    /// If the profile has only one document, the file may have any name.
    func rule(for path: String) throws -> DocumentRule {
        let known = profile.documents
        if document == nil, known.count == 1, let only = known.first { return only }
        let name = document ?? path
        if let rule = profile.pattern(fitting: name) ?? profile.named(name) { return rule }
        // Tries the ends of the path, because the container's directory is unknown.
        var rest = document == nil ? path[...] : ""
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            if let rule = profile.named(String(rest)) { return rule }
        }
        throw UsageError.unknownDocument(name, profile: profile.id, known: known.map(\.path))
    }
}
