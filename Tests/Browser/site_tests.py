"""Opens every page of the site in a browser, and steps through every ending.

    python3 Tests/Browser/site_tests.py SITE MEMLAB

SITE is what `memlab site` has written, MEMLAB the program that wrote it. With MEMLAB_RECORD=1 the
screenshots in Golden are written anew.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import chromium
import pictures

SITE, MEMLAB = [os.path.abspath(path) for path in sys.argv[1:3]]
HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = [320, 768, 1280, 3840]


def address(page):
    return "file://%s/%s" % (SITE, page)


def memlab(*words):
    environment = {key: value for key, value in os.environ.items() if key not in ["COLUMNS"]}
    return subprocess.run(
        [MEMLAB, *words], env=environment, capture_output=True, text=True, check=True).stdout


def scenarios():
    return [path[len(SITE) + len("/scenarios/"):-len(".html")]
            for path in sorted(glob.glob(SITE + "/scenarios/*.html"))]


def walked(scenario):
    """The steps as `memlab walk` prints them, by ending."""
    pages = re.split(r"(?m)^(?=%s · ending )" % re.escape(scenario), memlab("walk", scenario))
    steps = {}
    for text in pages:
        head = re.match(r"\S+ · ending ([^,\s]+).*  step \d+ of \d+$", text, re.M)
        if head:
            steps.setdefault(head[1], []).append(text.rstrip("\n") + "\n")
    return steps


# Goes through an ending by keys, and says what is to be seen at each place.
WALK = """(() => {
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const words = (part) => part.innerText.trim();
  const seen = [];
  for (const ending of document.querySelectorAll("article.ending")) {
    location.replace("#" + ending.dataset.name);
    player.show(ending, 0, true);
    const places = [];
    while (places.length < 100) {
      const steps = Array.from(ending.querySelectorAll("section.step"));
      const visible = steps.filter((step) => step.offsetHeight > 0);
      const step = visible[0];
      places.push({
        visible: visible.length, name: step.dataset.name, address: location.hash,
        index: step.querySelector(".number") && words(step.querySelector(".number")),
        what: step.querySelector(".what") && words(step.querySelector(".what")),
        changes: Array.from(step.querySelectorAll(".changes li"), words),
        counts: Array.from(step.querySelectorAll(".counts tbody tr"),
          (row) => Array.from(row.cells, words)),
        boxes: step.querySelectorAll("use:not(.gone)").length,
        twin: step.querySelector(".twin pre") && step.querySelector(".twin pre").textContent,
        verdict: Array.from(document.querySelectorAll(".verdict")).some((one) => one.offsetHeight),
        overflow: document.documentElement.scrollWidth - innerWidth,
      });
      if (ending.querySelector("[data-go=next]").disabled) break;
      if (step.querySelector("form")) step.querySelector("[data-go=skip]").click();
      else press("ArrowRight");
    }
    seen.push({ ending: ending.dataset.name, places });
  }
  return seen;
})()"""


class SiteTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chromium.Browser(chromium.installed())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.problems.clear()
        self.browser.requests.clear()
        self.browser.resize(1280)
        self.browser.allow_scripts(True)
        # What a page has kept for the next, such as the language. This page leads to no other.
        self.browser.open(address("index.html"))
        self.browser.run("localStorage.clear()")

    def tearDown(self):
        self.assertEqual(self.browser.problems, [], "errors in the console")
        outside = [one for one in self.browser.requests if not one.startswith(
            ("file://", "data:", "about:"))]
        self.assertEqual(outside, [], "requests to the outside")

    def test_every_step_of_every_ending_is_what_walk_prints(self):
        endings = steps = 0
        for scenario in scenarios():
            with self.subTest(scenario):
                self.browser.resize(min(WIDTHS))
                self.browser.open(address("scenarios/%s.html" % scenario))
                film = json.loads(memlab("film", scenario))
                texts = walked(scenario)
                shown = self.browser.run(WALK)
                self.assertEqual(
                    [one["ending"] for one in shown], [one["name"] for one in film["endings"]])
                for ending, one in zip(film["endings"], shown):
                    self.check(ending, one["places"], texts[ending["name"]])
                    endings += 1
                    steps += len(texts[ending["name"]])
        print("%d endings, %d steps" % (endings, steps))
        self.assertGreater(endings, 100)

    def check(self, ending, places, texts):
        name, steps = ending["name"], ending["film"]["steps"]
        self.assertEqual(
            [place["name"] for place in places],
            [name + "/predict"] + ["%s/%d" % (name, step["index"]) for step in steps]
            + [name + "/result"])
        self.assertTrue(all(place["visible"] == 1 for place in places))
        self.assertTrue(all(place["overflow"] <= 0 for place in places), "too wide")
        self.assertEqual([place["address"] for place in places],
                         ["#" + place["name"] for place in places])
        self.assertEqual([place["verdict"] for place in places],
                         [False] * (len(places) - 1) + [True], "a verdict is given away")
        result = ending["film"]["result"]
        for place, step, text in zip(places[1:-1], steps, texts, strict=True):
            self.assertEqual(place["index"], str(step["index"]))
            self.assertEqual(place["what"], re.sub(r"\s+", " ", step["text"]))
            self.assertEqual(place["changes"], step["changes"])
            self.assertEqual(place["twin"], text)
            objects = {one["type"]: one for one in step["objects"]}
            tasks = {one["name"]: one for one in step["tasks"]}
            counts = [self.row(one["type"], objects, ["created", "deinitialized", "alive"])
                      for one in result["objects"]]
            counts += [self.row(one["name"], tasks, ["started", "finished", "live"])
                       for one in result["tasks"]]
            self.assertEqual(place["counts"], counts)
            picture = step.get("picture", {"boxes": [], "arrows": []})
            self.assertEqual(place["boxes"], len(picture["boxes"]) + len(picture["arrows"]))

    @staticmethod
    def row(name, counts, keys):
        return [name] + [str(counts.get(name, {}).get(key, 0)) for key in keys]

    def test_keys_and_buttons_lead_through_the_steps(self):
        browser = self.browser
        browser.open(address("scenarios/retain-cycle.html"))
        here = lambda: browser.run("player.step.dataset.name")
        self.assertEqual(here(), "drop/predict")
        browser.press("ArrowRight")
        self.assertEqual(here(), "drop/predict", "the question cannot be passed by")
        self.assertIn("Predict first", browser.run("document.querySelector('.notice').innerText"))
        browser.run("document.querySelector('[data-go=skip]').click()")
        for key, place in [
            ("ArrowRight", "drop/2"), ("n", "drop/3"), ("b", "drop/2"), ("ArrowLeft", "drop/1"),
            ("3", "drop/3"), ("Home", "drop/predict"), ("End", "drop/result"), ("e", "cut/predict"),
            ("2", "cut/2"), ("End", "cut/predict"),
        ]:
            browser.press(key)
            self.assertEqual(here(), place, key)
        # What stands between the reader and the result is answered; then the result follows.
        browser.run("player.ending.querySelector('[data-go=skip]').click()")
        self.assertEqual(here(), "cut/result")
        browser.run("player.ending.querySelector('.bar [data-go=back]').click()")
        self.assertEqual(here(), "cut/4")
        browser.run("document.querySelector('.tabs a').click()")
        browser.wait("player.step.dataset.name === 'drop/predict'")
        browser.press("?")
        self.assertTrue(browser.run("document.querySelector('#keys').open"))
        browser.press("?")
        self.assertFalse(browser.run("!!document.querySelector('#keys')"))

    def test_a_finger_steps_through_a_run_on_a_telephone(self):
        browser = self.browser
        here = lambda: browser.run("[player.step.dataset.name, scrollY]")
        browser.resize(360, 640, is_mobile=True)
        # There is a page to go back to: a swipe must not go there.
        browser.open(address("index.html"))
        browser.open(address("scenarios/retain-cycle.html"))
        browser.run("player.go('skip'); scrollTo(0, 430)")
        self.assertEqual(here(), ["drop/1", 430])
        for start, end, place in [
            ((300, 200), (60, 210), "drop/2"), ((300, 300), (60, 310), "drop/3"),
            ((60, 200), (300, 210), "drop/2"), ((60, 300), (300, 290), "drop/1"),
        ]:
            browser.swipe(start, end)
            self.assertEqual(here(), [place, 430])
        browser.swipe((180, 500), (190, 300))
        self.assertEqual(here()[0], "drop/1", "a finger that scrolls does not step")
        browser.wait("scrollY > 500")

    def test_a_telephone_s_keyboard_reaches_everything(self):
        browser = self.browser
        browser.resize(360, 640, is_mobile=True)
        browser.open(address("scenarios/strong-self.html"))
        place = """(() => { const box = document.activeElement.getBoundingClientRect();
          return [document.activeElement.tagName, box.left, box.right, box.top, box.bottom]; })()"""
        reached = []
        for _ in range(60):
            browser.press("Tab")
            name, left, right, top, bottom = browser.run(place)
            if name == "BODY":
                break
            self.assertTrue(0 <= left < right <= 360 and top < 640 and bottom > 0, name)
            reached.append(browser.run("document.activeElement.outerHTML"))
        wanted = browser.run("""
          Array.from(document.querySelectorAll("a, button, input, select, summary")).filter((one) =>
            one.checkVisibility() && !one.disabled && one.type !== "radio").map((one) => one.outerHTML)""")
        self.assertEqual([one for one in wanted if one not in reached], [])

    def test_every_place_has_an_address(self):
        for page, place in [("scenarios/strong-self.html#drop/3", "drop/3"),
                            ("scenarios/strong-self.html#finish", "finish/predict"),
                            ("scenarios/strong-self.html#nowhere/9", "cancel/predict"),
                            ("beside/strong-self.html#cancel/2", "cancel/2")]:
            self.browser.open(address(page))
            self.assertEqual(self.browser.run("player.step.dataset.name"), place)
            self.assertEqual(self.browser.run("scrollY"), 0, page)
        self.browser.open(address("scenarios/strong-self.html#drop/result"))
        self.assertEqual(self.browser.run("player.step.dataset.name"), "drop/predict")
        self.assertEqual(
            self.browser.run("document.querySelectorAll('.row.waits').length"), 0)
        self.browser.open(address("scenarios/strong-self.html#drop/3"))
        waits = "Array.from(document.querySelectorAll('.row.waits'), (row) => row.dataset.line)"
        # The line that the loop over the stream is in, whichever that is today.
        path = "../../Sources/Course/Scenarios/AsyncStreamMemory/StrongSelf.swift"
        with open(os.path.join(HERE, path)) as source:
            lines = source.read().split("\n")
        loop = next(number for number, line in enumerate(lines, 1) if "for try await" in line)
        self.assertEqual(self.browser.run(waits), ["StrongSelf.swift:%d" % loop])
        # What the film says was created, or was deinitialised, marks the lines that have run.
        runs = "Array.from(document.querySelectorAll('.row.runs'), (row) => row.innerText)"
        for page, line in [("scenarios/deinit-finish.html#drop/4", "deinit {"),
                           ("scenarios/strong-self.html#drop/2", "Task(probe: \"forwarder\")"),
                           ("scenarios/stored-closure.html#stop/3", "func stop()")]:
            self.browser.open(address(page))
            marked = self.browser.run(runs)
            self.assertTrue(any(line in row and "◀ runs" in row for row in marked), marked)
        self.browser.open(address("scenarios/strong-self.html#cancel/4"))
        self.assertEqual(
            self.browser.run("document.querySelectorAll('.row.runs').length"), 0,
            "the consumer is not in the listing")

    def test_a_prediction_is_compared_with_the_measurement(self):
        browser = self.browser
        browser.open(address("scenarios/strong-self.html#cancel/predict"))
        browser.run("""document.querySelector('[data-name=deinitialised] [value="2"]').click();
          document.querySelector('[data-name=live] [value="1"]').click();
          document.querySelector('[data-name=held] [value="cycle"]').click();
          document.querySelector('form [type=submit]').click()""")
        self.assertEqual(browser.run("player.step.dataset.name"), "cancel/1")
        self.assertFalse(browser.run("document.querySelector('.predicted').offsetHeight > 0"))
        browser.press("End")
        said = browser.run("player.step.querySelector('.predicted').innerText").split("\n")
        self.assertEqual(said, [
            "Your prediction: 2. Measured: 0 objects deinitialised. not what was measured",
            "Your prediction: 1. Measured: 1 tasks still live. right",
            "Your prediction: objects that hold each other: a retain cycle. not what was measured. "
            + self.reply("strong-self", "cancel", "cycle")])
        # The question about the ending before comes when that one was seen.
        asked = "!player.ending.querySelector('[data-name=same]').hidden"
        browser.press("e")
        self.assertTrue(browser.run(asked))
        browser.run("""player.ending.querySelector('[data-name=same] [value=yes]').click();
          player.ending.querySelector('form [type=submit]').click()""")
        browser.press("End")
        said = browser.run("player.step.querySelector('.predicted').innerText").split("\n")
        self.assertEqual(
            said, ["Your prediction: yes. Measured: no, as much as before. not what was measured"])
        browser.press("e")
        browser.press("e")
        browser.run("localStorage.clear(); player.show(player.endings[2], 0, true)")
        self.assertFalse(browser.run(asked))

    @staticmethod
    def reply(scenario, ending, cause):
        """What `memlab walk` says to a prediction of the cause."""
        text = memlab("walk", scenario, "--ending", ending, "--predict", "held=" + cause)
        said = re.search(r"You said: [^.]*\.\n((?:    .*\n)+)", text)[1]
        return " ".join(said.split())

    def test_each_answer_and_each_cut_has_its_reply(self):
        self.browser.open(address("scenarios/retain-cycle.html#drop/predict"))
        self.browser.run("document.querySelector('[data-go=skip]').click()")
        self.browser.press("End")
        details = "Array.from(player.step.querySelectorAll('.answers details'), (one) => "
        answers = self.browser.run(details + "[one.dataset.cause || '', one.lastElementChild"
                                   ".textContent.trim()])")
        causes = ["variable", "cycle", "task", "global", "nobody"]
        self.assertEqual([cause for cause, _ in answers if cause], causes)
        for cause, reply in answers:
            if cause:
                self.assertEqual(reply, self.reply("retain-cycle", "drop", cause))
        cuts = [reply for cause, reply in answers if not cause]
        self.assertEqual(len(cuts), 2)
        self.assertTrue(all(reply.startswith("Right: any one of these") for reply in cuts), cuts)

    def test_the_matrix_hides_what_was_not_predicted(self):
        browser = self.browser
        browser.open(address("index.html"))
        browser.run("localStorage.clear()")
        browser.open(address("index.html"))
        cells = "Array.from(document.querySelectorAll('.matrix a.verdict'), (one) => one.innerText)"
        self.assertEqual(set(browser.run(cells)), {"?"})
        browser.open(address("scenarios/strong-self.html#cancel/predict"))
        browser.run("document.querySelector('[data-go=skip]').click()")
        browser.press("End")
        browser.open(address("index.html"))
        self.assertEqual(sum(cell != "?" for cell in browser.run(cells)), 1)
        browser.run("document.querySelector('#unveil').click()")
        self.assertNotIn("?", browser.run(cells))
        browser.run("localStorage.clear()")

    def test_a_player_stands_in_a_foreign_page_and_in_a_lesson(self):
        browser = self.browser
        with tempfile.TemporaryDirectory() as folder:
            source = address("scenarios/strong-self.html?embed#drop/2")
            with open(folder + "/page.html", "w") as page:
                page.write('<!DOCTYPE html><iframe src="%s" width="700" height="600"></iframe>'
                           % source)
            browser.open("file://" + folder + "/page.html")
            url, inside = browser.frame()
            self.assertEqual(url, source.split("#")[0])
            step = ("Array.from(document.querySelectorAll('section.step'))"
                    ".find((one) => one.offsetHeight > 0).dataset.name")
            self.assertEqual(browser.run(step, **inside), "drop/2")
            browser.run("document.querySelector('article.ending:not([hidden]) [data-go=next]')"
                        ".click()", **inside)
            self.assertEqual(browser.run(step, **inside), "drop/3")
        browser.open(source)
        self.assertEqual(browser.run("player.step.dataset.name"), "drop/2")
        self.assertEqual(browser.run("document.querySelector('header.site').offsetHeight"), 0)
        browser.open(address("lessons/01-who-owns-whom.html"))
        self.assertEqual(browser.run("document.querySelectorAll('details[open]').length"), 0)
        browser.run("document.querySelector('a.play').click()")
        browser.wait("document.querySelector('iframe').offsetHeight > 300")

    def test_every_page_fits_from_telephone_to_projector(self):
        pages = [page[len(SITE) + 1:] for page in glob.glob(SITE + "/**/*.html", recursive=True)]
        self.assertGreater(len(pages), 60)
        for page in pages:
            # Without scripts all steps of all endings are shown at once.
            self.browser.allow_scripts("scenarios/" not in page)
            self.browser.open(address(page))
            for width in WIDTHS:
                self.browser.resize(width)
                needed = self.browser.run("document.documentElement.scrollWidth")
                self.assertLessEqual(needed, width, "%s at %d" % (page, width))

    def test_everything_has_a_name(self):
        roles = ["image", "img", "button", "link", "searchbox", "combobox", "radio", "textbox",
                 "table", "figure", "group", "navigation", "dialog"]
        for page in ["index.html", "scenarios/strong-self.html#cancel/3", "glossary.html",
                     "scenarios/retain-cycle.html#drop/predict", "beside/strong-self.html#cancel/2",
                     "lessons/01-who-owns-whom.html"]:
            self.browser.open(address(page))
            told = self.browser.accessible()
            nameless = [role for role, name in told if role in roles and not name.strip()]
            self.assertEqual(
                [role for role in nameless if role not in ["figure", "table", "group"]], [], page)
            drawn = self.browser.run("Array.from(document.querySelectorAll('use')).filter("
                                     "(one) => one.checkVisibility()).length")
            shapes = [name for role, name in told if role in ["image", "img"]]
            self.assertEqual(len(shapes), drawn, page)
            self.assertTrue(drawn > 0 or "#cancel" not in page)
            if "cancel/3" in page:
                self.assertIn("DataCacheUseCaseImpl holds DataCacheRepoImpl by dataCacheRepo", shapes)

    def test_each_page_can_be_read_without_javascript(self):
        browser = self.browser
        browser.allow_scripts(False)
        browser.open(address("scenarios/strong-self.html"))
        hidden = browser.run("Array.from(document.querySelectorAll('.step, article'))"
                             ".filter((part) => !part.offsetHeight).length")
        self.assertEqual(hidden, 0)
        self.assertGreater(browser.run("document.querySelectorAll('.step').length"), 15)
        self.assertEqual(browser.run("document.querySelector('.tools').offsetHeight"), 0)

    def test_the_search_finds_scenarios_lessons_and_words(self):
        browser = self.browser
        browser.open(address("glossary.html"))
        browser.press("s")
        for text, found in [("who owns", "01 Who owns whom"), ("continuation", "continuation"),
                            ("captures self", "strong-self")]:
            browser.run("document.querySelector('#search').value = ''")
            browser.call("Input.insertText", text=text)
            browser.wait("document.querySelector('#found').innerText.includes(%r)" % found)
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait("location.href.includes('/strong-self') && document.readyState === 'complete'")

    def test_the_page_speaks_four_languages(self):
        browser = self.browser
        english = ("Array.from(document.querySelectorAll('[data-t]'))"
                   ".filter((part) => part.lang === 'en').map((one) => one.dataset.t)")
        told = "Array.from(document.querySelectorAll('%s'), (one) => one.textContent.trim())"
        for scenario in ["strong-self", "retain-cycle", "captured-owner", "weak-self-loop"]:
            browser.open(address("scenarios/%s.html" % scenario))
            for language, word in [("ko", "수업"), ("ja", "レッスン"), ("zh", "课程")]:
                browser.run("speak('%s')" % language)
                browser.wait("document.querySelector('nav').innerText.includes('%s')" % word)
                self.assertEqual(browser.run(english), [], language)
                for part in [".question", ".hint p", ".what", ".explanation", ".answers p"]:
                    for text in browser.run(told % part):
                        self.assertRegex(text, "[가-힣぀-ヿ一-鿿]", language)

    def test_a_reader_keeps_the_language(self):
        browser = self.browser
        browser.open(address("lessons/01-who-owns-whom.html"))
        browser.run("localStorage.setItem('memlab-language', '\"ko\"')")
        browser.open(address("index.html"))
        browser.wait("document.querySelector('.matrix h2').innerText.includes('패턴')")
        self.assertIn("누가", browser.run("document.querySelector('.lessons').innerText"))
        browser.open(address("lessons/01-who-owns-whom.html#retain-cycle"))
        browser.wait("location.href.endsWith('01-who-owns-whom.ko.html#retain-cycle')")
        browser.wait("document.readyState === 'complete' && !!document.querySelector('.languages')")
        browser.run("document.querySelector('.languages a[hreflang=en]').click()")
        browser.wait("location.href.endsWith('01-who-owns-whom.html') && "
                     "document.readyState === 'complete'")
        self.assertEqual(browser.run("document.documentElement.lang"), "en")

    def test_colours_contrast_and_motion(self):
        browser = self.browser
        browser.open(address("scenarios/strong-self.html#cancel/2"))
        for theme in ["light", "dark"]:
            browser.run("document.querySelector('#theme-%s').checked = true" % theme)
            colors = browser.run(pictures.COLORS)
            for front in ["ink", "faint", "link", "leak", "clean", "race", "split", "keyword",
                          "type", "string"]:
                for back in ["paper", "card", "shade"]:
                    ratio = pictures.contrast(colors[front], colors[back])
                    self.assertGreaterEqual(ratio, 4.5, "%s on %s, %s" % (front, back, theme))
        motion = "getComputedStyle(document.querySelector('use.new')).animationName"
        self.assertEqual(browser.run(motion), "appear")
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.assertEqual(browser.run(motion), "none")
        browser.call("Emulation.setEmulatedMedia", features=[])

    def test_paper_is_light_and_has_every_step(self):
        browser = self.browser
        browser.open(address("scenarios/strong-self.html#cancel/2"))
        browser.run("document.querySelector('#theme-dark').checked = true")
        browser.call("Emulation.setEmulatedMedia", media="print")
        colors = browser.run(pictures.COLORS)
        hidden = browser.run("Array.from(document.querySelectorAll('.step'))"
                             ".filter((step) => !step.offsetHeight).length")
        browser.call("Emulation.setEmulatedMedia", media="")
        self.assertEqual(hidden, 0)
        for front in ["ink", "faint", "link", "leak", "clean"]:
            self.assertGreaterEqual(pictures.contrast(colors[front], [255, 255, 255]), 4.5)

    def test_it_is_small_and_there_at_once(self):
        size = sum(os.path.getsize(path) for path in glob.glob(SITE + "/**", recursive=True)
                   if os.path.isfile(path))
        self.browser.open(address("scenarios/strong-self.html"))
        entry = "performance.getEntriesByType('navigation')[0]"
        ready = self.browser.run(entry + ".domContentLoadedEventEnd")
        print("%.2f MB, the first step can be used after %.0f ms" % (size / 1e6, ready))
        self.assertLess(size, 5_000_000)
        self.assertLess(ready, 1000)

    def test_three_pages_look_as_recorded(self):
        for name, page, width, height in [
            ("front", "index.html", 1280, 900), ("player", "scenarios/strong-self.html#cancel/2",
                                                  1280, 900),
            ("telephone", "scenarios/retain-cycle.html#drop/1", 390, 844),
        ]:
            self.browser.resize(width, height)
            self.browser.open(address(page))
            self.browser.run("document.getAnimations().forEach((one) => one.finish())")
            problem = pictures.compare(
                self.browser, self.browser.screenshot(), HERE + "/Golden/%s.png" % name)
            self.assertIsNone(problem, name)


if __name__ == "__main__":
    if not chromium.installed():
        print("skipped: no browser is installed here (%s)" % ", ".join(chromium.NAMES))
        sys.exit(0)
    start = time.monotonic()
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result
    print("%.0f s" % (time.monotonic() - start))
    sys.exit(not result.wasSuccessful())
