import Documents
import Foundation
import Testing

@testable import BridgeRuntime

@Suite struct MachineTimeZoneTests {
    private let rome = TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")

    /// A directory of zones with `Europe/Rome`; its rule is the last line, as in the files of the system.
    private func withZones(_ body: (MachineTimeZone) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.path + "/zones-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: directory + "/Europe",
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = Data("TZif2".utf8) + Data([0, 10, 255]) + Data("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
        try file.write(to: URL(filePath: directory + "/Europe/Rome"))
        try Data("no zone".utf8).write(to: URL(filePath: directory + "/posixrules"))
        var zone = MachineTimeZone()
        (zone.directory, zone.standard) = (directory, directory + "/Europe/Rome")
        try body(zone)
    }

    @Test(arguments: ["Europe/Rome", ":Europe/Rome", "CET-1CEST,M3.5.0,M10.5.0/3", nil])
    func `The zone of a machine is that of TZ, else that of its file`(_ variable: String?) throws {
        try withZones { zone in
            var zone = zone
            zone.variable = variable
            #expect(zone.zone.rules == rome)
        }
    }

    @Test(arguments: ["", "Nowhere/Else", "posixrules", "../../etc/passwd", "/dev/null"])
    func `A zone that cannot be read is UTC, as the C library has it`(_ variable: String) throws {
        try withZones { zone in
            var zone = zone
            zone.variable = variable
            #expect(zone.zone == .utc)
        }
    }

    @Test func `A machine without a zone has UTC`() {
        var zone = MachineTimeZone()
        zone.standard = "/nonexistent"
        #expect(zone.zone == .utc)
    }
}
