package import BridgeRuntime
import DatabaseStore
import Documents
import FileSystem
import Glibc
import Model
import StateStore
import SyncEngine

/// Opens a copy of a journal as a bridge would open the journal.
package enum JournalTrial {
    /// A larger one is not copied, in bytes.
    private static let limit = 64 << 20

    /// Why a bridge with this profile cannot use the journal; `nil` if it can, if there is none, or if that
    /// cannot be found out.
    package static func run(_ settings: BridgeSettings, in state: String) -> BridgeError? {
        guard let database = StateDatabase("journal.sqlite", in: state, limit: limit),
            let copy = database.copy
        else { return nil }
        do throws(EngineError) {
            try open(copy.path, settings)
            return nil
        } catch {
            switch error {
            case .journal(let error): return .journal(error, path: database.path)
            case .otherProfile(let known, let named):
                return .otherProfile(known: known, named: named, state: state)
            case .state(let error): return .file(error)
            }
        }
    }

    private static let mostLooks = 20

    /// The error if another program keeps the journal locked for longer than a commit takes.
    package static func lock(in state: String) -> BridgeError? {
        let path = "\(state)/journal.sqlite"
        for _ in 0..<mostLooks {
            if DatabaseLocks.writer(of: path) == nil { return nil }
            usleep(10_000)
        }
        return .journalLocked(path)
    }

    private static func open(_ path: String, _ settings: BridgeSettings) throws(EngineError) {
        let journal: SQLiteJournal
        do throws(JournalError) {
            journal = try SQLiteJournal(path: path, newInstance: "doctor")
            _ = try (journal.documents(), journal.allEvents())
        } catch {
            throw .journal(error)
        }
        defer { journal.close() }
        _ = try JournalBuffer(journal, profile: settings.profile?.id, changesProfile: false)
    }
}
