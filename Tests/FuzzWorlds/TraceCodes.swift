import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import SyncEngine

// Values as a trace's hash has them: words that stay as they are when a type gets another name or a sentence
// is put better, since recorded hashes are compared across such changes.

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
