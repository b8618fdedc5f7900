import Documents
import Testing

/// The names of temporary files, which are documents by no pattern.
@Suite struct TemporaryPatternTests {
    @Test(arguments: [
        ".a.json", ".#a.json", ".dat.nosync1A.json", ".git/a.json", "a/.b/c.json", "a.json~", "a~.json",
        "d/a~.json", "~$a.json", "4913", "a.json.swp", "a.json.tmp", "a.tmp-1234.json", "a.json.tmp-1f3",
        "a.json___jb_tmp___", "a.json___jb_old___", "a.json.part", "a.json.crdownload", "a.json.AbC123",
        "a.json.xyzabc", "state.hQzRtB",
    ])
    func `The temporary files of programs are no documents, also where a pattern has no ending`(name: String)
        throws
    {
        let profile = try Profile(yaml: #"{profile: p, documents: {"*": {}, "d/*": {}}}"#, file: "p.yaml")
        #expect(!isDocumentName(name) && !profile.isDocument(name))
        #expect(TemporaryPattern.matching(name) != nil)
    }

    @Test(arguments: [
        "a.json", "4913.json", "a.tmp/b.json", "a~/b.json", "tmp-a.json", "a.part.json", "~a.json", "$a.json",
        "notes.folder", "notes.sqlite", "notes.BACKUP", "a.swp.json",
    ])
    func `Names that are only similar may be documents`(name: String) throws {
        let profile = try Profile(yaml: #"{profile: p, documents: {"*": {}, "*/*": {}}}"#, file: "p.yaml")
        #expect(profile.isDocument(name))
    }

    @Test func `With stores, only what the profile names is a document`() throws {
        var profile = try Profile(
            yaml: #"{profile: p, documents: {a.json: {views: []}, "notes/*": {}}}"#,
            file: "p.yaml"
        )
        #expect(profile.isDocument("session.json"))
        profile.syncOnlyNamed()
        for name in ["a.json", "notes/x.json", "notes/y"] { #expect(profile.isDocument(name)) }
        #expect(!profile.isDocument("session.json"))
        #expect(profile.filter.exclusion(of: "session.json") == .notNamed && !profile.filter.isEmpty)
    }
}
