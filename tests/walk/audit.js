// What is wrong with a page as it is laid out now: a list of sentences, empty for a good page.

(limits) => {
  const faults = [];
  const { width, height } = limits, root = document.documentElement;
  const EDGE = 1.5;

  const told = (node) => {
    const path = [];
    for (let at = node; at && at !== document.body && path.length < 4; at = at.parentElement) {
      const kind = at.getAttribute("class");
      path.unshift(at.localName + (at.id ? `#${at.id}` : kind ? `.${kind.trim().split(/\s+/).join(".")}` : ""));
      if (at.id) break;
    }
    return path.join(" ");
  };
  const said = (text) => `"${text.replace(/\s+/g, " ").trim().slice(0, 40)}"`;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !node.closest("[hidden], .sr, dialog:not([open]), [aria-hidden=true] .quiet");
  // What lies in a layer of its own may cover what is below it.
  const layers = new Map([[document.body, null]]);
  const layer = (node) => {
    if (!layers.has(node)) {
      const isOne = ["fixed", "sticky"].includes(getComputedStyle(node).position) || node.matches(".peek-secret, .menu > ul, .moment, dialog");
      layers.set(node, isOne ? node : layer(node.parentElement));
    }
    return layers.get(node);
  };

  // Nothing is wider than the window.
  if (root.scrollWidth > width + 1) {
    const out = [...document.querySelectorAll("body *")].filter((node) => seen(node)
      && node.getBoundingClientRect().right > width + EDGE).slice(-1);
    faults.push(`sideways: ${root.scrollWidth} of ${width}: ${out.map(told)}`);
  }
  for (const node of document.querySelectorAll("body *")) {
    if (node.scrollWidth > node.clientWidth + 1 && node.clientWidth && seen(node)
      && ["auto", "scroll"].includes(getComputedStyle(node).overflowX)
      // Pages to be turned with a finger, each as wide as the window.
      && getComputedStyle(node).scrollSnapType === "none") faults.push(`sideways inside: ${told(node)}`);
  }

  // Every text that is there can be read: not cut off, not written over another.
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  // Only what people typed may be broken in the middle of a word.
  const broken = (node, owner) => {
    if (owner.closest("[translate=no], .code, kbd") || getComputedStyle(owner).hyphens === "auto") return;
    for (const { 0: word, index } of node.data.matchAll(/\p{L}{4,}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [first, ...rest] = range.getClientRects();
      if (first && rest.some(({ top }) => Math.abs(top - first.top) > first.height / 2)) {
        faults.push(`broken word: ${said(word)} in ${told(owner)}`);
      }
    }
  };
  while (walker.nextNode()) {
    const node = walker.currentNode, owner = node.parentElement;
    if (!node.data.trim() || owner.closest("script, style, noscript, title, option, template") || !seen(owner)) continue;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    if (lines.length > 1 && !limits.isBig) broken(node, owner);
    const letters = node.data.trim().length;
    if (letters >= 16 && lines.length > letters / 4) faults.push(`in ${lines.length} lines: ${said(node.data)} in ${told(owner)}`);
    for (const box of lines) {
      if (box.width < 1 || box.height < 1) continue;
      texts.push({ box, owner, text: node.data, svg: Boolean(owner.closest("svg")) });
    }
  }
  // Where an element may be seen: within `all` that cuts it, and within `hard` for good.
  const EVERYWHERE = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  const frames = new Map([[document.body, { all: EVERYWHERE, hard: [] }]]);
  const cut = (one, other) => ({
    left: Math.max(one.left, other.left), right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom),
  });
  const frameOf = (node) => {
    let found = frames.get(node);
    if (found) return found;
    const style = getComputedStyle(node);
    const { all, hard } = style.position === "fixed" ? frames.get(document.body) : frameOf(node.parentElement);
    const cutsWide = style.overflowX !== "visible", cutsHigh = style.overflowY !== "visible";
    found = { all, hard };
    if ((cutsWide || cutsHigh) && style.display !== "inline") {
      const box = node.getBoundingClientRect();
      const own = { ...EVERYWHERE, ...(cutsWide && { left: box.left, right: box.right }), ...(cutsHigh && { top: box.top, bottom: box.bottom }) };
      const isSoft = node.matches(limits.mayBeCut) || ["auto", "scroll"].includes(style.overflowY);
      found = { all: cut(all, own), hard: isSoft ? [] : [...hard, { own, node }] };
    }
    frames.set(node, found);
    return found;
  };
  // What is outside of its frame altogether was put away; what is half in it is cut.
  const isIn = (box, own) => box.right > own.left && box.left < own.right && box.bottom > own.top && box.top < own.bottom;
  const isCut = ({ box, owner }) => frameOf(owner).hard.find(({ own }) => isIn(box, own) && (
    box.left < own.left - EDGE || box.right > own.right + EDGE
    || box.top + box.height * .2 < own.top - EDGE || box.bottom - box.height * .2 > own.bottom + EDGE));
  for (const found of texts) {
    const by = isCut(found);
    if (by) faults.push(`cut off: ${said(found.text)} in ${told(found.owner)} by ${told(by.node)}`);
  }
  const shrunk = ({ box, owner, svg }) => {
    const more = Math.min(box.height * .22, 12), side = svg ? 2 : 1;
    return cut({ left: box.left + side, right: box.right - side, top: box.top + more, bottom: box.bottom - more }, frameOf(owner).all);
  };
  const boxes = texts.map((found) => ({ ...found, ...shrunk(found) })).filter(({ left, right, top, bottom }) => right > left && bottom > top);
  for (const found of boxes) found.layer = layer(found.owner);
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((one, index) => {
    for (let next = index + 1; next < boxes.length && boxes[next].top < one.bottom; next += 1) {
      const other = boxes[next];
      if (one.layer !== other.layer || one.owner === other.owner) continue;
      // Sums of neighbours have a rim each.
      if ([one, other].some(({ owner }) => owner.matches(".sums .label"))) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (wide > 1) faults.push(`over each other: ${said(one.text)} and ${said(other.text)} in ${told(other.owner)}`);
    }
  });

  // Whose phone it is, whose turn, and the ways to the menu and to help stand in one line.
  const ways = [...document.querySelectorAll(".seat > header > *")].filter(seen).map((node) => node.getBoundingClientRect());
  if (ways.length && !limits.isBig && ways.at(-1).top >= ways[0].bottom) faults.push("the header is two lines");

  // What explains a word stands beside it.
  for (const node of limits.isBig ? [] : document.querySelectorAll(".q")) {
    if (!seen(node)) continue;
    const own = node.getBoundingClientRect();
    const others = [...node.parentElement.childNodes].filter((other) => other !== node && other.textContent.trim() && (other.nodeType === 3 || seen(other)));
    const isBeside = (other) => {
      range.selectNodeContents(other);
      const { top, bottom } = other.nodeType === 3 ? range.getBoundingClientRect() : other.getBoundingClientRect();
      return top < own.bottom - 8 && bottom > own.top + 8;
    };
    if (others.length && !others.some(isBeside)) faults.push(`a line of its own: ${told(node)}`);
  }

  // On a phone the main button is there at once, above the bar that is held to look.
  const bar = document.querySelector(".peek");
  const floor = bar && seen(bar) && getComputedStyle(bar).position === "sticky" ? bar.getBoundingClientRect().top : height;
  if (limits.device === "phone" && limits.isAsked) {
    const main = [...document.querySelectorAll("#ask .btn-primary")].find(seen);
    if (main && height > width && !limits.isBig) {
      const { bottom } = main.getBoundingClientRect();
      if (bottom > floor + EDGE) faults.push(`main button ${Math.round(bottom - floor)} px too low: ${said(main.innerText)}`);
    }
    if (main) {
      main.scrollIntoView({ block: "center" });
      const box = main.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (!main.contains(top)) faults.push(`main button covered: ${said(main.innerText)} by ${top && told(top)}`);
      scrollTo(0, 0);
    }
  }

  // What is asked is seen first, and what a newcomer is told of it leaves it the room.
  const hint = document.querySelector("#hint > .hint"), question = document.querySelector("#ask .ask, #ask h2");
  if (hint && question && seen(hint) && seen(question)) {
    const { top, height: high } = hint.getBoundingClientRect();
    if (high > height / 3 && top < question.getBoundingClientRect().top) faults.push("a hint fills the window above its question");
  }

  // Whoever scrolls comes to something: below the last of a phone's page is nothing but its bar.
  const main = document.querySelector(".seat > main");
  if (main && root.scrollHeight > height + 1) {
    scrollTo(0, root.scrollHeight);
    // A map stays in the window beside what is read.
    const stays = (node) => getComputedStyle(node).position === "sticky" && getComputedStyle(node).top !== "auto";
    const low = [...main.querySelectorAll("*")].filter((node) => seen(node) && ![node, node.parentElement, node.closest("svg")].some((at) => at && stays(at)))
      .map((node) => node.getBoundingClientRect().bottom);
    const empty = Math.round(main.getBoundingClientRect().bottom - Math.max(...low));
    if (empty > 100) faults.push(`nothing for ${empty} px below the last`);
    scrollTo(0, 0);
  }

  // Two cards of which one is taken are seen together.
  const laid = [...document.querySelectorAll("#ask .facedown-btn")].filter(seen).map((node) => Math.round(node.getBoundingClientRect().top));
  if (new Set(laid).size > 1) faults.push("cards below each other");
  // On the display, which nobody scrolls, nothing lies over what can be tapped.
  if (limits.device === "display" && document.body.matches(".play")) {
    for (const node of document.querySelectorAll("button, summary, select, footer a")) {
      if (!seen(node) || node.closest("dialog, .moment, .menu > ul")) continue;
      const { left, right, top, bottom } = cut(node.getBoundingClientRect(), frameOf(node).all);
      if (right - left < 8 || bottom - top < 8) continue;
      for (const x of [left + 2, (left + right) / 2, right - 2]) {
        const over = document.elementFromPoint(x, (top + bottom) / 2);
        if (over && !node.contains(over) && !over.contains(node) && !over.closest(".moment, .acts")) faults.push(`covered: ${told(node)} by ${told(over)}`);
      }
    }
    // Nor over the end of a text, where what stands beside it may begin too early.
    for (const { box, owner, text, svg } of texts) {
      if (svg || owner.closest("dialog, .moment, .menu > ul, .log")) continue;
      const { left, right, top, bottom } = cut(box, frameOf(owner).all);
      if (right - left < 8 || bottom - top < 8) continue;
      const over = document.elementFromPoint(right - 3, (top + bottom) / 2);
      const isBeside = over && layer(over) === layer(owner) && !over.contains(owner) && !(owner.closest("label") || owner).contains(over);
      // What lets it shine through may reach over its end.
      if (isBeside && getComputedStyle(over.closest("label") || over).backgroundColor !== "rgba(0, 0, 0, 0)") {
        faults.push(`covered: ${said(text)} by ${told(over)}`);
      }
    }
  }

  // A thumb needs 44 px; a link in the middle of a sentence is as high as its line.
  if (limits.device === "phone" && !limits.isBig) {
    const TOUCHED = "button, summary, select, a, input:not([type=hidden], [type=radio], [type=checkbox]), textarea, label:has(> input), .touch";
    for (const node of document.querySelectorAll(TOUCHED)) {
      if (!seen(node) || (node.localName === "a" && getComputedStyle(node).display === "inline")) continue;
      const box = node.getBoundingClientRect(), small = Math.min(box.width, box.height);
      if (small > 1 && small < 43.5) faults.push(`${Math.round(small)} px to touch: ${told(node)} ${said(node.textContent)}`);
    }
  }

  // What is held open to be looked at is all in the window.
  const secret = document.querySelector(".peek-secret");
  if (secret && !limits.isBig) {
    bar.setAttribute("data-open", "");
    bar.scrollIntoView({ block: "end" });
    const box = secret.getBoundingClientRect();
    if (box.height && (box.top < -EDGE || box.left < -EDGE || box.right > width + EDGE)) {
      faults.push(`secrets stick out of the window by ${Math.round(-box.top)} px`);
    }
    bar.removeAttribute("data-open");
    scrollTo(0, 0);
  }

  // The display is read from three metres; what the host fills in there is read by whoever sits at it.
  if (limits.leastType && document.body.matches(".display")) {
    const sizes = new Map();
    for (const { owner, text, svg } of texts) {
      if (owner.closest(".menu, .deskbox, dialog, form, .options")) continue;
      const scale = svg ? Math.abs(owner.getScreenCTM().d) : 1;
      const size = parseFloat(getComputedStyle(owner).fontSize) * scale;
      if (size < limits.leastType - .5) sizes.set(told(owner), `${Math.round(size * 10) / 10} px small: ${said(text)} in ${told(owner)}`);
    }
    faults.push(...sizes.values());
  }

  // The line below the board stays below it: what sticks out lies over who plays.
  const foot = document.querySelector(".display > footer");
  for (const node of foot ? foot.children : []) {
    const out = node.getBoundingClientRect().right - foot.getBoundingClientRect().right;
    if (seen(node) && out > EDGE) faults.push(`out of its line by ${Math.round(out)} px: ${told(node)}`);
  }

  // On the display whose turn it is, what is asked and who plays are in the window.
  if (limits.device === "display") {
    for (const node of document.querySelectorAll(limits.firstRank)) {
      if (!seen(node)) continue;
      const box = node.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      const out = Math.max(-box.left, box.right - width, -box.top, box.bottom - height);
      if (out > EDGE) faults.push(`out of the window by ${Math.round(out)} px: ${told(node)}`);
    }
  }
  return [...new Set(faults)];
};
