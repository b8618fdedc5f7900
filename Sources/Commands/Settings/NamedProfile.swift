import Documents

/// A profile as a person named it: one that is built in, or a file of their own.
struct NamedProfile {
    let yaml: String
    /// `nil` where it is built in.
    let file: String?
    private let name: String

    /// - Parameter place: where it is named.
    init(_ name: String, at place: String? = nil) throws {
        self.name = name
        if let yaml = Profile.builtInText(name) {
            self.yaml = yaml
            file = nil
            return
        }
        guard Profile.isPath(name) else {
            throw UsageError.unknownProfile(name, known: Profile.builtInNames, at: place)
        }
        do throws(NamedFileError) {
            yaml = try NamedFile(name).text()
        } catch .cannotRead(let path, let errno) {
            throw UsageError.unreadableProfile(path, errno: errno, at: place)
        }
        self.file = name
    }

    /// What errors call it.
    var place: String { file ?? "\(name) (built in)" }

    func profile() throws(ProfileError) -> Profile { try Profile(yaml: yaml, file: place) }
}

extension Profile {
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
    }
}
