import CLinux
import Glibc

/// Starts a program that ends with the one that started it, whatever ends that.
///
/// The program itself has to ask the kernel for it, between its start and its `exec`, so `widgetbridge` is
/// started first: with `word`, the number of the process that it is to end with, and the program.
package enum BoundProgram {
    package static let word = "bound-program"
    /// As a shell has it.
    private static let cannotRun: Int32 = 126

    /// Whether `arguments` of this process ask for it.
    package static var isAskedFor: Bool { ThisProgram.isAsked(for: word, with: 2) }

    /// Becomes the program; returns only if that fails.
    package static func run() -> Int32 {
        guard let parent = unsafe CommandLine.unsafeArgv[2].flatMap({ unsafe Int32(String(cString: $0)) }),
            let program = unsafe CommandLine.unsafeArgv[3], linux_end_with_parent() == 0
        else { return cannotRun }
        // It may have ended before.
        guard getppid() == parent else { return cannotRun }
        unsafe execv(program, CommandLine.unsafeArgv + 3)
        return cannotRun
    }
}
