package import Documents
import Model

/// The built-in profiles without their schemas: the lab's programs write only a few keys, and the bridge must
/// sync what they write.
package enum LabProfile {
    package static let budget = named("budget")

    /// Cached, since parsing one takes longer than many runs.
    private static let all: [String: Profile] = Profile.builtInNames.reduce(into: [:]) { profiles, name in
        var profile = Profile.builtIn(name)
        for index in profile?.documents.indices ?? 0..<0 {
            profile?.documents[index].passesInvalid = true
            // The lab judges reloads of widgets alone.
            profile?.documents[index].activities = []
        }
        profiles[name] = profile
    }

    /// Kinds of widgets, each of one document without versions.
    static func showing(_ widgets: [ScenarioWidget]) -> Profile {
        var profile = empty
        profile.documents = Set(widgets.map(\.document)).sorted().map { path in
            let shown = widgets.filter { $0.document == path }
            var rule = DocumentRule.plain(path: path.description)
            rule.kinds = shown.map(\.rules)
            rule.staleness = shown.compactMap(\.staleAfter).first.map { Staleness(after: $0) }
            return rule
        }
        return profile
    }

    private static let empty: Profile = {
        do throws(ProfileError) {
            return try Profile(yaml: "{format: 1, profile: lab, documents: {}}", file: "lab")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    package static func named(_ name: String) -> Profile? { all[name] }
}

extension ScenarioWidget {
    fileprivate var rules: WidgetKind {
        var rules = WidgetKind(name: kind, shows: [])
        rules.ignores = ignores
        rules.budget = budget.map { .limited($0) }
        return rules
    }
}
