import FileSystemSimulation
import StateStore

extension SimulatedDisk {
    var state: StateDirectory { StateDirectory(self) }
}
