/// The profiles that come with the program, as the YAML that a person could write.
enum BuiltIn {
    static let profiles: [(name: String, yaml: String)] = [
        ("budget", budget)
    ]
}

extension Profile {
    package static let builtInNames: [String] = BuiltIn.profiles.map(\.name)

    package static func builtIn(_ name: String) -> Profile? {
        guard let found = BuiltIn.profiles.first(where: { $0.name == name }) else { return nil }
        // A test reads each of them.
        return try? Profile(yaml: found.yaml, file: "\(name) (built in)")
    }
}
