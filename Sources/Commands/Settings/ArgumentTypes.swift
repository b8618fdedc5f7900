public import ArgumentParser
import BridgeRuntime
import Documents
import Logging
import Model
import SyncEngine

extension Durability: ExpressibleByArgument {}
extension CommitMode: ExpressibleByArgument {}
extension Side: ExpressibleByArgument {}
extension StorePlatform: ExpressibleByArgument {}
/// A log level of swift-log.
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

extension RelativePath {
    @Sendable static func parsed(_ text: String) throws -> RelativePath {
        guard let path = RelativePath(text) else {
            throw ValidationError(
                "expected a path inside the container, such as `notes/a.json`, without `..`"
            )
        }
        return path
    }
}

/// A value with a format of its own, for an option and for a key of a file.
protocol WrittenValue: Sendable {
    init?(argument: String)
    static var form: ProfileError.Expected { get }
}

extension WrittenValue {
    /// The transform of an option. Without it, the parser reports only that the value is invalid.
    @Sendable static func parsed(_ text: String) throws -> Self {
        guard let value = Self(argument: text) else { throw ValidationError("expected \(form.words)") }
        return value
    }
}

/// A document's name in `include` and `exclude`, with `*` for a part of it.
struct NamePattern: WrittenValue, Hashable, Sendable {
    let text: String

    static let form = ProfileError.Expected.documentPattern

    init?(argument: String) {
        guard DocumentFilter.isPattern(argument) else { return nil }
        text = argument
    }
}

/// A duration, such as `5s`, `100ms` or `2m`.
struct TimeSpan: WrittenValue, Hashable, Sendable, CustomStringConvertible {
    let duration: Duration

    static let form = ProfileError.Expected.duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = Duration(words: argument) else { return nil }
        self.duration = duration
    }

    var description: String { duration.words }
}

/// The time between two rescans. A shorter one would keep a processor busy.
struct RescanInterval: WrittenValue, Hashable, Sendable {
    let duration: Duration

    static let form = ProfileError.Expected.interval

    init?(argument: String) {
        guard let span = TimeSpan(argument: argument), span.duration >= .milliseconds(100) else { return nil }
        duration = span.duration
    }
}

/// A number of bytes, such as `8388608`, `8MiB` or `8 MiB`.
struct ByteCount: WrittenValue, Hashable, Sendable {
    let bytes: Int

    static let form = ProfileError.Expected.size

    init?(argument: String) {
        guard let bytes = byteCount(argument) else { return nil }
        self.bytes = bytes
    }
}

/// A percentage, such as `50%`.
struct Percentage: WrittenValue, Hashable, Sendable {
    let percent: Int

    static let form = ProfileError.Expected.percentage

    init?(argument: String) {
        guard argument.hasSuffix("%"), let percent = Int(argument.dropLast()), (1...100).contains(percent)
        else { return nil }
        self.percent = percent
    }
}

/// A number of at least 1.
struct PositiveNumber: WrittenValue, Hashable, Sendable {
    let value: Int

    static let form = ProfileError.Expected.positiveNumber

    init?(argument: String) {
        guard let value = Int(argument), value > 0 else { return nil }
        self.value = value
    }
}

/// A version of documents.
struct VersionNumber: WrittenValue, Hashable, Sendable {
    let value: Int

    static let form = ProfileError.Expected.version

    init?(argument: String) {
        guard let value = VersionRule.number(argument) else { return nil }
        self.value = value
    }
}

/// A number of at least 0.
enum WholeNumber {
    /// The transform of an option, as that of `WrittenValue`.
    @Sendable static func parsed<Number: UnsignedInteger & FixedWidthInteger>(_ text: String) throws -> Number
    {
        guard let value = Number(text) else { throw ValidationError("expected a whole number from 0") }
        return value
    }
}

/// The content that a writer expects to replace: `none`, or a hash.
struct ExpectedContent: WrittenValue, Sendable {
    let expectation: Expectation

    static let form = ProfileError.Expected.digestOrNone

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
