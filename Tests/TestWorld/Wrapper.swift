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

    package static let stranger = 65_534

    /// Runs a shell line in the namespaces of a process.
    package static func inside(_ process: Int32, _ line: String) -> [String] {
        ["/usr/bin/nsenter", "--target", "\(process)", "--user", "--mount", "--preserve-credentials"]
            + ["/bin/sh", "-c", line]
    }
}
