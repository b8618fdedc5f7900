import Glibc
import TestWorld
import Testing

@testable import Processes

@Suite struct LaunchTests {
    /// Foundation's `Process` crashes here: it reads beyond the end of the list of descriptors.
    @Test func `a program starts beside thousands of descriptors and inherits none of them`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 4_096)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for _ in 0..<3_000 { dup(0) }
            // How much memory follows that buffer is random.
            for _ in 0..<64 {
                unsafe malloc(30_000)
                let ended = try Running(command: ["/bin/ls", "/proc/self/fd"]).waitForEnd()
                // `ls` reads the directory with the last one.
                #expect(ended.output.split(separator: "\n") == ["0", "1", "2", "3"])
            }
        }
    }

    @Test func `a program has the given working directory and additional environment`() throws {
        let running = try Running(
            command: ["/bin/sh", "-c", "pwd; echo $PATH; env | grep ^HOME=; echo oh >&2; cat"],
            in: "/usr",
            environment: ["HOME": "/there"]
        )
        running.write("said\n")
        let path = unsafe String(cString: try #require(unsafe getenv("PATH")))
        let all = "/usr\n\(path)\nHOME=/there\nsaid\n"
        #expect(running.waitForEnd() == Running.Ended(status: 0, output: all, errors: "oh\n"))
    }

    @Test func `a program ignores and blocks no signal, and has its own process group`() throws {
        signal(SIGPIPE, SIG_IGN)
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let running = try Running(command: ["/bin/cat", "/proc/self/status", "/proc/self/stat"])
        let said = running.waitForEnd().output.split(separator: "\n")
        for set in ["SigBlk:", "SigIgn:"] {
            let line = try #require(said.first { $0.hasPrefix(set) })
            let signals = try #require(UInt64(line.suffix(16), radix: 16))
            // Signals above 31 are not relevant.
            #expect(signals & 0x7FFF_FFFF == 0)
        }
        // PID (NAME) STATE PARENT GROUP
        #expect(said.last?.split(separator: " ").dropFirst(4).first == "\(running.identifier)")
    }

    @Test func `a missing program is reported by name`() {
        let failure = #expect(throws: Launch.Failure.self) { try Launch("/no/such", []).start() }
        #expect(failure?.text == "/no/such: No such file or directory")
        #expect(failure?.errno == ENOENT)
    }

    @Test func `the exit status is reported`() throws {
        #expect(Ending(of: try Launch("/bin/sh", ["-c", "exit 3"]).start()) == .exited(3))
        #expect(Ending(of: try Launch("/bin/sh", ["-c", "kill -9 $$"]).start()) == .killed(by: SIGKILL))
    }
}
