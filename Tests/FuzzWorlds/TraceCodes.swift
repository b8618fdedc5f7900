import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import SyncEngine

// Values as they are hashed in traces. The codes stay when a type is renamed or a text is reworded, because
// recorded hashes are compared across such changes.

extension SimulatedDisk.Fault {
    var code: String {
        switch self {
        case .error(let number): "error \(number)"
        case .short(let count, let number): "short \(count) \(number)"
        case .death(let count): "death \(count)"
        }
    }
}

extension SimulatedDisk.Losses {
    var code: String { "kept \(kept) dropped \(dropped) torn \(torn)" }
}

extension PlannedChange {
    var code: String { "\(document) \(action.rawValue) \(from?.rawValue ?? "both")" }
}

extension RenameMode {
    var code: String {
        switch self {
        case .replace: "replace"
        case .exclusive: "exclusive"
        case .exchange: "exchange"
        }
    }
}
