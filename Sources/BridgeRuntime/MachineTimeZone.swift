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

    package static var zone: JSONExpression.Zone {
        let variable = unsafe getenv("TZ").map { unsafe String(cString: $0) }
        return MachineTimeZone(variable: variable).zone
    }

    /// UTC if the zone cannot be read, as the C library does.
    var zone: JSONExpression.Zone {
        guard let variable else {
            let name = SmallFile.target(ofLink: standard)?.split(separator: "/zoneinfo/").last.map(
                String.init
            )
            return Self.rules(ofFile: standard).map {
                JSONExpression.Zone(name: name ?? "localtime", rules: $0)
            } ?? .utc
        }
        return zone(named: variable.hasPrefix(":") ? String(variable.dropFirst()) : variable) ?? .utc
    }

    /// That of a name such as `Europe/Rome`, of a file, or of a rule as POSIX has it; `nil` if it is none.
    package static func zone(named name: String) -> JSONExpression.Zone? {
        MachineTimeZone().zone(named: name)
    }

    private func zone(named name: String) -> JSONExpression.Zone? {
        let file = name.hasPrefix("/") ? name : "\(directory)/\(name)"
        let rules = Self.rules(ofFile: file) ?? TimeZoneRules(posix: name)
        return rules.map { JSONExpression.Zone(name: name, rules: $0) }
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
    /// That in which its widgets are.
    package var widgetZone: JSONExpression.Zone { ownZone ?? MachineTimeZone.zone }

    /// `nil` if it has none.
    var ownZone: JSONExpression.Zone? {
        timeZone.map { JSONExpression.Zone(name: $0.name, rules: $0.rules) }
    }
}

extension EngineSettings {
    /// Widgets are in the zone of the machine, where nothing else is said.
    var local: EngineSettings {
        var settings = self
        settings.zone = zone ?? MachineTimeZone.zone
        return settings
    }
}
