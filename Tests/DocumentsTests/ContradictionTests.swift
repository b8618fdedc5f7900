import Documents
import Testing

@Suite struct ContradictionTests {
    @Test(
        "rules that contradict each other, or never hold, are refused with their line",
        arguments: [
            (
                "    kinds: {K: {refresh: {every: 5 min, least: 10 min}}}",
                "`every` is shorter than `least`, so no time fits both"
            ),
            (
                "    kinds: {K: {refresh: {least: 2 h, most: 90 min}}}",
                "`most` is shorter than `least`, so no time fits both"
            ),
            ("    kinds: {K: {refresh: {least: 1 h, daily: [08:00]}}}", "`least` needs `every`"),
            ("    kinds: {K: {refresh: {most: 1 h}}}", "`most` needs `every`"),
            (
                "    kinds: {K: {refresh: {every: 0 min}}}",
                "expected a time whose number is from 1 to 999999, found `0 min`"
            ),
            (
                "    kinds: {K: {refresh: {every: 1000000 h}}}",
                "expected a time whose number is from 1 to 999999, found `1000000 h`"
            ),
            (
                "    kinds: {K: {refresh: {daily: [08:00, 20:00, 08:00]}}}",
                "`08:00` is listed twice: remove one of the two"
            ),
            (
                "    kinds: {K: {families: [small, medium, small]}}",
                "`small` is listed twice: remove one of the two"
            ),
            (
                "    kinds: {K: {families: []}}",
                "the widget has no size then: name one, or leave out `families`"
            ),
            (
                "    kinds: {K: {families: {}}}",
                "the widget has no size then: name one, or leave out `families`"
            ),
            ("    kinds: {K: {families: [small, '']}}", "expected a name, found ``"),
            ("    kinds: {K: {families: {'': 3}}}", "expected a name, found ``"),
            ("    kinds: {K: {families: {small: 0}}}", "expected a whole number from 1, found `0`"),
            (
                "    kinds: {K: {retry: {after: 0 s}}}",
                "expected a time whose number is from 1 to 3600000, found `0 s`"
            ),
            (
                "    errors: {stale: {when: {required: [d]}}}",
                "the program itself tells what is `stale`: use another name, or leave out `when`"
            ),
            (
                "    errors: {incompatible: {text: old, when: {}}}",
                "the program itself tells what is `incompatible`: use another name, or leave out `when`"
            ),
            ("    kinds: {'': {}}", "expected a name, found ``"),
            (
                "    kinds: {K: {refresh: {every: 2 h, most: 90 min}}}",
                "`most` is shorter than `every`, so no time fits both"
            ),
            (
                "    kinds: {K: {shows: [/d/a], ignore: [/d/*]}}",
                "`ignore` leaves nothing of what it shows, so it never reloads: shorten one of them"
            ),
            ("    kinds: {K: {retry: {times: 0}}}", "expected a whole number from 1 to 100, found `0`"),
            ("    stale: {after: 1 h, missing: fresh}", "`missing` needs `field`"),
            (
                "    errors: {x: {when: {required: [d]}}, y: {when: {required: [d]}}}",
                "a document that fits it shows `x`, which stands before it: change one of the two"
            ),
            (
                "    errors: {x: {when: {type: object, not: {}}}, y: {when: {not: {}, type: object}}}",
                "a document that fits it shows `x`, which stands before it: change one of the two"
            ),
            (
                "    errors: {x: {when: {}}, y: {when: {required: [d]}}}",
                "a document that fits it shows `x`, which stands before it: change one of the two"
            ),
            (
                "    activities: {A: {list: /d, start: {before: /t, times: [1 d]}, end: {when: true}}}",
                "each element fits it, so no activity ever starts"
            ),
            (
                "    activities: {d.json: {list: /d, start: {before: /t, times: [1 d]}}}",
                "`d.json` is a kind of widget: give the activity a name of its own"
            ),
            (
                "    activities: {A: {list: /d, start: {before: /t, times: [0 d]}, end: {late: 0 min}}}",
                "an activity that starts at its time ends at once: give a longer `late`"
            ),
            (
                "    activities: {A: {list: /d, start: {before: /t, times: []}}}",
                "`times` is empty, so no activity ever starts"
            ),
            (
                "    activities: {A: {list: /d, start: {percent: /t, of: /u, from: []}}}",
                "`from` is empty, so no activity ever starts"
            ),
            (
                "    activities: {A: {list: /d, start: {before: /t, times: [1 d], percent: /u}}}",
                "an activity starts by `before` or by `percent`: remove one of the two"
            ),
            (
                "    activities: {A: {list: /d, start: {percent: /t, of: /u, from: [9]}, end: {late: 1 h}}}",
                "`late` needs `before`"
            ),
            (
                "timeZone: {name: Europe/Rome, rule: CET-25}",
                "expected a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, found `CET-25`"
            ),
            (
                "timeZone: {name: Europe/Rom, rule: CET-1}",
                "the IANA time zone database has no `Europe/Rom`; a name is such as `Europe/Rome` or `UTC`"
            ),
        ]
    )
    func refusesContradictions(extra: String, reason: String) {
        #expect {
            try Profile(
                yaml: "profile: p\ndocuments:\n  d.json:\n    onInvalid: hold\n\(extra)",
                file: "p.yaml"
            )
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            let text = error.reason.text
            if text != reason || error.line != 5 { Issue.record("\(error.line): \(text)") }
            return true
        }
    }
}
