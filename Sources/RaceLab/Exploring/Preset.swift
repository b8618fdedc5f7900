package import Documents

/// Scenarios that teach, and by which the lab is tested: each says what must be found in it.
package enum Preset {
    package static var names: [String] { texts.filter { !isApp($0.name) }.map(\.name) }

    /// A scenario for each of the five apps, in which nothing may be found.
    package static var appNames: [String] { texts.map(\.name).filter(isApp) }

    private static func isApp(_ name: String) -> Bool { name.hasPrefix("app-") }

    /// The YAML of a preset, as a person would write it.
    package static func text(_ name: String) -> String? { texts.first { $0.name == name }?.text }

    /// `nil` if there is none of that name.
    package static func scenario(_ name: String) throws(ProfileError) -> Scenario? {
        guard let text = text(name) else { return nil }
        return try Scenario(yaml: text, file: "preset \(name)")
    }

    private static let texts: [(name: String, text: String)] = (writers + engines + faults + apps).map {
        text in
        (name: String(text.prefix { $0 != "\n" }.dropFirst("name: ".count)), text: text)
    }
}
