/// What the kernel says of a process.
package enum ProcessState {
    /// Whether a signal has stopped it, so that it cannot answer; `false` if that is not known.
    package static func isStopped(_ process: Int32) -> Bool {
        // The state follows the name in parentheses, which may contain parentheses itself.
        SmallFile.text(at: "/proc/\(process)/stat")?.split(separator: ")").last?.hasPrefix(" T ") ?? false
    }
}
