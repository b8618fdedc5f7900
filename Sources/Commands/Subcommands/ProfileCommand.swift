import ArgumentParser
import Documents

struct ProfileCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "profile",
        abstract: "List, show, check, draft and test profiles, which describe an app's documents.",
        example: "widgetbridge profile list",
        exits: [
            (.done, "done"),
            (.failed, "an invalid profile, an unreadable document, or a pair that differs"),
            (.undecided, "the result cannot be printed (lint, test)"),
            (.usage, "wrong usage, or a profile that is unknown or cannot be read"),
        ]
    )

    static let configuration = page.configuration(
        subcommands: [
            ProfileListCommand.self, ProfileShowCommand.self, ProfileLintCommand.self,
            ProfileInitCommand.self, ProfileTestCommand.self,
        ]
    )
}

struct ProfileListCommand: ReportingCommand {
    static let page = HelpPage(
        name: "list",
        abstract: "List the built-in profiles with their documents, versions and widget kinds.",
        example: "widgetbridge profile list",
        exits: [(.done, "listed"), (.usage, "wrong usage")]
    )

    @Flag(help: "Print one JSON object for each profile.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        Outcome(report: .profiles(try Profile.builtInNames.map { try NamedProfile($0).profile() }))
    }
}

struct ProfileShowCommand: ReportingCommand {
    static let page = HelpPage(
        name: "show",
        abstract: "Print the text of a built-in profile, as a start for your own, or a file's summary.",
        example: "widgetbridge profile show budget > mine.yaml",
        exits: [
            (.done, "printed"), (.failed, "error, or the file is no valid profile"),
            (.usage, "wrong usage, or a profile that is unknown or cannot be read"),
        ]
    )

    @Argument(help: "The name of a built-in profile, or a file.", completion: .profiles)
    var profile: String

    @Flag(help: "Print a summary as JSON, of a built-in profile too.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let named = try NamedProfile(profile)
        do throws(ProfileError) {
            let text = named.file == nil ? named.yaml + "\n" : nil
            return Outcome(report: .profile(try named.profile(), builtInText: text))
        } catch {
            return Outcome(failures: [ErrorProse(invalidProfile: error)])
        }
    }
}
