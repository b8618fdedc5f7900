import Documents

/// A profile from the command line or a configuration: a built-in one, or a file.
struct NamedProfile {
    let yaml: String
    /// `nil` for a built-in profile.
    let file: String?
    let name: String

    /// - Parameter place: the option or the line that names the profile, for errors.
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

    /// The profile's name in errors.
    var place: String { file ?? "\(name) (built in)" }

    func profile() throws(ProfileError) -> Profile { try Profile(yaml: yaml, file: place) }
}

extension Profile {
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
    }
}
