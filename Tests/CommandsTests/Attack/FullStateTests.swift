import TestWorld
import Testing

/// Commands without an agent, with a state directory on a full disk.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FullStateTests {
    private func run(_ bridge: RealBridge, _ script: String) async throws -> Running.Ended {
        let lines = [
            "cd \(bridge.root)", "mkdir -p state", "mount -t tmpfs -o size=512k,mode=700 none state",
            "W='\(Binary.path)'; F='--app app --group group --state state'",
            "fill() { dd if=/dev/zero of=state/filler bs=4k 2> /dev/null; }", script,
        ]
        let command = Wrapper.withMounts + ["/bin/sh", "-c", lines.joined(separator: "\n")]
        return try await Running(command: command, environment: [:]).ended()
    }

    /// Only `status` has another exit status than usual: a change is pending.
    @Test(arguments: ["status": 2, "sync": 1, "history": 0, "conflicts": 0, "why a.json": 0])
    func `a full disk is reported by what writes, and what reads goes on`(command: String, status: Int)
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "a.json", in: bridge.app)
            let script = """
                $W sync $F > sync.log || exit 99
                echo 2 > app/a.json
                fill
                $W \(command) $F > /dev/null; echo $?
                rm state/filler; $W sync $F > /dev/null && cat group/a.json
                """
            let ended = try await run(bridge, script)
            #expect(ended.output == "\(status)\n2\n", "\(ended)")
            let words =
                "the disk is full, \(bridge.state)/journal.sqlite; free some space there and run again"
            #expect(ended.errors == (status == 1 ? "widgetbridge: \(words)\n" : ""))
        }
    }

    /// The journal could not record the publications.
    @Test(arguments: ["TERM", "KILL"])
    func `a single program's saves do not conflict after the agent was killed on a full disk`(signal: String)
        async throws
    {
        try await RealBridge.with { bridge in
            let script = """
                put() { echo '{"n":'$1'}' > group/.new && mv group/.new group/a.json; }
                arrived() { grep -qs ":$1}" app/a.json; }
                until_() { for i in $(seq 1000); do "$@" && return; sleep 0.03; done; exit 98; }
                put 1; $W sync $F > sync.log || exit 99
                $W agent $F > agent.log 2>&1 & agent=$!
                until_ grep -q ready agent.log
                fill
                for n in 2 3; do put $n; until_ arrived $n; done
                kill -\(signal) $agent; wait $agent
                put 4; rm state/filler
                $W sync $F > sync.log; echo $?
                cat app/a.json group/a.json; ls state/conflicts | wc -l
                """
            let ended = try await run(bridge, script)
            #expect(ended.output == "0\n{\"n\":4}\n{\"n\":4}\n0\n", "\(ended)")
        }
    }

    @Test func `a full disk before the state exists is reported as well`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "a.json", in: bridge.app)
            let ended = try await run(bridge, "fill\n$W sync $F; echo $?")
            #expect(ended.output == "1\n" && ended.errors.contains("free some space"), "\(ended)")
            #expect(!ended.errors.contains("away"))
        }
    }
}
