import ArgumentParser
import Documents

struct JSONMergeCommand: Command {
    static let page = HelpPage(
        name: "merge",
        abstract: "Print the three-way merge of two documents and their common ancestor.",
        example: "widgetbridge json merge base.json app.json group.json",
        exits: [
            (.done, "merged and printed"), (.failed, "a file cannot be read, or is not JSON"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.needsDecision, "printed, with the conflicts on standard error, each with its JSON Pointer"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The common ancestor; `-` is standard input.", completion: .file(extensions: ["json"]))
    var base: String

    @Argument(
        help: "The app's document, whose values win conflicts.",
        completion: .file(extensions: ["json"])
    )
    var first: String

    @Argument(help: "The group's document.", completion: .file(extensions: ["json"]))
    var second: String

    @Option(
        help: "Merge by the rules of this profile, across versions; the result is in the app's version.",
        completion: .file(extensions: ["yaml"])
    )
    var profile: String?

    @Option(help: "Document of the profile that the files are.")
    var document: String?

    @OptionGroup var limits: JSONLimitOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let rule = try rule()
        let files = try JSONFile.all(base, first, second, options: limits, for: Self.fullName)
        let merge = try FileMerge(rule: rule, base: files[0], first: files[1], second: files[2])
        terminal.print(merge.result.bytes)
        for conflict in merge.conflicts {
            let winner = profile == nil ? "that of \(first)" : "its owner's"
            terminal.complain(ErrorProse(conflict, of: first, and: second, winner: winner).line)
        }
        return merge.conflicts.isEmpty ? .done : .needsDecision
    }

    private static let fullName = "widgetbridge json merge"

    private func rule() throws -> DocumentRule {
        try NamedRules(profile, document, for: Self.fullName)?.rule(for: first) ?? .plain(path: first)
    }
}

/// Merges two documents and their base, each in its own version, in the newest version.
private struct FileMerge {
    /// In the version of the first document.
    let result: JSON
    /// In the newest version.
    let conflicts: [MergeConflict]

    init(rule: DocumentRule, base: JSONFile, first: JSONFile, second: JSONFile) throws(JSONFileError) {
        let common = try VersionedFile(base, rule)
        let mine = try VersionedFile(first, rule)
        let its = try VersionedFile(second, rule)
        let agreed = try common.newest(agreed: nil)
        let app = try mine.newest(agreed: common.pair(in: mine.version, newest: agreed))
        let group = try its.newest(agreed: common.pair(in: its.version, newest: agreed))
        do throws(DocumentError) {
            let merge = try rule.merge(base: agreed, app: app, group: group)
            conflicts = merge.conflicts
            guard let version = mine.version, let newest = rule.newest else {
                result = merge.result
                return
            }
            let pair = (from: app, to: first.json)
            result = try rule.translate(merge.result, from: newest, to: version, agreed: pair)
        } catch {
            throw .unmergeable([first.path, second.path], error)
        }
    }
}

/// A document with its version; `nil` if it has none.
private struct VersionedFile {
    let file: JSONFile
    let rule: DocumentRule
    let version: Int?

    init(_ file: JSONFile, _ rule: DocumentRule) throws(JSONFileError) {
        self.file = file
        self.rule = rule
        switch rule.version(of: file.json) {
        case .unversioned: version = nil
        case .known(let number): version = number
        case .newer(let number): throw .newerVersion(file.path, number)
        case .unreadable(let fault): throw .unreadableVersion(file.path, fault)
        }
    }

    func newest(agreed: (from: JSON, to: JSON)?) throws(JSONFileError) -> JSON {
        guard let version, let newest = rule.newest else { return file.json }
        return try translate(file.json, from: version, to: newest, agreed: agreed)
    }

    /// This document in version `other` and in the newest one: the base for translating the other document.
    func pair(in other: Int?, newest json: JSON) throws(JSONFileError) -> (from: JSON, to: JSON)? {
        guard let other, let version, let newest = rule.newest else { return nil }
        if other == version { return (file.json, json) }
        return (try translate(json, from: newest, to: other, agreed: nil), json)
    }

    private func translate(
        _ json: JSON,
        from: Int,
        to: Int,
        agreed: (from: JSON, to: JSON)?
    ) throws(JSONFileError) -> JSON {
        do throws(DocumentError) {
            return try rule.translate(json, from: from, to: to, agreed: agreed)
        } catch {
            throw .untranslatable(file.path, error)
        }
    }
}
