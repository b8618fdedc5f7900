import Foundation
import Testing

/// The inputs that the fuzzer was started with, and those with which it has found something.
@Suite("The fuzzer's corpus")
struct ReplayTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        let directory = corpus.appending(path: target.rawValue)
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    }

    @Test("passes", arguments: FuzzTarget.allCases)
    func holds(target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let violation = target.violation(of: Array(try Data(contentsOf: input)))
            #expect(violation == nil, "\(target)/\(input.lastPathComponent)")
        }
    }

    @Test("has a few kilobytes per target", arguments: FuzzTarget.allCases)
    func size(target: FuzzTarget) throws {
        let sizes = try Self.inputs(of: target).map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) < 16 << 10)
    }
}
