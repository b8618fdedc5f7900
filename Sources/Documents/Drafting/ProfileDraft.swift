/// A profile proposed from sample pairs: documents of an older version, and the same documents in the newer
/// one.
///
/// What all samples agree on becomes a lens. What a person has to decide becomes a comment.
package struct ProfileDraft: Sendable {
    package struct Pair: Sendable {
        package var old: JSON
        package var new: JSON

        package init(old: JSON, new: JSON) { (self.old, self.new) = (old, new) }
    }

    package enum Fault: Error, Sendable, Hashable {
        case noObject
        /// Nothing distinguishes the newer documents from the older ones.
        case indistinct
        /// The pair at this index (from 0) has other versions than the other pairs.
        case otherVersions(pair: Int)
        /// The drafted profile cannot be read.
        case refused(ProfileError)
    }

    package let yaml: String

    /// - Parameters:
    ///   - name: The profile's name.
    ///   - document: The path of its document.
    package init(name: String, document: String, pairs: [Pair]) throws(Fault) {
        var samples: [DraftComparison.Pair] = []
        for pair in pairs {
            guard let old = Sample(pair.old).object, let new = Sample(pair.new).object else {
                throw .noObject
            }
            samples.append(DraftComparison.Pair(old: old, new: new))
        }
        guard let mark = DraftMark(samples) else { throw .indistinct }
        let lenses = mark.lenses(samples)
        // The samples may not say enough for the lenses, such as when one of them creates an object.
        var note = ""
        for schemas in [[mark.old, mark.new], [mark.new], []] {
            let text = Self.text(name, document, mark, lenses, pairs, schemas: schemas)
            let profile: Profile
            do throws(ProfileError) {
                profile = try Profile(yaml: text, file: "")
            } catch {
                if schemas.isEmpty { throw .refused(error) }
                note = draftNote("a schema is omitted: \(error.reason.text)", "") + "\n"
                continue
            }
            yaml = try note + Self.commented(text, by: profile, document, mark, pairs)
            return
        }
        throw .indistinct
    }

    private static func text(
        _ name: String,
        _ document: String,
        _ mark: DraftMark,
        _ lenses: [DraftLens],
        _ pairs: [Pair],
        schemas: [Int]
    ) -> String {
        func version(_ number: Int, _ samples: [JSON]) -> [String] {
            var lines = ["      \(number):"]
            if number == mark.new { lines += mark.when.map { ["        when: \($0)"] } ?? [] }
            if schemas.contains(number) {
                var schema = DraftSchema(samples: samples.map { Sample($0) })
                if let field = mark.field { schema.constants[field] = number }
                lines += ["        schema:"] + schema.lines("          ")
            }
            if number == mark.new {
                let steps = lenses.flatMap { $0.lines("          ") }
                let hasSteps = lenses.contains { $0.text != nil }
                lines += ["        lenses:" + (hasSteps ? "" : " []")] + steps
            } else if lines.count == 1 {
                lines[0] += " {}"
            }
            return lines
        }
        let lines =
            [
                "profile: \(yamlScalar(name))", "documents:", "  \(JSONText(document).description):",
                "    version: \(mark.text)", "    versions:",
            ] + version(mark.old, pairs.map(\.old)) + version(mark.new, pairs.map(\.new))
        return lines.joined(separator: "\n") + "\n"
    }

    /// The draft, preceded by comments on the samples that it does not translate as given.
    private static func commented(
        _ yaml: String,
        by profile: Profile,
        _ document: String,
        _ mark: DraftMark,
        _ pairs: [Pair]
    ) throws(Fault) -> String {
        let rule = profile.rule(for: document)
        let count = pairs.count == 1 ? "one pair of samples" : "\(pairs.count) pairs of samples"
        var lines = ["# Proposed from \(count). Lines with DECIDE need your decision."]
        for (number, pair) in pairs.enumerated() {
            guard rule.version(of: pair.old) == .known(mark.old),
                rule.version(of: pair.new) == .known(mark.new)
            else { throw .otherVersions(pair: number) }
            let fixture = FixtureCheck(rule, old: pair.old, new: pair.new, from: mark.old, to: mark.new)
            lines += fixture.faults.map { draftNote("pair \(number + 1): \($0.text)", "") }
        }
        return lines.joined(separator: "\n") + "\n" + yaml
    }
}
