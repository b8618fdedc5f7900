import Foundation
import TestWorld
import Testing

/// A finding of `doctor`, as it is printed.
struct DoctorLine: Decodable, Equatable {
    var bridge: String?
    var severity: String
    var rule: String
    var place: String
    var what = ""
    var advice = ""

    static func all(_ output: String) throws -> [DoctorLine] {
        try output.split(separator: "\n").map {
            try JSONDecoder().decode(DoctorLine.self, from: Data($0.utf8))
        }
    }
}

extension RealBridge {
    /// Errors and warnings of `doctor`, but for the one that no agent runs; notes depend on the machine.
    func doctor(_ flags: [String] = [], through wrapper: [String] = []) async throws -> [DoctorLine] {
        let arguments = ["doctor", "--format", "json"] + places + flags
        let ended = try await Running(arguments, through: wrapper).ended()
        #expect(ended.errors.isEmpty)
        let lines = try DoctorLine.all(ended.output)
        let isWrong = lines.contains { $0.severity == "error" }
        #expect(ended.status == (isWrong ? 1 : 0))
        return lines.filter { $0.severity != "note" && $0.rule != "no-agent" }
    }
}
