"""A browser without a screen, driven by its own protocol over two pipes.

See https://chromedevtools.github.io/devtools-protocol/. It needs nothing but Python and chromium.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import urllib.parse

quote = urllib.parse.quote
NAMES = ["chromium", "chromium-browser", "google-chrome"]


def installed():
    """The path of the browser of this machine; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class PageError(Exception):
    """A script in the page, or a command of the protocol, has failed."""


class Browser:
    """A browser with one page."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp()
        to_read, self.commands = os.pipe()
        self.answers, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        shell = 'exec "$@" 3<&%d 4>&%d' % (to_read, to_write)
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--remote-debugging-pipe", "--no-first-run", "--user-data-dir=" + self.profile,
            "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash"] + arguments, pass_fds=[to_read, to_write],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.count, self.session, self.page = b"", 0, None, None
        self.problems, self.requests, self.events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"]:
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Sends a command and waits for its answer."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise PageError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def read(self):
        """The next message; keeps what it says of errors and of requests."""
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], 60)[0]:
                raise PageError("the browser has said nothing for a minute")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise PageError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, said = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ["error", "warning"]:
            self.problems.append("%(text)s %(url)s" % {"url": "", **said["entry"]})
        elif method == "Runtime.consoleAPICalled" and said["type"] in ["error", "warning"]:
            self.problems.append(str(said["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        if method:
            self.events.append((method, said))
        return message

    def open(self, address):
        """Goes to an address, and waits until the page is there; also where only its part after
        the number sign is another."""
        page = address.split("#")[0]
        for one in (["about:blank"] if page == self.page else []) + [address]:
            self.events.clear()
            self.call("Page.navigate", url=one)
            while not any(method == "Page.loadEventFired" for method, _ in self.events):
                self.read()
        self.page = page

    def frame(self):
        """The address of the page in the page's only frame, and a place for scripts in it."""
        tree = self.call("Page.getFrameTree")["frameTree"]
        frame = tree["childFrames"][0]["frame"]
        world = self.call("Page.createIsolatedWorld", frameId=frame["id"])
        return frame["url"], {"contextId": world["executionContextId"]}

    def enter_sandbox(self):
        """Goes on in the page's only frame that may do nothing to it, which is a process of its own."""
        page, self.session = self.session, None
        frames = lambda: [one["targetId"] for one in self.call("Target.getTargets")["targetInfos"]
                          if one["type"] == "iframe"]
        self.until(frames, "there is such a frame")
        self.session = self.call(
            "Target.attachToTarget", targetId=frames()[0], flatten=True)["sessionId"]
        return page

    def run(self, script, **place):
        """The value of a script in the page, or elsewhere; of a promise, what it becomes."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **place)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, script):
        """Waits until a script is true in the page."""
        self.until(lambda: self.is_true(script), script)

    def until(self, is_so, what):
        """Waits until something is so."""
        limit = time.monotonic() + 20
        while not is_so():
            if time.monotonic() > limit:
                raise PageError("this did not become true: " + what)

    def is_true(self, script):
        """Whether a script is true in the page; it is not while the page gives way to another."""
        try:
            return self.run(script)
        except PageError as error:
            if any(part in str(error) for part in ["navigated or closed", "context"]):
                return False
            raise

    def press(self, key):
        """Presses a key as a person does."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"Enter": 13, "Tab": 9}.get(key, 0)
        for kind in ["keyDown", "keyUp"]:
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                **(text if kind == "keyDown" else {}))

    def click(self, x, y):
        """Presses and lets go the button of the mouse at a place of the page."""
        for kind in ["mousePressed", "mouseReleased"]:
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def swipe(self, start, end):
        """Moves one finger over the page, from one place to another, each a pair of pixels."""
        steps = 8
        for step in range(steps + 1):
            x, y = [a + (b - a) * step / steps for a, b in zip(start, end)]
            self.call("Input.dispatchTouchEvent", type="touchMove" if step else "touchStart",
                      touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def resize(self, width, height=900, is_mobile=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=is_mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_mobile)

    def allow_scripts(self, are_allowed):
        """Whether the scripts of the pages that are opened from now on run."""
        self.call("Emulation.setScriptExecutionDisabled", value=not are_allowed)

    def screenshot(self):
        """What is to be seen, as the bytes of a PNG file."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def accessible(self):
        """What the page tells a screen reader: pairs of roles and names, in order."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes if not node["ignored"]]
