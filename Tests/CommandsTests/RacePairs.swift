import Foundation
import TestWorld
import Testing

/// A pair of real programs with a bridge, and what the lab must say of them.
struct RacePair: CustomTestStringConvertible, Sendable {
    var name: String
    var app: String
    var widget: String?
    /// `nil`: the agent.
    var bridge: String?
    /// The kinds of anomalies that are found; none: the verdict is clean.
    var kinds: Set<String> = []
    /// Nothing is found, and the verdict says that one kind was not decided.
    var isUndecided = false
    /// Another program's reads change what the agent does, so that the lab's must raise no event.
    var needsSilence = false

    var testDescription: String { name }

    /// Words that the scripts have in common. A program comes to a gate after each of its acts, so the lab
    /// has read what it left before it goes on; a bridge waits for a file of that name. `keep` saves and
    /// tells: the hash is taken before a bridge can put something else there. `rsync` looks at size and time,
    /// as this one does where it is not installed.
    static let words = #"""
        B=${WIDGETBRIDGE_APP%/*}
        A=$WIDGETBRIDGE_APP/a.json G=$WIDGETBRIDGE_GROUP/a.json
        gate() { echo gate; read -r _; }
        post() { : > "$B/did-$1"; }
        await() { until [ -e "$B/did-$1" ]; do gate; done; }
        wait_for() { until [ -e "$B/did-$1" ]; do sleep 0.01; done; }
        bring() { cp -p "$1" "$2.new"; mv "$2.new" "$2"; }
        synced() { [ -e "$2" ] && [ "$(stat -c %s%y "$1")" = "$(stat -c %s%y "$2")" ]; }
        sync_once() {
            if command -v rsync > /dev/null; then rsync -t "$1" "$2"; else synced "$@" || bring "$@"; fi
        }
        save() { printf %s "$2" > "$1.new"; mv "$1.new" "$1"; }
        hash() { sha256sum "$1" | cut -d' ' -f1; }
        told() { echo "$1 a.json ${2:-sha256:$(hash a.json)}" >&"$WIDGETBRIDGE_LAB_FD"; }
        agent() {
            "$WIDGETBRIDGE_PROGRAM" status --json --app "$WIDGETBRIDGE_APP" --group "$WIDGETBRIDGE_GROUP" \
                --state "$WIDGETBRIDGE_STATE" | sed 's/.*"process":\([0-9]*\).*/\1/'
        }
        keep() { printf %s "$2" > .new; set -- "$1" "sha256:$(hash .new)"; mv .new "$1"; told saved "$2"; }

        """#

    /// Python that writes over parts of a file, with a gate between.
    private static func python(_ body: String) -> String {
        """
        exec python3 -c '
        import mmap, os
        def gate(): os.write(1, b"gate\\n"); os.read(0, 1)
        def post(name): open(os.environ["WIDGETBRIDGE_APP"] + "/../did-" + name, "w").close()
        def wait(name):
            while not os.path.exists(os.environ["WIDGETBRIDGE_APP"] + "/../did-" + name): gate()
        \(body)
        '
        """
    }

    private static let copyOnce =
        #"wait_for go; cat "$A" > "$G"; post copied; wait_for again; cat "$A" > "$G""#
    private static let bringOnce =
        #"wait_for go; bring "$A" "$G"; post copied; wait_for again; bring "$A" "$G""#
    private static let idle = "gate; await end"
    private static let stay = "exec tail -f /dev/null"

    static let all: [RacePair] = atomic + halves + inPlace + fromMemory + deletions

    /// Those for which this machine has the programs and the rights.
    static var usable: [RacePair] {
        all.filter { pair in
            (!pair.needsSilence || Wrapper.hasSystemAdministration)
                && (!pair.app.contains("python3") || hasPython)
        }
    }

    private static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }

    private static let merged = #"until grep -qs '"n":1,"m":1' a.json; do gate; done"#

    // MARK: Renames

    private static let atomic = [
        RacePair(
            name: "atomic rename, the agent",
            app: #"save a.json '{"n":1}'; gate; save a.json '{"n":2}'; gate"#,
            widget: "gate; until grep -qs 2 a.json; do gate; done"
        ),
        RacePair(
            name: "atomic renames on both sides, a copy loop",
            app: #"save a.json '{"n":0,"m":0}'; post go; await copied; await saved; "#
                + #"save a.json '{"n":1,"m":0}'; gate; post again; await end"#,
            widget: #"gate; await copied; save a.json '{"n":0,"m":1}'; gate; post saved; await end"#,
            bridge: #"\#(bringOnce); post end; \#(stay)"#,
            kinds: ["lost-update"]
        ),
        RacePair(
            name: "atomic renames on both sides, the agent, which merges",
            // The agent is stopped until the lab has seen both saves.
            app: #"told read none; keep a.json '{"n":0,"m":0}'; gate; await known; agent=$(agent); "#
                + #"kill -STOP "$agent"; keep a.json '{"n":1,"m":0}'; gate; post stopped; await saved; "#
                + #"kill -CONT "$agent"; \#(merged)"#,
            widget: #"gate; until [ -e a.json ]; do gate; done; told read; post known; await stopped; "#
                + #"keep a.json '{"n":0,"m":1}'; gate; post saved; \#(merged)"#,
            needsSilence: true
        ),
        RacePair(
            name: "atomic rename, rsync",
            app: #"save a.json '{"n":1}'; gate; post go; await end"#,
            bridge: #"wait_for go; sync_once "$A" "$G"; post end; \#(stay)"#
        ),
        RacePair(
            name: "double rename, the agent",
            app: #"save a.json '{"n":1}'; until [ -e "$G" ]; do gate; done; echo '{"n":2}' > .new; "#
                // In one process: a longer absence is a deletion to the agent.
                + #"python3 -c 'import os; os.rename("a.json", "a.bak"); os.rename(".new", "a.json")'; gate"#,
            widget: "gate; until grep -qs 2 a.json; do gate; done"
        ),
        RacePair(
            name: "double rename, a watchdog that copies each event",
            app:
                #"keep a.json '{"n":1}'; gate; post go; await copied; mv a.json a.bak; post away; "#
                + #"await gone; keep a.json '{"n":2}'; gate; post again; await end"#,
            widget: idle,
            bridge: #"wait_for go; save "$G" '{"n":1}'; post copied; wait_for away; rm "$G"; post gone; "#
                + #"wait_for again; save "$G" '{"n":2}'; post end; \#(stay)"#,
            kinds: ["non-monotonic-read"]
        ),
    ]

    // MARK: Halves

    private static let chunks = #"printf '{"n":' > a.json; gate; "#

    private static let halves = [
        RacePair(
            name: "chunks, the agent",
            app: chunks + #"printf '1}' >> a.json; gate"#,
            widget: "gate; until [ -e a.json ]; do gate; done"
        ),
        RacePair(
            name: "chunks, a copy loop",
            app: chunks + "post go; await copied; printf '1}' >> a.json; gate; post again; await end",
            widget: idle,
            bridge: "\(copyOnce); post end; \(stay)",
            kinds: ["torn-read"]
        ),
        RacePair(
            name: "no JSON, but whole, a copy loop",
            app:
                "save a.json 'no JSON'; gate; post go; await copied; save a.json '{}'; gate; post again; await end",
            widget: idle,
            bridge: "\(bringOnce); post end; \(stay)"
        ),
        RacePair(
            name: "in place under flock, a bridge that takes it",
            app: "exec 3>>a.json; flock 3; post go; " + chunks
                + "printf '1}' >> a.json; gate; exec 3>&-; await end",
            widget: "await end; exec 3<a.json; flock -s 3; told read; exec 3>&-",
            bridge: #"wait_for go; exec 3<"$A"; flock -s 3; save "$G" "$(cat <&3)"; post end; \#(stay)"#
        ),
        RacePair(
            name: "in place under flock, a copy loop that does not take it",
            app: "exec 3>>a.json; flock 3; " + chunks
                + "post go; await copied; printf '1}' >> a.json; exec 3>&-; gate; post again; await end",
            widget: idle,
            bridge: "\(copyOnce); post end; \(stay)",
            kinds: ["torn-read"]
        ),
        RacePair(
            name: "a journal beside the document, a copy loop that does not know of it",
            app: #"save a.json '{"n":0}'; cp a.json a.json-journal; "# + chunks
                + "post go; await copied; printf '1}' >> a.json; rm a.json-journal; gate; post again; await end",
            widget: idle,
            bridge: "\(copyOnce); post end; \(stay)",
            kinds: ["torn-read"]
        ),
        RacePair(
            name: "a journal beside the document, the agent",
            app: #"gate; save a.json '{"n":0}'; cp a.json a.json-journal; "# + chunks
                + "printf '1}' >> a.json; rm a.json-journal; gate",
            widget: "gate; until grep -qs 1 a.json; do gate; done"
        ),
    ]

    // MARK: Same length

    private static let begun = #"save a.json '{"x":0,"y":0}'; gate; "#

    private static let inPlace = [
        RacePair(
            name: "pwrite in two pieces, a copy loop",
            app: begun
                + python(
                    """
                    file = os.open("a.json", os.O_RDWR)
                    os.pwrite(file, b"1", 5); gate(); post("go"); wait("copied")
                    os.pwrite(file, b"1", 11); os.close(file); gate(); post("again"); wait("end")
                    """
                ),
            widget: idle,
            bridge: "\(copyOnce); post end; \(stay)",
            kinds: ["torn-read"]
        ),
        RacePair(
            name: "mmap in two pieces, a copy loop",
            app: begun
                + python(
                    """
                    file = os.open("a.json", os.O_RDWR)
                    memory = mmap.mmap(file, 13); os.close(file)
                    memory[5:6] = b"1"; gate(); post("go"); wait("copied")
                    memory[11:12] = b"1"; memory.close(); gate(); post("again"); wait("end")
                    """
                ),
            widget: idle,
            bridge: "\(copyOnce); post end; \(stay)",
            kinds: ["torn-read"]
        ),
        RacePair(
            name: "two whole saves of the same length, a copy loop",
            app: begun + #"save a.json '{"x":1,"y":0}'; gate; post go; await copied; "#
                + #"save a.json '{"x":1,"y":1}'; gate; post again; await end"#,
            widget: idle,
            bridge: "\(bringOnce); post end; \(stay)"
        ),
        RacePair(
            name: "pwrite that keeps the time, rsync, which looks at size and time",
            app: begun + "post go; await copied; touch -r a.json .time; "
                + #"printf 1 | dd of=a.json bs=1 seek=5 conv=notrunc 2>/dev/null; touch -r .time a.json; gate; "#
                + "post again; await end",
            widget: idle,
            bridge: #"wait_for go; sync_once "$A" "$G"; post copied; wait_for again; "#
                + #"sync_once "$A" "$G"; post end; \#(stay)"#,
            kinds: ["divergence"]
        ),
    ]

    // MARK: From memory

    /// The size tells the app that the widget's save is there; it does not read it. The agent is stopped
    /// until the lab has seen what the app saves then.
    private static let remembering =
        #"told read none; keep a.json '{"n":0,"m":0}'; gate; "#
        + #"until [ "$(stat -c %s a.json)" = 14 ]; do gate; done; agent=$(agent); kill -STOP "$agent"; "#
        + #"keep a.json '{"n":1,"m":0}'; gate; kill -CONT "$agent"; until grep -q '"n":1,"m":10' a.json; do gate; done"#
    private static let tapping =
        #"gate; until [ -e a.json ]; do gate; done; save a.json '{"n":0,"m":10}'; gate; "#
        + #"until grep -q '"n":1,"m":10' a.json; do gate; done"#

    private static let fromMemory = [
        RacePair(
            name: "from memory, the agent, which merges",
            app: remembering,
            widget: tapping,
            needsSilence: true
        ),
        RacePair(
            name: "from memory, the agent, and nobody tells the lab",
            app: "told() { :; }; \(remembering)",
            widget: tapping,
            isUndecided: true,
            needsSilence: true
        ),
        RacePair(
            name: "from memory, a copy loop",
            app: #"told read none; keep a.json '{"n":0,"m":0}'; post go; await copied; await back; "#
                + #"keep a.json '{"n":1,"m":0}'; gate; post again; await end"#,
            widget:
                #"gate; await copied; told read; keep a.json '{"n":0,"m":1}'; post tapped; await end"#,
            bridge:
                #"wait_for go; bring "$A" "$G"; post copied; wait_for tapped; bring "$G" "$A"; post back; "#
                + #"wait_for again; bring "$A" "$G"; post end; \#(stay)"#,
            kinds: ["lost-update"]
        ),
        RacePair(
            name: "read, changed and saved, a copy loop",
            app: #"keep a.json '{"n":0,"m":0}'; post go; await copied; await back; told read; "#
                + #"keep a.json '{"n":1,"m":0}'; gate; post again; await end"#,
            widget:
                #"gate; await copied; told read; keep a.json '{"n":0,"m":1}'; post tapped; await end"#,
            bridge:
                #"wait_for go; bring "$A" "$G"; post copied; wait_for tapped; bring "$G" "$A"; post back; "#
                + #"wait_for again; bring "$A" "$G"; post end; \#(stay)"#
        ),
        RacePair(
            name: "a widget with a cache, a copy loop",
            app: #"keep a.json '{"n":0,"m":0}'; post go; await copied; await cached; "#
                + #"keep a.json '{"n":1,"m":0}'; gate; post again; await end"#,
            widget: #"gate; await copied; told read; post cached; await brought; "#
                + #"keep a.json '{"n":0,"m":1}'; gate; post tapped; await end"#,
            bridge:
                #"wait_for go; bring "$A" "$G"; post copied; wait_for again; bring "$A" "$G"; post brought; "#
                + #"wait_for tapped; bring "$G" "$A"; post end; \#(stay)"#,
            kinds: ["lost-update"]
        ),
    ]

    // MARK: Deletions, and bridges without end

    private static let deletions = [
        RacePair(
            name: "a deletion, a copy loop",
            app:
                #"save a.json '{"n":1}'; gate; post go; await copied; rm a.json; gate; post deleted; await end"#,
            widget: idle,
            bridge:
                #"wait_for go; bring "$A" "$G"; post copied; wait_for deleted; bring "$G" "$A"; post end; \#(stay)"#,
            kinds: ["resurrected-deletion"]
        ),
        RacePair(
            name: "a deletion, the agent",
            app: #"save b.json 1; save a.json '{"n":1}'; until [ -e "$G" ]; do gate; done; rm a.json; gate; "#
                + "post deleted",
            widget: "gate; await deleted; until [ ! -e a.json ]; do gate; done"
        ),
        RacePair(
            name: "a save on each side, a watchdog that swaps them without end",
            app: #"save a.json '{"n":1}'; gate; post app; await end"#,
            widget: #"gate; save a.json '{"n":2}'; gate; post widget; await end"#,
            bridge: #"wait_for app; wait_for widget; post end; while :; do a=$(cat "$A") g=$(cat "$G"); "#
                + #"save "$A" "$g"; save "$G" "$a"; sleep 0.05; done"#,
            kinds: ["ping-pong"]
        ),
    ]
}
