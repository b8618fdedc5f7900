import Foundation
import Glibc
import TestWorld

/// The program that was built with these tests.
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
    /// - Parameter wrapper: A command that executes the command given to it.
    convenience init(
        _ arguments: [String],
        through wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        try self.init(command: wrapper + [Binary.path] + arguments, environment: environment)
    }

    /// Returns once it has used some processor time.
    func worked(_ hundredths: Int = 50) async {
        let deadline = ContinuousClock.now + .seconds(60)
        await onThread { [self] in
            while (processorTime ?? .max) < hundredths, .now < deadline { _ = poll(nil, 0, 10) }
        }
    }

    /// In hundredths of a second; `nil` once it has ended.
    private var processorTime: Int? {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        let fields = text?.split(separator: ")").last?.split(separator: " ")
        return fields.flatMap { $0.count > 12 ? Int($0[11]) : nil }
    }
}
