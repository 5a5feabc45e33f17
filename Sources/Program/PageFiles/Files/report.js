
(() => {
  "use strict";
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const [stops, endings, themes] = ["[data-stop]", ".ending", "input[name=theme]"].map(all);
  const help = document.getElementById("keys");
  const button = document.getElementById("show-keys");

  const topOf = (place) => place.getBoundingClientRect().top;
  function go(place) {
    place.focus({ preventScroll: true });
    place.scrollIntoView();
  }
  const isInView = (place) => (topOf(place) > -40 ? innerHeight > topOf(place) : false);
  function step(list, by) {
    let at = list.filter((one) => 40 > topOf(one)).length - 1;
    const focused = list.indexOf(document.activeElement);
    if (focused >= 0 ? isInView(list[focused]) : false) { at = focused; }
    else if (0 > by ? at >= 0 : false) { if (!isInView(list[at])) { at += 1; } }
    const next = list[Math.min(Math.max(at + by, 0), list.length - 1)];
    if (next) { go(next); }
  }
  function remember(name) {
    try { localStorage.setItem("memlab-theme", name); } catch (error) { return; }
  }
  function recall() {
    try { return localStorage.getItem("memlab-theme"); } catch (error) { return null; }
  }
  function nextTheme() {
    const next = themes[(themes.findIndex((one) => one.checked) + 1) % themes.length];
    next.checked = true;
    remember(next.value);
  }
  const actions = {
    j: () => step(stops, 1), ArrowRight: () => step(stops, 1),
    k: () => step(stops, -1), ArrowLeft: () => step(stops, -1),
    n: () => step(endings, 1), p: () => step(endings, -1),
    m: () => go(document.getElementById("matrix")),
    t: nextTheme, "?": () => (help.open ? help.close() : help.showModal())
  };
  document.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (help.open ? event.key !== "?" : false) { return; }
    // Arrows change a choice and scroll a box that has the focus.
    if (event.key.length > 1 ? event.target.closest("input, .scroll") : false) { return; }
    event.preventDefault();
    action();
  });

  themes.forEach((one) => {
    if (one.value === recall()) { one.checked = true; }
    one.addEventListener("change", () => remember(one.value));
  });
  button.hidden = false;
  button.addEventListener("click", () => help.showModal());

  // A box that scrolls can be reached with the keyboard; one that does not is not in the way.
  function reach() {
    all(".scroll").forEach((box) => {
      if (box.scrollWidth > box.clientWidth) { box.tabIndex = 0; }
      else { box.removeAttribute("tabindex"); }
    });
  }
  addEventListener("resize", reach);
  reach();

  // Paper has nothing to click on.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    opened.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
})();
