// The player, the search, the languages and the colours of memlab's pages. Everything that is shown
// stands in the page already; this shows one part of it at a time.
"use strict";

const page = document.documentElement;
const root = page.dataset.root;
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

page.classList.add("js");
if (new URLSearchParams(location.search).has("embed")) page.classList.add("embed");
all(".tools, .unveil").forEach((part) => { part.hidden = false; });

// What the reader has chosen. Where nothing can be kept, it is forgotten with the page.
const memory = {
  get(key) {
    try { return JSON.parse(localStorage.getItem("memlab-" + key)); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem("memlab-" + key, JSON.stringify(value)); } catch { return; }
  },
};

// What the script says itself is marked as what the page says.
function word(english) {
  return ((window.memlabLanguages || {})[spoken] || {})[english] || english;
}

function said(english) {
  return element("span", { "data-t": english }, word(english));
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

let spoken = page.lang;
const loaded = {};

/** Loads one of the site's own files; a page that was opened as a file cannot read others. */
function load(file) {
  loaded[file] ??= new Promise((resolve) => {
    const script = element("script", { src: root + file });
    script.addEventListener("load", resolve);
    document.head.append(script);
  });
  return loaded[file];
}

// MARK: Languages

async function speak(language) {
  if (language !== "en") await load("languages.js");
  spoken = language;
  const texts = (window.memlabLanguages || {})[language] || {};
  // `#1` and `#2` stand for values, and `#` for the only one.
  const say = (text, values) => (texts[text] || text).replace(
    /#(\d?)/g, (sign, place) => (values ?? "").split("|")[(place || 1) - 1] || sign);
  for (const part of all("[data-t]")) {
    part.dataset.t ||= part.textContent;
    part.textContent = say(part.dataset.t, part.dataset.n);
    part.lang = texts[part.dataset.t] ? language : "en";
  }
  for (const part of all("[data-t-placeholder]")) {
    part.placeholder = say(part.dataset.tPlaceholder);
  }
  one("#language").value = language;
}

function chooseLanguage() {
  const language = one("#language").value;
  memory.set("language", language);
  const other = one(`link[rel=alternate][hreflang=${language}]`);
  if (other) location.href = other.href; else speak(language);
}

// MARK: Colours and size

const themes = all("input[name=theme]");

function nextTheme() {
  const chosen = themes.findIndex((theme) => theme.checked);
  const next = themes[(chosen + 1) % themes.length];
  next.checked = true;
  memory.set("theme", next.id);
}

function setLarge(isLarge) {
  page.classList.toggle("large", isLarge);
  one("#large").setAttribute("aria-pressed", isLarge);
  memory.set("large", isLarge);
}

const keys = [
  [["→", "n"], "Next"], [["←", "b"], "Back"], [["Home"], "First"], [["End"], "Last"],
  [["1", "…", "9"], "That step"], [["e"], "The next ending"], [["s"], "Search"],
  [["l"], "Large type"], [["t"], "Dark or light"], [["?"], "Keys"],
];

function toggleKeys() {
  const open = one("#keys");
  if (open) return open.remove();
  const rows = keys.map(([signs, meaning]) => element(
    "div", {}, element("dt", {}, ...signs.map((sign) => element("kbd", {}, sign))),
    element("dd", {}, said(meaning))));
  const dialog = element(
    "dialog", { id: "keys", "aria-label": word("Keys") }, element("dl", {}, ...rows),
    element("form", { method: "dialog" }, element("button", {}, said("Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// MARK: Pictures

/** Gives every box and arrow of a picture its name; each stands in the page once, without one. */
function nameShapes(within) {
  const texts = (shape, part) => all(part, shape).map((text) => text.textContent).join(" ");
  const boxes = (shape) => shape.id.replace(/a\d+$/, "b");
  for (const use of all("use", within)) {
    const shape = document.getElementById(use.getAttribute("href").slice(1));
    const ends = (shape.dataset.ends || "").split(" ").filter((end) => end)
      .map((end) => texts(document.getElementById(boxes(shape) + end), "text"));
    const label = texts(shape, ".label text");
    const verb = use.matches(".gone") ? "no longer holds" : "holds";
    const name = ends.length ? ends.join(` ${verb} `) + (label && ` by ${label}`)
      : texts(shape, "text") + (use.matches(".gone") ? ", gone" : "");
    const remarks = [use.matches(".new") && "new", use.matches(".lit") && "not on the other side"];
    use.setAttribute("role", "img");
    use.setAttribute("aria-label", [name, ...remarks.filter((remark) => remark)].join(", "));
  }
  for (const picture of all("svg.graph[role=img]", within)) picture.setAttribute("role", "group");
}

// MARK: The player

class Player {
  constructor(desk) {
    this.desk = desk;
    this.endings = all("article.ending", desk);
    this.tabs = all(".tabs a", desk);
    this.answers = {};
    this.swipeStart = null;
    this.endings.forEach((ending) => this.prepare(ending));
    desk.addEventListener("touchstart", (event) => this.beginSwipe(event), { passive: true });
    desk.addEventListener("touchend", (event) => this.endSwipe(event), { passive: true });
    addEventListener("hashchange", () => this.goToAddress(true));
    this.goToAddress(false);
  }

  /** Adds the bar to an ending, and takes over its addresses, which browsers would scroll to. */
  prepare(ending) {
    this.steps(ending).forEach((step) => { step.dataset.name = step.id; });
    ending.dataset.name = ending.id;
    one("h3", ending)?.after(this.bar(ending));
    [ending, ...this.steps(ending)].forEach((part) => part.removeAttribute("id"));
    this.steps(ending).forEach((step) => { step.tabIndex = -1; });
    nameShapes(ending);
    all("[data-go]", ending).forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => this.go(button.dataset.go));
    });
    const form = one("form", ending);
    if (!form) return;
    all("fieldset", form).forEach((field) => this.addChoices(field, ending.dataset.name));
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(ending, form);
    });
  }

  /** Adds what can be answered: a number up to a limit, or one of the causes. */
  addChoices(field, ending) {
    const name = `${ending}/${field.dataset.name}`;
    const limit = Number(field.dataset.limit || -1);
    if (limit > 6) {
      field.append(element("input", { type: "number", min: 0, max: limit, "aria-label": `0 – ${limit}` }));
    }
    for (let value = 0; value <= limit && limit <= 6; value += 1) {
      field.append(element("label", {}, element("input", { type: "radio", value }), ` ${value}`));
    }
    if (field.dataset.name === "held") field.append(one("#causes").content.cloneNode(true));
    all("input", field).forEach((input) => { input.name = name; });
  }

  bar(ending) {
    const button = (go, sign) => element(
      "button", { type: "button", "data-go": go, "aria-label": word(names[go]) }, sign);
    const names = { first: "First", back: "Back", next: "Next", last: "Last" };
    const signs = { predict: ["?", "Predict"], result: ["=", "The result"] };
    const links = this.steps(ending).map((step) => {
      const place = step.id.split("/")[1];
      const [sign, name] = signs[place] || [place, `${word("Step")} ${place}`];
      return element(
        "li", {}, element("a", { href: "#" + step.id, "aria-label": word(name) }, sign));
    });
    return element(
      "div", { class: "bar", role: "group", "aria-label": word("Steps") },
      button("first", "|◀"), button("back", "◀"), element("ol", {}, ...links),
      button("next", "▶"), button("last", "▶|"));
  }

  steps(ending) { return all(":scope > section.step", ending); }

  get step() { return this.steps(this.ending)[this.place]; }

  isAsked(ending) { return one("form", ending) && !(ending.dataset.name in this.answers); }

  /** Shows what the address names: `#cancel` or `#cancel/3`. */
  goToAddress(isMoved) {
    const name = decodeURIComponent(location.hash.slice(1));
    const ending = this.endings.find((one) => one.dataset.name === name.split("/")[0]);
    const place = ending ? this.steps(ending).findIndex((step) => step.dataset.name === name) : -1;
    this.show(ending || this.endings[0], Math.max(0, place), isMoved && ending);
  }

  show(ending, place, isMoved) {
    const [steps, height] = [this.steps(ending), scrollY];
    const isResult = place === steps.length - 1;
    this.wanted = null;
    if (isResult && this.isAsked(ending)) {
      this.wanted = place;
      one("form .notice", ending).textContent = word("Predict first, or skip the question.");
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
    const address = "#" + steps[this.wanted ?? place].dataset.name;
    if (isMoved || location.hash) history.replaceState(null, "", address);
    if (isMoved) steps[place].focus({ preventScroll: true });
    // Chromium may go to the top when the step that had the focus is hidden.
    if (scrollY !== height) scrollTo(scrollX, height);
    updateAddress();
  }

  /** Asks whether this ending is like the one before it, of those who have seen that one. */
  askOfBefore(ending) {
    const question = one("fieldset[data-after]", ending);
    if (question) question.hidden = !hasSeen(question.dataset.after);
  }

  showBar(steps, place) {
    for (const link of all(".bar a", this.ending)) {
      const isHere = link.hash === "#" + steps[place].dataset.name;
      if (isHere) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current");
      if (isHere) link.parentNode.parentNode.scrollLeft = link.offsetLeft - 80;
    }
    for (const button of all(".bar [data-go]", this.ending)) {
      const isBack = ["first", "back"].includes(button.dataset.go);
      button.disabled = place === (isBack ? 0 : steps.length - 1);
    }
  }

  /** Marks the lines that this step runs, and those at which tasks wait after it. */
  markCode(step) {
    all(".row.runs, .row.waits", this.desk).forEach((line) => {
      line.classList.remove("runs", "waits");
      all(".why", line).forEach((why) => why.remove());
    });
    let first = null;
    for (const mark of (step.dataset.marks || "").split("|")) {
      const [place, task] = mark.split("=");
      const line = place && one(`.row[data-line="${place}"]`, this.desk);
      if (!line) continue;
      const isOver = task.startsWith("-");
      line.classList.add(task && !isOver ? "waits" : "runs");
      const text = isOver ? `${task.slice(1)} ${word("ends")}`
        : task ? `${task} ${word("waits")}` : word("runs");
      line.append(element("span", { class: "why" }, `◀ ${text}`));
      first ??= line;
    }
    const box = first && first.closest(".scroll");
    if (box) box.scrollTop = first.offsetTop - box.clientHeight / 3;
  }

  go(where) {
    const last = this.steps(this.ending).length - 1;
    if (where === "skip") {
      this.answers[this.ending.dataset.name] ??= {};
      return this.show(this.ending, this.wanted ?? 1, true);
    }
    const next = { first: 0, last, next: Math.min(this.place + 1, last) };
    const place = next[where] ?? Math.max(this.place - 1, 0);
    // The button that says "begin" is the way on from the question.
    if (where === "next" && this.place === 0 && this.isAsked(this.ending)) {
      one("form .notice", this.ending).textContent = word("Predict first, or skip the question.");
      one("form input, form button", this.ending).focus();
      return;
    }
    if (place !== this.place) this.show(this.ending, place, true);
  }

  goToStep(number) {
    const place = this.steps(this.ending).findIndex((step) => step.dataset.name === `${this.ending.dataset.name}/${number}`);
    if (place >= 0) this.show(this.ending, place, true);
  }

  nextEnding() {
    const next = (this.endings.indexOf(this.ending) + 1) % this.endings.length;
    this.show(this.endings[next], 0, true);
  }

  /** Keeps what was predicted, and writes it beside the measurement into the result. */
  answer(ending, form) {
    const fields = all("fieldset:not([hidden])", form)
      .filter((field) => one("input:checked, input[type=number]", field)?.value);
    this.answers[ending.dataset.name] = fields;
    const lines = fields.map((field) => this.verdict(ending, field));
    one(".predicted", ending).replaceChildren(element("ul", {}, ...lines));
    this.show(ending, this.wanted ?? 1, true);
  }

  /** What is said to one answer; to one about the cause, with what the result says of it. */
  verdict(ending, field) {
    const names = {
      deinitialised: "objects deinitialised", live: "tasks still live", same: "as much as before",
    };
    const { name, answer } = field.dataset;
    const chosen = one("input:checked, input[type=number]", field);
    const isRight = answer.split(" ").includes(chosen.value);
    const label = chosen.closest("label")?.textContent.trim() ?? chosen.value;
    const reply = name === "held" && one(`[data-cause=${chosen.value}] p`, ending).textContent;
    const measured = `${word("Measured")}: ${name === "same" ? word(answer) + "," : answer}`;
    return element(
      "li", { class: isRight ? "right" : "wrong" }, `${word("Your prediction")}: ${label}. `,
      reply ? "" : `${measured} ${word(names[name])}. `,
      element("strong", {}, word(isRight ? "right" : "not what was measured")),
      reply ? `. ${reply}` : "");
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

/** Keeps that the result of an ending was seen, for the matrix. */
function remember(ending) {
  const seen = memory.get("seen") || {};
  seen[nameInMatrix(ending)] = true;
  memory.set("seen", seen);
}

function hasSeen(ending) { return (memory.get("seen") || {})[nameInMatrix(ending)] === true; }

function nameInMatrix(ending) {
  return `${location.pathname.split("/").pop().replace(".html", "")}#${ending}`;
}

/** The address of what is shown, to copy it, and the same for a frame in another page. */
function updateAddress() {
  const plain = location.href.replace("?embed", "");
  const inFrame = plain.replace(/(#|$)/, "?embed$1");
  for (const link of all(".address a")) link.href = plain;
  for (const text of all(".address .plain")) text.textContent = plain;
  for (const text of all(".address .frame")) {
    text.textContent = `<iframe src="${inFrame}" width="100%" height="700"></iframe>`;
  }
}

// MARK: The matrix

/** Hides the verdicts that the reader has not found out yet. */
function veil(isVeiled) {
  const seen = memory.get("seen") || {};
  for (const cell of all(".matrix a.verdict")) {
    const key = cell.getAttribute("href").match(/([^/]*)\.html(#[^/]*)/).slice(1).join("");
    cell.verdict ??= Array.from(cell.childNodes);
    const isHidden = isVeiled && !seen[key];
    cell.classList.toggle("veiled", isHidden);
    cell.replaceChildren(...(isHidden ? ["?"] : cell.verdict));
    if (isHidden) cell.setAttribute("aria-label", word("hidden until you have predicted"));
    else cell.removeAttribute("aria-label");
  }
  one("#unveil").setAttribute("aria-pressed", !isVeiled);
}

// MARK: The search

function setUpSearch() {
  const [field, list] = [one("#search"), one("#found")];
  let chosen = -1;

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    const options = all("[role=option]", list);
    if (options.length === 0) return;
    chosen = (index + options.length) % options.length;
    options.forEach((option, place) => option.setAttribute("aria-selected", place === chosen));
    field.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  }

  async function search() {
    await load("search.js");
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    chosen = -1;
    if (words.length === 0) return close();
    const found = window.memlabSearch
      .filter((entry) => words.every((word) => entry.join(" ").toLowerCase().includes(word)))
      .sort((a, b) => rank(b, words) - rank(a, words)).slice(0, 12);
    list.replaceChildren(...found.map(([title, address], index) => element(
      "li", { role: "option", id: `found-${index}`, "aria-selected": "false" },
      element("a", { href: root + address, tabindex: "-1" }, title))));
    if (found.length === 0) list.append(element("li", {}, word("Nothing was found.")));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
  }

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") one(`#found-${Math.max(chosen, 0)} a`)?.click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close();
  });
}

/** Titles count more than what is written about them. */
function rank(entry, words) {
  return words.filter((word) => entry[0].toLowerCase().includes(word)).length;
}

// MARK: Lessons

/** Opens the player in the lesson, in a frame below its link. */
function play(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return;
  event.preventDefault();
  const link = event.currentTarget;
  const holder = link.closest(".run");
  const open = one("iframe", holder);
  link.setAttribute("aria-expanded", !open);
  if (open) return open.remove();
  const address = link.href.replace("#", "?embed#");
  link.parentNode.after(element("iframe", { src: address, title: link.textContent }));
}

// MARK: Keys

let player = null;

const actions = {
  n: () => player?.go("next"), ArrowRight: () => player?.go("next"),
  b: () => player?.go("back"), ArrowLeft: () => player?.go("back"),
  Home: () => player?.go("first"), End: () => player?.go("last"),
  e: () => player?.nextEnding(),
  s: () => one("#search").focus(), "/": () => one("#search").focus(),
  l: () => setLarge(!page.classList.contains("large")),
  t: nextTheme, "?": toggleKeys,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=radio]), select, dialog") && event.key !== "?") return;
  // Arrows change a choice and scroll a box that has the focus.
  if (event.key.length > 1 && event.target.closest("input, .scroll[tabindex]")) return;
  const isNumber = event.key >= "1" && event.key <= "9" && player;
  const action = isNumber ? () => player.goToStep(event.key) : actions[event.key];
  if (!action || (!player && event.key.length > 1)) return;
  event.preventDefault();
  action();
});

// MARK: When the page is there

/** A box that scrolls can be reached with the keyboard; one that does not is not in the way. */
function reach() {
  for (const box of all(".scroll")) {
    const isScrolling = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (isScrolling) box.tabIndex = 0; else box.removeAttribute("tabindex");
  }
}

one("#language").addEventListener("change", chooseLanguage);
one("#theme").addEventListener("click", nextTheme);
one("#large").addEventListener("click", () => setLarge(!page.classList.contains("large")));
one("#show-keys").addEventListener("click", toggleKeys);
one("#unveil")?.addEventListener("click", () => veil(one("#unveil").ariaPressed === "true"));
all("a.play").forEach((link) => link.addEventListener("click", play));
for (const theme of themes) if (theme.id === memory.get("theme")) theme.checked = true;
if (memory.get("large")) setLarge(true);
if (one(".player")) player = new Player(one(".player"));
if (one(".matrix")) veil(true);
setUpSearch();
addEventListener("resize", reach);
new MutationObserver(reach).observe(document.body, { subtree: true, attributeFilter: ["hidden"] });
reach();
const chosenLanguage = memory.get("language");
const translated = chosenLanguage && one(`link[rel=alternate][hreflang=${chosenLanguage}]`);
all(".languages a").forEach((link) => {
  link.addEventListener("click", () => memory.set("language", link.hreflang));
});
if (page.lang !== "en") load("languages.js");
if (page.lang !== "en" && !chosenLanguage) memory.set("language", page.lang);
if (page.lang === "en" && translated) location.replace(translated.href + location.hash);
if (page.lang === "en" && chosenLanguage && chosenLanguage !== "en") speak(chosenLanguage);
