import BridgeRuntime
import Glibc

// A bridge that is named by its state directory alone.

extension Configuration.Entry {
    /// The bridge of the command line.
    static var unnamed: Configuration.Entry { Configuration.Entry(name: nil, settings: PartialSettings()) }

    /// Whether this is the bridge's state directory, in the file or by default.
    func keepsState(in directory: String) -> Bool {
        guard let own = try? settings.withoutProfile.complete(besideAgent: true).stateDirectory() else {
            return false
        }
        return own == directory || isSameDirectory(own, directory)
    }
}

extension PartialSettings {
    /// A profile that cannot be read does not matter here.
    fileprivate var withoutProfile: PartialSettings {
        var settings = self
        settings.profile = nil
        return settings
    }
}

/// Whether an agent has its socket there.
func isServed(_ state: String) -> Bool { unsafe access(state + "/agent.sock", F_OK) == 0 }

private func isSameDirectory(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
