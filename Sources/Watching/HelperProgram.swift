import Glibc
import Processes

/// Finds the watching program.
enum HelperProgram {
    static let name = "widgetbridge-watch"
    static let variable = "WIDGETBRIDGE_WATCH"

    /// Beside the running program, where builds and installations put it; otherwise where the environment
    /// says, or on the search path. `nil` if there is none.
    static func find() -> String? {
        let places = [besideThisProgram, environment(variable)] + onSearchPath
        return places.compactMap { $0 }.first { unsafe access($0, X_OK) == 0 }
    }

    private static var besideThisProgram: String? {
        guard let path = try? ThisProgram.path(), let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }

    private static var onSearchPath: [String] {
        (environment("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
    }

    private static func environment(_ variable: String) -> String? {
        guard let value = unsafe getenv(variable) else { return nil }
        return unsafe String(cString: value)
    }
}
