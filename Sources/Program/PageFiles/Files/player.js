// The player of memlab's pages. Everything that it shows stands in the page already; it shows one part
// of it at a time.
"use strict";

class Player {
  constructor(desk) {
    this.desk = desk;
    this.endings = all("article.ending", desk);
    this.tabs = all(".tabs a", desk);
    this.answers = {};
    this.swipeStart = null;
    this.bench = new Bench(() => this.writeAddress());
    this.endings.forEach((ending) => this.prepare(ending));
    this.recall();
    desk.classList.add("ready");
    desk.addEventListener("click", (event) => this.follow(event));
    desk.addEventListener("pointerover", (event) => this.pointAt(event.target));
    desk.addEventListener("focusin", (event) => this.pointAt(event.target));
    desk.addEventListener("touchstart", (event) => this.beginSwipe(event), { passive: true });
    desk.addEventListener("touchend", (event) => this.endSwipe(event), { passive: true });
    addEventListener("hashchange", () => this.goToAddress(true));
    this.goToAddress(false);
  }

  // Goes where a tab or a circle leads. The address of the page changes; there is no way back to
  // each step in the browser's history, which keys would fill as well.
  follow(event) {
    const link = event.target.closest(".tabs a, .bar a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.enter(...this.find(link.hash.slice(1)));
  }

  // Adds the bar to an ending, and takes over its addresses, which browsers would scroll to.
  prepare(ending) {
    this.steps(ending).forEach((step) => { step.dataset.name = step.id; });
    ending.dataset.name = ending.id;
    one("h3", ending)?.after(this.bar(ending));
    [ending, ...this.steps(ending)].forEach((part) => part.removeAttribute("id"));
    this.steps(ending).forEach((step) => { step.tabIndex = -1; });
    nameShapes(ending);
    // In a frame of another page, the next pattern is shown as this one is.
    const links = page.classList.contains("embed") ? all(".answers a", ending) : [];
    links.forEach((link) => { link.search = "embed"; });
    all("[data-go]", ending).forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => this.go(button.dataset.go));
    });
    all(".inside", ending).forEach((box) => box.addEventListener("toggle", () => {
      all(".inside", this.desk).forEach((other) => { other.open = box.open; });
      all(".scroll svg.graph", this.step).forEach(bringIntoView);
    }));
    const form = one("form", ending);
    if (!form) return;
    all("fieldset", form).forEach((field) => this.addChoices(field, ending.dataset.name));
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(ending, form);
    });
  }

  // Adds what can be answered: a number up to a limit, or one of the causes.
  addChoices(field, ending) {
    const name = `${ending}/${field.dataset.name}`;
    const limit = Number(field.dataset.limit || -1);
    if (limit > 6) {
      const range = `0 – ${limit}`;
      field.append(element("input", { type: "number", min: 0, max: limit, "aria-label": range }));
    }
    for (let value = 0; value <= limit && limit <= 6; value += 1) {
      field.append(element("label", {}, element("input", { type: "radio", value }), ` ${value}`));
    }
    if (field.dataset.name === "held") field.append(one("#causes").content.cloneNode(true));
    all("input", field).forEach((input) => { input.name = name; });
  }

  bar(ending) {
    const names = { first: "First", back: "Back", next: "Next", last: "Last" };
    const button = (go, sign) => label(
      element("button", { type: "button", "data-go": go }, sign), names[go]);
    const signs = { predict: ["?", "Predict"], result: ["=", "The result"] };
    const links = this.steps(ending).map((step) => {
      const place = step.id.split("/")[1];
      const [sign, name] = signs[place] || [place, "Step #"];
      return element("li", {}, label(element("a", { href: "#" + step.id }, sign), name, place));
    });
    return label(element(
      "div", { class: "bar", role: "group" },
      button("first", "|◀"), button("back", "◀"), element("ol", {}, ...links),
      button("next", "▶"), button("last", "▶|")), "Steps");
  }

  steps(ending) { return all(":scope > section.step", ending); }

  get step() { return this.steps(this.ending)[this.place]; }

  // Whether the question is still to be answered; never again once the result was seen.
  isAsked(ending) {
    const name = ending.dataset.name;
    return one("form", ending) && !(name in this.answers) && !hasSeen(name);
  }

  // What an address names: the ending, if there is one of this name, the place in it, and what is
  // cut there.
  find(address) {
    const [name, ...cuts] = address.split("&cut=").map(decoded);
    const ending = this.endings.find((one) => one.dataset.name === name.split("/")[0]);
    const place = ending ? this.steps(ending).findIndex((step) => step.dataset.name === name) : -1;
    return [ending, Math.max(0, place), cuts];
  }

  // Shows what the address names: `#cancel`, `#cancel/3` or `#cancel/3&cut=Moon.planet`. Other
  // places of the page, such as the one that "Skip to the content" leads to, leave the step as it
  // is.
  goToAddress(isMoved) {
    const [ending, place, cuts] = this.find(location.hash.slice(1));
    if (isMoved && ending) this.enter(ending, place, cuts);
    if (!isMoved) this.show(ending || this.endings[0], place, false, cuts);
  }

  // Goes to a place, but first to the question, if that was not answered yet.
  enter(ending, place, cuts = []) {
    const isPassing = place > 0 && (ending !== this.ending || this.place === 0);
    if (!isPassing || !this.isAsked(ending)) return this.show(ending, place, true, cuts);
    this.show(ending, 0, true);
    this.wanted = place;
    this.notice(ending, "Predict first, or skip the question.");
  }

  notice(ending, text) { one("form .notice", ending).replaceChildren(text ? said(text) : ""); }

  show(ending, place, isMoved, cuts = []) {
    const [steps, height] = [this.steps(ending), scrollY];
    const isResult = place === steps.length - 1;
    this.wanted = null;
    if (one("form", ending)) this.notice(ending, "");
    if (isResult && this.isAsked(ending)) {
      this.wanted = place;
      this.notice(ending, "Predict first, or skip the question.");
      place = 0;
    }
    this.ending = ending;
    this.place = place;
    this.endings.forEach((other) => { other.hidden = other !== ending; });
    steps.forEach((step, index) => { step.hidden = index !== place; });
    this.tabs.forEach((tab) => {
      const isHere = tab.hash === "#" + ending.dataset.name;
      if (isHere) tab.setAttribute("aria-current", "true"); else tab.removeAttribute("aria-current");
    });
    if (steps.length === 0) return;
    this.showBar(steps, place);
    this.markCode(steps[place]);
    if (isResult) remember(ending.dataset.name);
    this.askOfBefore(ending);
    this.bench.show(steps[place], cuts);
    all(".scroll svg.graph", steps[place]).forEach(bringIntoView);
    if (isMoved || location.hash) this.writeAddress();
    if (isMoved) steps[place].focus({ preventScroll: true });
    // Chromium may go to the top when the step that had the focus is hidden.
    if (scrollY !== height) scrollTo(scrollX, height);
    updateAddress();
  }

  writeAddress() {
    const name = this.steps(this.ending)[this.wanted ?? this.place].dataset.name;
    const cuts = this.bench.cuts.map((cut) => `&cut=${encodeURIComponent(cut)}`);
    history.replaceState(null, "", `#${name}${cuts.join("")}`);
    updateAddress();
  }

  // Asks whether this ending is like the one before it, of those who have seen that one.
  askOfBefore(ending) {
    const question = one("fieldset[data-after]", ending);
    if (question) question.hidden = !hasSeen(question.dataset.after);
  }

  showBar(steps, place) {
    for (const link of all(".bar a", this.ending)) {
      const isHere = link.hash === "#" + steps[place].dataset.name;
      if (isHere) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current");
      const list = link.closest("ol");
      if (isHere) list.scrollLeft = link.offsetLeft - list.offsetLeft - 80;
    }
    for (const button of all(".bar [data-go]", this.ending)) {
      const isBack = ["first", "back"].includes(button.dataset.go);
      button.disabled = place === (isBack ? 0 : steps.length - 1);
    }
  }

  // Marks the lines that this step runs, and those at which tasks wait after it.
  markCode(step) {
    all(".row:is(.runs, .waits, .starts)", this.desk).forEach((line) => {
      line.classList.remove("runs", "waits", "starts");
      all(".why", line).forEach((why) => why.remove());
    });
    const moved = new Set();
    for (const mark of (step.dataset.marks || "").split("|")) {
      const [, file, number, task] = mark.match(/^(.*?):(\d+)=(.*)$/) ?? [];
      const line = file && one(`[data-file="${file}"] [data-line="${number}"]`, this.desk);
      if (!line) continue;
      const [isOver, isStart] = [task.startsWith("-"), task === "+"];
      line.classList.add(isStart ? "starts" : task && !isOver ? "waits" : "runs");
      const text = isOver ? `${task.slice(1)} ${word("ends")}` : isStart ? word("this step")
        : task ? `${task} ${word("waits")}` : word("runs");
      line.append(element("span", { class: "why" }, `◀ ${text}`));
      const box = line.closest(".scroll");
      if (!moved.has(box)) box.scrollTop = line.offsetTop - box.clientHeight / 3;
      moved.add(box);
    }
  }

  // Lights the line that declares a property and the arrows by it, from whichever is touched.
  pointAt(part) {
    all(".pointed", this.desk).forEach((one) => one.classList.remove("pointed"));
    const [use, row] = [part.closest("use"), part.closest(".row")];
    const declares = (line) => line.textContent.match(/\b(?:var|let) (\w+)/)?.[1];
    const name = use ? shapeOf(use).dataset.ends && nameOf(shapeOf(use)) : row && declares(row);
    if (!name) return;
    const arrows = all("use", this.step)
      .filter((one) => shapeOf(one).dataset.ends && nameOf(shapeOf(one)) === name);
    const lines = all("#code .row", this.desk).filter((line) => declares(line) === name);
    if (arrows.length > 0) [...arrows, ...lines].forEach((one) => one.classList.add("pointed"));
  }

  go(where) {
    const last = this.steps(this.ending).length - 1;
    if (where === "skip") {
      this.answers[this.ending.dataset.name] ??= {};
      return this.show(this.ending, this.wanted ?? 1, true);
    }
    const [back, next] = [Math.max(this.place - 1, 0), Math.min(this.place + 1, last)];
    const place = { first: 0, back, next, last }[where];
    if (place !== this.place) this.enter(this.ending, place);
  }

  // A digit is a step, and on the question an answer.
  enterDigit(digit) {
    if (this.place === 0 && this.isAsked(this.ending)) {
      const focused = document.activeElement.closest("fieldset");
      const field = focused || one("fieldset[data-limit]", this.ending);
      one(`input[value="${digit}"]`, field || this.ending)?.click();
      return;
    }
    const [, place] = this.find(`${this.ending.dataset.name}/${digit}`);
    if (place > 0) this.enter(this.ending, place);
  }

  nextEnding() {
    const next = (this.endings.indexOf(this.ending) + 1) % this.endings.length;
    this.show(this.endings[next], 0, true);
  }

  // Keeps what was predicted, and begins.
  answer(ending, form) {
    const fields = all("fieldset:not([hidden])", form).filter((field) => chosenIn(field)?.value);
    const chosen = fields.map((field) => [field.dataset.name, chosenIn(field).value]);
    if (chosen.length === 0) {
      return this.notice(ending, "Nothing is answered yet: choose an answer, or skip the question.");
    }
    const [answers, name] = [memory.table("answers"), nameInMatrix(ending.dataset.name)];
    // Answers after a run was seen say what it has shown: a class needs those before it.
    const records = this.isAsked(ending)
      ? fields.map((field) => this.record(ending, field)) : answers[name]?.records;
    answers[name] = { ...Object.fromEntries(chosen), records };
    memory.set("answers", answers);
    this.answers[ending.dataset.name] = true;
    this.writeVerdicts(ending);
    this.show(ending, this.wanted ?? 1, true);
  }

  // One answer as a line of an answers file has it, `memlab.answers/1`, with its keys in order.
  record(ending, field) {
    const [{ name }, { value }] = [field.dataset, chosenIn(field)];
    const scenario = nameInMatrix(ending.dataset.name).replace("#", "/");
    return {
      answer: { yes: "true", no: "false" }[value] ?? value,
      item: `walk/${scenario}/${name}`,
      right: isRight(field),
      rule: one(`details[data-cause="${value}"]`, ending)?.dataset.rule,
      v: 1,
    };
  }

  // Writes what was predicted beside the measurement into the result.
  writeVerdicts(ending) {
    const fields = all("form fieldset", ending).filter((field) => chosenIn(field)?.value);
    const lines = fields.map((field) => this.verdict(ending, field));
    one(".predicted", ending).replaceChildren(element("ul", {}, ...lines));
  }

  // Fills in what was predicted before this page was loaded.
  recall() {
    const answers = memory.table("answers");
    for (const ending of this.endings.filter((ending) => one("form", ending))) {
      const kept = answers[nameInMatrix(ending.dataset.name)] || {};
      for (const field of all("form fieldset", ending)) {
        const value = kept[field.dataset.name];
        const input = all("input", field).find((one) => one.type === "number" || one.value === value);
        if (typeof value !== "string" || !input) continue;
        if (input.type === "number") input.value = value; else input.checked = true;
        this.answers[ending.dataset.name] = true;
      }
      if (ending.dataset.name in this.answers) this.writeVerdicts(ending);
    }
  }

  // Says again what the script has put together, in another language.
  speakAgain() {
    nameShapes(this.desk);
    this.markCode(this.step);
    for (const ending of this.endings) {
      if (one(".predicted li", ending)) this.writeVerdicts(ending);
    }
  }

  // What is said to one answer; to one about the cause, with what the result says of it.
  verdict(ending, field) {
    const names = {
      deinitialised: "objects deinitialised", live: "tasks still live", same: "as much as before",
    };
    const { name, answer } = field.dataset;
    const chosen = chosenIn(field);
    const label = chosen.closest("label")?.textContent.trim() ?? chosen.value;
    const reply = name === "held" && one(`[data-cause=${chosen.value}] p`, ending).cloneNode(true);
    const measured = `${word("Measured")}: ${name === "same" ? word(answer) + "," : answer}`;
    return element(
      "li", { class: isRight(field) ? "right" : "wrong" }, `${word("Your prediction")}: ${label}. `,
      reply ? "" : `${measured} ${word(names[name])}. `,
      element("strong", {}, word(isRight(field) ? "right" : "not what was measured")),
      ...(reply ? [". ", ...reply.childNodes] : []));
  }

  beginSwipe(event) {
    const isInBox = event.target.closest(".scroll[tabindex], input, pre");
    const touch = event.touches[0];
    this.swipeStart = isInBox || event.touches.length > 1 ? null : [touch.clientX, touch.clientY];
  }

  endSwipe(event) {
    if (!this.swipeStart) return;
    const touch = event.changedTouches[0];
    const [across, down] = [touch.clientX - this.swipeStart[0], touch.clientY - this.swipeStart[1]];
    this.swipeStart = null;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) {
      this.go(across < 0 ? "next" : "back");
    }
  }
}

// What is chosen among some answers.
function chosenIn(field) { return one("input:checked, input[type=number]", field); }

// Whether what is chosen is what was measured.
function isRight(field) {
  return field.dataset.answer.split(" ").includes(chosenIn(field).value);
}

// A part of an address as text; empty where it is none.
function decoded(address) {
  try { return decodeURIComponent(address); } catch { return ""; }
}

// Keeps that the result of an ending was seen, for the matrix.
function remember(ending) {
  const seen = memory.table("seen");
  seen[nameInMatrix(ending)] = true;
  memory.set("seen", seen);
}

function hasSeen(ending) { return memory.table("seen")[nameInMatrix(ending)] === true; }

function nameInMatrix(ending) {
  return `${location.pathname.split("/").pop().replace(".html", "")}#${ending}`;
}

// The address of what is shown, to copy it, and the same for a frame in another page.
function updateAddress() {
  const plain = location.href.replace("?embed", "");
  const inFrame = plain.replace(/(#|$)/, "?embed$1");
  for (const link of all(".address a")) link.href = plain;
  for (const text of all(".address .plain")) text.textContent = plain;
  for (const text of all(".address .frame")) {
    text.textContent = `<iframe src="${inFrame}" width="100%" height="700"></iframe>`;
  }
}
