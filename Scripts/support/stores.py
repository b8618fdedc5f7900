"""Measures a bridge whose documents are in the apps' own stores, and is the floor to compare it with.

    stores.py fill CASE A B                        both stores, with other values beside the document
    stores.py floor CASE A B                       carries the document from A to B, whatever that replaces
    stores.py latency CASE ROUNDS GAP A1 B1 A2 B2  saves in turns in A1 and A2, until B1 and B2 have it

CASE is a platform, an app, and how much there is beside its document, as `android-budget-2000`: keys of a preferences
file or values of 1,000 bytes in AsyncStorage; bytes of the row in a database.
Results are lines of `NAME VALUE`; times are milliseconds. Only Python's own library reads and writes the stores: there
is no C library for three of the four formats.
"""

import contextlib
import ctypes
import json
import os
import plistlib
import select
import sqlite3
import statistics
import sys
import time
import xml.etree.ElementTree as ElementTree


class File:
    """A store that is replaced as a whole."""

    def __init__(self, path, key):
        self.path, self.key = path, key

    def replace(self, data):
        temporary = self.path + ".new"
        with open(temporary, "wb") as file:
            file.write(data)
        self.saved = time.perf_counter()
        os.rename(temporary, self.path)

    def has(self, mark):
        with contextlib.suppress(FileNotFoundError), open(self.path, "rb") as file:
            data = file.read()
            return mark.encode() in data or mark.encode("utf-16-be") in data
        return False

    def fill(self, count):
        pass


class PropertyList(File):
    type = str

    def load(self):
        try:
            with open(self.path, "rb") as file:
                return plistlib.load(file)
        except FileNotFoundError:
            return {}

    def read(self):
        return self.load().get(self.key)

    def write(self, text):
        values = self.load()
        values[self.key] = self.type(text, "utf-8") if self.type is bytes else text
        self.replace(plistlib.dumps(values, fmt=plistlib.FMT_BINARY))

    def fill(self, count):
        self.replace(plistlib.dumps({f"other{n}": f"value {n}" for n in range(count)}, fmt=plistlib.FMT_BINARY))


class Data(PropertyList):
    type = bytes


class Preferences(File):
    def load(self):
        try:
            return ElementTree.parse(self.path).getroot()
        except FileNotFoundError:
            return ElementTree.Element("map")

    def entry(self, root):
        return next((entry for entry in root if entry.get("name") == self.key), None)

    def read(self):
        entry = self.entry(self.load())
        return None if entry is None else entry.text

    def write(self, text):
        root = self.load()
        entry = self.entry(root)
        if entry is None:
            entry = ElementTree.SubElement(root, "string", name=self.key)
        entry.text = text
        self.replace(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))

    def fill(self, count):
        root = ElementTree.Element("map")
        for number in range(count):
            ElementTree.SubElement(root, "string", name=f"other{number}").text = f"value {number}"
        self.replace(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


class Manifest(File):
    def load(self):
        try:
            with open(self.path, "rb") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def read(self):
        return self.load().get(self.key)

    def write(self, text):
        self.replace(json.dumps(self.load() | {self.key: text}).encode())

    def fill(self, count):
        self.replace(json.dumps({f"other{number}": "x" * 1000 for number in range(count)}).encode())


class Row:
    """The one row of a TinyBase database."""

    def __init__(self, path, _):
        self.path, self.connection = path, None

    def open(self):
        if not self.connection:
            self.connection = sqlite3.connect(self.path, isolation_level=None, timeout=10)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.execute('CREATE TABLE IF NOT EXISTS "tinybase" ("_id" PRIMARY KEY,"store")')
        return self.connection

    def read(self):
        row = self.open().execute("SELECT store FROM tinybase WHERE _id = '_'").fetchone()
        return row and row[0]

    def write(self, text):
        self.saved = time.perf_counter()
        self.open().execute("INSERT OR REPLACE INTO tinybase VALUES ('_', ?)", (text,))

    def has(self, mark):
        return mark in (self.read() or "")

    def fill(self, count):
        self.open()


CASES = {
    "ios-budget": (
        PropertyList, "Library/Preferences/com.ecologicaleaving.fin.plist", "flutter.widget_data",
        PropertyList, "Library/Preferences/group.com.family.financetracker.plist", "flutter.widget_data",
    ),
    "android-budget": (
        Preferences, "shared_prefs/FlutterSharedPreferences.xml", "flutter.widget_data",
        Preferences, "shared_prefs/HomeWidgetPreferences.xml", "widgetDataJson",
    ),
    "ios-habits": (Row, "Documents/SQLite/beebloom.db", "", Row, "beebloom.db", ""),
    "ios-balances": (
        Manifest,
        "Library/Application Support/com.heywood8.monkeep/RCTAsyncLocalStorage_V1/manifest.json",
        "penny_widget_data",
        Data, "Library/Preferences/group.com.heywood8.monkeep.plist", "penny_widget_data",
    ),
}


def stores(case, a, b):
    """The two stores, and how much there is beside the document."""
    platform, app, size = case.split("-")
    ours, name, key, theirs, other, other_key = CASES[f"{platform}-{app}"]
    for directory in (os.path.join(a, name), os.path.join(b, other)):
        os.makedirs(os.path.dirname(directory), exist_ok=True)
    return ours(os.path.join(a, name), key), theirs(os.path.join(b, other), other_key), int(size)


def document(case, mark):
    platform, app, size = case.split("-")
    if app == "habits":
        titles = [mark] + ["A habit of thirty characters __"] * (int(size) // 100)
        habits = {
            f"h{n}": {"id": f"h{n}", "title": title, "order": n, "createdAt": "2026-01-03T08:00:00.000Z"}
            for n, title in enumerate(titles)
        }
        return json.dumps([{"habits": habits, "habitGroups": {}, "checks": {}}, {}])
    if app == "balances":
        total = {"currency": "EUR", "total": "1000.00", "formatted": mark}
        return json.dumps({"totalsByCurrency": [total], "accountCount": 3, "lastUpdate": "2026-01-18T14:30:00.000Z"})
    return json.dumps({
        "spent": 450.5, "limit": 800, "month": mark, "currency": "EUR", "isDarkMode": False,
        "lastUpdated": "2026-01-18T14:30:00.000Z", "groupId": "123e4567-e89b-12d3-a456-426614174000",
    })


def fill(case, a, b):
    app, group, size = stores(case, a, b)
    for store in (app, group):
        store.fill(size)
    app.write(document(case, "At 2026"))
    group.write(document(case, "At 2026"))


class Watch:
    """The kernel's events of the directory of a store."""

    def __init__(self, store):
        libc = ctypes.CDLL(None, use_errno=True)
        self.file = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        # Modified, closed after writing, moved to.
        directory = os.path.dirname(store.path).encode()
        if self.file < 0 or libc.inotify_add_watch(self.file, directory, 0x2 | 0x8 | 0x80) < 0:
            sys.exit(f"cannot watch {directory}")

    def wait(self, seconds):
        select.select([self.file], [], [], seconds)
        with contextlib.suppress(BlockingIOError):
            while os.read(self.file, 1 << 16):
                pass


def floor(case, a, b):
    app, group, _ = stores(case, a, b)
    watch, last = Watch(app), None
    print("ready", flush=True)
    while True:
        watch.wait(None)
        # The last event of a commit comes before it shows.
        for _ in range(10):
            text = app.read()
            if text is not None and text != last:
                last = text
                group.write(text)
                break
            watch.wait(0.0002)


def latency(case, rounds, gap, *containers):
    contenders = []
    for number in range(2):
        app, group, _ = stores(case, *containers[2 * number:2 * number + 2])
        contenders.append((app, group, Watch(group), []))
    lost = [0, 0]
    for number in range(int(rounds)):
        for which, (app, group, watch, times) in enumerate(contenders):
            mark = f"M{number:05}.{which} 2026"
            text = document(case, mark)
            app.write(text)
            while not group.has(mark):
                if time.perf_counter() - app.saved > 10:
                    lost[which] += 1
                    break
                # The last event of a commit comes before it shows.
                watch.wait(0.0002)
            else:
                times.append((time.perf_counter() - app.saved) * 1000)
            time.sleep(float(gap) / 1000)
    for which, (_, _, _, times) in enumerate(contenders):
        if not times:
            sys.exit("nothing arrived")
        print(f"{which}.p50 {statistics.median(times):.3f}")
        print(f"{which}.lost {lost[which]}")


{"fill": fill, "floor": floor, "latency": latency}[sys.argv[1]](*sys.argv[2:])
