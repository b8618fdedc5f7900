import Foundation
import Processes
import TestWorld
import Testing

@Suite(
    "Processes of one program in a race",
    .serialized,
    .enabled(if: GatedProgram.refusal(trying: Binary.path) == nil, "the system refuses a filter")
)
struct RaceSiblingsTests {
    private static let copy = """
        cd "$WIDGETBRIDGE_GROUP"; while :; do cmp -s "$WIDGETBRIDGE_APP/a.json" a.json || {
        cp "$WIDGETBRIDGE_APP/a.json" .t && mv .t a.json; }; sleep 0.02; done 2> /dev/null
        """
    /// Two functions that change one field each; what is between reading and saving lets the other one go.
    private static let words = """
        put() { echo "$2" > ".$1"; mv ".$1" a.json; }; put s '{"n":0,"m":0}'
        set_one() { t=$(cat a.json); sleep 0.01; put "$1" "$(echo "$t" | sed "s/\\"$1\\":0/\\"$1\\":1/")"; }

        """

    private func race(_ app: String, control: String = "calls") async throws -> Binary.Ended {
        let programs = ["--bridge", Self.copy, "--app", Self.words + app]
        let options = ["--control", control, "--seed", "3", "--patience", "60s", "--json"]
        return try await withDirectory { top in
            await (try Running(["race", "run"] + programs + options, environment: ["TMPDIR": top])).ended()
        }
    }

    @Test("that save what they read before another one saved lose its update")
    func lost() async throws {
        let ended = try await race("set_one n & set_one m & wait")
        #expect(ended.status == 1 && ended.output.contains(#""kind":"lost-update""#), "\(ended)")
        #expect(ended.output.contains("another process in app displaced it"), "\(ended)")
    }

    @Test(
        "that save one after the other, or under a lock, lose nothing",
        arguments: ["set_one n; set_one m", "(flock 3; set_one n) 3>.l & (flock 3; set_one m) 3>.l & wait"]
    )
    func kept(app: String) async throws {
        let ended = try await race(app)
        #expect(ended.status == 0 && !ended.output.contains(#""lost-update":"#), "\(ended)")
    }

    /// Both have read the first content; each saves its own change after that, under a lock.
    private static func both(_ reads: String) -> String {
        """
        both() { t=$(cat a.json); : > "../$1"; until [ -e ../n ] && [ -e ../m ]; do sleep 0.01; done
        (flock 3; \(reads); put "$1" "$(echo "$t" | sed "s/\\"$1\\":0/\\"$1\\":1/")") 3> .lock; }
        both n & both m & wait
        """
    }

    @Test("that read by another name what the other one saved lose nothing")
    func linked() async throws {
        let ended = try await race(Self.both(#"ln -f a.json ".l$1"; t=$(cat ".l$1")"#))
        #expect(ended.status == 0 && !ended.output.contains(#""lost-update":"#), "\(ended)")
    }

    @Test("that read one byte of what the other one saved may have known of it")
    func oneByte() async throws {
        let ended = try await race(Self.both("dd if=a.json of=/dev/null bs=1 count=1 2> /dev/null"))
        #expect(ended.status == 2 && !ended.output.contains(#""kind":"lost-update""#), "\(ended)")
        #expect(ended.output.contains("or knew what it replaced, is not seen"), "\(ended)")
    }

    @Test("that count at the same time may lose a step, which their contents do not tell")
    func counter() async throws {
        let count = "put s 1; count() { n=$(cat a.json); sleep 0.01; put $1 $((n+1)); }; "
        let ended = try await race(count + "count a & count b & wait")
        #expect(ended.status == 2 && ended.output.contains("whether it lost an update"), "\(ended)")
    }

    @Test("that cannot be told apart leave open whether they lost an update")
    func untold() async throws {
        let ended = try await race(#"set_one n; put s '{"n":5,"m":0}'"#, control: "stops")
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output.contains(#""lost-update":"which process of a side saved what"#), "\(ended)")
    }

    @Test("that an observation cannot tell apart leave it without a verdict, unless a check holds")
    func observed() async throws {
        try await withObservedContainers(holding: #"{"n":0,"m":0}"#) { top in
            // Two processes; the second one drops what the first one saved.
            let saves = ["put n '{\"n\":1,\"m\":0}'", "put m '{\"n\":0,\"m\":1}'"].map {
                "sh -c \(Self.quoted(Self.put + $0 + "; echo a.json; sleep 0.2"))"
            }
            let script = "cd \(top)/app; \(saves.joined(separator: "; ")); exec tail -f /dev/null"
            let containers = ["--app", "\(top)/app", "--group", "\(top)/group", "--reloads", script]
            let options = ["--seconds", "2", "--patience", "5s"]
            for (check, status) in [([], Int32(2)), (["--check", "true"], 0)] {
                let ended = try await Binary.run(["race", "observe"] + containers + options + check)
                #expect(ended.status == status, "\(ended)")
            }
        }
    }

    /// Saves on both sides: that crosses without a bridge.
    private static let put = """
        put() { for s in app group; do echo "$2" > "../$s/.$1"; mv "../$s/.$1" "../$s/a.json"; done; }; 
        """

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
