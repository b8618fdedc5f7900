import BridgeRuntime
import Documents
import Model
import SyncEngine

extension ErrorProse {
    init(plan error: PlanFileError) {
        switch error {
        case .notAPlan(let path):
            let advice = "make one with --out: \(CommandHint()("migrate plan --help")) says how"
            self.init("not a migration plan", at: path, advice)
        case .edited(let path):
            let advice =
                "plan again, or name the files of the plan that are to be migrated; nothing was written"
            self.init("the plan was edited since it was made", at: path, advice, .drift)
        case .document(let path):
            let what = "the plan would be a document of the container that is to be migrated"
            self.init(what, at: path, "write it elsewhere, or under a name without `.json`", .usage)
        case .otherVersion(let path, let version):
            let what = "a plan of another release (format \(version), this one knows \(PlanFile.version))"
            self.init(what, at: path, "plan again")
        case .notPlanned(let document, let path):
            let advice = "plan again with it, or leave it out; nothing was written"
            self.init("the plan \(path) does not have this document", at: document, advice, .usage)
        case .otherTarget(let path):
            self.init(
                "the plan is for a bridge, and none is named",
                at: path,
                "give its --app and --group",
                .usage
            )
        }
    }

    /// Why a migration was refused. `name` turns a document's name into the one shown.
    init(_ refusal: MigrationRefusal, _ hint: CommandHint, name: (String) -> String) {
        switch refusal {
        case .blocked(let document, let block, let count):
            let others = count > 1 ? ", and \(count - 1) more" : ""
            let advice =
                (block == .notInSync ? "\(hint("sync")) first" : "correct it") + "; nothing was written"
            let reason = block.located
            let file = reason.position.map { "\(name(document)):\($0.text)" } ?? name(document)
            self.init("cannot be migrated: \(reason.withoutPosition)", at: file + others, advice)
        case .lossy(let document, let count):
            let what = count == 1 ? "something would be lost" : "\(count) documents would lose something"
            let advice = "see \(hint.migrate("plan")); --allow-lossy permits that; nothing was written"
            self.init(what, at: name(document), advice, .lossy)
        case .moved(let document, let moved):
            let advice = "look at it and plan again; nothing was written"
            self.init(moved.text, at: name(document), advice, .drift)
        case .edited(let document, let isDeleted):
            let what = "\(isDeleted ? "deleted" : "edited") since it was migrated"
            let advice = "--force brings the old bytes back anyway; nothing was written"
            self.init(what, at: name(document), advice, .drift)
        case .lenses(let drift):
            let first = drift.first?.text ?? ""
            let advice = "undo the edit, or roll back and apply again; nothing was written"
            self.init("the profile was edited after it was applied, \(first)", advice, .drift)
        case .finished(let document):
            let advice = "its old bytes were deleted, take them from a backup; nothing was written"
            self.init("its migration is finished, by `migrate finish`", at: name(document), advice)
        case .trashGone(let document, let hash):
            let advice = "take them from a backup; nothing was written"
            self.init("the old bytes, \(hash), are no longer kept", at: name(document), advice)
        case .unknownDirectory(let directory, let others):
            let more = others.count > 3 ? ", and \(others.count - 3) more" : ""
            let known = others.prefix(3).joined(separator: ", ") + more
            let advice =
                "a renamed directory is known by its former path: rename it back; known are \(known)"
            self.init("no migration is known of this directory", at: directory, advice)
        }
    }

    /// A document that cannot be migrated and is skipped, while others are migrated.
    init(leaving block: MigrationBlock, what: String = "", at name: String) {
        let reason = block.located
        let place = reason.position.map { "\(name):\($0.text)" } ?? name
        let advice = "correct it; it was left unchanged"
        self.init(what + reason.withoutPosition, at: place, advice, .needsDecision)
    }

    /// The log of an earlier migration is damaged, so it is unknown what that run did.
    init(damagedLog path: String) {
        let what = "the log of a migration cannot be read, and what it did is not known"
        self.init(what, at: path, "restore that file from a backup")
    }

    init(newer version: Int, at name: String) {
        let advice = "take a newer profile; it was left unchanged"
        self.init(newerVersionWords(version), at: name, advice, .newerVersion)
    }

    /// What a person must know of a save that was made during a migration.
    init(_ save: ConcurrentSave, of container: ContainerMigration, called name: String) {
        // Its own name is that of a temporary file, which tells a person nothing.
        let name = save.isOfDeletedDocument ? container.directory : name
        switch save.outcome {
        case .merged: self.init("a save that was made meanwhile was merged into it", at: name, nil, .done)
        case .stands:
            let what = "another program replaced it meanwhile; that file was left in place"
            self.init(what, at: name, "check it, and run this again", .partlyDone)
        case .open:
            let what = "a program still has the replaced file open"
            self.init(what, at: name, "once it is closed, run this again to merge it", .partlyDone)
        case .kept(let place):
            let path = container.path(inState: place)
            self.init(save.misfit, at: name, "it is kept as \(path)", .needsDecision)
        }
    }
}

extension ConcurrentSave {
    /// Why it is kept.
    fileprivate var misfit: String {
        isOfDeletedDocument
            ? "a save that was made meanwhile is of a document that no longer exists"
            : "a save made meanwhile cannot be merged with the document"
    }
}
