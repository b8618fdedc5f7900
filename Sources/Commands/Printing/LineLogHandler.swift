import Logging

/// The log on standard error, each entry one line: documents' names stand in it, and what their writers put
/// into them, and may hold an end of line or what a terminal would obey.
struct LineLogHandler: LogHandler {
    private var inner: StreamLogHandler

    init(label: String) { inner = StreamLogHandler.standardError(label: label) }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue.onOneLine }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue?.onOneLine }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.withoutControls)"
        event.metadata = event.metadata?.onOneLine
        inner.log(event: event)
    }
}

extension Logger.Metadata {
    fileprivate var onOneLine: Logger.Metadata { mapValues(\.onOneLine) }
}

extension Logger.MetadataValue {
    /// As text, which is how it is printed in the end.
    fileprivate var onOneLine: Logger.MetadataValue { .string(description.withoutControls) }
}
