package import Documents

/// Scenarios that teach, and by which the lab is tested: each names what it must find.
package enum Preset {
    package static var names: [String] { texts.map(\.name) }

    /// The YAML of a preset, as a person would write it.
    package static func text(_ name: String) -> String? { texts.first { $0.name == name }?.text }

    /// `nil` if there is none of that name.
    package static func scenario(_ name: String) throws(ProfileError) -> Scenario? {
        guard let text = text(name) else { return nil }
        return try Scenario(yaml: text, file: "preset \(name)")
    }

    private static let texts: [(name: String, text: String)] = [("stat-recheck", statRecheck)]

    private static let statRecheck = """
        name: stat-recheck
        about: >-
          The bridge looks with stat whether the document is still what it read, and then renames over it.
          A tap that lands between the two is gone.
        engine: stat-recheck
        documents: [budget.json]
        actors:
          app:
            does:
              - write: budget.json
          widget:
            does:
              - subscribe: budget.json
              - write: budget.json
          agent: {}
        expect: lost-update

        """
}
