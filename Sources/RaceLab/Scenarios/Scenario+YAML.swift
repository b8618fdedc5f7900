package import Documents

extension Scenario {
    /// Parses YAML, or JSON, which is YAML too. Errors name `file`; of several, the first one is thrown.
    package init(yaml: String, file: String) throws(ProfileError) {
        try self.init(try YAMLField.root(of: yaml, file: file))
    }

    /// `isSaved`: a shrunk scenario, of which only the form is checked.
    init(_ field: YAMLField, isSaved: Bool = false) throws(ProfileError) {
        var reader = ScenarioReader(isSaved: isSaved)
        let scenario = reader.scenario(field)
        if let first = reader.mistakes.first { throw first }
        self = scenario
    }
}
