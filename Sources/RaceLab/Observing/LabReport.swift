import CLinux
import Glibc
import Model

/// Reports to the race lab what this program does, if the lab has started it.
///
/// `WIDGETBRIDGE_LAB_FD` names the descriptor; without it nothing is reported. A program that reports its
/// saves reports all of them, each after it was done, and one that reports its reads reports all of those.
public struct LabReport: Sendable {
    private let descriptor: Int32?

    /// To the lab that has started this program.
    public init() {
        let number = unsafe getenv(LabChannel.variable).map { unsafe String(cString: $0) }
        descriptor = number.flatMap { Int32($0) }
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The program has saved this content of a document, or deleted it (`nil`).
    public func saved(_ document: String, _ content: [UInt8]?) {
        report("saved \(document) \(Self.hash(content))")
    }

    /// The program has read this content of a document, or found none (`nil`).
    public func read(_ document: String, _ content: [UInt8]?) {
        report("read \(document) \(Self.hash(content))")
    }

    /// What a person sees now.
    public func shown(_ text: String) { report("shown \(text)") }

    /// The program will save nothing any more, though it may go on.
    public func done() { report("done") }

    private static func hash(_ content: [UInt8]?) -> String {
        content.map { Digest(of: $0).description } ?? "none"
    }

    private func report(_ line: String) {
        guard let descriptor else { return }
        let bytes = Array(line.split { $0.isNewline }.joined(separator: " ").utf8) + [UInt8(ascii: "\n")]
        let sent = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if sent < 0, errno == ENOTSOCK { _ = unsafe write(descriptor, bytes, bytes.count) }
    }
}
