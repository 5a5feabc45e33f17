
(function () {
  "use strict";
  var stops = Array.from(document.querySelectorAll("[data-stop]"));
  var endings = Array.from(document.querySelectorAll(".ending"));
  var themes = Array.from(document.querySelectorAll("input[name=theme]"));
  var help = document.getElementById("keys");
  var button = document.getElementById("show-keys");

  function go(place) {
    place.focus({ preventScroll: true });
    place.scrollIntoView();
  }
  function isInView(place) {
    var top = place.getBoundingClientRect().top;
    return top > -40 ? innerHeight > top : false;
  }
  function step(list, by) {
    var at = list.filter(function (one) {
      return 40 > one.getBoundingClientRect().top;
    }).length - 1;
    var focused = list.indexOf(document.activeElement);
    if (focused >= 0 ? isInView(list[focused]) : false) { at = focused; }
    else if (0 > by ? at >= 0 : false) { if (!isInView(list[at])) { at += 1; } }
    var next = list[Math.min(Math.max(at + by, 0), list.length - 1)];
    if (next) { go(next); }
  }
  function remember(name) {
    try { localStorage.setItem("memlab-theme", name); } catch (error) { return; }
  }
  function recall() {
    try { return localStorage.getItem("memlab-theme"); } catch (error) { return null; }
  }
  function nextTheme() {
    var at = themes.findIndex(function (one) { return one.checked; });
    var next = themes[(at + 1) % themes.length];
    next.checked = true;
    remember(next.value);
  }
  var actions = {
    j: function () { step(stops, 1); }, ArrowRight: function () { step(stops, 1); },
    k: function () { step(stops, -1); }, ArrowLeft: function () { step(stops, -1); },
    n: function () { step(endings, 1); }, p: function () { step(endings, -1); },
    m: function () { go(document.getElementById("matrix")); },
    t: nextTheme,
    "?": function () { if (help.open) { help.close(); } else { help.showModal(); } }
  };
  document.addEventListener("keydown", function (event) {
    var action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (help.open ? event.key !== "?" : false) { return; }
    // Arrows change a choice and scroll a box that has the focus.
    if (event.key.length > 1 ? event.target.closest("input, .scroll") : false) { return; }
    event.preventDefault();
    action();
  });

  themes.forEach(function (one) {
    if (one.value === recall()) { one.checked = true; }
    one.addEventListener("change", function () { remember(one.value); });
  });
  button.hidden = false;
  button.addEventListener("click", function () { help.showModal(); });

  // A box that scrolls can be reached with the keyboard; one that does not is not in the way.
  var boxes = Array.from(document.querySelectorAll(".scroll"));
  function reach() {
    boxes.forEach(function (box) {
      if (box.scrollWidth > box.clientWidth) { box.tabIndex = 0; }
      else { box.removeAttribute("tabindex"); }
    });
  }
  addEventListener("resize", reach);
  reach();

  // Paper has nothing to click on.
  var opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (one) { one.open = true; });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (one) { one.open = false; });
  });
})();
