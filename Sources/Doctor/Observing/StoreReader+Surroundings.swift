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
        if around.mode == nil {
            around.otherCase = existing(file)
            around.otherPlace = manifest(besides: file)
        }
        let names = names(in: directory)
        around.otherGroups = (profile.otherGroups + [profile.group]).map { "\($0).plist" }
            .filter { $0 != file.name && isGroupFile(file, of: profile) && names.contains($0) }
        around.leftovers = names.filter { PutLeftover($0)?.isOfEndedProcess == true }.sorted()
        return around
    }

    /// The path of the file that the plugin `shared_preferences` has beside Android's preferences, once the
    /// app uses its `SharedPreferencesAsync` without options.
    func dataStore(beside file: RelativePath) -> String? {
        let above = file.directory?.directory.map { "\($0)/" } ?? ""
        let found = RelativePath("\(above)files/datastore/FlutterSharedPreferences.preferences_pb")
        guard let found, (try? files.status(of: Location(side, found))) != nil else { return nil }
        return found.description
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

    /// The most directories in which a manifest is looked for.
    private static let mostDirectories = 10_000

    /// AsyncStorage moved its directory from `Documents` to `Library/Application Support`, and renamed it.
    private static let manifestDirectories: Set = ["RCTAsyncLocalStorage_V1", "RNCAsyncLocalStorage_V1"]

    /// The path of a manifest of AsyncStorage, where one is missing.
    private func manifest(besides file: RelativePath) -> String? {
        guard let directory = file.directory, Self.manifestDirectories.contains(directory.name) else {
            return nil
        }
        var rest: [RelativePath?] = [nil]
        var looked = 0
        while let next = rest.popLast(), looked < Self.mostDirectories {
            looked += 1
            for entry in (try? files.list(Directory(Root(side), next))) ?? [] where entry.kind == .directory {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let child = RelativePath.child(of: next, name)
                else { continue }
                if Self.manifestDirectories.contains(name),
                    let found = RelativePath.child(of: child, file.name),
                    (try? files.status(of: Location(side, found))) != nil
                {
                    return found.description
                }
                rest.append(child)
            }
        }
        return nil
    }

    private func names(in directory: Directory) -> [String] {
        ((try? files.list(directory)) ?? []).compactMap { String(validating: $0.bytes, as: UTF8.self) }
    }
}
