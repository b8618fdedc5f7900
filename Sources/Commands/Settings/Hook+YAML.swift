import Doctor
import Documents
import Glibc
import Hooks

extension Hook {
    static let keys = ["name", "kind", "document", "timeout", "command", "signal", "post"]
    static let signalKeys = ["program", "number"]
    static let postKeys = ["socket", "path"]

    /// - Parameter number: its position in the list, from 1.
    init(_ field: YAMLField, number: Int) throws(ProfileError) {
        let fields = try field.fields(Self.keys)
        var actions: [Action] = []
        for name in ["command", "signal", "post"] {
            if let field = fields[name] { actions.append(try Action(name, field)) }
        }
        guard actions.count == 1, let action = actions.first else {
            throw field.fail("expected one of `command`, `signal` and `post`")
        }
        self.init(
            name: try fields["name"].map { field throws(ProfileError) in
                let name = try field.text()
                if name.isEmpty { throw field.fail("expected a name") }
                return name
            } ?? "hook \(number)",
            kind: try fields["kind"]?.text(),
            document: try fields["document"]?.text(),
            action: action
        )
        if let timeout = fields["timeout"] {
            self.timeout = try timeout.written(TimeSpan.self).duration
            guard Self.times.contains(self.timeout) else {
                throw timeout.fail("expected a time from 1ms to 10m")
            }
        }
    }
}

extension Hook.Action {
    fileprivate init(_ name: String, _ field: YAMLField) throws(ProfileError) {
        switch name {
        case "command": self = try .command(field.commandLine())
        case "signal": self = try Self.signal(field)
        default: self = try .post(field.localAddress())
        }
    }

    private static func signal(_ field: YAMLField) throws(ProfileError) -> Self {
        let fields = try field.fields(Hook.signalKeys)
        guard let program = fields["program"] else { throw field.fail(.missing("program")) }
        guard let number = fields["number"] else { throw field.fail(.missing("number")) }
        guard let known = signalNumber(try number.text()) else {
            throw number.fail("expected HUP, USR1, USR2, WINCH, or RTMIN+1 as RTMIN plus a number")
        }
        return .signal(program: try program.program(), number: known)
    }

    /// Only signals that a program expects to do something else than to end.
    private static func signalNumber(_ text: String) -> Int32? {
        let name = text.hasPrefix("SIG") ? String(text.dropFirst(3)) : text
        switch name {
        case "HUP": return SIGHUP
        case "USR1": return SIGUSR1
        case "USR2": return SIGUSR2
        case "WINCH": return SIGWINCH
        case "RTMIN": return Hook.realTimeSignals.lowerBound
        default:
            guard name.hasPrefix("RTMIN+"), let more = UInt8(name.dropFirst(6)) else { return nil }
            let number = Hook.realTimeSignals.lowerBound + Int32(more)
            return Hook.realTimeSignals.contains(number) ? number : nil
        }
    }
}

/// The positions of what a hook is for and of what it does; that of the hook if it does not say.
struct HookPlace: Sendable, Hashable {
    let kind: Position
    let document: Position
    let action: Position

    struct Position: Sendable, Hashable {
        let file: String
        let line: Int
        /// As in errors.
        let text: String

        var place: Finding.Place { .profile(line: line, file: file) }

        fileprivate init(_ field: YAMLField) {
            (file, line, text) = (field.file, field.line, field.position)
        }
    }

    init(_ hook: YAMLField) {
        let members = (try? hook.members()) ?? []
        func position(of names: String...) -> Position {
            Position(members.first { names.contains($0.name) }?.value ?? hook)
        }
        (kind, document) = (position(of: "kind"), position(of: "document"))
        action = position(of: "command", "signal", "post")
    }
}

extension YAMLField {
    /// The hooks of a bridge, none of them with the name of another.
    func hooks() throws(ProfileError) -> [Hook] {
        let fields = try list()
        guard fields.count <= Hook.most else { throw fail("expected at most \(Hook.most) hooks") }
        var hooks: [Hook] = []
        for (index, field) in fields.enumerated() {
            let hook = try Hook(field, number: index + 1)
            if let other = hooks.first(where: { $0.listener == hook.listener }) {
                throw field.fail("another hook is named `\(other.name)`")
            }
            hooks.append(hook)
        }
        return hooks
    }

    fileprivate func commandLine() throws(ProfileError) -> [String] {
        guard isList else { throw fail("expected a list of words, because no shell reads them") }
        let words = try list()
        guard let first = words.first else { throw fail("expected a program and its arguments") }
        var texts = [try first.program()]
        for word in words.dropFirst() { texts.append(try word.text()) }
        return texts
    }

    /// A name is looked for in `PATH`; a path is a file.
    fileprivate func program() throws(ProfileError) -> String {
        let text = try text()
        return text.contains("/") ? try path() : text
    }

    fileprivate func localAddress() throws(ProfileError) -> LocalAddress {
        guard isMapping else {
            guard let address = LocalAddress(url: try text()) else {
                throw fail(
                    "expected a URL of this machine with a port, as `http://127.0.0.1:8080/path`, or `socket` and `path`"
                )
            }
            return address
        }
        let fields = try fields(Hook.postKeys)
        guard let socket = fields["socket"] else { throw fail(.missing("socket")) }
        let path = try fields["path"]?.text() ?? "/"
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw fail("expected a path that begins with `/`")
        }
        return LocalAddress(socket: try socket.path(), path: path)
    }
}

extension Hook {
    /// `SIGRTMIN` to `SIGRTMAX` of glibc, which keeps the first two for itself.
    static let realTimeSignals: ClosedRange<Int32> = 34...64
}
