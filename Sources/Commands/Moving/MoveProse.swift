import DatabaseStore
import Model
import StoreReplica
import Stores

extension MoveFault {
    /// - Parameter hint: builds commands for the bridge of the containers.
    func prose(_ hint: CommandHint) -> ErrorProse {
        switch reason {
        case .inStores:
            let what = "it is not a file of its own, or a database, in both containers"
            return ErrorProse(what, at: "\(name)", "\(hint("sync")) copies such a document", .usage)
        case .syncs(let document):
            let what = "the bridge syncs it, and would take the removal for a deletion"
            let advice = "leave it out of the bridge first, with `exclude` in its configuration"
            return ErrorProse(what, at: "\(document)", advice, .needsDecision)
        case .move(let fault): return prose(of: fault, hint)
        }
    }

    private func prose(of fault: ContainerMove.Fault, _ hint: CommandHint) -> ErrorProse {
        let (source, target) = (places?.source.description ?? "", places?.target.description ?? "")
        switch fault {
        case .file(let error): return ErrorProse(error, hint)
        case .copier(let fault): return prose(of: fault, source, target)
        case .tooLarge(let limit):
            let what = "the file is larger than \(limit >> 20) MiB"
            return ErrorProse(what, at: source, "copy it by other means")
        case .missing:
            return ErrorProse("no such file in either container", at: source, "give the path of one")
        case .differs:
            let advice = "remove the one that is not wanted, and run it again"
            return ErrorProse("it differs from \(target)", at: source, advice, .needsDecision)
        case .inUse:
            let advice = "end that program, and run it again"
            return ErrorProse("a program has it open, and would go on writing to it", at: source, advice)
        }
    }

    private func prose(of fault: DatabaseCopier.Fault, _ source: String, _ target: String) -> ErrorProse {
        let again = "nothing was removed; run it again once that is mended"
        return switch fault {
        case .source(let fault): ErrorProse(fault.text, at: source, again)
        case .target(let fault): ErrorProse(fault.text, at: target, again)
        case .missing(let place): ErrorProse("no such file", at: "\(place)", again)
        case .exists(let place): ErrorProse("already exists", at: "\(place)", "remove it, and run it again")
        case .broken(let found): ErrorProse("the copy is not intact: \(found)", at: source, again)
        case .differs(let table):
            ErrorProse("the copy differs in the table \(table)", at: target, "run it again")
        }
    }
}
