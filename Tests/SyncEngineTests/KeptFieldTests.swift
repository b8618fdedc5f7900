import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// An older program of the group drops or changes fields that it must keep.
@Suite struct KeptFieldTests: SyncedText {
    let disk = SimulatedDisk()
    let journal = MemoryJournal(instance: "bridge")
    let app = inApp("a.json")
    let group = inGroup("a.json")

    private func expectBoth(_ text: String) {
        for place in [app, group] { #expect(disk.text(place) == text) }
    }

    private static let keepsNotes = "{keeps: {group: [/notes]}}"

    @Test(arguments: [#"{"n":1}"#, #"{"n":1,"notes":"b"}"#, #"{"notes":null,"n":1}"#])
    func `a field that it deletes or changes is put back`(saved: String) throws {
        let text = #"{"n":1,"notes":"a"}"#
        let living = try synced(text, Self.keepsNotes)
        let told = living.notices.count
        saveInGroup(saved, living)
        expectBoth(text)
        #expect(living.notices.count == told)
        let reason = "group keeps /notes, which its program changed: put back"
        #expect(try journal.events(of: app.path).map(\.what.text).contains(reason))
        #expect(disk.world.files(in: Trash.directory, of: .state).contains { $0 == Array(saved.utf8) })
    }

    @Test func `its other edits count`() throws {
        let living = try synced(#"{"n":1,"notes":"a"}"#, Self.keepsNotes)
        saveInGroup(#"{"n":2}"#, living)
        expectBoth(#"{"n":2,"notes":"a"}"#)
    }

    @Test func `the other side changes it`() throws {
        let living = try synced(#"{"n":1,"notes":"a"}"#, Self.keepsNotes)
        save(#"{"n":1,"notes":"b"}"#, app)
        saveInGroup(#"{"n":2}"#, living)
        expectBoth(#"{"n":2,"notes":"b"}"#)
        save(#"{"n":2}"#, app)
        living.proceed(hearingOf: app)
        expectBoth(#"{"n":2}"#)
        #expect(try living.engine.conflicts().isEmpty)
    }

    @Test func `a field that it adds is taken away`() throws {
        let living = try synced(#"{"n":1}"#, Self.keepsNotes)
        saveInGroup(#"{"n":2,"notes":"b"}"#, living)
        expectBoth(#"{"n":2}"#)
    }

    @Test func `without a base nothing is taken away, and the other side's value counts`() throws {
        save(#"{"n":1,"a":1}"#, app)
        save(#"{"n":1,"a":2,"b":2}"#, group)
        let yaml = "profile: notes\ndocuments: {a.json: {keeps: {group: [/a, /b]}}}\n"
        let living = try LivingEngine(disk, journal, profile: Profile(yaml: yaml, file: "notes.yaml"))
        living.live()
        expectBoth(#"{"n":1,"a":1,"b":2}"#)
        #expect(try living.engine.conflicts().isEmpty)
    }

    @Test func `what it is in comes back as a whole`() throws {
        let text = #"{"n":1,"look":{"dark":true,"size":1}}"#
        let living = try synced(text, "{keeps: {group: [/look/dark]}}")
        for saved in [#"{"n":1}"#, #"{"n":1,"look":null}"#] {
            saveInGroup(saved, living)
            expectBoth(text)
        }
        saveInGroup(#"{"n":1,"look":{"size":2}}"#, living)
        expectBoth(#"{"n":1,"look":{"size":2,"dark":true}}"#)
    }

    @Test func `elements are found by their identity, new ones have their own, and deleted ones none`() throws
    {
        let text = #"[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"}]"#
        let living = try synced(text, "{keeps: {group: [/*/n]}}")
        saveInGroup(#"[{"id":4,"n":"d"},{"id":3},{"id":1,"n":"x"}]"#, living)
        expectBoth(#"[{"id":4,"n":"d"},{"id":3,"n":"c"},{"id":1,"n":"a"}]"#)
    }

    @Test(arguments: [
        #"{"tasks":{"a":{"n":1},"b":{}}}"#, #"{"tasks":[{"id":1,"n":1},{"id":2}]}"#,
    ])
    func `all elements together come back with the fields of some`(text: String) throws {
        let living = try synced(text, "{keeps: {group: [/tasks/*/n]}}")
        saveInGroup("{}", living)
        expectBoth(text)
    }

    @Test func `a doubled element has the fields of the one that it was`() throws {
        let text = #"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#
        let living = try synced(text, "{identity: {/: id}, keeps: {group: [/*/n]}}")
        saveInGroup(#"[{"id":1},{"id":2},{"id":2}]"#, living)
        expectBoth(#"[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":2,"n":"b"}]"#)
    }

    @Test func `an element without an identity has no other element's fields`() throws {
        let living = try synced(#"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#, "{keeps: {group: [/*/n]}}")
        let saved = #"[{"id":1,"n":"a"},{"t":"new","n":"c"},{"id":2,"n":"b"}]"#
        saveInGroup(saved, living)
        expectBoth(saved)
    }

    @Test func `elements without identities are told by their index while none comes or goes`() throws {
        let living = try synced(#"[{"t":1,"n":"a"},{"t":2,"n":"b"}]"#, "{keeps: {group: [/*/n]}}")
        saveInGroup(#"[{"t":1},{"t":3,"n":"b"}]"#, living)
        expectBoth(#"[{"t":1,"n":"a"},{"t":3,"n":"b"}]"#)
        let longer = #"[{"t":0},{"t":1,"n":"a"},{"t":3,"n":"b"}]"#
        saveInGroup(longer, living)
        expectBoth(longer)
    }

    @Test func `an older version is put back in that version`() throws {
        let versions = """
            {keeps: {group: [/key]}, version: {field: version, missing: 1}, \
            versions: {1: {}, 2: {lenses: [{rename: {from: id, to: key}}]}}}
            """
        let living = try synced(#"{"version":2,"key":1,"n":1}"#, versions)
        saveInGroup(#"{"id":1,"n":1}"#, living)
        saveInGroup(#"{"id":2,"n":2}"#, living)
        #expect(disk.text(app) == #"{"version":2,"key":1,"n":2}"#)
        #expect(disk.text(group) == #"{"id":1,"n":2}"#)
        saveInGroup(#"{"id":3,"n":2}"#, living)
        #expect(disk.text(group) == #"{"id":1,"n":2}"#)
    }

    @Test func `a save that was displaced does not change it either`() throws {
        let living = try synced(#"{"n":1,"notes":"a"}"#, Self.keepsNotes)
        save(#"{"n":1,"notes":"b"}"#, app)
        var saves = [#"{"n":2}"#]
        disk.meanwhile = { [disk, group] call, place in
            guard call == .rename, place?.root == .group, let save = saves.popLast() else { return }
            disk.world.save(group, Array(save.utf8))
        }
        living.proceed(hearingOf: app)
        #expect(saves.isEmpty)
        expectBoth(#"{"n":2,"notes":"b"}"#)
    }
}
