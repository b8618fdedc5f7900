/// The built-in profiles, as YAML.
enum BuiltIn {
    static let profiles: [(name: String, yaml: String)] = [
        ("budget", BudgetProfile.yaml), ("habits", HabitsProfile.yaml), ("todo", TodoProfile.yaml),
        ("finance", FinanceProfile.yaml), ("balances", BalancesProfile.yaml),
    ]
}

extension Profile {
    package static let builtInNames: [String] = BuiltIn.profiles.map(\.name)

    package static func builtIn(_ name: String) -> Profile? {
        // A test reads each of them, so that none is missing here.
        builtInText(name).flatMap { try? Profile(yaml: $0, file: "\(name) (built in)") }
    }

    /// The YAML of a built-in profile.
    package static func builtInText(_ name: String) -> String? {
        BuiltIn.profiles.first { $0.name == name }?.yaml
    }
}
