import TestDocuments
import TestWorld
import Testing

/// A document that a store has as a whole and by single values, of which a program saves only the whole.
@Suite(.timeLimit(.minutes(5))) struct StoreSingleValuesTests {
    struct Platform: Sendable, CustomTestStringConvertible {
        var name: String
        /// Python expressions: the stores of both sides, the key of the document, and what a number is there.
        var app: String
        var group: String
        var appKey: String
        var key: String
        var prefix: String
        var testDescription: String { name }
    }

    static let platforms = [
        Platform(
            name: "ios",
            app: "Library/Preferences/com.ecologicaleaving.fin.plist",
            group: "Library/Preferences/group.com.family.financetracker.plist",
            appKey: "flutter.widget_data",
            key: "flutter.widget_data",
            prefix: "flutter."
        ),
        Platform(
            name: "android",
            app: "shared_prefs/FlutterSharedPreferences.xml",
            group: "shared_prefs/HomeWidgetPreferences.xml",
            appKey: "flutter.widget_data",
            key: "widgetDataJson",
            prefix: ""
        ),
    ]

    /// Reads and replaces both kinds of files; `doubles` are bits on Android.
    private static let library = #"""
        import os, plistlib, struct, sys
        import xml.etree.ElementTree as tree
        def load(path):
            if not os.path.exists(path): return {}
            if path.endswith(".plist"): return plistlib.load(open(path, "rb"))
            return {e.get("name"): e.text or "" if e.tag == "string" else (e.tag, e.get("value"))
                    for e in tree.parse(path).getroot()}
        def save(path, values):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + ".new", "wb") as file:
                if path.endswith(".plist"): plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
                else:
                    root = tree.Element("map")
                    for name, value in values.items():
                        if isinstance(value, str): tree.SubElement(root, "string", name=name).text = value
                        else: tree.SubElement(root, value[0], name=name, value=value[1])
                    tree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
            os.rename(path + ".new", path)
        def number(value):
            if isinstance(value, float): return value
            return struct.unpack("<d", struct.pack("<q", int(value[1])))[0]

        """#

    private func python(_ code: String) async throws -> String {
        let command = ["/usr/bin/python3", "-c", Self.library + code]
        let ended = try await Running(command: command).ended()
        #expect(ended.status == 0, "\(ended.errors)")
        return ended.output
    }

    private func flags(_ one: Platform) -> [String] { ["--profile", "budget", "--stores", one.name] }

    /// Saves the app's document, and syncs it.
    private func begin(_ one: Platform, _ bridge: RealBridge) async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == "budget" })
        _ = try await python("save('\(bridge.app)/\(one.app)', {'\(one.appKey)': '''\(fixture.v2)'''})")
        let ended = try await Binary.run(["sync"] + bridge.flags + flags(one))
        #expect(ended.status == 0, "\(ended)")
    }

    /// The widget saves only the text: another amount, and no name of the group.
    private func saveText(_ amount: String, _ one: Platform, _ bridge: RealBridge) async throws {
        let code = """
            import json
            path, key = "\(bridge.group)/\(one.group)", "\(one.key)"
            d = load(path); d["other"] = "kept"
            document = json.loads(d[key]); document["data"]["spent"] = \(amount)
            document["data"].pop("groupName", None)
            d[key] = json.dumps(document); save(path, d)
            """
        _ = try await python(code)
    }

    private func expectValues(_ amount: String, _ one: Platform, _ bridge: RealBridge) async throws {
        let code = """
            d = load("\(bridge.group)/\(one.group)")
            print(number(d["\(one.prefix)spent"]), "\(one.prefix)groupName" in d, d.get("other"))
            print('"spent": \(amount)' in d["\(one.key)"])
            """
        #expect(try await python(code) == "\(amount) False kept\nTrue\n")
    }

    @Test(arguments: platforms)
    func `After a sync the single values are those of the text that the widget saved`(one: Platform)
        async throws
    {
        try await RealBridge.with { bridge in
            try await begin(one, bridge)
            try await saveText("12.5", one, bridge)
            func containers() throws -> [String] { try bridge.allFiles().filter { !$0.hasPrefix("state") } }
            let before = try containers()
            let dry = try await Binary.run(["sync", "--dry-run"] + bridge.flags + flags(one))
            #expect(dry.status == 2, "\(dry)")
            #expect(try containers() == before)
            let ended = try await Binary.run(["sync"] + bridge.flags + flags(one))
            #expect(ended.status == 0, "\(ended)")
            try await expectValues("12.5", one, bridge)
            let again = try await Binary.run(["sync", "--dry-run"] + bridge.flags + flags(one))
            #expect(again.status == 0, "\(again)")
        }
    }

    @Test(arguments: platforms)
    func `An agent lets them follow each save, and leaves those of an invalid one`(one: Platform)
        async throws
    {
        try await RealBridge.with { bridge in
            try await begin(one, bridge)
            let agent = try await bridge.startAgent(flags(one))
            for amount in ["1.5", "2.5", "3.5"] {
                try await saveText(amount, one, bridge)
                #expect(try await bridge.wait().status == 0)
                try await expectValues(amount, one, bridge)
            }
            try await saveText(#""much""#, one, bridge)
            #expect(try await bridge.wait().status == 7)
            let spent = try await python(
                "print(number(load('\(bridge.group)/\(one.group)')['\(one.prefix)spent']))"
            )
            #expect(spent == "3.5\n")
            try await bridge.end(agent)
        }
    }
}
