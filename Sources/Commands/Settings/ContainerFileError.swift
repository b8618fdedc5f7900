import BridgeRuntime
import Model

/// A file error of a container that is migrated without a bridge. It names the file's path, because such a
/// user knows no app, group or state side.
struct ContainerFileError: Error {
    let error: FileError
    let path: String
}

extension ContainerMigration {
    /// Runs `body`, and adds the path to a file error.
    func placed<Value>(_ body: (ContainerMigration) async throws -> Value) async throws -> Value {
        do {
            return try await body(self)
        } catch BridgeError.file(let error) {
            throw ContainerFileError(error: error, path: path(of: error))
        }
    }

    private func path(of error: FileError) -> String {
        switch error.subject {
        case .file(let file):
            return file.root == .state ? path(inState: file) : path(of: file.path)
        case .directory(let place):
            guard let path = place.path else { return place.root == .state ? state : directory }
            return place.root == .state ? self.path(inState: Location(.state, path)) : self.path(of: path)
        }
    }
}
