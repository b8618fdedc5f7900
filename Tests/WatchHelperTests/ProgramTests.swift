import Glibc
import Testing

/// `widgetbridge-watch` on the command line.
@Suite struct ProgramTests {
    let container = try? Container()

    @Test func `help shows the usage and the exit statuses`() throws {
        let said = try World.run(try Helper.program(), "--help")
        #expect(said.last == "status 0")
        #expect(said.first?.hasPrefix("USAGE: widgetbridge-watch") == true)
        #expect(said.contains { $0.contains("EXAMPLE") } && said.contains { $0.contains("EXIT STATUS") })
        #expect(said.allSatisfy { $0.count <= 100 })
    }

    @Test func `wrong arguments are one line and status 64`() throws {
        let program = try Helper.program()
        for arguments in [[], ["--bogus", "/tmp"], ["-x"], [""], ["--"]] {
            let said = try World.run([program] + arguments)
            #expect(said.count == 2 && said.last == "status 64", "\(arguments): \(said)")
        }
    }

    @Test func `a missing directory is one line and status 1`() throws {
        let container = try #require(container)
        try container.write("file")
        for name in ["missing\nline", "file"] {
            let said = try World.run(try Helper.program(), container.path, container.absolute(name))
            #expect(said.count == 2 && said.last == "status 1", "\(said)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends it with status 0`(signal: Int32) throws {
        let container = try #require(container)
        // The id comes from the process itself, so that it is printed before `ready`.
        let script = "(echo pid $BASHPID; exec \"$@\") <&0 & wait $!; echo status $?"
        let helper = try Helper(starting: [container.path], through: ["/bin/bash", "-c", script, "sh"])
        let said = try helper.lines { $0 == "ready" }
        let id = try #require(said.first { $0.hasPrefix("pid ") }.flatMap { Int32($0.dropFirst(4)) })
        kill(id, signal)
        _ = try helper.lines(through: "status 0")
    }

    @Test func `it ends when its output is closed`() throws {
        let container = try #require(container)
        // The input never ends, the reader does; nothing happens in the directory.
        let script = "mkfifo input && exec 3<>input && \"$0\" . <&3 | head -n 1; echo ended"
        let said = try World.run(
            "/bin/bash",
            "-c",
            "cd '\(container.path)' && \(script)",
            try Helper.program()
        )
        #expect(said == ["ready", "ended", "status 0"])
    }

    @Test func `names of directories may begin with a dash or not be UTF-8`() throws {
        let container = try #require(container)
        let script = "mkdir -- -d $'bytes\\xff' && (echo token 1) | \"$0\" -- -d $'bytes\\xff'"
        let said = try World.run(
            "/bin/bash",
            "-c",
            "cd '\(container.path)' && \(script)",
            try Helper.program()
        )
        #expect(said == ["ready", "token 1", "status 0"])
    }
}
