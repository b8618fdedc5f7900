import FoundationEssentials
import Glibc
import Logging

/// Logs to standard error, one line for each entry: the message, then the fields as `name="value"`. The
/// bridge, the document and the direction come first. Only on a terminal, which a person reads, an entry is
/// wrapped.
struct LineLogHandler: LogHandler {
    /// The text before the message.
    enum Form: Sendable {
        /// Only the priority, in the form of sd-daemon(3): journald adds the time.
        case journal
        /// The time with its UTC offset, and the level.
        case file
        /// The time of day, and the level of a warning or an error.
        case terminal
    }

    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let form: Form
    private let columns: @Sendable () -> Int?
    private let write: @Sendable (String) -> Void

    /// - Parameter columns: the width of the terminal, which may change.
    init(
        form: Form,
        columns: @escaping @Sendable () -> Int? = { nil },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.form = form
        self.columns = columns
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }
        let shown = fields.sorted { Self.rank(of: $0.key) < Self.rank(of: $1.key) }.map { name, value in
            " \(name)=\(Self.quoted("\(value)"))"
        }
        let layout = Layout(columns: form == .terminal ? columns() : nil)
        let text = "\(event.message)".withoutControls + shown.joined()
        write(layout.wrapped(prefix(of: event.level), text).map { "\($0)\n" }.joined())
    }

    private func prefix(of level: Logger.Level) -> String {
        switch form {
        case .journal: "<\(level.priority)>"
        case .file: "\(LocalTime.text(LocalTime.now).replacing(" ", with: "T")) \(level) "
        case .terminal: "\(LocalTime.timeOfDay(LocalTime.now)) \(level >= .warning ? "\(level): " : "")"
        }
    }

    private static func rank(of name: String) -> (Int, String) {
        (["bridge", "document", "direction"].firstIndex(of: name) ?? 3, name)
    }

    /// Escapes control characters: names come from the disk, and an entry is one line.
    private static func quoted(_ value: String) -> String {
        "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").withoutControls + "\""
    }
}

extension LineLogHandler.Form {
    /// The form for standard error. journald names the socket that it reads from
    /// (systemd.exec(5), `JOURNAL_STREAM`).
    static var ofThisProcess: Self {
        var status = stat()
        if let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"],
            unsafe fstat(STDERR_FILENO, &status) == 0, stream == "\(status.st_dev):\(status.st_ino)"
        {
            return .journal
        }
        return isatty(STDERR_FILENO) == 1 ? .terminal : .file
    }
}

extension Logger.Level {
    /// The numbers of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
