// What a page does by itself: keep its stream alive, say what went wrong, hide what is secret.
// Plain script, no eval, nothing inline: the page's policy forbids both.
"use strict";
(function () {
  const HEARTBEAT_LATE = 25000;
  const OPEN_LATE = 8000;
  const WAIT_MOST = 2000;
  const BADGE_AFTER = 3000;
  const CATCH_UP = 2500;
  const page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16).padStart(2, "0")).join("");
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  // ---- the stream: one at a time, watched, started again on every wake

  let source = null;
  let opened = false;
  let heard = performance.now();
  let lostAt = null;
  let version = Number(document.body.dataset.version || 0);
  let bornAgo = Number(document.body.dataset.since || 0);
  let isOver = false;
  // What each live part shows, as the browser writes it: also what the page was born with, so that
  // a stream that starts again never replaces a form in use by the same form.
  const shown = new Map();
  const reader = document.createElement("template");
  document.querySelectorAll("[sse-swap]").forEach((part) => shown.set(part.id, part.innerHTML.trim()));
  function rewritten(html) {
    reader.innerHTML = html;
    return reader.innerHTML.trim();
  }

  htmx.createEventSource = function (url) {
    if (source) source.close();
    const again = source !== null;
    const target = new URL(url, location.href);
    target.searchParams.set("page", page);
    if (again) {
      target.searchParams.delete("have");
      target.searchParams.set("again", "1");
    }
    source = new EventSource(target);
    opened = false;
    heard = performance.now();
    const own = source;
    own.addEventListener("open", () => { opened = true; alive(); });
    for (const name of ["hb", "version"]) own.addEventListener(name, (event) => { alive(); note(event); });
    own.addEventListener("reload", () => location.reload());
    own.addEventListener("gone", () => { isOver = true; own.close(); location.reload(); });
    for (const name of ["moved", "full"]) own.addEventListener(name, () => { isOver = true; own.close(); offline(true, name); });
    own.addEventListener("restart", () => alive());
    own.addEventListener("error", () => { if (lostAt === null) lostAt = performance.now(); });
    return own;
  };

  function alive() {
    heard = performance.now();
    lostAt = null;
    offline(false);
  }

  function note(event) {
    if (event.lastEventId) version = Math.max(version, Number(event.lastEventId));
  }

  function offline(is, why) {
    const badge = document.getElementById("offline");
    if (!badge) return;
    if (why) badge.textContent = badge.dataset[why];
    badge.hidden = !is;
  }
  document.addEventListener("click", (event) => { if (isOver && event.target.closest("#offline")) location.reload(); });

  function reconnect() {
    if (!source || isOver) return;
    const old = source;
    old.close();
    heard = performance.now();
    // The extension makes a new one when a closed source reports an error, but after ever longer
    // waits, up to a minute; the table's computer may have been off for that long.
    const later = window.setTimeout;
    window.setTimeout = (call, wait) => later(call, Math.min(wait, WAIT_MOST));
    if (old.onerror) old.onerror();
    window.setTimeout = later;
  }

  setInterval(function () {
    if (!source || isOver) return;
    const silent = performance.now() - heard;
    if (lostAt === null && silent > HEARTBEAT_LATE - BADGE_AFTER) lostAt = performance.now();
    if (lostAt !== null && performance.now() - lostAt > BADGE_AFTER) offline(true);
    if (silent > (opened ? HEARTBEAT_LATE : OPEN_LATE)) reconnect();
    else if (source.readyState === EventSource.CLOSED && silent > 5000) reconnect();
  }, 1000);

  let hiddenAt = null;
  document.addEventListener("visibilitychange", function () {
    hide();
    if (document.visibilityState === "hidden") hiddenAt = performance.now();
    else if (hiddenAt !== null && performance.now() - hiddenAt > 1000) wake();
  });
  let shows = 0;
  addEventListener("pageshow", (event) => { shows += 1; if (event.persisted || shows > 1) wake(); });
  addEventListener("online", wake);
  addEventListener("focus", () => { if (performance.now() - heard > 12000) wake(); });
  function wake() {
    hiddenAt = null;
    here();
    reconnect();
    keepAwake();
  }

  // ---- parts: never an older one over a newer, never the same one twice

  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    const message = event.detail;
    alive();
    const old = Number(message.lastEventId || 0);
    if (old && old < version) { event.preventDefault(); return; }
    note(message);
    const id = event.target.id;
    const html = rewritten(message.data);
    if (shown.get(id) === html) event.preventDefault();
    else shown.set(id, html);
  });
  document.addEventListener("htmx:sseMessage", function (event) {
    settle();
    if (event.target.id === "ask" && document.body.classList.contains("asked")) nudge();
  });

  function settle() {
    const mood = document.querySelector("[data-mood]");
    if (mood) {
      const was = document.body.classList.contains("asked");
      for (const name of ["asked", "able", "waiting"]) document.body.classList.toggle(name, mood.dataset.mood === name);
      if (!was && mood.dataset.mood === "asked") nudge();
    }
    // A new question began now; the one a page was born with began before.
    document.querySelectorAll("span[data-since]:not([data-from])").forEach((node) => {
      node.dataset.from = String(performance.now() - 1000 * bornAgo);
    });
    bornAgo = 0;
    document.querySelectorAll(".stepper").forEach(echo);
    mirror();
    if (isStill()) document.querySelectorAll("svg:has(animateMotion)").forEach((svg) => { svg.setCurrentTime(60); svg.pauseAnimations(); });
    tick();
  }

  function nudge() {
    if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate(120);
  }

  function tick() {
    document.querySelectorAll("[data-from]").forEach((node) => {
      const seconds = Math.max(0, Math.floor((performance.now() - Number(node.dataset.from)) / 1000));
      node.textContent = seconds < 5 ? "" : Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
    });
  }
  setInterval(tick, 1000);

  // ---- acting: an id a tap, the same id for a retry, and a word when it failed

  function say(text, isBad) {
    const node = document.getElementById(isBad ? "warned" : "said");
    node.textContent = "";
    setTimeout(() => { node.textContent = text; }, 30);
    clearTimeout(say.timer);
    say.timer = setTimeout(() => { node.textContent = ""; }, 5000);
  }

  document.addEventListener("htmx:configRequest", function (event) {
    const form = event.detail.elt.closest("form");
    if (!form || !form.hasAttribute("data-act")) return;
    const values = event.detail.parameters;
    const key = JSON.stringify(Object.fromEntries(values.entries ? values.entries() : Object.entries(values)));
    if (form.dataset.key !== key) { form.dataset.key = key; form.dataset.actionId = random(); }
    values.id = form.dataset.actionId;
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    const form = event.detail.elt.closest("form");
    if (!event.detail.successful) return;
    if (form) { delete form.dataset.key; delete form.dataset.actionId; }
    const reached = Number(event.detail.xhr.getResponseHeader("X-Version") || 0);
    if (reached) setTimeout(() => { if (version < reached) reconnect(); }, CATCH_UP);
  });
  document.addEventListener("htmx:responseError", function (event) {
    const xhr = event.detail.xhr;
    const isText = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html");
    say(isText && xhr.responseText.length < 600 ? xhr.responseText.trim() : document.getElementById("offline").dataset.failed, xhr.status !== 409);
    const form = event.detail.elt.closest("form");
    if (form) { delete form.dataset.key; delete form.dataset.actionId; }
    if (xhr.status === 409) { shown.clear(); reconnect(); }
    if (xhr.status === 403) location.reload();
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, () => say(document.getElementById("offline").dataset.timeout, true));
  }

  // ---- amounts

  const digits = (text) => Number(String(text).replace(/\D/g, ""));
  function echo(stepper) {
    const form = stepper.closest("form");
    const node = form && form.querySelector("[data-echo]");
    const input = stepper.querySelector("[data-amount]");
    if (node && input) node.textContent = digits(input.value) ? dollars(digits(input.value)) : "";
  }
  function dollars(amount) {
    return new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 }).format(amount);
  }
  document.addEventListener("input", (event) => { if (event.target.matches("[data-amount]")) echo(event.target.closest(".stepper")); });
  document.addEventListener("click", function (event) {
    const step = event.target.closest("[data-step]");
    if (step) {
      const stepper = step.closest("form").querySelector(".stepper");
      const input = stepper.querySelector("[data-amount]");
      const wanted = digits(input.value) + Number(step.dataset.step);
      input.value = String(Math.min(Number(stepper.dataset.most), Math.max(Number(stepper.dataset.least), wanted)));
      echo(stepper);
    }
    const opener = event.target.closest("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog).showModal();
    const dialog = event.target.closest("dialog");
    if (dialog && event.target === dialog) dialog.close();
  });
  // Of so many boxes and no more: a further tick takes back another one.
  document.addEventListener("change", function (event) {
    const form = event.target.closest("form[data-exactly]");
    if (!form) return;
    const ticked = Array.from(form.querySelectorAll("input[type=checkbox]:checked"));
    if (ticked.length > Number(form.dataset.exactly)) ticked.find((box) => box !== event.target).checked = false;
  });
  document.addEventListener("change", (event) => { if (event.target.matches("[data-submit]")) event.target.form.requestSubmit(); });

  // ---- places on a map stand for the choice, the button or the fold that has their id

  function choose(place) {
    const targets = place.dataset.for.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
    if (!targets.length) return;
    if (targets[0].tagName === "DETAILS") {
      const open = targets.findIndex((node) => node.open);
      targets.forEach((node) => { node.open = false; });
      if (open + 1 < targets.length) targets[open + 1].open = true;
    } else targets[0].click();
  }
  document.addEventListener("click", function (event) {
    const place = event.target.closest("[data-for]");
    if (place) choose(place);
  });
  function mirror() {
    document.querySelectorAll("[data-for]").forEach((place) => {
      const isOn = (id) => { const node = document.getElementById(id); return node && (node.checked || node.open); };
      place.classList.toggle("chosen", Boolean(place.dataset.for.split(" ").some(isOn)));
    });
    document.querySelectorAll("[data-with]").forEach((group) => {
      const node = document.getElementById(group.dataset.with);
      group.classList.toggle("on", Boolean(node && node.open));
    });
    document.querySelectorAll("[data-chosen]").forEach((node) => {
      const picked = node.closest("form").querySelector("input[type=radio]:checked");
      node.textContent = picked ? "· " + picked.closest("label").querySelector("span").firstElementChild.textContent : "";
    });
  }
  document.addEventListener("change", mirror);
  document.addEventListener("toggle", mirror, true);

  // ---- secrets: open while held, shut on everything else

  let hideTimer = null;
  function hide() {
    document.querySelectorAll("[data-peek][data-open]").forEach((node) => node.removeAttribute("data-open"));
  }
  function show(node) {
    node.setAttribute("data-open", "");
    clearTimeout(hideTimer);
    hideTimer = setTimeout(hide, 15000);
  }
  document.addEventListener("pointerdown", function (event) {
    const button = event.target.closest(".peek-btn, .reveal[data-peek]");
    if (button) { event.preventDefault(); show(button.closest("[data-peek]")); }
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, hide);
  document.addEventListener("keydown", function (event) {
    const button = event.target.closest(".peek-btn, .reveal[data-peek]");
    if (button && (event.key === " " || event.key === "Enter")) { event.preventDefault(); show(button.closest("[data-peek]")); }
  });
  document.addEventListener("keyup", hide);
  document.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-peek], [data-hold]")) event.preventDefault(); });

  // ---- a phone that lies on the table hides its owner's plans

  let touched = performance.now();
  function veil(isDown) { document.body.classList.toggle("veiled", isDown && Boolean(document.body.dataset.veil)); }
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => { touched = performance.now(); });
  document.addEventListener("click", (event) => { if (event.target.closest(".veil")) veil(false); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") veil(true); });
  setInterval(() => { if (performance.now() - touched > 1000 * Number(document.body.dataset.veil)) veil(true); }, 1000);

  // ---- the curtain opens for whoever holds its button

  let holdTimer = null;
  document.addEventListener("pointerdown", function (event) {
    const link = event.target.closest("[data-hold]");
    if (link) holdTimer = setTimeout(() => location.assign(link.href), 500);
  });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => clearTimeout(holdTimer));
  document.addEventListener("click", (event) => { if (event.target.closest("[data-hold]") && event.detail) event.preventDefault(); });

  // ---- being here, staying awake, the closing ceremony

  function here() {
    const target = document.body.dataset.here;
    if (target && document.visibilityState === "visible") fetch(target, { method: "POST" }).catch(() => undefined);
  }
  setInterval(here, 12000);

  let lock = null;
  function keepAwake() {
    if (!("wakeLock" in navigator) || !document.body.classList.contains("display")) return;
    navigator.wakeLock.request("screen").then((got) => { lock = got; }).catch(() => { lock = null; });
  }

  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  function ceremony() {
    const root = document.querySelector("[data-ceremony]");
    if (!root) return;
    const steps = Number(root.dataset.ceremony);
    let at = 0;
    const draw = () => {
      root.querySelectorAll("[data-step-at]").forEach((node) => {
        const first = Number(node.dataset.stepAt);
        const last = Number(node.dataset.stepTo || steps);
        const isHidden = at < first || at > last;
        if (node.hasAttribute("hidden") && !isHidden && !isStill()) node.querySelectorAll("animateMotion").forEach((ride) => ride.beginElement());
        node.toggleAttribute("hidden", isHidden);
      });
      root.querySelectorAll("[data-next], [data-all]").forEach((node) => node.toggleAttribute("hidden", at >= steps));
    };
    root.addEventListener("click", (event) => {
      if (event.target.closest("[data-next]")) { at += 1; draw(); }
      if (event.target.closest("[data-all]")) { at = steps; draw(); }
      const back = event.target.closest("[data-goto]");
      if (back) { at = Number(back.dataset.goto); draw(); }
    });
    document.addEventListener("keydown", (event) => {
      if ((event.key === " " || event.key === "ArrowRight") && at < steps && event.target === document.body) { event.preventDefault(); at += 1; draw(); }
    });
    draw();
  }

  function begin() {
    document.querySelectorAll("form[data-mix]").forEach((form) => { form.elements.mix.value = random(); });
    document.querySelectorAll("form[data-autosubmit-now]").forEach((form) => form.requestSubmit());
    const refresh = document.querySelector("[data-refresh]");
    if (refresh) setTimeout(() => location.reload(), Number(refresh.dataset.refresh));
    settle();
    ceremony();
    here();
    keepAwake();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
