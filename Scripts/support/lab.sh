# Part of Scripts/bench: the race lab.

# explored NAME SECONDS ARGUMENT...: measures how many schedules the race lab runs per second of processor time, and
# how many steps they have. Anomalies that it finds do not matter here, nor that the time is up before
# there is a verdict (2).
explored() {
    local TIMEFORMAT='%U + %S' status=0 used report schedules
    { time "$binaries/widgetbridge" race explore --seconds "$2" --json "${@:3}" \
        >"$workspace/explored" 2>>"$workspace/log" || status=$?; } 2>"$workspace/used"
    ((status <= 2)) || fail "could not measure $1: $(tail -n 3 "$workspace/log")"
    report=$(<"$workspace/explored") used=$(<"$workspace/used")
    schedules=$(($(member schedules "$report") + $(member randomSchedules "$report")))
    result[lab.$1.schedules]=$schedules
    result[lab.$1.per_second]=$(calculate %d "$schedules / ($used)")
    result[lab.$1.steps]=$(calculate %d "$(member steps "$report") / $schedules")
}
# member NAME JSON: prints the first member of that name, a number.
member() { [[ $2 =~ \"$1\":([0-9]+) ]] && printf '%s' "${BASH_REMATCH[1]}"; }

lab_scenario() {
    printf 'documents: [budget.json]\nactors: {app: {does: [write]}, widget: {does: [read]}, agent: {}}\n' \
        >"$workspace/three.yaml"
}

# Memory of a schedule, and the time to find, shrink and draw the anomaly of a preset.
racing() {
    local before
    lab_scenario
    explored three "$exploring" "$workspace/three.yaml"
    explored two_agents "$exploring" two-agents --own-engine
    # Here nothing is to wait for a disk.
    [[ $(stat -f -c %T /dev/shm 2>/dev/null) != tmpfs ]] ||
        explored real "$exploring" "$workspace/three.yaml" --real /dev/shm
    before=$(microseconds)
    "$binaries/widgetbridge" race explore stat-recheck --html "$workspace/race.html" >/dev/null || (($? == 1)) ||
        fail "could not measure stat-recheck"
    result[lab.preset]=$(($(microseconds) - before))
}

# The lab's memory after a tenth of its schedules, and when most are done.
lab_memory() {
    local seconds=${lab:-10} id
    lab_scenario
    "$binaries/widgetbridge" race explore "$workspace/three.yaml" --seconds "$seconds" --json >"$workspace/explored" &
    id=$!
    started+=("$id")
    sleep "$(calculate %f "$seconds / 10")"
    result[lab.memory_tenth]=$(kilobytes "$id" RssAnon)
    sleep "$(calculate %f "$seconds * 0.75")"
    result[lab.memory]=$(kilobytes "$id" RssAnon)
    wait "$id" || fail "could not measure the lab's memory"
    result[lab.memory_schedules]=$(member randomSchedules "$(<"$workspace/explored")")
}

evaluate_lab() {
    local more=$((result[lab.memory] - result[lab.memory_tenth]))
    compare "lab, $(millions "${result[lab.memory_schedules]}") schedules" "${result[lab.memory_tenth]} kB" \
        "${result[lab.memory]} kB" "$more" 1024 "kB more than at a tenth"
    [[ ! $lab ]] || return 0
    compare "lab, 3 actors, ${result[lab.three.steps]} steps" "" "${result[lab.three.per_second]} /s" \
        "$(calculate %.2f "5000 / ${result[lab.three.per_second]}")" 1 "x the time at 5,000 /s"
    compare "  two agents, ${result[lab.two_agents.steps]} steps" "" "${result[lab.two_agents.per_second]} /s" \
        "$(calculate %.2f "2500 / ${result[lab.two_agents.per_second]}")" 1 "x the time at 2,500 /s"
    [[ ! ${result[lab.real.steps]:-} ]] ||
        compare "  on real files, ${result[lab.real.steps]} steps" "" "${result[lab.real.per_second]} /s" \
            "$(calculate %.2f "500 / ${result[lab.real.per_second]}")" 1 "x the time at 500 /s"
    compare "  a preset found and drawn" "" "$((result[lab.preset] / 1000)) ms" "$((result[lab.preset] / 1000))" 2000 ms
}
millions() { calculate %.1f "$1 / 1000000" && printf ' million'; }
