# What the scripts share. Sourced by them, never run.
set -euo pipefail

program=Scripts/$(basename "$0")
repository=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# Numbers and times are read and printed with a point.
export LC_NUMERIC=C

bold='' dim='' green='' red='' plain=''
if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
    bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
fi

# fail WORDS...: one line on standard error, and the end.
fail() {
    printf '%s: %s\n' "$program" "$*" >&2
    exit 1
}

# misuse WORDS...: as fail, for what was typed wrong.
misuse() {
    printf '%s: %s; try %s --help\n' "$program" "$*" "$program" >&2
    exit 64
}

# The comment at the head of a script is its help page.
show_help() {
    sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' "$0"
}

# milliseconds MICROSECONDS: as a person reads it.
milliseconds() {
    if (($1 < 100000)); then printf '%d.%d ms' $(($1 / 1000)) $(($1 % 1000 / 100)); else printf '%d ms' $(($1 / 1000)); fi
}

# microseconds: of the wall clock.
microseconds() {
    printf '%s' "${EPOCHREALTIME/./}"
}

# progress TITLE COMMAND...: runs the command, shows that it goes on, and what it printed if it fails.
progress() {
    local title=$1 log
    shift
    log=$(mktemp)
    if "$@" 2>&1 </dev/null | follow "$title" "$log"; then
        rm -f "$log"
    else
        printf '%s: this failed: %s\n' "$program" "$*" >&2
        tail -n 40 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

# follow TITLE LOG: copies standard input to LOG and draws how far it is: one line that is redrawn on a terminal,
# else one line at the start, one every half a minute and one at the end.
follow() {
    local title=$1 log=$2 start=$SECONDS next=30 line part='' step='' status
    [[ -t 1 ]] || printf '%s ...\n' "$title"
    while true; do
        status=0
        IFS= read -r -t 1 line || status=$?
        part+=$line
        if ((status == 0)); then
            printf '%s\n' "$part" >>"$log"
            if [[ $part =~ ^\[[0-9]+/[0-9]+\] ]]; then step=${BASH_REMATCH[0]}; fi
            part=''
        elif ((status <= 128)); then
            break
        fi
        if [[ -t 1 ]]; then
            printf '\r\e[K%s %s%d s %s%s' "$title" "$dim" $((SECONDS - start)) "$step" "$plain"
        elif ((SECONDS - start >= next)); then
            printf '%s: %d s %s\n' "$title" $((SECONDS - start)) "$step"
            next=$((next + 30))
        fi
    done
    [[ -z $part ]] || printf '%s\n' "$part" >>"$log"
    if [[ -t 1 ]]; then printf '\r\e[K'; fi
    printf '%s: %d s\n' "$title" $((SECONDS - start))
}

# What the build needs beyond Swift: the headers of SQLite and of libinotifytools; and the tests of the documentation
# ask the agent with curl.
missing_packages() {
    [[ -e /usr/include/sqlite3.h ]] || printf 'libsqlite3-dev\n'
    [[ -e /usr/include/inotifytools/inotifytools.h ]] || printf 'libinotifytools0-dev\n'
    command -v curl >/dev/null || printf 'curl\n'
    # The tests compare what they read and write with Python, SQLite and Java; nothing else needs them.
    if [[ $program == Scripts/test ]]; then
        [[ -x /usr/bin/python3 ]] || printf 'python3\n'
        command -v sqlite3 >/dev/null || printf 'sqlite3\n'
        [[ -x /usr/bin/javac ]] || printf 'default-jdk-headless\n'
    fi
}

# Installs what is missing, or says in one line what a person has to do.
install_missing() {
    local packages as_root=()
    command -v swift >/dev/null || fail "no swift on PATH; install Swift 6.2 or later (https://www.swift.org/install)"
    mapfile -t packages < <(missing_packages)
    if ((${#packages[@]} == 0)); then return; fi
    command -v apt-get >/dev/null ||
        fail "no apt-get here; install what Debian packages as ${packages[*]}, then run this again"
    if ((EUID != 0)); then
        may_sudo || fail "not root and no sudo; as root: apt-get install ${packages[*]}"
        as_root=(sudo -n)
    fi
    progress "Looking for packages" "${as_root[@]}" apt-get update ||
        printf '%s: going on with the package lists as they are\n' "$program" >&2
    progress "Installing ${packages[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "${packages[@]}" ||
        fail "cannot install ${packages[*]}; install them by hand, then run this again"
}

# Asks for the password only where somebody can type it.
may_sudo() {
    command -v sudo >/dev/null || return 1
    if [[ -t 0 ]]; then sudo -v; else sudo -n true 2>/dev/null; fi
}

# documents_core: prints the files of `Sources/Documents` that need no package: all but what reads profiles, which is
# YAML. By their types, as comments speak of YAML, too.
documents_core() {
    grep -rL -e YAMLField -e Yams -e 'Profile(yaml:' "$repository/Sources/Documents" --include='*.swift' |
        grep -v /BuiltIn/
}

# What a script runs; one that needs more adds to it.
products=(widgetbridge widgetbridge-watch)

# build CONFIGURATION OPTION...: builds these and sets `binaries` to the directory that holds them.
build() {
    local options=(--package-path "$repository" --configuration "$1" "${@:2}") product
    for product in "${products[@]}"; do
        progress "Building $product ($1)" swift build "${options[@]}" --product "$product" || fail "the build failed"
    done
    binaries=$(swift build "${options[@]}" --show-bin-path)
}

# programs CONFIGURATION OPTION...: as build, unless the environment says where they are.
programs() {
    if [[ -n ${WIDGETBRIDGE_BIN:-} ]]; then
        binaries=$WIDGETBRIDGE_BIN
        local product
        for product in "${products[@]}"; do
            [[ -x $binaries/$product ]] || fail "no $product in $binaries, where WIDGETBRIDGE_BIN points"
        done
    else
        install_missing
        build "$@"
    fi
}

# The processes a script has started, and its own directory: both are gone when it ends, however it ends.
started=()
workspace=''

in_workspace() {
    workspace=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/widgetbridge.XXXXXX")
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

clean_up() {
    local pid
    for pid in "${started[@]}"; do stop "$pid"; done
    [[ -z $workspace ]] || rm -rf "$workspace"
}

# stop PID: asks it to end, insists after five seconds, and waits until it has. One that has ended long ago may have
# left its number to somebody else's process, which is let alone.
stop() {
    local pid=$1 tries=0 parent
    parent=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status" 2>/dev/null) || true
    [[ $parent == "$$" || $parent == "$BASHPID" ]] || return 0
    kill -CONT "$pid" 2>/dev/null || true
    kill -TERM "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null && ((++tries < 100)); do sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}

# launch NAME COMMAND...: starts it, waits for its line "ready"; its process id is in `launched`.
launch() {
    local fifo=$workspace/$1.out line='' says
    shift
    rm -f "$fifo" && mkfifo "$fifo"
    "$@" >"$fifo" 2>>"$workspace/log" &
    launched=$!
    started+=("$launched")
    exec {says}<"$fifo"
    IFS= read -r -t 60 line <&"$says" && [[ $line == ready ]] ||
        fail "not ready: $* ($(tail -n 3 "$workspace/log"))"
}

# switches FILE...: how often each of these threads gave up a processor, by its status file.
switches() {
    { grep -Hs ctxt_switches "$@" || true; } |
        awk -F : '{ sum[$1] += $3 } END { for (name in sum) print name, sum[name] }' | sort
}

# wakeups SECONDS PID...: how often their threads gave up a processor. One that ends meanwhile is not counted.
wakeups() {
    local tasks=("${@:2}")
    tasks=("${tasks[@]/#//proc/}")
    switches $(printf '%s/task/*/status ' "${tasks[@]}") >"$workspace/before"
    sleep "$1"
    switches $(cut -d ' ' -f 1 "$workspace/before") >"$workspace/after"
    join "$workspace/before" "$workspace/after" | awk '{ sum += $3 - $2 } END { print sum + 0 }'
}
