// What would go without a reference. The rule is that of `memlab cut`, and both are tried on every
// recorded step. All of it is computed, and is never drawn like what was measured.
"use strict";

// MARK: The rule

// Reference counting on a picture: `boxes` with `name` and `kind`, `arrows` with `from`, `to` and
// `label`.
class Counting {
  constructor(picture) {
    this.picture = picture;
    this.held = new Set(picture.arrows);
    this.counts = new Map(picture.boxes.map((box) => [box, this.arrowsTo(box).length]));
    // Something that is not in the picture holds these.
    this.unseen = new Set(
      picture.boxes.filter((box) => box.kind !== "root" && this.counts.get(box) === 0));
    this.released = [];
  }

  arrowsTo(box) { return [...this.held].filter((arrow) => arrow.to === box); }

  // Cuts a reference, or drops a root with all that it holds.
  cut({ arrow, root }) {
    if (arrow) this.releaseArrow(arrow);
    else if (!this.released.includes(root)) this.releaseBox(root);
  }

  releaseBox(box) {
    this.released.push(box);
    this.picture.arrows.filter((arrow) => arrow.from === box)
      .forEach((arrow) => this.releaseArrow(arrow));
  }

  releaseArrow(arrow) {
    if (!this.held.delete(arrow)) return;
    const held = arrow.to;
    this.counts.set(held, this.counts.get(held) - 1);
    const isFree = this.counts.get(held) === 0 && held.kind !== "root";
    if (isFree && !this.released.includes(held)) this.releaseBox(held);
  }

  get staying() { return this.picture.boxes.filter((box) => !this.released.includes(box)); }

  // What a tracing collector would free of what stays: all that no root leads to.
  get collected() {
    const reached = new Set(
      this.staying.filter((box) => box.kind === "root" || this.unseen.has(box)));
    for (const box of reached) {
      for (const arrow of this.held) if (arrow.from === box) reached.add(arrow.to);
    }
    return this.staying.filter((box) => !reached.has(box));
  }

  // The box, all that leads to it, and the arrows on the way.
  above(box) {
    const way = new Set([box]);
    for (const held of way) {
      for (const arrow of held.label === undefined ? this.arrowsTo(held) : [held]) {
        way.add(arrow).add(arrow.from);
      }
    }
    return way;
  }

  // Why a box stays: the nearest root that leads to it, or else a cycle.
  reason(box) {
    const queue = new Set([box]);
    for (const held of queue) {
      if (held.kind === "root") {
        return held.name.startsWith("task ") ? `${held.name}, which has not finished` : held.name;
      }
      if (this.unseen.has(held)) break;
      this.arrowsTo(held).forEach((arrow) => queue.add(arrow.from));
    }
    const cycle = [...queue].some((held) => this.unseen.has(held)) ? null : this.cycle(box);
    return cycle ? `a cycle: ${[...cycle, cycle[0]].map((one) => one.name).join(" → ")}`
      : "something that is not in the picture";
  }

  // Goes from a box up to the first that holds each, until one comes again.
  cycle(box) {
    const way = [box];
    for (;;) {
      const arrow = this.arrowsTo(way[way.length - 1])[0];
      if (!arrow) return null;
      const start = way.indexOf(arrow.from);
      if (start >= 0) return way.slice(start).reverse();
      way.push(arrow.from);
    }
  }
}

// A picture with its boxes and arrows in the order of their names, which is the same everywhere.
function sorted({ boxes, arrows }) {
  const by = (key) => (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
  return {
    boxes: [...boxes].sort(by((box) => box.name)),
    arrows: [...arrows].sort(by((arrow) => arrow.to.name)).sort(by((arrow) => arrow.label))
      .sort(by((arrow) => arrow.from.name)),
  };
}

// All that can be cut in a picture, with the names that `memlab cut` has for it.
function cuttables({ boxes, arrows }) {
  const field = (arrow) => `${arrow.from.name}.${arrow.label}`;
  const roots = boxes.filter((box) => box.kind === "root");
  // The only arrow of a root is the root itself.
  const isOwn = (arrow) => arrow.from.kind !== "root"
    || arrows.filter((other) => other.from === arrow.from).length > 1;
  return roots.map((root) => ({ name: root.name, root })).concat(
    arrows.filter(isOwn).map((arrow) => {
      const isAlone = arrow.label
        && arrows.filter((other) => field(other) === field(arrow)).length === 1;
      const holder = arrow.label ? field(arrow) : arrow.from.name;
      return { name: isAlone ? field(arrow) : `${holder} → ${arrow.to.name}`, arrow };
    }));
}

// What follows from some cuts, in the form of `memlab cut --format json`.
function cutReport(unsorted, names) {
  const picture = sorted(unsorted);
  const counting = new Counting(picture);
  const all = cuttables(picture);
  names.map((name) => all.find((one) => one.name === name)).forEach((one) => counting.cut(one));
  const nameAll = (boxes) => boxes.map((box) => box.name);
  return {
    counting, cut: names, released: nameAll(counting.released),
    stays: counting.staying.filter((box) => box.kind === "object").map((box) => ({
      name: box.name, strongReferences: counting.counts.get(box), because: counting.reason(box),
    })),
    collected: nameAll(counting.collected),
  };
}

// MARK: The picture

// The picture that is drawn in a part of the page, without what was measured to have gone.
function readPicture(svg) {
  const boxes = new Map();
  const uses = all("use:not(.gone, .declared)", svg).map((use) => ({ use, shape: shapeOf(use) }));
  for (const { use, shape } of uses.filter((one) => !one.shape.dataset.ends)) {
    const kind = ["root", "passage"].find((name) => shape.classList.contains(name)) ?? "object";
    boxes.set(shape.id.match(/\d+$/)[0], { name: nameOf(shape), kind, use });
  }
  const arrows = uses.filter((one) => one.shape.dataset.ends).map(({ use, shape }) => {
    const [from, to] = shape.dataset.ends.split(" ").map((end) => boxes.get(end));
    return { from, to, label: nameOf(shape), use };
  });
  return { boxes: [...boxes.values()], arrows };
}

// Scrolls a picture to what has changed in it, or shows it as a whole if that is too large.
function bringIntoView(svg) {
  const [frame, figure] = [svg.closest(".scroll"), svg.closest("figure")];
  const news = all("use.new, use.gone", svg);
  const parts = (news.length > 0 ? news : all("use", svg)).map((one) => one.getBoundingClientRect());
  const edge = (side, most) => most(...parts.map((part) => part[side]));
  const [left, right] = [edge("left", Math.min), edge("right", Math.max)];
  const [top, bottom] = [edge("top", Math.min), edge("bottom", Math.max)];
  const isLarge = right - left > frame.clientWidth || bottom - top > frame.clientHeight;
  if (isLarge && news.length > 0) return figure.classList.add("whole");
  const seen = frame.getBoundingClientRect();
  frame.scrollLeft += (left + right) / 2 - seen.left - frame.clientWidth / 2;
  frame.scrollTop += (top + bottom) / 2 - seen.top - frame.clientHeight / 2;
}

// Lets the reader cut a picture, one at a time, and says what would follow.
class Bench {
  // `changed` is told of each cut that the reader makes or takes back.
  constructor(changed = () => {}) {
    [this.cuts, this.lit, this.guesses, this.changed] = [[], null, new Set(), changed];
    const button = (text, action) => {
      const made = element("button", { type: "button" }, said(text));
      made.addEventListener("click", action);
      return made;
    };
    const choice = (text) => {
      const made = element("label", {}, element("input", { type: "checkbox" }), " ", said(text));
      made.addEventListener("change", () => this.draw());
      return made;
    };
    this.collector = choice("What if there were a garbage collector?");
    this.guess = choice("I choose what goes in the next step");
    this.told = element("p", { class: "told", role: "status" });
    this.goal = element("p", { class: "goal" });
    this.status = element("div", { class: "outcome", role: "status" });
    this.undo = button("Undo", () => this.set(this.cuts.slice(0, -1)));
    this.reset = button("Back to what was measured", () => this.set([]));
    this.panel = element(
      "div", { class: "bench" }, this.goal, this.status,
      element(
        "p", {}, this.undo, " ", this.reset, " ",
        button("Whole picture", () => this.svg.closest("figure").classList.toggle("whole")), " ",
        this.collector, " ", this.guess));
  }

  // Takes over the picture in a part of the page, if it has one.
  show(part, cuts) {
    this.panel.remove();
    this.told.remove();
    this.svg = one(".scene svg.graph", part);
    const [before, after] = [this.picture, this.svg ? readPicture(this.svg) : { boxes: [] }];
    const isNext = this.part && this.part === part.previousElementSibling;
    if (isNext && before && this.guess.control.checked) this.judge(before, after, part);
    [this.cuts, this.lit, this.guesses, this.part] = [[], null, new Set(), part];
    this.picture = this.svg && after;
    if (!this.svg) return;
    this.guess.hidden = !part.nextElementSibling?.matches(".step:not(.result)");
    this.known = cuttables(sorted(this.picture));
    this.wanted = part.dataset.goal ? JSON.parse(part.dataset.goal) : null;
    const isKnown = cuts.every((name) => this.known.some((one) => one.name === name));
    this.cuts = isKnown ? cuts : [];
    if (!this.svg.dataset.ready) this.prepare();
    this.svg.closest("figure").append(this.panel);
    if (this.cuts.length > 0) this.svg.closest("details")?.setAttribute("open", "");
    this.draw();
  }

  prepare() {
    this.svg.dataset.ready = "yes";
    for (const use of all("use:not(.gone, .declared)", this.svg)) {
      // A wider line that nobody sees is easier to hit.
      const shape = shapeOf(use);
      const line = one("path", shape)?.cloneNode();
      line?.setAttribute("class", "hit");
      if (line && !one(".hit", shape)) shape.append(line);
      use.setAttribute("role", "button");
      use.setAttribute("tabindex", "-1");
    }
    one("use:not(.gone, .declared)", this.svg)?.setAttribute("tabindex", "0");
    this.svg.addEventListener("click", (event) => this.press(event.target));
    this.svg.addEventListener("keydown", (event) => {
      const uses = all("use:not(.gone, .declared)", this.svg);
      const moves = { ArrowDown: 1, ArrowUp: -1 };
      const next = uses[uses.indexOf(event.target) + moves[event.key]];
      if (event.key === "Enter" || event.key === " ") this.press(event.target);
      else if (next) next.focus();
      else return;
      uses.forEach((use) => use.setAttribute("tabindex", use === next ? "0" : "-1"));
      if (!next) event.target.setAttribute("tabindex", "0");
      event.preventDefault();
    });
  }

  // Says what the reader has chosen to go, beside what was measured to have gone.
  judge(before, after, part) {
    const names = (boxes) => boxes.map((box) => box.name);
    const gone = names(before.boxes).filter((name) => !names(after.boxes).includes(name));
    const isRight = gone.length === this.guesses.size && gone.every((name) => this.guesses.has(name));
    const values = [[...this.guesses], gone].map((list) => list.join(", ") || word("nothing"));
    this.told.replaceChildren(
      said("You chose: #1. Gone: #2.", values.join("|")), " ",
      element("strong", {}, said(isRight ? "right" : "not what was measured")));
    one(".scene", part)?.before(this.told);
  }

  // Cuts an arrow, drops a variable or a task, or lights all that leads to an object; or chooses what
  // goes in the next step.
  press(use) {
    const part = [...this.picture.boxes, ...this.picture.arrows].find((one) => one.use === use);
    if (!part) return;
    if (this.guess.control.checked && !this.guess.hidden && part.kind) {
      if (!this.guesses.delete(part.name)) this.guesses.add(part.name);
      return this.draw();
    }
    const cut = this.known.find(({ arrow, root }) => arrow === part || root === part)
      ?? this.known.find(({ root }) => root && root === part.from);
    if (!cut) this.lit = this.lit === part ? null : part;
    if (!cut) return this.draw();
    const others = this.cuts.filter((name) => name !== cut.name);
    this.set(others.length < this.cuts.length ? others : [...this.cuts, cut.name]);
  }

  set(cuts) {
    this.cuts = cuts;
    this.draw();
    this.changed();
  }

  draw() {
    this.report = cutReport(this.picture, this.cuts);
    const { counting, released, collected } = this.report;
    const way = this.lit ? counting.above(this.lit) : new Set();
    for (const box of this.picture.boxes) {
      const place = released.indexOf(box.name);
      box.use.classList.toggle("computed", place >= 0);
      box.use.classList.toggle(
        "collected", this.collector.control.checked && collected.includes(box.name));
      box.use.classList.toggle("chosen", this.guesses.has(box.name));
      box.use.classList.toggle("way", way.has(box));
      box.use.style.setProperty("--place", place);
      const badge = box.use.nextElementSibling;
      if (!badge?.matches(".badge")) continue;
      badge.textContent = counting.counts.get(box);
      badge.classList.toggle("computed", badge.textContent !== box.use.dataset.count);
    }
    for (const arrow of this.picture.arrows) {
      arrow.use.classList.toggle("computed", !counting.held.has(arrow));
      arrow.use.classList.toggle("way", way.has(arrow));
    }
    for (const { name, arrow, root } of this.known) {
      const isCut = this.cuts.includes(name);
      (arrow ?? root).use.classList.toggle("cut-here", isCut);
      (arrow ?? root).use.setAttribute("aria-pressed", isCut);
    }
    this.drawCounts();
    this.undo.disabled = this.reset.disabled = this.cuts.length === 0;
    this.status.replaceChildren(...this.outcome().map((line) => element("p", {}, ...line)));
    this.goal.replaceChildren(...(this.wanted ? this.judged() : []));
  }

  // Draws above the circles of the steps how many strong references the lit object has in each.
  drawCounts() {
    const ending = this.svg.closest(".ending") ?? this.panel;
    const counts = all(".step", ending).map((step) => all("use[data-count]:not(.gone)", step)
      .find((use) => this.lit && nameOf(shapeOf(use)) === this.lit.name)?.dataset.count ?? "");
    all(".bar li", ending).forEach((circle, place) => {
      circle.dataset.count = counts[place];
      circle.style.setProperty("--count", counts[place] || 0);
    });
    this.counts = counts.filter((count) => count);
  }

  // What is said below the picture.
  outcome() {
    const { released, stays, collected, counting } = this.report;
    const lines = [];
    if (this.cuts.length > 0) {
      const gone = released.filter((name) => !this.cuts.includes(name)).join(", ");
      lines.push([
        element("strong", {}, said("Computed, not measured:")), " ",
        gone ? said("without #1, this goes: #2.", `${this.cuts.join(", ")}|${gone}`)
          : said("without #, nothing goes.", this.cuts.join(", "))]);
      lines.push(...stays.map((one) => [
        said("# stays:", one.name), " ", element("span", { lang: "en" }, `${one.because}.`)]));
    }
    if (this.lit && counting.staying.includes(this.lit)) {
      lines.push([said("What leads to #:", this.lit.name), " ",
        element("span", { lang: "en" }, `${counting.reason(this.lit)}.`)]);
      if (this.counts.length > 0) {
        lines.push([said("Its strong references, step by step: #.", this.counts.join(", "))]);
      }
    }
    if (this.collector.control.checked) {
      lines.push([collected.length > 0
        ? said("A tracing collector would free this, because no root leads to it: #.",
          collected.join(", "))
        : said("A tracing collector would free nothing here: a root leads to all that is left. A task that waits is a root, too.")]);
    }
    return lines.length > 0 ? lines : [[said("Press an arrow to cut it, a variable or a task to drop it, an object to see what leads to it.")]];
  }

  // The goal of a puzzle, and whether it is reached.
  judged() {
    const { text, goes, stays, least, spared } = this.wanted;
    const lost = stays.filter((name) => this.report.released.includes(name));
    const isForbidden = this.cuts.some((name) => spared.includes(name));
    const isReached = goes.every((name) => this.report.released.includes(name));
    const verdict = this.cuts.length === 0 ? "" : lost.length > 0
      ? said("Too much: this is lost: #.", lost.join(", "))
      : isForbidden ? said("The goal does not allow this cut.")
      : !isReached ? said("Not yet.")
      : said("Solved with #1; the least number of cuts is #2.", `${this.cuts.length}|${least}`);
    return [element("strong", {}, said("A goal:")), " ", said(text), " ", verdict];
  }
}
