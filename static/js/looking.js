// Where something on the way holds streams back, the page fetches itself every few seconds.

import { offline } from "./notices.js";
import { complete, parts, reached, receive } from "./parts.js";

const EVERY = 4000;

const said = (body, name) => new URL(body.dataset.stream, location.href).searchParams.get(name) || "";
const statusOf = (body) => said(body, "status");
// Of which scripts a page is made, and which of the results it tells at the end: it is made anew when
// the program was renewed, or the result set right.
const madeOf = (body) => said(body, "have").split(".").filter((part) => /^(of|outcome)-/.test(part)).join();
let timer = null;

async function look() {
  const looking = timer;
  const before = reached();
  try {
    const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout?.(2 * EVERY) });
    const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (timer !== looking) return;
    if (answer.redirected) location.reload();
    // What was asked for after that and is older: a backup was brought back.
    else if (answer.ok && Number(body.dataset.version) < before) location.reload();
    else if (answer.ok && body.dataset.stream) take(body);
  } catch {
    if (timer === looking) offline(true, "lost");
  }
}

function take(body) {
  const isOther = (of) => of(body) !== of(document.body);
  if (isOther(statusOf) || isOther(madeOf)) { location.reload(); return; }
  body.querySelectorAll("[data-part]").forEach((node) => {
    const name = node.dataset.part;
    if (parts.has(name)) receive(name, { data: node.innerHTML, lastEventId: body.dataset.version });
  });
  complete();
  offline(true, "looking");
}

export function begin() {
  if (timer !== null) return;
  timer = setInterval(look, EVERY);
  look();
}

export function end() {
  clearInterval(timer);
  timer = null;
}

export const isLooking = () => timer !== null;
