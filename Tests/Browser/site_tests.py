"""Opens every page of the site in a browser, and steps through every ending.

    python3 Tests/Browser/site_tests.py SITE MEMLAB

SITE is what `memlab site` has written, MEMLAB the program that wrote it. With MEMLAB_RECORD=1 the
screenshots in Golden are written anew.
"""

import glob
import json
import os
import random
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
INSIDE = "inside the library"


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


def axe():
    """The source of the accessibility engine, which `make site-test` fetches; None without it."""
    found = glob.glob(os.path.join(HERE, "../../.build/axe/axe_playwright_python/axe.min.js"))
    if not found:
        return None
    with open(found[0]) as file:
        return file.read()


# What a step itself has cut, and whether reference counting alone makes of the picture before it what
# was recorded after it.
STEP_CUT = """
function stepCut(before, after) {
  const key = (part) => (part.kind ? part.name : JSON.stringify(
    [part.from.name, part.label, part.to.name]));
  const parts = new Map();
  const known = (box) => parts.get(box.name);
  for (const box of [...before.boxes, ...after.boxes]) {
    if (!known(box)) parts.set(box.name, { ...box });
  }
  const arrows = new Map([...before.arrows, ...after.arrows].map((arrow) => [
    key(arrow), { ...arrow, from: known(arrow.from), to: known(arrow.to) }]));
  const union = { boxes: [...parts.values()], arrows: [...arrows.values()] };
  const stays = new Set([...after.boxes, ...after.arrows].map(key));
  const cuts = cuttables(union).filter(({ root, arrow }) => (root ? !stays.has(root.name)
    : stays.has(arrow.from.name) && !stays.has(key(arrow))));
  const counting = new Counting(union);
  // What holds these is not in the picture, and has let them go.
  const unseen = [...counting.unseen].filter((box) => !stays.has(box.name));
  [...cuts, ...unseen.map((root) => ({ name: root.name, root }))]
    .forEach((cut) => counting.cut(cut));
  const left = [...counting.staying, ...counting.held].map(key);
  const isSame = left.length === stays.size && left.every((one) => stays.has(one));
  return { names: [...cuts, ...unseen].map((cut) => cut.name), needsRun: !isSame };
}
"""

# Goes through an ending by keys, and says what is to be seen at each place.
WALK = """(() => {""" + STEP_CUT + """
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const words = (part) => part.innerText.trim();
  const endings = [];
  for (const ending of document.querySelectorAll("article.ending")) {
    location.replace("#" + ending.dataset.name);
    player.show(ending, 0, true);
    const places = [];
    let before = { boxes: [], arrows: [] };
    while (places.length < 100) {
      const steps = Array.from(ending.querySelectorAll("section.step"));
      const visible = steps.filter((step) => step.offsetHeight > 0);
      const step = visible[0];
      const svg = step.querySelector(".scene svg.graph");
      const picture = svg ? readPicture(svg) : { boxes: [], arrows: [] };
      const key = (arrow) => [arrow.from.name, arrow.label, arrow.to.name];
      const cut = step.dataset.name.endsWith("/predict") ? null : stepCut(before, picture);
      if (cut) before = picture;
      // What is to be seen first: the insides of a large library are closed.
      const seen = Array.from(step.querySelectorAll(".scene svg.graph"))
        .find((one) => one.checkVisibility()) ?? svg;
      const frame = seen && seen.closest(".scroll").getBoundingClientRect();
      const news = seen ? Array.from(seen.querySelectorAll("use.new, use.gone")) : [];
      const parts = ({ boxes, arrows }) => [boxes.map((box) => box.name), arrows.map(key)];
      places.push({
        cut, parts: parts(picture), closed: seen !== svg && parts(readPicture(seen)),
        strong: picture.boxes.filter((box) => box.use.dataset.count)
          .map((box) => [box.name, Number(box.use.dataset.count)]),
        badges: svg ? Array.from(svg.querySelectorAll(".badge"), (one) => Number(one.textContent)) : [],
        needsRun: !!step.querySelector(".needs-run"),
        marked: document.querySelectorAll(".row.starts").length,
        outOfView: news.filter((one) => {
          const part = one.getBoundingClientRect();
          return part.right <= frame.left || part.left >= frame.right
            || part.bottom <= frame.top || part.top >= frame.bottom;
        }).length,
        visible: visible.length, name: step.dataset.name, address: location.hash,
        index: step.querySelector(".number") && words(step.querySelector(".number")),
        what: step.querySelector(".what") && words(step.querySelector(".what")),
        changes: Array.from(step.querySelectorAll(".changes li"), words),
        counts: Array.from(step.querySelectorAll(".counts tbody tr"),
          (row) => Array.from(row.cells, words)),
        boxes: svg ? svg.querySelectorAll("use:not(.gone, .declared)").length : 0,
        twin: step.querySelector(".twin pre") && step.querySelector(".twin pre").textContent,
        verdict: Array.from(document.querySelectorAll(".verdict")).some((one) => one.offsetHeight),
        overflow: document.documentElement.scrollWidth - innerWidth,
      });
      if (ending.querySelector("[data-go=next]").disabled) break;
      if (step.querySelector("form")) step.querySelector("[data-go=skip]").click();
      else press("ArrowRight");
    }
    endings.push({ ending: ending.dataset.name, places });
  }
  return endings;
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
            ("file://", "data:", "about:", "blob:"))]
        self.assertEqual(outside, [], "requests to the outside")

    def test_every_step_of_every_ending_is_what_walk_prints(self):
        endings = steps = self.runs = self.closed = 0
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
        print("%d endings, %d steps, %d of them need a run, %d with a closed library" % (
            endings, steps, self.runs, self.closed))
        self.assertGreater(endings, 100)
        self.assertGreater(self.closed, 20)
        self.assertLessEqual(self.runs * 20, steps)

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
            folds = self.check_parts(place["parts"], picture)
            self.assertEqual(place["boxes"], sum(map(len, place["parts"])))
            if place["closed"]:
                self.check_parts(place["closed"], picture)
                self.assertIn(INSIDE, place["closed"][0])
                self.closed += 1
            strong = {(folds.get(one["name"], one["name"]), one["retainCount"])
                      for one in step.get("references", [])}
            self.assertEqual(sorted(map(tuple, place["strong"])), sorted(strong))
            self.assertEqual(sorted(place["badges"]), sorted(count for _, count in strong))
            self.assertEqual(place["marked"], 1, "the line of the step")
            self.assertEqual(place["outOfView"], 0, "a change is out of view")
            # The script computes from the step before what was recorded, or the recording says that
            # this needs a run; so does memlab, which has written the film.
            if not folds and not any(" × " in name for name in place["cut"]["names"]):
                self.assertEqual(sorted(place["cut"]["names"]), sorted(step["cut"]))
            self.assertEqual(place["cut"]["needsRun"], step["needsRun"])
            self.assertEqual(place["needsRun"], step["needsRun"])
            self.runs += step["needsRun"]

    def check_parts(self, shown, picture):
        """Compares what is drawn with what was measured; returns what has another box, by its name."""
        folds = {}
        # Boxes that are alike are one: "Message × 100".
        for fold in [name for name in shown[0] if " × " in name]:
            kind, count = fold.rsplit(" × ", 1)
            alike = [box["name"] for box in picture["boxes"]
                     if re.fullmatch(re.escape(kind) + r" \d+", box["name"])]
            self.assertEqual(len(alike), int(count))
            folds.update({name: fold for name in alike})
        measured = [box["name"] for box in picture["boxes"]]
        # What is not drawn by its name is inside the library, if that is drawn as one box.
        if INSIDE in shown[0]:
            folds.update({name: INSIDE for name in measured
                          if name not in folds and name not in shown[0]})
        names = [folds.get(name, name) for name in measured]
        arrows = {(names[one["from"]], one["label"], names[one["to"]])
                  for one in picture["arrows"] if names[one["from"]] != INSIDE
                  or names[one["to"]] != INSIDE}
        self.assertEqual(sorted(shown[0]), sorted(set(names)))
        self.assertEqual(sorted(map(tuple, shown[1])), sorted(arrows))
        return folds

    def test_a_library_is_one_box_until_it_is_opened(self):
        browser = self.browser
        page = address("scenarios/reactor-dropped-connection.html")
        place = "answered/4"
        seen = """Array.from(player.step.querySelectorAll(".scene svg.graph"),
          (svg) => svg.checkVisibility() && readPicture(svg).boxes.length)"""
        browser.open(page)
        browser.run("player.show(player.ending, player.place, true); player.go('skip')")
        browser.open(page + "#" + place)
        opened, closed = browser.run(seen)
        self.assertFalse(opened)
        self.assertLess(closed, 12)
        browser.run("player.step.querySelector('.inside summary').click()")
        browser.wait("player.step.querySelector('.inside svg').checkVisibility()")
        opened, closed = browser.run(seen)
        self.assertGreater(opened, 30)
        self.assertFalse(closed)
        # It stays open from step to step, and a cut in the address opens it.
        browser.press("ArrowRight")
        self.assertEqual([count > 0 for count in browser.run(seen)], [True, False])
        cut = "&cut=" + chromium.quote("variable reactor")
        for end, is_open in [("", False), (cut, True), ("&cut=nothing", False)]:
            browser.open(address("index.html"))
            browser.open(page + "#" + place + end)
            self.assertEqual([count > 0 for count in browser.run(seen)], [is_open, not is_open], end)

    @staticmethod
    def row(name, counts, keys):
        return [name] + [str(counts.get(name, {}).get(key, 0)) for key in keys]

    def test_twenty_random_cuts_are_what_memlab_computes(self):
        browser, chance = self.browser, random.Random(34)
        for _ in range(20):
            browser.run("localStorage.clear()")
            scenario = chance.choice(scenarios())
            browser.open(address("scenarios/%s.html" % scenario))
            places = browser.run("""player.endings.flatMap((ending) => player.steps(ending).map(
              (step) => step.dataset.name).filter((name) => /[0-9]$/.test(name)))""")
            place = chance.choice(places)
            browser.open(address("scenarios/%s.html#%s" % (scenario, place)))
            known = browser.run("player.bench.svg && player.bench.known.map((one) => one.name)")
            if not known:
                continue
            cuts = chance.sample(known, min(len(known), chance.choice([1, 1, 2])))
            browser.run("location.hash = %s" % json.dumps(
                "#" + place + "".join("&cut=" + chromium.quote(cut) for cut in cuts)))
            browser.wait("player.bench.cuts.length === %d" % len(cuts))
            shown = browser.run("(({ counting, ...rest }) => rest)(player.bench.report)")
            ending, step = place.split("/")
            told = subprocess.run(
                [MEMLAB, "cut", scenario, *cuts, "--ending", ending, "--step", step, "--format",
                 "json"], capture_output=True, text=True)
            computed = json.loads(told.stdout)
            for key in ["cut", "released", "stays", "collected"]:
                self.assertEqual(shown[key], computed[key], (scenario, place, cuts, key))

    def test_a_reader_cuts_a_picture_and_takes_it_back(self):
        browser = self.browser
        browser.open(address("scenarios/retain-cycle.html#drop/3"))
        said = lambda: browser.run("player.step.querySelector('.outcome').innerText")
        gone = "player.step.querySelectorAll('use.computed').length"
        self.assertIn("Press an arrow", said())
        at = browser.run("""(() => {
          const arrow = player.bench.picture.arrows.find((one) => one.label === "planet");
          const box = arrow.use.getBoundingClientRect();
          arrow.use.scrollIntoView({ block: "center" });
          const seen = arrow.use.getBoundingClientRect();
          return [seen.left + 4, seen.top + seen.height / 2];
        })()""")
        browser.click(*at)
        self.assertIn("Computed, not measured: without Moon.planet, this goes: Planet, Moon.", said())
        self.assertIn("Solved with 1; the least number of cuts is 1.",
                      browser.run("player.step.querySelector('.goal').innerText"))
        self.assertEqual(browser.run(gone), 4)
        self.assertTrue(browser.run("location.hash").endswith("&cut=Moon.planet"))
        browser.open(browser.run("location.href"))
        self.assertEqual(browser.run("player.bench.cuts"), ["Moon.planet"])
        browser.run("player.bench.undo.click()")
        self.assertEqual(browser.run(gone), 0)
        self.assertEqual(browser.run("location.hash"), "#drop/3")
        # The same by keys: a variable is dropped, and what stays says why.
        browser.open(address("scenarios/retain-cycle.html#drop/2"))
        browser.run("player.bench.picture.boxes.find((one) => one.kind === 'root').use.focus()")
        browser.press("Enter")
        self.assertIn("Planet stays: a cycle: Moon → Planet → Moon.", said())
        browser.run("player.bench.collector.click()")
        self.assertIn("no root leads to it: Moon, Planet.", said())
        browser.open(address("scenarios/strong-self.html#cancel/6"))
        browser.run("player.bench.collector.click()")
        self.assertIn("would free nothing here", said())
        for end in ["&cut=nothing", "&cut=%", "&cut=Moon.planet&cut=x"]:
            browser.open(address("scenarios/retain-cycle.html#drop/3" + end))
            self.assertEqual(browser.run("player.bench.cuts"), [], end)
            self.assertEqual(browser.run("player.step.dataset.name"), "drop/3")

    def test_a_reader_chooses_what_goes_before_a_step(self):
        browser = self.browser
        told = "document.querySelector('.told') && document.querySelector('.told').innerText"
        box = "player.bench.picture.boxes.find((one) => one.name === '%s').use"
        # The drop of the last variable, after which nothing is left and no picture is drawn.
        film = json.loads(memlab("film", "weak-back-reference"))["endings"][0]
        names = [[one["name"] for one in step["picture"]["boxes"]] for step in film["film"]["steps"]]
        place = next(at for at, (now, later) in enumerate(zip(names, names[1:]))
                     if len(set(now) - set(later)) > 1)
        gone = [name for name in names[place] if name not in names[place + 1]]
        for chosen, verdict in [(gone, "right"), (gone[:1], "not what was measured"),
                                ([], "not what was measured")]:
            browser.open(address("scenarios/weak-back-reference.html#%s/%d" % (
                film["name"], place + 1)))
            browser.run("player.bench.guess.querySelector('input').click()")
            for name in chosen:
                browser.run((box % name) + ".focus()")
                browser.press("Enter")
            self.assertEqual(browser.run("player.step.querySelectorAll('use.chosen').length"),
                             len(chosen))
            self.assertEqual(browser.run("player.bench.cuts"), [])
            browser.run("player.show(player.ending, player.place + 1, true)")
            said = browser.run(told)
            self.assertTrue(said.endswith(verdict), said)
            self.assertIn("You chose: %s. Gone: " % (", ".join(chosen) or "nothing"), said)
            self.assertEqual(sorted(said.split("Gone: ")[1].split(".")[0].split(", ")), sorted(gone))
            # The next step is no answer to a choice that was not made.
            browser.run("player.show(player.ending, player.place - 1, true)")
            self.assertIsNone(browser.run(told))

    def test_an_object_that_is_asked_about_has_its_counts_above_the_steps(self):
        browser = self.browser
        film = json.loads(memlab("film", "retain-cycle"))["endings"][0]["film"]["steps"]
        counts = [str(one["retainCount"]) for step in film for one in step["references"]
                  if one["name"] == "Planet"]
        browser.open(address("scenarios/retain-cycle.html#drop/2"))
        shown = ("Array.from(player.ending.querySelectorAll('.bar li'), (one) => one.dataset.count)"
                 ".filter((one) => one)")
        self.assertEqual(browser.run(shown), [])
        browser.run("player.bench.picture.boxes.find((one) => one.name === 'Planet').use.focus()")
        browser.press("Enter")
        self.assertGreater(len(set(counts)), 1)
        self.assertEqual(browser.run(shown), counts)
        self.assertIn("step by step: " + ", ".join(counts) + ".",
                      browser.run("player.step.querySelector('.outcome').innerText"))
        browser.press("Enter")
        self.assertEqual(browser.run(shown), [])

    def test_no_translation_is_left_of_a_text_that_has_changed(self):
        repository = os.path.join(HERE, "../..")
        texts = ""
        for pattern in ["Lessons/*/*.md", "Documentation/Glossary.md", "Sources/**/*.swift",
                        "Sources/**/*.html", "Sources/**/*.json", "Sources/**/*.txt"]:
            for path in glob.glob(repository + "/" + pattern, recursive=True):
                with open(path) as file:
                    texts += re.sub(r"\s+", " ", file.read()).replace('\\"', '"')
        # Some sentences are put together from words.
        texts = re.sub('" (\\+ )?"', "", texts)
        composed = re.compile(r"#1 (object|task)s?( and #2 tasks?)? stays? alive|But step #1 .*")
        for language in ["ko", "ja", "zh"]:
            with open("%s/Sources/Program/PageFiles/Files/%s.po" % (repository, language)) as file:
                known = re.findall(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)', file.read(), re.M)
            known = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')
                     for text in known]
            self.assertGreater(len(known), 400)
            stale = [text for text in known if text not in texts and not composed.fullmatch(text)]
            self.assertEqual(stale, [], language)

    def test_a_film_is_a_page_by_itself(self):
        browser = self.browser
        with tempfile.TemporaryDirectory() as folder:
            page = folder + "/film.html"
            memlab("film", "retain-cycle", "--html", page)
            browser.open("file://" + page + "#drop/2")
            self.assertEqual(browser.run("player.step.dataset.name"), "drop/2")
            browser.run("player.bench.picture.boxes.find((one) => one.kind === 'root').use.focus()")
            browser.press("Enter")
            self.assertIn("Planet stays: a cycle: Moon → Planet → Moon.",
                          browser.run("player.step.querySelector('.outcome').innerText"))
            browser.press("ArrowRight")
            self.assertEqual(browser.run("player.step.dataset.name"), "drop/3")
            links = browser.run("Array.from(document.querySelectorAll('a'), (one) => [one.href, "
                                "one.offsetHeight]).filter((one) => one[1]).map((one) => one[0])")
            self.assertEqual([link for link in links if not link.startswith("file://" + page)], [])

    def test_a_recording_of_ones_own_is_played_or_refused(self):
        browser = self.browser
        drop = """((text) => { const data = new DataTransfer();
          data.items.add(new File([text], "own.html"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true })); })"""
        browser.open(address("scenarios/strong-self.html"))
        browser.run("""document.dispatchEvent(
          new DragEvent("drop", { dataTransfer: new DataTransfer(), bubbles: true }))""")
        self.assertFalse(browser.run("!!document.querySelector('#own')"))
        for wrong in [memlab("film", "retain-cycle"), "", "<title>x</title>"]:
            browser.run("%s(%s)" % (drop, json.dumps(wrong)))
            browser.wait("!!document.querySelector('#own')")
            self.assertEqual(
                browser.run("document.querySelector('#own').innerText"),
                "This is no page that 'memlab film <scenario> --html <file>' has written.")
            browser.run("document.querySelector('#own').remove()")
        browser.run("%s(%s)" % (drop, json.dumps("<title>Clock is alive · LeakCheck</title>")))
        browser.wait("!!document.querySelector('#own iframe')")
        browser.run("document.querySelector('#own').remove()")
        own = memlab("film", "retain-cycle", "--html", "-").replace(
            "</body>", "<script>addEventListener('securitypolicyviolation', () => "
            "{ document.title = 'kept in'; }); fetch('https://example.com/').catch(() => {}); "
            "try { parent.document.title = 'out'; } catch { }</script></body>")
        browser.run("%s(%s)" % (drop, json.dumps(own)))
        browser.wait("!!document.querySelector('#own iframe')")
        self.assertEqual(
            browser.run("document.querySelector('#own iframe').sandbox.value"), "allow-scripts")
        title = browser.run("document.title")
        page = browser.enter_sandbox()
        browser.wait("document.title === 'kept in'")
        browser.run("player.show(...player.find('drop/2').slice(0, 2), true)")
        self.assertEqual(browser.run("player.step.dataset.name"), "drop/2")
        browser.session = page
        self.assertEqual(browser.run("document.title"), title)

    def test_each_goal_can_be_reached_with_the_least_cuts(self):
        browser = self.browser
        browser.open(address("index.html"))
        links = browser.run("Array.from(document.querySelectorAll('#puzzles a'), (one) => one.href)")
        self.assertGreaterEqual(len(links), 10)
        solve = """(() => {
          const { wanted, known, picture } = player.bench;
          const reached = (names) => {
            const { released } = cutReport(picture, names);
            return wanted.goes.every((name) => released.includes(name))
              && !wanted.stays.some((name) => released.includes(name));
          };
          const free = known.map((one) => one.name).filter((name) => !wanted.spared.includes(name));
          const pick = (number, list) => number === 0 ? [[]] : list.flatMap((first, place) =>
            pick(number - 1, list.slice(place + 1)).map((rest) => [first, ...rest]));
          for (const number of [1, 2, 3]) {
            const found = pick(number, free).find(reached);
            if (found) return [number, wanted.least, found];
          }
        })()"""
        said = "player.step.querySelector('.goal').innerText"
        for link in links:
            browser.open(link)
            number, least, cuts = browser.run(solve)
            self.assertEqual(number, least, link)
            browser.run("player.bench.set(%s)" % json.dumps(cuts))
            self.assertIn("Solved with %d" % least, browser.run(said))
            lost = browser.run("player.bench.wanted.stays")
            if lost:
                browser.run("player.bench.set(player.bench.known.filter((one) => one.root)"
                            ".map((one) => one.name))")
                self.assertRegex(browser.run(said), "Too much|Not yet|Solved")

    def test_the_front_page_lives(self):
        for width, height in [(1280, 800), (390, 844)]:
            self.browser.resize(width, height)
            self.browser.open(address("index.html"))
            top = self.browser.run("document.querySelector('[data-bench] use')"
                                   ".getBoundingClientRect().bottom")
            self.assertLess(top, height, "the first picture is below the fold")
            self.browser.run("""Array.from(document.querySelectorAll('[data-bench] use[role=button]'))
              .filter((one) => / by (planet|captured)/.test(one.ariaLabel)).forEach((one) =>
              one.dispatchEvent(new MouseEvent("click", { bubbles: true })))""")
            goals = self.browser.run(
                "Array.from(document.querySelectorAll('.goal'), (one) => one.innerText)")
            self.assertEqual([("Solved with 1" in goal) for goal in goals], [True, True], goals)

    @unittest.skipUnless(axe(), "the accessibility engine is not there: make site-test fetches it")
    def test_no_page_breaks_a_rule_of_accessibility(self):
        browser, engine = self.browser, axe()
        pages = [path[len(SITE) + 1:] for path in glob.glob(SITE + "/**/*.html", recursive=True)
                 if "/leakcheck/" not in path]
        states = [(page, "", 1280, "light") for page in sorted(pages)]
        for theme, width in [("light", 390), ("dark", 1280), ("dark", 390)]:
            states += [(page, "", width, theme) for page in [
                "index.html", "scenarios/strong-self.html", "beside/strong-self.html",
                "lessons/03-one-stream-many-consumers.html", "glossary.ja.html"]]
        skip = "player.go('skip');"
        for theme in ["light", "dark"]:
            states += [("scenarios/strong-self.html#cancel/" + place, script, width, theme)
                       for width in [1280, 390] for place, script in [
                           ("3", ""), ("6", "player.bench.set(['task forwarder']);"),
                           ("6", "player.bench.collector.click();"), ("result", skip),
                           ("predict", "player.go('next');"), ("predict", "toggleKeys();"),
                           ("2", "document.querySelector('#search').value = 'leak'; document"
                            ".querySelector('#search').dispatchEvent(new Event('input'));"),
                           ("2", "document.querySelector('#search').value = 'zzz'; document"
                            ".querySelector('#search').dispatchEvent(new Event('input'));"),
                           ("3", "speak('ja');")]]
        broken = []
        for page, script, width, theme in states:
            browser.resize(width)
            browser.open(address(page))
            browser.run("document.querySelector('#theme-%s').checked = true; %s" % (theme, script))
            browser.run("document.getAnimations().forEach((one) => one.finish())")
            browser.run(engine)
            found = browser.run("axe.run({ resultTypes: ['violations'], preload: false }).then((all) => "
                                "all.violations.map((one) => [one.id, one.nodes[0].html]))")
            broken += ["%s %s %d %s: %s" % (page, script[:30], width, theme, one) for one in found]
        self.assertEqual(broken, [])

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
            ("End", "cut/predict"),
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

    def test_the_question_is_answered_or_skipped_and_nothing_else(self):
        browser = self.browser
        here = lambda: browser.run("player.step.dataset.name")
        notice = lambda: browser.run("player.ending.querySelector('.notice').innerText")
        chosen = "player.ending.querySelector('[data-name=%s] input:checked')?.value"
        browser.open(address("scenarios/strong-self.html#cancel/predict"))
        for action in ["player.ending.querySelector('.bar a[href$=\"/3\"]').click()",
                       "location.hash = '#cancel/2'", "location.hash = '#cancel/result'"]:
            browser.run(action)
            browser.wait("player.ending.querySelector('.notice').innerText.startsWith('Predict')")
            self.assertEqual(here(), "cancel/predict", action)
            browser.run("player.notice(player.ending, '')")
        browser.press("ArrowRight")
        browser.press("ArrowRight")
        self.assertIn("Predict first", notice())
        self.assertIsNone(browser.run(chosen % "deinitialised"), "an arrow is no answer")
        browser.run("player.ending.querySelector('form [type=submit]').click()")
        self.assertEqual(here(), "cancel/predict")
        self.assertIn("Nothing is answered yet", notice())
        browser.press("1")
        self.assertEqual(browser.run(chosen % "deinitialised"), "1")
        browser.run("player.ending.querySelector('[data-name=live] input').focus()")
        browser.press("0")
        self.assertEqual(browser.run(chosen % "live"), "0")
        self.assertEqual(here(), "cancel/predict")
        browser.run("player.ending.querySelector('form [type=submit]').click()")
        self.assertEqual(here(), "cancel/1", "the step that the reader wanted to go to")
        # What was predicted is there after the page was loaded again, and so is what was seen.
        browser.open(address("scenarios/strong-self.html#cancel/result"))
        self.assertEqual(here(), "cancel/result")
        self.assertIn("Your prediction: 1.", browser.run("player.step.innerText"))
        self.assertEqual(browser.run(chosen % "live"), "0")
        browser.open(address("scenarios/broadcast-stream.html#bounded/predict"))
        browser.run("player.ending.querySelector('input[type=number]').focus()")
        for letter in "banana":
            browser.press(letter)
        browser.run("player.ending.querySelector('form [type=submit]').click()")
        self.assertEqual(here(), "bounded/predict", "letters are no number")

    def test_no_address_breaks_a_page_or_loses_the_place(self):
        browser = self.browser
        for page in ["scenarios/strong-self.html", "beside/strong-self.html", "index.html"]:
            for end in ["#%", "#100%", "#%zz", "#%E0%A4%A", "#drop/3/4", "#<b>", "#cancel/99"]:
                browser.open(address(page + end))
                shown = browser.run("Array.from(document.querySelectorAll('section.step'))"
                                    ".filter((step) => step.offsetHeight > 0).length")
                self.assertEqual(shown, 0 if page == "index.html" else 1, end)
                browser.run("document.querySelector('#search').value = 'leak'; document"
                            ".querySelector('#search').dispatchEvent(new Event('input'))")
                browser.wait("!!document.querySelector('#found a')")
        browser.open(address("scenarios/strong-self.html#drop/3"))
        browser.run("document.querySelector('.skip').click()")
        browser.wait("location.hash === '#content'")
        self.assertEqual(browser.run("player.step.dataset.name"), "drop/3")
        for key, value in [("seen", '"abc"'), ("answers", "[1]"), ("language", '"x]"'),
                           ("language", "7"), ("theme", "{}"), ("large", "[]")]:
            browser.run("localStorage.clear(); localStorage.setItem('memlab-%s', '%s')"
                        % (key, value))
            browser.open(address("scenarios/strong-self.html#drop/result"))
            browser.run("player.ending.querySelector('[data-go=skip]').click()")
            self.assertEqual(browser.run("player.step.dataset.name"), "drop/result", value)

    def test_every_link_leads_somewhere(self):
        pages = {}
        for path in glob.glob(SITE + "/**/*.html", recursive=True):
            with open(path) as page:
                pages[path[len(SITE) + 1:]] = page.read()
        ids = {path: set(re.findall(r'\bid="([^"]*)"', text)) for path, text in pages.items()}
        count, dead = 0, []
        for path, text in pages.items():
            for link in re.findall(r'<a\b[^>]*\bhref="([^"]*)"', text):
                target, _, anchor = link.partition("#")
                if ":" in target or "leakcheck/" in target:
                    continue
                page = os.path.normpath(os.path.join(os.path.dirname(path), target)) \
                    if target else path
                count += 1
                if page not in pages or (anchor and anchor not in ids[page]):
                    dead.append("%s: %s" % (path, link))
        self.assertEqual(dead, [])
        self.assertGreater(count, 1000)

    def test_nothing_moves_while_a_page_is_loaded(self):
        shift = """new Promise((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
        })"""
        worst = 0
        for path in sorted(glob.glob(SITE + "/**/*.html", recursive=True)):
            for width, height in [(1280, 800), (390, 844)]:
                self.browser.resize(width, height)
                self.browser.open(address(path[len(SITE) + 1:]))
                moved = self.browser.run(shift)
                self.assertLessEqual(moved, 0.05, "%s at %d" % (path, width))
                worst = max(worst, moved)
        print("largest layout shift: %.3f" % worst)

    def test_keys_of_one_letter_can_be_switched_off(self):
        browser = self.browser
        browser.open(address("scenarios/retain-cycle.html#drop/2"))
        browser.press("?")
        browser.run("document.querySelector('#keys input').click()")
        browser.run("document.querySelector('#keys button').click()")
        browser.open(address("scenarios/retain-cycle.html#drop/2"))
        for key, place in [("n", "drop/2"), ("3", "drop/2"), ("?", "drop/2"),
                           ("ArrowRight", "drop/3")]:
            browser.press(key)
            self.assertEqual(browser.run("player.step.dataset.name"), place, key)
        self.assertFalse(browser.run("!!document.querySelector('#keys')"))

    def test_high_contrast_shows_where_the_reader_is(self):
        browser = self.browser
        browser.open(address("scenarios/retain-cycle.html#drop/2"))
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "forced-colors", "value": "active"}])
        look = "getComputedStyle(player.ending.querySelector('.bar a%s')).backgroundColor"
        here, other = browser.run(look % "[aria-current]"), browser.run(look % ":not([aria-current])")
        browser.call("Emulation.setEmulatedMedia", features=[])
        self.assertNotEqual(here, other)

    def test_a_finger_steps_through_a_run_on_a_telephone(self):
        browser = self.browser
        here = lambda: browser.run("[player.step.dataset.name, scrollY]")
        browser.resize(360, 640, is_mobile=True)
        # There is a page to go back to: a swipe must not go there.
        browser.open(address("index.html"))
        browser.open(address("scenarios/retain-cycle.html"))
        browser.run("player.go('skip'); player.ending.scrollIntoView({ behavior: 'instant' })")
        height = browser.run("scrollY")
        self.assertEqual(here(), ["drop/1", height])
        for start, end, place in [
            ((300, 200), (60, 210), "drop/2"), ((300, 300), (60, 310), "drop/3"),
            ((60, 200), (300, 210), "drop/2"), ((60, 300), (300, 290), "drop/1"),
        ]:
            browser.swipe(start, end)
            self.assertEqual(here(), [place, height])
        browser.swipe((180, 500), (190, 300))
        self.assertEqual(here()[0], "drop/1", "a finger that scrolls does not step")
        browser.wait("scrollY > %d" % (height + 70))

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
        self.assertEqual(self.browser.run(waits), [str(loop)])
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
        said[2], _ = said[2].split(" Would it be right here? ")
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

    def test_the_first_answers_are_saved_as_the_terminal_names_them(self):
        browser = self.browser
        save = """(() => { let saved = null; HTMLAnchorElement.prototype.click = function () {
            saved = [this.download, ...decodeURIComponent(this.href).split("\\n")]; };
          document.querySelector('#save').click();
          return [saved, document.querySelector('#saved').innerText]; })()"""
        browser.open(address("index.html"))
        self.assertEqual(browser.run(save), [None, "There are no answers yet."])
        browser.open(address("scenarios/retain-cycle.html#drop/predict"))
        for count, cause in [(0, "nobody"), (2, "cycle")]:
            browser.run("""['[data-name=deinitialised] [value="%d"]', '[data-name=held] [value=%s]',
              '[type=submit]'].forEach((one) => player.ending.querySelector("form " + one).click())
              """ % (count, cause))
        browser.open(address("index.html"))
        item = '"item":"walk/retain-cycle/drop/'
        self.assertEqual(browser.run(save), [[
            "answers.jsonl", 'data:application/jsonl;charset=utf-8,{"answer":"0",'
            + item + 'deinitialised","right":true,"v":1}', '{"answer":"nobody",'
            + item + 'held","right":false,"rule":"only-variables","v":1}', ""],
            "Answers in the file: 2."])

    @staticmethod
    def reply(scenario, ending, cause):
        """What `memlab walk` says to a prediction of the cause, with the belief behind it. What that
        predicts of the counts is not on the page, which has a reply to every cause."""
        text = memlab("walk", scenario, "--ending", ending, "--predict", "held=" + cause)
        said = re.search(r"You said: [^.]*\.\n((?:    .*\n)+)", text)[1]
        return re.split(" It predicts: | See 'memlab beliefs", " ".join(said.split()))[0]

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
                reply = reply.split(" Would it be right here?")[0]
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
            # What can be cut or asked is a button.
            drawn = self.browser.run("Array.from(document.querySelectorAll('use')).filter("
                                     "(one) => one.checkVisibility()).map((one) => one.ariaLabel)")
            shapes = [name for role, name in told
                      if role in ["image", "img"] or role.lower().endswith("button")]
            self.assertEqual([name for name in drawn if shapes.count(name) < 1], [], page)
            self.assertTrue(len(drawn) > 0 or "#cancel" not in page)
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
                            ("captures self", "strong-self"), ("memory leak", "leak"),
                            ("순환", "retain cycle"), ("ヒープ", "heap"), ("zzzz", "Nothing")]:
            browser.run("document.querySelector('#search').value = ''")
            browser.call("Input.insertText", text=text)
            browser.wait("document.querySelector('.found').innerText.includes(%r)" % found)
        browser.run("document.querySelector('#search').value = ''")
        browser.call("Input.insertText", text="captures self")
        browser.wait("document.querySelector('#found').innerText.includes('strong-self')")
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
                self.assertEqual(browser.run("document.documentElement.lang"), language)
                labels = browser.run("Array.from(document.querySelectorAll('[data-t-label]'))"
                                     ".map((one) => [one.dataset.tLabel, one.ariaLabel])")
                same = [text for text, label in labels if text == label and text != "#1"]
                self.assertEqual(same, [], language)
                for part in [".question", ".hint p", ".what", ".explanation", ".answers p"]:
                    for text in browser.run(told % part):
                        self.assertRegex(text, "[가-힣぀-ヿ一-鿿]", language)

    def test_a_reader_keeps_the_language(self):
        browser = self.browser
        # To have read a page in a language is no choice.
        browser.open(address("glossary.ja.html"))
        browser.open(address("lessons/01-who-owns-whom.html"))
        browser.run("new Promise((done) => setTimeout(done))")
        self.assertTrue(browser.run("location.href.endsWith('01-who-owns-whom.html')"))
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
        self.assertLess(size, 6_000_000)
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
