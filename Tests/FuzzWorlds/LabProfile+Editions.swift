import Documents
import RaceLab

extension LabProfile {
    /// Editions of one profile: versions, views, kinds and lenses are added, and removed again.
    static let editions: [Profile] = [
        "versions: {1: {}}",
        "versions: {1: {}, 2: {lenses: [\(count), {wrap: data}]}}",
        "versions: {1: {}, 2: {lenses: [\(count), {wrap: data}]}}\n    views: [1]",
        "versions: {1: {}, 2: {lenses: [{add: {field: hasError, value: false}}, \(count), {wrap: data}]}}"
            + "\n    kinds: {Limit: {shows: [/data/limit]}}",
    ].map(edition)

    /// An edition in which each merge rule applies to some field of each document.
    static let ruled: Profile = {
        let merge = """
            {/\(Ruled.stamp): newest, /\(Ruled.peak): max, /\(Ruled.total): sum, /\(Ruled.tags): set, \
            /\(Ruled.count): {derived: {count: /\(Ruled.tags)/*}}, /\(Ruled.owned): {mine: group}}
            """
        let documents = FaultProfile.plainNames.map { "  \($0): {merge: \(merge)}" }
        return profile("profile: ruled\ndocuments:\n" + documents.joined(separator: "\n"), "ruled")
    }()

    private static let count = "{add: {field: \(TestDocument.newestOnly), value: 0}}"

    private static func edition(_ more: String) -> Profile {
        let text = """
            profile: budget
            documents:
              budget.json:
                version: {field: version, missing: 1}
                \(more)
            """
        return profile(text, "budget")
    }

    private static func profile(_ text: String, _ name: String) -> Profile {
        do throws(ProfileError) {
            return try Profile(yaml: text, file: name)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
