extension Preset {
    /// Ways of writing that lose data.
    static let writers = [
        """
        name: truncate-writer
        about: >-
          The app truncates its file and writes it in two pieces. A bridge that copies whatever it finds shows
          the widget half of it. A bridge that reads before it copies waits until the file is whole.
        engine: copier
        documents: [{name: budget.json, padding: 40}]
        settings: {evidence: no}
        actors:
          app: {does: [truncate-and-write]}
          widget: {does: [subscribe, read-on-notice]}
          agent: {}
        expect: torn-read
        """,
        """
        name: write-in-place
        about: >-
          The app keeps its file open and writes two fields that always agree, one after the other, in a document
          that keeps its length. Between the two it parses, and is nothing that anybody saved. A bridge that does
          not ask who has the file open for writing brings it to the widget.
        engine: reads-open-files
        documents:
          - name: budget.json
            holds: '{"left":"i000000","note":"both sides of one pair","right":"i000000"}'
        settings: {evidence: no}
        actors:
          app: {does: [{write-in-place: budget.json, field: /left, second-field: /right}]}
          widget: {does: [subscribe, read-on-notice]}
          agent: {}
        expect: torn-read
        """,
        """
        name: read-modify-write
        about: >-
          The app reads, thinks, and saves. What the bridge has brought in between, the user's tap, it saves
          over. Read and put with the hash that was read instead.
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [read-modify-write]}
          widget: {does: [write]}
          agent: {}
        expect: lost-update
        """,
        """
        name: widget-killed
        about: >-
          The widget truncates its file and writes it in two pieces, and the system ends it between the two.
          Launched again, it reads what it left: half a document. A file that is renamed into place is whole,
          whenever its program is killed.
        documents: [{name: budget.json, padding: 40}]
        actors:
          widget: {does: [truncate-and-write]}
          fate: {does: [crash: widget]}
          agent: {}
        expect: torn-read
        """,
        """
        name: widget-tap-lost
        about: >-
          The user taps in the widget, and the bridge brings the tap to the app's container. The app keeps its
          document in memory, has not read it, and saves over it: by the bytes, it took the tap back. A bridge
          that hears who reads knows better.
        engine: deaf
        documents: [budget.json]
        settings: {evidence: yes}
        actors:
          app: {does: [write-from-memory]}
          widget: {does: [write, read]}
          agent: {}
        expect: lost-update
        """,
        """
        name: late-v1-save
        about: >-
          The widget already speaks version 2 and has saved what version 1 cannot say. Then the app, still in
          version 1, saves. A bridge that keeps nothing beside what it carries forgets what the app cannot say.
        engine: forgets-newest
        profile: budget
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {version: 1, does: [{write: budget.json, field: limit}]}
          widget: {version: 2, does: [{write: budget.json, field: expenseCount}]}
          agent: {}
        expect: lost-update
        """,
    ]

    /// Faulty bridges that lose data.
    static let engines = [
        """
        name: stat-recheck
        about: >-
          The bridge looks with stat whether the document is still what it read, and then renames over it. A tap
          that lands between the two is gone.
        engine: stat-recheck
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [write]}
          agent: {}
        expect: lost-update
        """,
        """
        name: swap-back
        about: >-
          The bridge exchanges its file with the document, finds a save that it had not expected, and swaps
          back. Whoever read in between has seen what never was.
        engine: swap-back
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          agent: {}
          widget: {does: [write]}
          reader: {kind: widget, does: [wait: 1ms, read]}
        expect: dirty-read
        """,
        """
        name: unlink-then-rename
        about: >-
          The bridge takes the old file away before it gives its name to the new one. A widget that looks in
          between finds nothing at all.
        engine: unlink-then-rename
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [read, read]}
          agent: {}
        expect: non-monotonic-read
        """,
        """
        name: notify-before-rename
        about: >-
          The bridge tells the widget to reload, and then puts the file in place. The widget reads the old one,
          and is content with it.
        engine: notify-before-rename
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [subscribe, read-on-notice]}
          agent: {}
        expect: premature-reload
        """,
        """
        name: debounce-too-short
        about: >-
          The app saves on every keystroke. A bridge that does not wait for more sends a reload for each, and
          the day's budget of reloads is gone.
        engine: debounce-too-short
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app:
            does: [write, wait: 3ms, write, wait: 3ms, write, wait: 3ms, write, wait: 3ms, write]
          widget: {does: [subscribe]}
          agent: {}
        expect: reload-storm
        """,
        """
        name: same-size-same-second
        about: >-
          Two saves within one tick of the file system's clock, both of the same length. A bridge that trusts
          size and time takes the second for the first.
        engine: same-size-same-second
        documents: [budget.json]
        machine: {grain: 1s}
        settings: {evidence: no}
        actors:
          app: {does: [{write-in-place: budget.json}, {write-in-place: budget.json}]}
          widget: {does: [read]}
          agent: {}
        expect: divergence
        """,
        """
        name: inode-reuse
        about: >-
          The app removes its file and writes another of the same length, which gets the number of the old one.
          A bridge that knows files by number and size sees nothing.
        engine: inode-reuse
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [unlink-and-write, wait: 200ms, unlink-and-write]}
          widget: {does: [read]}
          agent: {}
        expect: divergence
        """,
    ]

    /// Crashes and other faults.
    static let faults = [
        """
        name: base-before-files
        about: >-
          The bridge writes down that both sides agree, is killed, and starts again. The side it never wrote to
          now looks like the one that has changed, and its old content comes back over the new one.
        engine: base-before-files
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [read]}
          fate: {does: [crash: agent]}
          agent: {}
        expect: lost-update
        """,
        """
        name: crash-between-two-sides
        about: >-
          App and widget have both saved. The bridge writes the merge to the app's side, writes down that it is
          done, and is killed before it has written to the widget's.
        engine: base-between-sides
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [write]}
          fate: {does: [crash: agent]}
          agent: {}
        expect: lost-update
        """,
        """
        name: two-agents
        about: >-
          Somebody has started the bridge twice, with one state directory and no lock on it, where files
          bear no marks of what was published. One writes down there what both sides agree on while the
          other one is in the middle of its turn, which then takes what it has not read yet for deleted.
        engine: shared-state
        documents: [budget.json]
        settings: {evidence: no}
        actors:
          app: {does: [write]}
          widget: {does: [write]}
          agent: {}
          second: {kind: agent}
        expect: lost-update
        """,
    ]
}
