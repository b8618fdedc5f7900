import Foundation
import TestWorld

/// Runs `body` with two containers in sync, `app` and `group`, in a new directory.
func withObservedContainers<Result>(
    holding text: String = #"{"n":0}"#,
    _ body: (_ top: String) async throws -> Result
) async throws -> Result {
    try await withDirectory { top in
        for side in ["app", "group"] {
            let path = "\(top)/\(side)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try write(text, to: "\(path)/a.json")
        }
        return try await body(top)
    }
}
