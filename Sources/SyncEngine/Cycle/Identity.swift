import Model
import Replica
import StateStore

extension Engine {
    /// A person accepted the unknown directory as the container. Documents missing from it were not deleted
    /// there: they are restored.
    mutating func takeStranger(on side: Side) throws(DecisionFailure) {
        do { try replicas[side].reopen() } catch { throw .file(error) }
        let known = records.withExcluded
        let gone = known.keys.filter { isMissing(Location(side, $0)) }.sorted()
        let entries = gone.compactMap { path in
            known[path].map { JournalEntry.gone(path, generation: $0.generation) }
        }
        do { try containers.accept(side, recording: entries, to: &journal) } catch { throw .journal(error) }
        for path in gone {
            records[path] = nil
            records.forget(excluded: path)
        }
        lossGuard.accept(side, without: gone)
        scanner.want()
    }

    func isMissing(_ document: Location) -> Bool {
        do throws(FileError) { _ = try status(of: document) } catch .missing { return true } catch {}
        return false
    }
}
