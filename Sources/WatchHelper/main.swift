// SPDX-License-Identifier: GPL-2.0-only

import CWatchShim
import Glibc

/// Prints one line on standard error, and exits.
private func fail(_ text: String, status: Int32) -> Never {
    let line = Bytes("widgetbridge-watch: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    exit(status)
}

private func printable(_ path: Bytes) -> String {
    var text: Bytes = []
    Lines.escape(path, into: &text)
    return String(decoding: text, as: UTF8.self)
}

private func start(_ arguments: Arguments) throws(SystemError) -> Session {
    do {
        return try Session(roots: arguments.directories, evidence: arguments.evidence)
    } catch {
        guard error.code == EMFILE else { throw error }
        fail("no inotify instance is left for this user; raise fs.inotify.max_user_instances", status: 1)
    }
}

private func watch(_ arguments: Arguments) throws(SystemError) {
    var session = try start(arguments)
    do {
        try session.armAtStart()
    } catch {
        fail("\(printable(error.path)): \(error.cause.text)", status: 1)
    }
    try session.run()
}

private func main() {
    watch_set_up_process()
    do {
        let arguments = try Arguments(Arguments.ofProcess)
        if arguments.help {
            var lines = Lines()
            lines.add(String(Arguments.helpText.dropLast()))
            try lines.flush()
        } else {
            try watch(arguments)
        }
    } catch let error as Arguments.Misuse {
        fail("\(error.text); see --help", status: 64)
    } catch let error as SystemError {
        if error.code != EPIPE { fail(error.text, status: 1) }
    } catch {
        fail("\(error)", status: 70)
    }
}

main()
