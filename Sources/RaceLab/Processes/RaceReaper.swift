import Glibc
import Processes

/// A process that outlives a lab that is killed: it ends what the lab's race left running and removes its
/// directory.
package struct RaceReaper: ~Copyable {
    package static let word = "race-reaper"
    private static let socket: Int32 = 3
    private let process: pid_t
    /// Closed when the lab ends, whatever ends that.
    private let end: Int32

    /// - Parameters:
    ///   - program: the path of `widgetbridge`.
    ///   - directory: of the race.
    init(_ program: String, of directory: String) throws(RaceFailure) {
        do throws(Launch.Failure) {
            let ends = try Launch.socketPair()
            defer { close(ends.theirs) }
            var launch = Launch(program, [Self.word, directory])
            launch.inherited[Self.socket] = ends.theirs
            do { process = try launch.start() } catch {
                close(ends.ours)
                throw error
            }
            end = ends.ours
        } catch {
            throw .cannotRun(program, errno: error.errno)
        }
    }

    deinit {
        kill(process, SIGKILL)
        _ = Ending(of: process)
        close(end)
    }

    /// The processes of a race in that directory.
    static func leftovers(of directory: String) -> Leftovers {
        Leftovers("WIDGETBRIDGE_STATE", state(in: directory))
    }

    static func state(in directory: String) -> String { "\(directory)/state" }

    /// Whether the arguments of this process ask for it.
    package static var isAskedFor: Bool { CommandLine.argc == 3 && ThisProgram.isAsked(for: word, with: 1) }

    /// Returns once the lab has ended and everything is removed.
    package static func run() -> Int32 {
        guard let directory = unsafe CommandLine.unsafeArgv[2].map({ unsafe String(cString: $0) }),
            RealTree.mayBe(directory)
        else { return EXIT_FAILURE }
        var byte: UInt8 = 0
        while unsafe read(socket, &byte, 1) != 0 { if errno != EINTR { return EXIT_FAILURE } }
        leftovers(of: directory).end()
        RealTree.remove(directory)
        return EXIT_SUCCESS
    }
}
