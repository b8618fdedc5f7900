import ArgumentParser
import BridgeRuntime
import Logging
import Model
import SyncEngine

extension Durability: ExpressibleByArgument {}
extension CommitMode: ExpressibleByArgument {}
extension Side: ExpressibleByArgument {}
/// A level of swift-log.
struct LogLevel: ExpressibleByArgument, Sendable {
    let level: Logger.Level

    init(_ level: Logger.Level) { self.level = level }

    init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument) else { return nil }
        self.level = level
    }

    var defaultValueDescription: String { level.rawValue }
    static var allValueStrings: [String] { Logger.Level.allCases.map(\.rawValue) }
}

extension RelativePath: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// A time as people write it: `5s`, `100ms`, `2m`.
struct TimeSpan: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = Duration(words: argument) else { return nil }
        self.duration = duration
    }

    var description: String { duration.words }
    var defaultValueDescription: String { description }
}

/// A count of bytes as people write it: `8388608`, `8MiB`.
struct ByteCount: ExpressibleByArgument, Hashable, Sendable {
    let bytes: Int

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && $0.isNumber }
        let shifts = ["": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30]
        guard let shift = shifts[String(argument.dropFirst(number.count))], let count = Int(number),
            count > 0, count <= Int.max >> shift
        else { return nil }
        bytes = count << shift
    }
}

/// A number that is at least one.
struct PositiveNumber: ExpressibleByArgument, Hashable, Sendable {
    let value: Int

    init?(argument: String) {
        guard let value = Int(argument), value > 0 else { return nil }
        self.value = value
    }
}

/// What a writer expects to replace: `none`, or a hash.
struct ExpectedContent: ExpressibleByArgument, Sendable {
    let expectation: Expectation

    init?(argument: String) {
        if argument == "none" {
            expectation = .nothing
        } else if let digest = Digest(argument) {
            expectation = .content(digest)
        } else {
            return nil
        }
    }
}
