import Foundation
import TestWorld

/// The program as it was built beside these tests.
enum Binary {
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "widgetbridge").path

    typealias Ended = Running.Ended

    /// Runs it to its end.
    static func run(_ arguments: [String], input: String = "") async throws -> Ended {
        let running = try Running(arguments)
        running.write(input)
        return await running.ended()
    }
}

extension Running {
    /// - Parameter wrapper: a command that ends by running the one behind it.
    convenience init(
        _ arguments: [String],
        through wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        try self.init(command: wrapper + [Binary.path] + arguments, environment: environment)
    }
}
