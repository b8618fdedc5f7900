import Foundation
import Glibc

/// Commands that run another command in a special environment.
package enum Wrapper {
    /// A user namespace with its own limits.
    package static func limited(_ name: String, to value: Int) -> [String] {
        let script = "echo \(value) > /proc/sys/user/\(name) && exec \"$@\""
        return withMounts + ["/bin/sh", "-c", script, "sh"]
    }

    /// A user namespace in which private mounts are possible.
    package static let withMounts = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount"]

    /// A user without special rights. Empty if the tests already run as one.
    package static var unprivileged: [String] {
        getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=\(stranger)", "--regid=\(stranger)", "--clear-groups"] : []
    }

    /// The same user, bound by the modes of files, which root is not.
    package static var boundByModes: [String] {
        let rights = "-dac_override,-dac_read_search"
        return getuid() == 0
            ? ["/usr/bin/setpriv", "--inh-caps=\(rights)", "--bounding-set=\(rights)"] : []
    }

    /// Somebody who may not mount anything, nor be asked by the kernel for permission: as most users.
    package static var withoutMounts: [String] {
        hasSystemAdministration
            ? ["/usr/bin/setpriv", "--inh-caps=-sys_admin", "--bounding-set=-sys_admin"] : []
    }

    /// Whether this process has CAP_SYS_ADMIN, and not only within a user namespace.
    package static var hasSystemAdministration: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let users = (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? ""
        let capabilities = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }?
            .split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        let isFirst = users.split { " \n".contains($0) } == ["0", "0", "4294967295"]
        return isFirst && (capabilities ?? 0) & 1 << 21 != 0
    }

    package static let stranger = 65_534

    /// Runs a shell line in the namespaces of a process.
    package static func inside(_ process: Int32, _ line: String) -> [String] {
        ["/usr/bin/nsenter", "--target", "\(process)", "--user", "--mount", "--preserve-credentials"]
            + ["/bin/sh", "-c", line]
    }
}
