import ArgumentParser
import Documents

struct JSONDiffCommand: Command {
    static let page = HelpPage(
        name: "diff",
        abstract: "Print the patch that turns one document into another.",
        example: "widgetbridge json diff old.json new.json > changes.json",
        exits: [
            (.done, "printed, even if they are equal"),
            (.failed, "a file is unreadable or not JSON, or no merge patch can represent it"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The old document; `-` is standard input.", completion: .file(extensions: ["json"]))
    var old: String

    @Argument(help: "The new document; `-` is standard input.", completion: .file(extensions: ["json"]))
    var new: String

    @Option(help: "Form of the patch: RFC 6902, lines for people, or a merge patch (RFC 7386).")
    var format = DiffFormat.patch

    @OptionGroup var limits: JSONLimitOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let files = try JSONFile.all(old, new, options: limits, for: "widgetbridge json diff")
        let (old, new) = (files[0], files[1])
        switch format {
        case .patch: terminal.print(JSONPatch.diff(from: old.json, to: new.json).json.bytes)
        case .merge: terminal.print(try old.mergePatch(to: new).bytes + [UInt8(ascii: "\n")])
        case .text:
            let diff = TextDiff(from: old.json, to: new.json)
            terminal.print(TextPrinter(usesColour: terminal.usesColour).text(diff))
        }
        return .done
    }
}

enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
    case patch, text, merge
}

struct JSONPatchCommand: Command {
    static let page = HelpPage(
        name: "patch",
        abstract: "Apply a patch (RFC 6902), all of it or none, and print the document.",
        example: "widgetbridge json patch budget.json changes.json",
        exits: [
            (.done, "applied and printed"),
            (.failed, "error: the patch does not fit, or a file is not JSON; nothing is printed"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document; `-` is standard input.", completion: .file(extensions: ["json"]))
    var document: String

    @Argument(help: "The patch; `-` is standard input.", completion: .file(extensions: ["json"]))
    var patch: String

    @OptionGroup var limits: JSONLimitOptions

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let files = try JSONFile.all(document, patch, options: limits, for: "widgetbridge json patch")
        terminal.print(try files[0].patched(by: files[1]).bytes)
        return .done
    }
}

extension JSONFile {
    fileprivate func mergePatch(to new: JSONFile) throws(JSONFileError) -> JSON {
        guard let patch = JSON.mergePatch(from: json, to: new.json) else { throw .noMergePatch(new.path) }
        return patch
    }

    fileprivate func patched(by patch: JSONFile) throws(JSONFileError) -> JSON {
        do throws(PatchError) {
            return try JSONPatch(patch.json).apply(to: json)
        } catch {
            throw .patch(patch.path, error)
        }
    }
}
