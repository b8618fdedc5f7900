/// The profiles that come with the program, as the YAML that a person could write.
enum BuiltIn {
    static let profiles: [(name: String, yaml: String)] = [
        ("budget", budget), ("habits", habits), ("todo", todo), ("finance", finance), ("balances", balances),
    ]
}

extension Profile {
    package static let builtInNames: [String] = BuiltIn.profiles.map(\.name)

    package static func builtIn(_ name: String) -> Profile? {
        // A test reads each of them.
        builtInText(name).flatMap { try? Profile(yaml: $0, file: "\(name) (built in)") }
    }

    /// A built-in profile as it is written.
    package static func builtInText(_ name: String) -> String? {
        BuiltIn.profiles.first { $0.name == name }?.yaml
    }
}
