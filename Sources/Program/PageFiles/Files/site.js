// The search, the languages, the colours and the keys of memlab's pages; it comes last, and starts what
// stands before it.
"use strict";

const page = document.documentElement;
const root = page.dataset.root;
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

// The head has done so already, so that nothing moves when this comes.
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
  // What is kept by name; whatever else stands there counts as nothing.
  table(key) {
    const value = this.get(key);
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  },
};

// What the script says itself is marked as what the page says.
function word(english) {
  return ((window.memlabLanguages || {})[spoken] || {})[english] || english;
}

function said(english, values = "") {
  return element("span", { "data-t": english, "data-n": values }, fill(word(english), values));
}

// Names a part for those who do not see it, in the language that is chosen then; the part comes back.
function label(part, english, values = "") {
  part.dataset.tLabel = english;
  part.dataset.n = values;
  part.setAttribute("aria-label", fill(word(english), values));
  part.setAttribute("lang", word(english) === english ? "en" : spoken);
  return part;
}

// `#1` and `#2` stand for values, and `#` for the only one.
function fill(text, values) {
  return text.replace(
    /#(\d?)/g, (sign, place) => (values ?? "").split("|")[(place || 1) - 1] || sign);
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

let spoken = page.lang;
let player = null;
const loaded = {};

// Loads one of the site's own files; a page that was opened as a file cannot read others.
function load(file) {
  loaded[file] ??= new Promise((resolve, reject) => {
    const script = element("script", { src: root + file });
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return loaded[file];
}

// MARK: Languages

async function speak(language) {
  if (language !== "en") await load("languages.js");
  spoken = language;
  const texts = (window.memlabLanguages || {})[language] || {};
  const say = (text, values) => fill(texts[text] || text, values);
  // What has no translation is English, and is marked so.
  page.lang = language;
  one("main").lang = "en";
  for (const part of all("[data-t]")) {
    part.dataset.t ||= part.textContent;
    part.textContent = say(part.dataset.t, part.dataset.n);
    part.lang = texts[part.dataset.t] ? language : "en";
  }
  for (const part of all("[data-t-placeholder]")) {
    part.placeholder = say(part.dataset.tPlaceholder);
  }
  for (const part of all("[data-t-label]")) label(part, part.dataset.tLabel, part.dataset.n);
  for (const part of all("[data-t-tip]")) part.title = say(part.dataset.tTip);
  one("#language").value = language;
  player?.speakAgain();
}

function chooseLanguage() {
  const language = one("#language").value;
  memory.set("language", language);
  const other = translation(language);
  if (other) location.href = other.href; else speak(language);
}

// The same page in another language, where it is a file of its own.
function translation(language) {
  return all("link[rel=alternate]").find((link) => link.hreflang === language);
}

// MARK: Colours and size

const themes = all("input[name=theme]");

function nextTheme() {
  const next = themes[(themes.findIndex((theme) => theme.checked) + 1) % themes.length];
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
  [["↑", "↓"], "In a picture: the next part"], [["↵"], "Cut, drop or ask"],
  [["l"], "Large type"], [["t"], "Dark or light"], [["?"], "Keys"],
];

function toggleKeys() {
  const open = one("#keys");
  if (open) return open.remove();
  const rows = keys.map(([signs, meaning]) => element(
    "div", {}, element("dt", {}, ...signs.map((sign) => element("kbd", {}, sign))),
    element("dd", {}, said(meaning))));
  const letters = element("input", { type: "checkbox" });
  letters.checked = hasLetterKeys();
  letters.addEventListener("change", () => memory.set("letters", letters.checked));
  const dialog = element(
    "dialog", { id: "keys", "aria-label": word("Keys") }, element("dl", {}, ...rows),
    element("p", {}, element("label", {}, letters, " ", said("Keys of one letter or digit"))),
    element("form", { method: "dialog" }, element("button", {}, said("Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Whether keys of one letter or digit do something; speech input may press them by mistake.
function hasLetterKeys() { return memory.get("letters") !== false; }

// MARK: Pictures

// The name of a shape as a whole; its texts may be broken into lines.
function nameOf(shape) {
  const texts = shape.dataset.ends ? ".label text" : "text";
  return shape.dataset.name ?? all(texts, shape).map((text) => text.textContent).join(" ");
}

// The shape that a place of a picture shows.
function shapeOf(use) { return document.getElementById(use.getAttribute("href").slice(1)); }

// Writes the number of strong references beside an object.
function addBadge(use) {
  const frame = one("rect", shapeOf(use));
  const badge = document.createElementNS("http://www.w3.org/2000/svg", "text");
  badge.setAttribute("x", Number(frame.getAttribute("x")) + Number(frame.getAttribute("width")));
  badge.setAttribute("y", Number(frame.getAttribute("y")) + 4);
  badge.setAttribute("class", use.dataset.was === undefined ? "badge" : "badge changed");
  badge.setAttribute("aria-hidden", "true");
  badge.append(use.dataset.count);
  use.after(badge);
}

// Gives every box and arrow of a picture its name; each stands in the page once, without one.
function nameShapes(within) {
  for (const use of all("use", within)) {
    const shape = shapeOf(use);
    const ends = (shape.dataset.ends || "").split(" ").filter((end) => end)
      .map((end) => nameOf(document.getElementById(shape.id.replace(/a\d+$/, "b") + end)));
    const isGone = use.matches(".gone");
    const [here, gone] = ends.length === 0 ? ["#1", "#1, gone"]
      : use.matches(".declared")
        ? ["#1 refers to #2 (#3) and does not hold it", "#1 no longer refers to #2 (#3)"]
      : nameOf(shape) ? ["#1 holds #2 by #3", "#1 no longer holds #2 by #3"]
      : ["#1 holds #2", "#1 no longer holds #2"];
    const { count, was } = use.dataset;
    const remarks = [
      count && (was === undefined ? "strong references: #1" : "strong references: #1, before: #2"),
      use.matches(".new") && "new", use.matches(".lit") && "not on the other side"];
    if (count && !use.nextElementSibling?.matches(".badge")) addBadge(use);
    if (!use.hasAttribute("role")) use.setAttribute("role", "img");
    label(use, isGone ? gone : here, [...ends, nameOf(shape)].join("|"));
    for (const remark of remarks.filter((one) => one)) {
      use.ariaLabel += `, ${fill(word(remark), `${count}|${was}`)}`;
    }
  }
  for (const picture of all("svg.graph[role=img]", within)) picture.setAttribute("role", "group");
}

// MARK: The matrix

// Hides the verdicts that the reader has not found out yet.
function veil(isVeiled) {
  const seen = memory.table("seen");
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

// MARK: Answers

// Makes a file of the first answers that are kept; the browser puts it where downloads go.
function saveAnswers() {
  const kept = Object.values(memory.table("answers")).flatMap((answers) => answers?.records ?? []);
  const result = kept.length > 0 ? "Answers in the file: #." : "There are no answers yet.";
  one("#saved").replaceChildren(said(result, String(kept.length)));
  if (kept.length === 0) return;
  const text = kept.map((record) => JSON.stringify(record) + "\n").join("");
  const href = "data:application/jsonl;charset=utf-8," + encodeURIComponent(text);
  element("a", { href, download: "answers.jsonl" }).click();
}

// MARK: One's own recording

// Plays a page that `memlab film --html` has written, or shows one that LeakCheck has attached to a
// failure, in a frame that reaches neither this page nor the network, whatever is in the file. What is
// dropped may be no file, but text into the search.
async function playOwn(event, [file]) {
  if (!file) return;
  event.preventDefault();
  const text = file.size < 1e7 ? await file.text() : "";
  const policy = `<!DOCTYPE html><meta http-equiv="Content-Security-Policy"
    content="default-src 'unsafe-inline' data:">`;
  const played = new Blob([policy, text], { type: "text/html" });
  const shown = /<title>[^<]* · (memlab|LeakCheck)<\/title>/.test(text)
    ? element("iframe", {
      src: URL.createObjectURL(played), sandbox: "allow-scripts", title: file.name })
    : said("This is no page that 'memlab film <scenario> --html <file>' has written.");
  one("#own")?.remove();
  one("main").prepend(element("section", { id: "own", class: "run", role: "status" }, shown));
  one("#own").scrollIntoView();
}

// MARK: The search

function setUpSearch() {
  const [field, list, notice] = [one("#search"), one("#found"), one("#found-notice")];
  const close = () => { list.parentNode.hidden = true; };

  async function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    if (words.length === 0) return close();
    list.parentNode.hidden = false;
    try { await load("search.js"); } catch {
      return notice.replaceChildren(said("The search could not be loaded."));
    }
    const found = matches(words);
    list.replaceChildren(...found.map(([title, address]) => element(
      "li", {}, element("a", { href: root + address }, title))));
    notice.replaceChildren(said(found.length === 0 ? "Nothing was found." : "Found:"));
  }

  field.addEventListener("input", search);
  field.parentNode.addEventListener("keydown", (event) => {
    const links = all("a", list);
    const at = links.indexOf(document.activeElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] || field).focus();
    else if (event.key === "Enter" && at < 0) links[0]?.click();
    else return;
    if (event.key !== "Enter" || at < 0) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close();
  });
}

// What has all words, or else most of them. Words in a title count more than others.
function matches(words) {
  const count = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const entries = window.memlabSearch.map((entry) => [entry, count(entry.join(" "))]);
  const most = Math.max(...entries.map(([, number]) => number));
  return entries.filter(([, number]) => number > 0 && number === most).map(([entry]) => entry)
    .sort((a, b) => count(b[0]) - count(a[0])).slice(0, 12);
}

// MARK: Lessons

// Opens the player in the lesson, in a frame below its link.
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
  if (event.key.length === 1 && !hasLetterKeys()) return;
  // Arrows change a choice and scroll a box that has the focus.
  if (event.key.length > 1 && event.target.closest("input, .scroll[tabindex]")) return;
  const isNumber = event.key >= "0" && event.key <= "9" && player;
  const action = isNumber ? () => player.enterDigit(event.key) : actions[event.key];
  if (!action || (!player && event.key.length > 1)) return;
  event.preventDefault();
  action();
});

// MARK: When the page is there

// A box that scrolls can be reached with the keyboard; one that does not is not in the way.
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
one("#save")?.addEventListener("click", saveAnswers);
one("#unveil")?.addEventListener("click", () => veil(one("#unveil").ariaPressed === "true"));
all("a.play").forEach((link) => link.addEventListener("click", play));
one("#film")?.addEventListener("change", (event) => playOwn(event, event.target.files));
addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
addEventListener("drop", (event) => playOwn(event, event.dataTransfer.files));
for (const theme of themes) if (theme.id === memory.get("theme")) theme.checked = true;
if (memory.get("large")) setLarge(true);
if (one(".player")) player = new Player(one(".player"));
for (const part of all("[data-bench]")) {
  nameShapes(part);
  new Bench().show(part, []);
}
if (one(".matrix")) veil(true);
addEventListener("storage", () => { if (one(".matrix")) veil(one("#unveil").ariaPressed !== "true"); });
setUpSearch();
addEventListener("resize", reach);
new MutationObserver(reach).observe(document.body, { subtree: true, attributeFilter: ["hidden"] });
reach();
// Only the reader chooses a language; to have read one page in it is no choice.
all(".languages a").forEach((link) => {
  link.addEventListener("click", () => memory.set("language", link.hreflang));
});
const chosenLanguage = all("#language option").map((option) => option.value)
  .find((language) => language === memory.get("language"));
const translated = translation(chosenLanguage);
if (page.lang !== "en") load("languages.js");
if (page.lang === "en" && translated) location.replace(translated.href + location.hash);
else if (page.lang === "en" && chosenLanguage && chosenLanguage !== "en") speak(chosenLanguage);
