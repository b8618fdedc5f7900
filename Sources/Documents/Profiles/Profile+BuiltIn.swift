extension Profile {
    package static let builtInNames = ["budget", "habits", "todo", "finance", "balances"]

    package static func builtIn(_ name: String) -> Profile? {
        // A test reads each of them, so that none is missing here.
        builtInText(name).flatMap { try? Profile(yaml: $0, file: "\(name) (built in)") }
    }

    /// The YAML of a built-in profile.
    package static func builtInText(_ name: String) -> String? {
        let bytes: [UInt8]? =
            switch name {
            case "budget": PackageResources.budget_yaml
            case "habits": PackageResources.habits_yaml
            case "todo": PackageResources.todo_yaml
            case "finance": PackageResources.finance_yaml
            case "balances": PackageResources.balances_yaml
            default: nil
            }
        // Without the line feed at the end.
        return bytes.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
}
