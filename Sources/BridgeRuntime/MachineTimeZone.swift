package import Documents
import FileSystem
import Glibc
import SyncEngine

/// The time zone of the machine, as tzset(3) finds it: `TZ`, else `/etc/localtime`.
package struct MachineTimeZone {
    /// What `TZ` is set to; `nil` if it is not set.
    var variable: String?
    var standard = "/etc/localtime"
    var directory = "/usr/share/zoneinfo"

    package static var rules: TimeZoneRules {
        let variable = unsafe getenv("TZ").map { unsafe String(cString: $0) }
        return MachineTimeZone(variable: variable).rules
    }

    /// UTC if the zone cannot be read, as the C library does.
    var rules: TimeZoneRules {
        guard let variable else { return Self.rules(ofFile: standard) ?? .utc }
        return rules(named: variable.hasPrefix(":") ? String(variable.dropFirst()) : variable) ?? .utc
    }

    /// Those of a name such as `Europe/Rome`, of a file, or of a rule as POSIX has it; `nil` if it is none.
    package static func rules(named name: String) -> TimeZoneRules? { MachineTimeZone().rules(named: name) }

    private func rules(named name: String) -> TimeZoneRules? {
        let file = name.hasPrefix("/") ? name : "\(directory)/\(name)"
        return Self.rules(ofFile: file) ?? TimeZoneRules(posix: name)
    }

    /// The last line of the file is the rule from its last change of the clocks on (RFC 9636, section 3.3).
    private static func rules(ofFile path: String) -> TimeZoneRules? {
        guard let bytes = SmallFile.bytes(at: path, limit: 1 << 20), bytes.starts(with: "TZif".utf8) else {
            return nil
        }
        let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .last
        return line.flatMap { TimeZoneRules(posix: String(decoding: $0, as: UTF8.self)) }
    }
}

extension Profile {
    /// That of its daily times.
    package var reloadZone: TimeZoneRules { timeZone?.rules ?? MachineTimeZone.rules }
}

extension EngineSettings {
    /// Daily times are those of the machine, where nothing else is said.
    var local: EngineSettings {
        var settings = self
        settings.zone = zone ?? MachineTimeZone.rules
        return settings
    }
}
