import ArgumentParser
import Documents
import FoundationEssentials
import Glibc

struct ProfileTestCommand: Command {
    static let page = HelpPage(
        name: "test",
        abstract: "Test a profile with pairs of files: NAME.v1.json must become NAME.v2.json, and back.",
        example: "widgetbridge profile test mine.yaml fixtures",
        exits: [
            (.done, "the results match the files, except for the losses that are listed"),
            (.failed, "a result differs, with an RFC 6902 patch; or there are no pairs"),
            (.undecided, "the result cannot be printed"),
            (.usage, "wrong usage, or a profile that is unknown or cannot be read"),
        ],
        unprinted: .undecided
    )

    @Argument(help: "The name of a built-in profile, or a file.", completion: .file(extensions: ["yaml"]))
    var profile: String

    @Argument(
        help:
            "Directory of the files. NAME begins with the document's name, as in todo-empty.v1.json.",
        completion: .directory
    )
    var directory: String

    @Option(help: "Document of the profile that every pair is.")
    var document: String?

    @OptionGroup var limits: JSONLimitOptions

    @Flag(help: "Print one JSON object for each pair.")
    var json = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let file = try NamedProfile(profile)
        let named: Profile
        do throws(ProfileError) {
            named = try file.profile()
        } catch {
            let prose = ErrorProse(invalidProfile: error)
            terminal.complain(prose.line)
            return prose.status
        }
        let pairs = try FixturePair.all(in: directory)
        if pairs.isEmpty {
            let advice = "put NAME.v1.json beside NAME.v2.json there"
            terminal.complain(ErrorProse("there are no pairs of files", at: directory, advice).line)
            return .failed
        }
        var status = CommandStatus.done
        for pair in pairs {
            let rule = try pair.rule(in: named, document)
            let check = FixtureCheck(
                rule,
                old: try JSONFile(pair.old, limits).json,
                new: try JSONFile(pair.new, limits).json,
                from: pair.from,
                to: pair.to
            )
            if !check.faults.isEmpty { status = .failed }
            terminal.print(json ? "\(pair.json(check))\n" : pair.text(check, terminal))
        }
        return status
    }
}

/// The name of a fixture, such as `budget.v2.json`.
struct FixtureName: Hashable {
    let name: String
    let version: Int

    init?(_ file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, parts.last == "json", let mark = parts.dropLast().last, mark.first == "v",
            let version = Int(mark.dropFirst()), "v\(version)" == mark
        else { return nil }
        name = parts.dropLast(2).joined(separator: ".")
        self.version = version
    }
}

/// Fixtures of one document in two consecutive versions.
private struct FixturePair {
    let name: String
    let from: Int
    let to: Int
    let old: String
    let new: String

    static func all(in directory: String) throws -> [FixturePair] {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw NamedFileError.cannotRead(directory, errno: ENOENT)
        }
        let versions = Dictionary(grouping: files.compactMap(FixtureName.init), by: \.name)
        return versions.sorted { $0.key < $1.key }.flatMap { name, found -> [FixturePair] in
            let numbers = found.map(\.version).sorted()
            func path(_ version: Int) -> String { "\(directory)/\(name).v\(version).json" }
            return zip(numbers, numbers.dropFirst()).map { from, to in
                FixturePair(name: name, from: from, to: to, old: path(from), new: path(to))
            }
        }
    }

    func rule(in profile: Profile, _ document: String?) throws -> DocumentRule {
        let known = profile.documents
        if let document {
            if let rule = profile.pattern(fitting: document) ?? profile.named(document) { return rule }
            throw UsageError.unknownDocument(document, profile: profile.id, known: known.map(\.path))
        }
        if known.count == 1, let rule = known.first { return rule }
        var stem = name[...]
        while true {
            if let rule = profile.named("\(stem).json") { return rule }
            guard let hyphen = stem.lastIndex(of: "-") else { break }
            stem = stem[..<hyphen]
        }
        throw UsageError.unknownDocument("\(name).json", profile: profile.id, known: known.map(\.path))
    }

    func text(_ check: FixtureCheck, _ terminal: Terminal) -> String {
        let printer = TextPrinter(usesColour: terminal.usesColour)
        let verdict =
            check.faults.isEmpty ? printer.coloured("SAME", .green) : printer.coloured("DIFFERS", .red)
        var lines = ["\(printer.bold(name.withoutControls))  \(from) → \(to)  \(verdict)"]
        lines += check.losses.map { "  loses \($0.line)" }
        for fault in check.faults {
            guard case .differs(let way, let patch) = fault else {
                lines.append("  \(fault.text.withoutControls)")
                continue
            }
            lines.append("  \(way.words): the result differs; the patch to \(way == .up ? new : old) is:")
            lines += patch.json.bytes.split(separator: 0x0A).map {
                "  " + String(decoding: $0, as: UTF8.self).withoutControls
            }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    func json(_ check: FixtureCheck) -> JSONText {
        [
            "name": JSONText(name), "from": JSONText(from), "to": JSONText(to),
            "same": JSONText(check.faults.isEmpty),
            "losses": JSONText(
                check.losses.map { ["pointer": JSONText($0.pointer), "reason": JSONText($0.reason.text)] }
            ),
            "faults": JSONText(check.faults.map(\.json)),
        ]
    }
}

extension FixtureCheck.Fault {
    fileprivate var json: JSONText {
        guard case .differs(let way, let patch) = self else { return ["reason": JSONText(text)] }
        let direction = way == .up ? "up" : "down"
        return ["reason": JSONText(text), "way": JSONText(direction), "patch": JSONText(patch.json)]
    }
}
