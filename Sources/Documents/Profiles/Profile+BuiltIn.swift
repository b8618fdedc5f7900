extension Profile {
    private static let builtInFiles = [
        ("budget", PackageResources.budget_yaml), ("habits", PackageResources.habits_yaml),
        ("todo", PackageResources.todo_yaml), ("finance", PackageResources.finance_yaml),
        ("balances", PackageResources.balances_yaml),
    ]

    package static let builtInNames = builtInFiles.map(\.0)

    package static func builtIn(_ name: String) -> Profile? {
        // A test reads each of them, so that none is missing here.
        builtInText(name).flatMap { try? Profile(yaml: $0, file: "\(name) (built in)") }
    }

    /// The YAML of a built-in profile, without the line feed at its end.
    package static func builtInText(_ name: String) -> String? {
        builtInFiles.first { $0.0 == name }.map { String(decoding: $0.1.dropLast(), as: UTF8.self) }
    }
}
