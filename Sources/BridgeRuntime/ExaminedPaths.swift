import FileSystem
import Glibc
package import Model
import StateStore

/// The directories of a bridge, with all that would keep one from starting there. Nothing is changed.
package struct ExaminedPaths: Sendable, Hashable {
    /// The real paths; `nil` if a bridge cannot use that directory.
    package var containers: BothSides<String?>
    /// `nil` if it is not known, because a container of which it has its name is missing.
    package var state: String?
    package var problems: [BridgeError] = []
    /// The rights that other users have to the state directory, until a bridge removes them.
    package var othersRights: UInt32 = 0
    /// An earlier run found the journal damaged: the next one sets it aside.
    package var isJournalDamaged = false

    /// Nothing is known to be wrong with the journal.
    package var isJournalSound: Bool {
        !isJournalDamaged && !problems.contains { if case .journal = $0 { true } else { false } }
    }

    package init(_ settings: BridgeSettings) {
        var problems: [BridgeError] = []
        func attempt<Value>(_ body: () throws(BridgeError) -> Value) -> Value? {
            do throws(BridgeError) { return try body() } catch {
                if !problems.contains(error) { problems.append(error) }
                return nil
            }
        }
        containers = BothSides { side in
            attempt { () throws(BridgeError) in
                try BridgePaths.container(side == .app ? settings.app : settings.group)
            }
        }
        state = attempt { () throws(BridgeError) in BridgePaths.resolved(try settings.stateDirectory()) }
        let misplaced = BridgePlaces(containers: containers, state: state)
            .problems(settings, needsSocket: true)
        self.problems = problems + misplaced
        guard let state else { return }
        if misplaced.isEmpty, let app = containers.app, let group = containers.group,
            let taken = BridgePaths(app: app, group: group, state: state).pairTaken
        {
            self.problems.append(taken)
        }
        check(state)
    }

    private mutating func check(_ state: String) {
        let paths = BridgePaths(app: "", group: "", state: state)
        do throws(PrivateDirectory.Refusal) {
            othersRights = try PrivateDirectory.examine(state)
        } catch .system(ENOENT) {
            return checkPlace(of: state)
        } catch {
            return problems.append(BridgeError(error, of: state))
        }
        if unsafe access(state, R_OK | W_OK | X_OK) != 0 {
            return problems.append(.unwritableState(state, errno: errno))
        }
        if DiskRoom.isUsedUp(at: state) { problems.append(.noRoom(state)) }
        isJournalDamaged = unsafe access(paths.damageMark, F_OK) == 0
        do throws(JournalError) { try JournalHeader.check(paths.journal) } catch {
            problems.append(.journal(error, path: paths.journal))
        }
    }

    /// Whether the state directory can be created.
    private mutating func checkPlace(of state: String) {
        var above = state
        while unsafe access(above, F_OK) != 0, errno == ENOENT, let slash = above.lastIndex(of: "/") {
            above = slash == above.startIndex ? "/" : String(above[..<slash])
        }
        if unsafe access(above, W_OK | X_OK) != 0 {
            problems.append(.unwritableState(state, errno: errno))
        }
    }
}

extension BridgeError {
    init(_ refusal: PrivateDirectory.Refusal, of state: String) {
        self =
            switch refusal {
            case .foreign(let owner): .foreignState(state, owner: owner)
            case .exposed(let directory, let owner): .exposedState(state, in: directory, owner: owner)
            case .system(let errno): .unwritableState(state, errno: errno)
            }
    }
}
