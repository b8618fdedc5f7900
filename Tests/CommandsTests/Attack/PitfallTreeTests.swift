import AgentClient
import BridgeRuntime
import Glibc
import Model
import TestWorld
import Testing

/// The pitfalls of watching directories, with the real agent.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PitfallTreeTests {
    @Test func pitfall02_documentsInDirectoriesRenamedByFourAtOnceFollow() async throws {
        try await Attacked.with(
            prepare: "for t in 1 2 3 4; do mkdir -p app/t$t/0 && echo $t > app/t$t/0/a.json; done"
        ) {
            try await $0.shell(
                "for t in 1 2 3 4; do (cd app/t$t; for n in {0..99}; do mv $n $((n + 1)); done) & done; wait"
            )
            try await $0.expectSame(4)
        }
    }

    @Test func pitfall03_documentsOfATreeThatIsMovedOutGoAndItIsSilentThen() async throws {
        try await Attacked.with(prepare: "mkdir -p app/sub/deep && echo 1 > app/sub/deep/a.json") {
            attacked in
            try await attacked.shell("mv app/sub outside")
            try await attacked.expectSame(0)
            let before = try await attacked.client.status().counters
            try await attacked.shell(
                "mkdir outside/deep/er && echo 2 | tee outside/deep/{a,b}.json outside/deep/er/c.json"
            )
            try await attacked.expectSame(0)
            #expect(try await attacked.client.status().counters.changes == before.changes)
        }
    }

    @Test func pitfall04_everyDocumentOfATreeThatIsMovedInComes() async throws {
        let make = "for n in {1..50}; do mkdir -p outside/d$n/deep && echo $n > outside/d$n/deep/a.json; done"
        try await Attacked.with(prepare: make) {
            try await $0.shell("mv outside app/inside")
            try await $0.expectSame(50)
        }
    }

    @Test func pitfall05_aDocumentInDirectoriesJustMadeIsThereAfterEachWait() async throws {
        try await Attacked.with { attacked in
            for round in 1...30 {
                let top = "app/n\(round)"
                try await attacked.shell("mkdir -p \(top)/b/c/d && echo \(round) > \(top)/b/c/d/a.json")
                try await attacked.expectSame(round)
            }
        }
    }

    @Test func pitfall07_aContainerThatIsDeletedAndMadeAgainTakesNothingFromTheOther() async throws {
        try await Attacked.with { attacked in
            let before = attacked.documents(.group)
            try #require(before.count == Attacked.bystanders)
            try await attacked.shell("rm -rf app")
            #expect(await attacked.refusal() != nil)
            #expect(try await attacked.client.status().state == .halted)
            try await attacked.shell("mkdir app && echo 1 > app/new.json")
            #expect(await attacked.refusal() != nil)
            #expect(attacked.documents(.group) == before)
            #expect(attacked.documents(.app) == ["new.json": "1\n"])
        }
    }

    @Test func pitfall08_aContainerThatIsRenamedHaltsAndGoesOnWhenItIsBack() async throws {
        try await Attacked.with { attacked in
            try await attacked.shell("mv app away && echo 1 > away/new.json && rm away/b1.json")
            #expect(await attacked.refusal() == .halted(reason: .reported("the app container is gone")))
            #expect(attacked.documents(.group).count >= Attacked.bystanders)
            try await attacked.shell("mv away app")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }

    /// The kernel reports nothing when a parent directory is renamed.
    @Test func pitfall08_aContainerWhoseParentIsRenamedHaltsAndGoesOnWhenItIsBack() async throws {
        try await Attacked.with(prepare: "mkdir top && mv app top/app && ln -s top/app app") { attacked in
            try await attacked.shell("mv top away && echo 1 > away/app/new.json && rm away/app/b1.json")
            #expect(await attacked.refusal() == .halted(reason: .reported("the app container is gone")))
            #expect(attacked.documents(.group).count >= Attacked.bystanders)
            try await attacked.shell("mv away top")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }

    @Test func pitfall09_aDirectoryThatIsDeletedAndMadeAgainIsCarriedLikeAnyOther() async throws {
        try await Attacked.with { attacked in
            for round in 1...20 {
                try await attacked.shell("mkdir -p app/d/e && echo \(round) > app/d/e/a.json")
                try await attacked.expectSame(round)
                try await attacked.shell("rm -r app/d && mkdir -p app/d/e && echo \(round) > app/d/e/b.json")
                try await attacked.expectSame(round)
                try await attacked.shell("mv app/d app/old\(round)")
            }
            try await attacked.expectSame(20)
        }
    }

    @Test func pitfall10_aDirectoryThatComesAndGoesAThousandTimesIsStillSeen() async throws {
        try await Attacked.with { attacked in
            let path = attacked.bridge.app + "/d"
            for _ in 0..<1_000 {
                unsafe mkdir(path, 0o755)
                unsafe rmdir(path)
            }
            try await attacked.shell("mkdir app/d && echo 1 > app/d/a.json")
            try await attacked.expectSame(1)
        }
    }

    @Test func pitfall13_linksAreNeitherEnteredNorCarried() async throws {
        let make =
            "mkdir -p app/a outside; echo 1 > outside/o.json; ln -s . app/a/loop; ln -s ../../outside app/a/away"
        try await Attacked.with(prepare: make) { attacked in
            try await attacked.shell(
                "echo 2 > outside/p.json; ln -s /dev/zero app/a/zero; echo 3 > app/a/real.json"
            )
            try await attacked.wait()
            #expect(attacked.documents(.group).count == Attacked.bystanders + 1)
            #expect(attacked.documents(.group)["a/real.json"] == "3\n")
        }
    }

    @Test func pitfall13_aDirectoryThatIsSwappedForALinkTakesNobodyOutAndLosesNothing() async throws {
        let make =
            "mkdir -p app/d outside; echo 1 > app/d/a.json; echo secret > outside/a.json; ln -s ../outside app/l"
        try await Attacked.with(prepare: make) { attacked in
            let (one, other) = (attacked.bridge.app + "/d", attacked.bridge.app + "/l")
            for round in 0..<400 {
                exchange(one, other)
                if round % 40 == 0 {
                    try? await attacked.client.wait(timeout: .milliseconds(20), rehash: true)
                }
            }
            // If it was seen as a directory, it is a document and then a link: not a deletion.
            if let refusal = await attacked.refusal() {
                guard case .held(document: "l/a.json", reason: _, _) = refusal else { throw refusal }
            }
            try await attacked.shell("rm app/l")
            try await attacked.expectSame(1)
            #expect(attacked.documents(.group)["d/a.json"] == "1\n")
            #expect(try await attacked.shell("cat outside/a.json; ls outside") == "secret\na.json\n")
        }
    }

    @Test func pitfall28_aStormOfATreeUnpackedAndRemovedEndsInWhatIsThere() async throws {
        let make =
            "for n in {1..300}; do mkdir -p tree/d$((n % 37)) && echo $n > tree/d$((n % 37))/f$n.json; done"
        try await Attacked.with(prepare: make) { attacked in
            try await attacked.shell(
                "cp -r tree app/one; cp -r tree app/two; rm -r app/one; cp -r tree app/three"
            )
            try await attacked.expectSame(600)
        }
    }

    @Test func pitfall29_whatIsTooDeepForAPathStopsNothingElse() async throws {
        try await Attacked.with { attacked in
            let down =
                "n=$(printf 'n%.0s' {1..250}); for i in {1..20}; do mkdir $n && cd $n; done; echo 1 > deep.json"
            try await attacked.shell("cd app && \(down)")
            try await attacked.shell(
                "echo 2 > app/beside.json; d=app/$(printf 'n%.0s' {1..250}); echo 3 > $d/a.json"
            )
            _ = await attacked.refusal()
            #expect(attacked.documents(.group)["beside.json"] == "2\n")
            #expect(attacked.documents(.group)[String(repeating: "n", count: 250) + "/a.json"] == "3\n")
            try await attacked.shell("rm -rf app/nnn* group/nnn*")
            try await attacked.expectSame(1)
        }
    }

    @Test func pitfall31_aDirectoryThatCannotBeReadDeletesNothing() async throws {
        let user = Wrapper.stranger
        let make =
            "mkdir -p app/closed/deep; echo 1 > app/closed/deep/a.json; echo 2 > app/closed/b.json; "
            + "chown -R \(user):\(user) . ; chmod 755 ."
        try await Attacked.with("--rescan", "1s", through: Wrapper.unprivileged, prepare: make) { attacked in
            try await attacked.expectSame(2)
            let before = attacked.documents(.group)
            for directory in ["app/closed", "group/closed"] {
                try await attacked.shell("chmod 000 \(directory)")
                let refusal = try #require(await attacked.refusal())
                guard case .held(let document, let reason, _) = refusal else { throw refusal }
                #expect(document.hasPrefix("closed/") && reason?.text.contains("Permission denied") == true)
                #expect(attacked.documents(.group) == before)
                try await attacked.shell("chmod 755 \(directory)")
                try await attacked.expectSame(2)
            }
        }
    }
}
