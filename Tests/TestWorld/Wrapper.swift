import Glibc

/// Commands that run another one in surroundings of its own.
package enum Wrapper {
    /// A user namespace whose limits are its own.
    package static func limited(_ name: String, to value: Int) -> [String] {
        let script = "echo \(value) > /proc/sys/user/\(name) && exec \"$@\""
        return withMounts + ["/bin/sh", "-c", script, "sh"]
    }

    /// A user namespace in which mounts can be made that nobody else sees.
    package static let withMounts = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount"]

    /// Somebody who may not read what is not for all. Nothing where the tests themselves are such a one.
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
