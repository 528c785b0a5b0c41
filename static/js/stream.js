// The stream: one at a time, watched, started again on every wake.

import { anew, answers } from "./anew.js";
import { offline } from "./notices.js";
import { complete, hasIcons, isAhead, note, parts, receive, receivePieces } from "./parts.js";
import { random } from "./random.js";

const HEARTBEAT_LATE = 25000;
const OPEN_LATE = 8000;
// A table's computer may be off for a while; a page never waits longer than this to look again.
const WAIT_MOST = 2000;
const WAIT_LEAST = 500;
const BADGE_AFTER = 3000;
const ASLEEP = 12000;
const PROBE_LATE = 900;
// Every stream begins with an event: so many without one, and something on the way holds them back.
const MUTE = 2;

const page = random(8);
const address = document.body.dataset.stream;
let source = null;
let opened = false;
// When the page last heard anything, and when its line was last asked for.
let heard = performance.now();
let asked = heard;
let lostAt = null;
let isOver = false;
let wait = WAIT_LEAST;
let mute = 0;
let timer = null;
let isDead = false;
let knocking = false;
// What looks by itself where streams are held back; it comes late.
let looking = { isLooking: () => false, begin: () => undefined, end: () => undefined };
export const lookBy = (way) => { looking = way; };

export function connect() {
  if (!address || isOver) return;
  const again = source !== null;
  if (again) source.close();
  const target = new URL(address, location.href);
  target.searchParams.set("page", page);
  target.searchParams.set("pieces", "1");
  if (hasIcons) target.searchParams.set("icons", "1");
  // What the page was born with is not what it shows now: everything is sent anew.
  if (again) target.searchParams.set("again", "1");
  source = new EventSource(target);
  opened = false;
  asked = performance.now();
  listen(source);
}

function listen(own) {
  // A stream begins with the present. If that is older than the page, a backup was brought back,
  // and the page would take all that comes for old.
  let isFirst = true;
  const check = (event) => {
    if (isFirst && !looking.isLooking() && isAhead(event)) anew();
    isFirst = false;
  };
  own.addEventListener("open", () => { wait = WAIT_LEAST; isFirst = true; });
  own.addEventListener("error", () => failed(own));
  for (const name of ["hb", "version"]) own.addEventListener(name, (event) => { check(event); alive(); note(event); });
  own.addEventListener("version", complete);
  own.addEventListener("restart", alive);
  own.addEventListener("reload", anew);
  own.addEventListener("gone", () => { end(own); anew(); });
  for (const name of ["moved", "full"]) own.addEventListener(name, () => { end(own); offline(true, name); });
  for (const name of parts.keys()) {
    own.addEventListener(name, (event) => { check(event); alive(); receive(name, event); });
    own.addEventListener(`${name}+`, (event) => { check(event); alive(); receivePieces(name, event); });
  }
}

function end(own) {
  isOver = true;
  looking.end();
  own.close();
}

// A browser tries again by itself after a lost line, but not after an answer that is no stream.
function failed(own) {
  if (lostAt === null) lostAt = performance.now();
  if (own === source) { opened = false; asked = performance.now(); }
  if (own !== source || own.readyState !== EventSource.CLOSED) return;
  connectIn(wait);
  wait = Math.min(2 * wait, WAIT_MOST);
}

function connectIn(ms) {
  clearTimeout(timer);
  timer = setTimeout(connect, ms);
}

function alive() {
  opened = true;
  mute = 0;
  looking.end();
  heard = performance.now();
  lostAt = null;
  isDead = false;
  offline(false);
}

export function reconnect() {
  if (!source || isOver) return;
  source.close();
  opened = false;
  asked = performance.now();
  // A wake often comes as three events at once: they open one stream.
  connectIn(0);
}

// A cable that was pulled and is back makes no sound: while nothing comes, the page knocks every second.
async function knock() {
  if (knocking || !AbortSignal.timeout) return;
  knocking = true;
  try {
    await answers(PROBE_LATE);
    // Only a line that was dead: where just the stream is late, it is waited for.
    if (isDead) reconnect();
    isDead = false;
  } catch { isDead = true; }
  knocking = false;
}

function watch() {
  if (!source || isOver) return;
  const silent = performance.now() - Math.max(heard, asked);
  if (silent > ASLEEP || isDead) knock();
  if (lostAt === null && silent > HEARTBEAT_LATE - BADGE_AFTER) lostAt = performance.now();
  if (lostAt !== null && performance.now() - lostAt > BADGE_AFTER && !looking.isLooking()) offline(true, "lost");
  if (silent <= (opened ? HEARTBEAT_LATE : OPEN_LATE)) return;
  mute += 1;
  if (mute >= MUTE) looking.begin();
  reconnect();
}

// A phone in a pocket hears nothing, and its browser may not know that the line is dead.
export function onWake(wake) {
  let hiddenAt = null;
  let shows = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") hiddenAt = performance.now();
    else if (hiddenAt !== null && performance.now() - hiddenAt > 1000) { hiddenAt = null; wake(); }
  });
  addEventListener("pageshow", (event) => { shows += 1; if (event.persisted || shows > 1) wake(); });
  addEventListener("online", wake);
  addEventListener("focus", () => { if (performance.now() - heard > ASLEEP) wake(); });
}

setInterval(watch, 1000);
document.addEventListener("click", (event) => { if (isOver && event.target.closest("#offline")) anew(); });
