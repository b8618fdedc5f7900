import Glibc

/// A directory with a saved schedule in each `*.json` file.
package struct ScheduleDirectory {
    package let path: String

    package init(path: String) { self.path = path }

    /// The paths of its schedules, by name; none if there is no directory yet.
    package var files: [String] {
        // The directory may be a link.
        RealTree.names(in: path + "/.").filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            .map { "\(path)/\($0)" }
    }

    package static func text(of file: String) throws(RaceReplayError) -> String {
        guard let bytes = RealTree.read(file) else { throw .notASchedule("cannot read \(file)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Saves what was found, in a file whose name is the same for the same find.
    ///
    /// - Returns: its path; `nil` if it cannot be written.
    package func save(_ found: RaceFound) -> String? {
        unsafe mkdir(path, 0o755)
        let file = "\(path)/\(found.name).json"
        let new = "\(path)/.new-\(getpid())-\(found.name)"
        guard RealTree.write(Array(found.schedule.utf8), to: new), unsafe rename(new, file) == 0 else {
            return nil
        }
        return file
    }
}
