/// Finds lists of lenses whose result is of another version.
struct VersionLint {
    let rule: DocumentRule

    /// Lists of lenses whose result is not recognized as the version to which they lead, each with a small
    /// document that shows it.
    func findings() -> [LintFinding] {
        guard case .shapes = rule.versionMark else { return [] }
        return zip(rule.versions, rule.versions.dropFirst()).flatMap { older, newer in
            [(older, newer), (newer, older)].compactMap { from, to in
                guard let sample = sample(of: from), isUnrecognized(sample, from.number, to.number) else {
                    return nil
                }
                let text = name(Array(sample.bytes.prefix(Self.longestSample + 1)))
                return LintFinding(
                    document: rule.path,
                    place: "\(to.number)",
                    reason: .unrecognized(
                        from: from.number,
                        to: to.number,
                        document: sample.bytes.count > Self.longestSample ? nil : text
                    )
                )
            }
        }
    }

    private static let longestSample = 80

    private func isUnrecognized(_ sample: JSON, _ from: Int, _ to: Int) -> Bool {
        guard let made = try? rule.translate(sample, from: from, to: to, agreed: nil) else { return false }
        do throws(DocumentError) { try VersionCheck(by: rule).check(made, from: from, to: to) } catch {
            return true
        }
        return false
    }

    /// A small document that is recognized as this version and fits its schema; `nil` if none is found.
    private func sample(of version: VersionRule) -> JSON? {
        let schemas = [version.schema, version.shape].compactMap { $0 }
        var texts = schemas.map { SchemaSample(schema: $0).text() }
        texts.append(Array("{}".utf8))
        return texts.lazy.compactMap { try? JSON(parsing: $0) }.first { document in
            rule.version(of: document) == .known(version.number)
                && rule.firstViolation(of: document, version: version.number) == nil
        }
    }
}
