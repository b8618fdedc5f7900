import ArgumentParser

struct MigrateCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "migrate",
        abstract: "Migrate documents from one version to another, with a plan first and a way back.",
        example: "widgetbridge migrate plan --profile budget budget.json",
        exits: [
            (.done, "done, or nothing to do"), (.failed, "error, or a document cannot be migrated"),
            (.changesPending, "documents are to be migrated (plan, status)"),
            (.lossy, "something would be lost; needs --allow-lossy"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.drift, "an input has changed since the plan, or since the migration"),
            (.partlyDone, "partly done; run it again to go on"),
            (.needsDecision, "a document was left unchanged and needs a decision"),
            (.usage, "wrong usage"),
        ]
    )

    static let configuration = page.configuration(
        subcommands: [
            MigrateStatusCommand.self, MigratePlanCommand.self, MigrateApplyCommand.self,
            MigrateVerifyCommand.self, MigrateRollbackCommand.self, MigrateFinishCommand.self,
            MigrateHistoryCommand.self, MigrateLintCommand.self,
        ]
    )
}
