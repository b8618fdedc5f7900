import ArgumentParser
import Documents

struct ProfileInitCommand: Command {
    static let page = HelpPage(
        name: "init",
        abstract:
            "Draft a profile from pairs of samples: a document in the old and in the new version.",
        example: "widgetbridge profile init old.json new.json > mine.yaml",
        exits: [
            (.done, "printed; lines with DECIDE need your decision"),
            (.failed, "an unreadable file, one without a JSON object, or versions that look alike"),
            (.usage, "wrong usage, or an old document without its new one"),
        ]
    )

    @Argument(
        help: "OLD NEW, once or several times; more pairs make the draft more exact.",
        completion: .file(extensions: ["json"])
    )
    var files: [String]

    @Option(help: "Path of the document in the container; by default, the name of the first new file.")
    var document: String?

    @Option(help: "Name of the profile; by default, the document's.")
    var name: String?

    @OptionGroup var limits: JSONLimitOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        guard files.count.isMultiple(of: 2) else {
            let what = "each old document needs its new one: OLD NEW [OLD NEW ...]"
            throw UsageError.arguments(what, command: "widgetbridge profile init")
        }
        let pairs = try stride(from: 0, to: files.count, by: 2).map { index in
            ProfileDraft.Pair(
                old: try JSONFile(files[index], limits).json,
                new: try JSONFile(files[index + 1], limits).json
            )
        }
        let document = document ?? documentName(ofFixture: files[1])
        let stem = document.split(separator: "/").last.map { $0.split(separator: ".")[0] } ?? ""
        do throws(ProfileDraft.Fault) {
            let draft = try ProfileDraft(name: name ?? String(stem), document: document, pairs: pairs)
            terminal.print(draft.yaml)
            return .done
        } catch {
            let prose = ErrorProse(draft: error, files)
            terminal.complain(prose.line)
            return prose.status
        }
    }
}

/// Derives the document from the fixture's name: `fixtures/budget.v2.json` is a sample of `budget.json`.
private func documentName(ofFixture path: String) -> String {
    let name = String(path.split(separator: "/").last ?? "document.json")
    return FixtureName(name).map { "\($0.name).json" } ?? (name == "-" ? "document.json" : name)
}

extension ErrorProse {
    fileprivate init(draft fault: ProfileDraft.Fault, _ files: [String]) {
        switch fault {
        case .noObject:
            self.init("a sample is not a JSON object", "a profile is about documents that are objects")
        case .indistinct:
            let advice = "give samples with a field that only the new version has, or with a `version`"
            self.init("the new samples cannot be distinguished from the old ones", advice)
        case .otherVersions(let pair):
            let place = "\(files[pair * 2]) and \(files[pair * 2 + 1])"
            self.init(
                "the versions are distinguished differently than in the other samples",
                at: place,
                "correct it"
            )
        case .refused(let error):
            self.init("no profile can be proposed: \(error.reason.text)", "give other samples")
        }
    }
}
