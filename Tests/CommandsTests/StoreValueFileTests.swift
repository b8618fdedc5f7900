import Foundation
import Glibc
import TestWorld
import Testing

/// Values that AsyncStorage keeps in files of their own, written and read by Python as the library does.
@Suite(.timeLimit(.minutes(5))) struct StoreValueFileTests {
    private static let profile = """
        profile: async
        documents:
          a.json: {stores: {ios: {app: {format: async-storage, file: s/manifest.json, text: key}}}}
          b.json: {stores: {ios: {app: {format: async-storage, file: s/manifest.json, text: second}}}}

        """

    private func flags(_ bridge: RealBridge) throws -> [String] {
        let file = "\(bridge.root)/async.yaml"
        try write(Self.profile, to: file)
        return ["--profile", file, "--app-stores", "ios"]
    }

    private static func document(_ name: String, isLong: Bool) -> String {
        #"{"name": "\#(name)", "rest": "\#(String(repeating: "x", count: isLong ? 2_000 : 10))"}"#
    }

    /// Runs code that saves as the library does: the file of a long value, then the manifest.
    @discardableResult
    private func python(_ bridge: RealBridge, _ code: String) async throws -> String {
        let ended = try await Running(command: command(bridge, code)).ended()
        #expect(ended.status == 0, "\(ended.errors)")
        return ended.output
    }

    private func command(_ bridge: RealBridge, _ code: String) -> [String] {
        let program = #"""
            import hashlib, json, os, sys
            os.makedirs("s", exist_ok=True)
            manifest = "s/manifest.json"
            def name(key): return "s/" + hashlib.md5(key.encode()).hexdigest()
            def replace(path, text):
                with open(path + ".new", "w") as file: file.write(text)
                os.rename(path + ".new", path)
            def values(): return json.load(open(manifest)) if os.path.exists(manifest) else {}
            def put(key, text):
                found = values()
                if len(text) > 1024:
                    replace(name(key), text)
                    if key in found and found[key] is None: return
                    found[key] = None
                else:
                    if key in found and found[key] is None: os.remove(name(key))
                    found[key] = text
                replace(manifest, json.dumps(found))
            def get(key):
                text = values()[key]
                return text if text is not None else open(name(key)).read()

            """#
        return ["/usr/bin/python3", "-c", "import os\nos.chdir('\(bridge.app)')\n" + program + code]
    }

    @Test func `A long value is read and written, becomes a short one and back, and is deleted`() async throws
    {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            func sync() async throws {
                let ended = try await Binary.run(["sync"] + bridge.flags + flags)
                #expect(ended.status == 0, "\(ended)")
            }
            try await python(bridge, "put('other', 'y' * 3000); put('third', 'short')")
            var number = 0
            for (isLong, isGroup) in [
                (true, true), (true, true), (false, true), (true, false), (true, true), (false, false),
                (true, true),
            ] {
                number += 1
                let text = Self.document("\(number)", isLong: isLong)
                if isGroup {
                    try bridge.save(text, as: "a.json", in: bridge.group)
                } else {
                    try await python(bridge, "put('key', '''\(text)''')")
                }
                try await sync()
                #expect(bridge.read("a.json", in: bridge.group) == text, "\(number)")
                #expect(try await python(bridge, "sys.stdout.write(get('key'))") == text, "\(number)")
                let files = try FileManager.default.contentsOfDirectory(atPath: "\(bridge.app)/s").count
                // The bridge leaves a value in its file, for a program that knows only that.
                #expect(files == (isLong || isGroup ? 3 : 2), "\(number)")
            }
            try FileManager.default.removeItem(atPath: "\(bridge.group)/a.json")
            try await sync()
            try await python(
                bridge,
                """
                assert 'key' not in values() and not os.path.exists(name('key'))
                assert get('other') == 'y' * 3000 and get('third') == 'short'
                """
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: bridge.app) == ["s"])
        }
    }

    @Test func `An agent sees a change of the file alone`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(try flags(bridge))
            for name in ["one", "two", "three"] {
                let text = Self.document(name, isLong: true)
                try await python(bridge, "put('key', '''\(text)''')")
                #expect(try await bridge.wait().status == 0)
                #expect(bridge.read("a.json", in: bridge.group) == text)
            }
            try bridge.save(Self.document("four", isLong: true), as: "a.json", in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            let text = try await python(bridge, "sys.stdout.write(get('key'))")
            #expect(text == Self.document("four", isLong: true))
            try await bridge.end(agent)
        }
    }

    @Test func `A file that is missing is held by name, and nothing is deleted`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            try await python(bridge, "put('key', '''\(Self.document("one", isLong: true))''')")
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            try await python(bridge, "os.remove(name('key'))")
            let ended = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(
                ended.status == 7 && ended.output.contains("refers to it for the value of `key`"),
                "\(ended)"
            )
            #expect(bridge.read("a.json", in: bridge.group) == Self.document("one", isLong: true))
        }
    }

    /// The app saves one document, and the widget another one of the same manifest. Agent and app are killed.
    @Test func `Saves are neither lost nor mixed while programs are killed`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            try await python(bridge, "put('other', 'y' * 3000); put('key', '{}')")
            var agent = try await bridge.startAgent(flags)
            for round in 1...10 {
                let app = try Running(command: command(bridge, Self.saver(isKilled: round % 2 == 0)))
                var last = 0
                while let line = await app.line(), let number = Int(line) {
                    last = number
                    let text = Self.document("\(number)", isLong: number % 2 == 0)
                    try bridge.save(text, as: "b.json", in: bridge.group)
                    if number == round {
                        agent.send(SIGKILL)
                        _ = await agent.ended()
                        agent = try await bridge.startAgent(flags)
                    }
                    if round % 2 == 0, number == 9 { app.send(SIGKILL) }
                }
                _ = await app.ended()
                #expect(try await bridge.wait().status == 0)
                let text = try await python(bridge, "sys.stdout.write(get('key'))")
                #expect(bridge.read("a.json", in: bridge.group) == text)
                let saved = [last, last + 1].map { Self.document("\($0)", isLong: $0 % 3 != 0) }
                #expect(saved.contains(text), "\(round): \(last)")
                #expect(
                    try await python(bridge, "sys.stdout.write(get('second'))")
                        == bridge.read("b.json", in: bridge.group)
                )
            }
            try await python(bridge, "assert get('other') == 'y' * 3000")
            try await bridge.end(agent)
        }
    }

    /// Its twelfth value is short: the library removes the file of the long one before it writes the
    /// manifest, and if it is killed in between, the document is held. One that is killed after its ninth
    /// saves no more than eleven.
    private static func saver(isKilled: Bool) -> String {
        """
        for number in range(1, \(isKilled ? 12 : 13)):
            rest = 'x' * (2000 if number % 3 else 10)
            put('key', '{"name": "%d", "rest": "%s"}' % (number, rest))
            print(number, flush=True)
        """
    }
}
