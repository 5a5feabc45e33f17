"""Opens heap snapshots in the code of Chrome's DevTools, and profiles in `go tool pprof`.

    python3 -B Tests/Browser/heap_snapshot_tests.py .build/release

The folder has memlab and the fixture WatchedProgram. What is shown is compared with what the fixture
was told to keep. Without a browser nothing is tested, and without Go no profile is opened.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import chromium

# The front end of DevTools is part of the browser. Its model of a snapshot runs in a page, too; what it
# would do in a second worker, it does in the same one here.
FIND = """
import('devtools://devtools/bundled/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js')
  .then(found => { globalThis.model = found; return true; }, () => false)
"""
OPEN = """
(() => {
  const {HeapSnapshotLoader, HeapSnapshot, HeapSnapshotWorkerDispatcher} = model;
  globalThis.opened = {};
  const dispatcher = new HeapSnapshotWorkerDispatcher.HeapSnapshotWorkerDispatcher(() => {});
  globalThis.open = async (name, text) => {
    const loader = new HeapSnapshotLoader.HeapSnapshotLoader(dispatcher);
    loader.write(text);
    loader.close();
    const channel = new MessageChannel();
    new HeapSnapshot.SecondaryInitManager(channel.port2);
    opened[name] = await loader.buildSnapshot(channel.port1);
  };
  globalThis.counts = name => Object.fromEntries(
    Object.values(opened[name].aggregatesWithFilter({})).map(one => [one.name, one.count]));
  globalThis.added = (before, after) => {
    const diff = opened[after].calculateSnapshotDiff(
      before, opened[before].aggregatesForDiff(opened[after].interfaceDefinitions()));
    return Object.fromEntries(
      Object.values(diff).map(one => [one.name, [one.addedCount, one.removedCount]]));
  };
})()
"""


class Watched:
    """The fixture, watched by memlab."""

    def __init__(self, folder):
        self.memlab, self.place = os.path.join(folder, "memlab"), tempfile.mkdtemp()
        os.chmod(self.place, 0o700)
        self.environment = dict(os.environ, MEMLAB_SOCKETS=self.place)
        self.process = subprocess.Popen(
            [self.memlab, "watch", "--", os.path.join(folder, "WatchedProgram")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env=self.environment)
        self.number = self.process.stdout.readline().split()[1]

    def do(self, request):
        self.process.stdin.write(request + "\n")
        assert self.process.stdout.readline() == "done\n"

    def snapshot(self, name, form):
        path = os.path.join(self.place, name)
        subprocess.run(
            [self.memlab, "snapshot", self.number, path, "--format", form],
            env=self.environment, check=True, stdout=subprocess.DEVNULL)
        return next(path + end for end in [".heapsnapshot", ".pb"] if os.path.exists(path + end))

    def close(self):
        self.process.stdin.write("exit 0\n")
        self.process.wait()
        shutil.rmtree(self.place)


def evaluate(browser, script):
    answer = browser.call(
        "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        raise chromium.PageError(json.dumps(answer["exceptionDetails"])[:1000])
    return answer["result"].get("value")


def load(browser, name, path):
    evaluate(browser, "globalThis.text = ''")
    with open(path) as file:
        while part := file.read(1 << 15):
            evaluate(browser, "text += " + json.dumps(part))
    evaluate(browser, "open('%s', text)" % name)


def expect(what, found, wanted):
    print("%s %s: %s" % ("ok" if found == wanted else "WRONG", what, found))
    return found == wanted


def test_devtools(program, browser):
    browser.call("Page.navigate", url="devtools://devtools/bundled/devtools_app.html")
    while evaluate(browser, "document.readyState") != "complete":
        pass
    if not evaluate(browser, FIND):
        print("skipped: the front end of this browser keeps its model of a snapshot elsewhere")
        return True
    evaluate(browser, OPEN)
    for request in ["remember 40", "subscribe 5"]:
        program.do(request)
    load(browser, "before", program.snapshot("before", "heapsnapshot"))
    program.do("remember 30")
    load(browser, "after", program.snapshot("after", "heapsnapshot"))
    before, after = [evaluate(browser, "counts('%s')" % name) for name in ["before", "after"]]
    added = evaluate(browser, "added('before', 'after')")
    return all([
        expect("sessions before", before.get("Session"), 40),
        expect("sessions after", after.get("Session"), 70),
        expect("notes after", after.get("Note"), 140),
        expect("subscriptions", after.get("Subscription"), 5),
        expect("sessions that are new and gone", added.get("Session"), [30, 0]),
    ])


def test_pprof(program):
    path = program.snapshot("profile", "pprof")
    text = subprocess.run(
        ["go", "tool", "pprof", "-top", "-nodecount=1000", "-nodefraction=0",
         "-sample_index=inuse_objects", path], capture_output=True, text=True, check=True).stdout
    flat = {line.split(None, 5)[5]: int(line.split()[0])
            for line in text.splitlines() if line.count("%") == 3 and line.split()[0].isdigit()}
    return all([
        expect("sessions in the profile", flat.get("Session"), 70),
        expect("notes in the profile", flat.get("Note"), 140),
    ])


def main():
    if not chromium.installed():
        print("skipped: there is no browser")
        return 0
    program, browser = Watched(sys.argv[1]), chromium.Browser(chromium.installed())
    try:
        results = [test_devtools(program, browser)]
        if shutil.which("go"):
            results.append(test_pprof(program))
        else:
            print("skipped: there is no Go, whose pprof would open the profile")
    finally:
        browser.close()
        program.close()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
