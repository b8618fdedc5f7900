import Documents
import FileSystem
import Model
import StoreReplica

extension StoreReader {
    func surroundings(of file: RelativePath, _ profile: Profile) -> StoreObservation.Surroundings {
        var around = StoreObservation.Surroundings()
        let directory = Directory(Root(side), file.directory)
        around.mode = try? files.status(of: Location(side, file)).mode
        around.directoryMode = try? files.status(of: directory).mode
        if around.mode == nil { around.otherCase = existing(file) }
        let names = names(in: directory)
        around.otherGroups = (profile.otherGroups + [profile.group]).map { "\($0).plist" }
            .filter { $0 != file.name && isGroupFile(file, of: profile) && names.contains($0) }
        around.leftovers = names.filter { PutLeftover($0)?.isOfEndedProcess == true }.sorted()
        return around
    }

    private func isGroupFile(_ file: RelativePath, of profile: Profile) -> Bool {
        ([profile.group] + profile.otherGroups).contains { file.name == "\($0).plist" }
    }

    /// The path of an existing file that differs only in its capitals.
    private func existing(_ file: RelativePath) -> String? {
        var found: RelativePath?
        for part in file.description.split(separator: "/") {
            let names = names(in: Directory(Root(side), found))
            let exact =
                names.first { $0 == part } ?? names.sorted().first { $0.lowercased() == part.lowercased() }
            guard let exact, let next = RelativePath.child(of: found, exact) else { return nil }
            found = next
        }
        return found.flatMap { $0 == file ? nil : $0.description }
    }

    private func names(in directory: Directory) -> [String] {
        ((try? files.list(directory)) ?? []).compactMap { String(validating: $0.bytes, as: UTF8.self) }
    }
}
