extension Preset {
    /// Faulty policies for when widgets reload, and a faulty queue of what their users do.
    static let widgets = [
        """
        name: reload-at-once
        about: >-
          The app saves a few times within a quarter of a second. A policy that reloads the widget with each
          change has soon spent the reloads of the day. One that waits a moment shows the last state with one.
        engine: reloads-at-once
        documents: [budget.json]
        widgets: {BudgetWidget: {document: budget.json}}
        settings: {evidence: no}
        actors:
          app: {does: [write, wait: 60ms, write, wait: 60ms, write, wait: 60ms, write]}
          widget: {does: [subscribe]}
          agent: {}
        expect: reload-storm
        """,
        """
        name: frozen-by-budget
        about: >-
          The app saves again and again, and only its stamp is new, which the widget does not show. A policy
          that reloads for that has no slot left when there is something to show: the widget freezes for a day.
        engine: reloads-for-nothing
        documents: [budget.json]
        widgets: {BudgetWidget: {document: budget.json, ignore: [/stamp], budget: 2}}
        settings: {evidence: no}
        actors:
          app:
            does:
              - {write: budget.json, field: stamp}
              - wait: 400ms
              - {write: budget.json, field: stamp}
              - wait: 400ms
              - write
          agent: {}
        expect: frozen-widget
        """,
        """
        name: stale-as-fresh
        about: >-
          The app saves, and is not used for a minute. A policy that looks at the age of what a widget shows
          only when the app saves again lets it pass for fresh until then.
        engine: stale-on-write
        documents: [budget.json]
        widgets: {BudgetWidget: {document: budget.json, stale: 10s}}
        settings: {evidence: no}
        actors:
          app: {does: [write, wait: 60s, write]}
          agent: {}
        expect: stale-as-fresh
        """,
        """
        name: tap-lost
        about: >-
          The user taps while the app is not running. A bridge that keeps the tap in memory loses it when it is
          killed. On the disk it stays until the app has acknowledged it, however often either is killed.
        engine: taps-in-memory
        documents: [habits.json]
        settings: {evidence: no}
        actors:
          widget: {does: [tap]}
          app: {does: [wait: 1s, take-taps, take-taps]}
          fate: {does: [crash: agent, crash: app]}
          agent: {}
        expect: lost-tap
        """,
        """
        name: clock-jump
        about: >-
          The user's clock is a day fast, and is put right. A policy that waits until the clock shows some time
          waits for a day; one that notices the jump moves all that it waits for.
        engine: trusts-clock
        documents: [budget.json]
        widgets: {BudgetWidget: {document: budget.json}}
        settings: {evidence: no}
        actors:
          app: {does: [write, wait: 500ms, write]}
          clock: {kind: fate, does: [put-clock-back: 86400s]}
          agent: {}
        expect: frozen-widget
        """,
    ]
}
