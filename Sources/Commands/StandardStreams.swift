import Glibc

/// Standard input, output and error, as this process was given them.
enum StandardStreams {
    /// A stream that is closed leaves its number to the first file that is opened, and what is printed would
    /// be written into that file, perhaps a document. The number is taken, so that its use fails as before.
    static func keepClosedOnesClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free: this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
