package import Documents

/// Example scenarios, which also test the lab: each names the anomaly that must be found in it.
package enum Preset {
    package static var names: [String] { texts.filter { !isApp($0.name) }.map(\.name) }

    /// A scenario for each of the five apps, in which no anomaly may be found.
    package static var appNames: [String] { texts.map(\.name).filter(isApp) }

    private static func isApp(_ name: String) -> Bool { name.hasPrefix("app-") }

    /// The YAML of a preset, as written by hand.
    package static func text(_ name: String) -> String? { texts.first { $0.name == name }?.text }

    /// `nil` if there is no preset with this name.
    package static func scenario(_ name: String) throws(ProfileError) -> Scenario? {
        guard let text = text(name) else { return nil }
        return try Scenario(yaml: text, file: "preset \(name)")
    }

    private static let texts: [(name: String, text: String)] = (writers + engines + faults + widgets + apps)
        .map {
            text in
            (name: String(text.prefix { $0 != "\n" }.dropFirst("name: ".count)), text: text)
        }
}
