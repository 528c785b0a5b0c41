// A page whose scripts did not all arrive, for the network changed in that very moment, would look
// well and stand still for ever. This one needs none of them, and loads the page anew.
(() => {
  const PATIENCE = 20000;
  const LEAST = 500;
  const LOOK_AGAIN = 1000;
  const LATE = 3000;
  // A browser that cannot run them will not learn it; what the page says by itself stays then.
  const MOST = 8;
  // Nor will one that does not even read them: once more, for files of two ages look the same.
  const MOST_OLD = 1;
  const KEY = "referee.loads";
  let isMissing = false;
  let isOld = false;
  const isReady = () => "ready" in document.documentElement.dataset;

  // Where nothing may be kept nothing can be counted either: then it is tried seldom.
  function before() {
    try {
      const count = Number(sessionStorage.getItem(KEY) || 0);
      sessionStorage.setItem(KEY, String(count + 1));
      return count;
    } catch { return MOST - 1; }
  }

  function missing() {
    if (isMissing) return;
    isMissing = true;
    const count = before();
    if (count < (isOld ? MOST_OLD : MOST)) setTimeout(anew, LEAST * 2 ** count);
  }

  // Not before there is an answer: a browser's own error page would never come back.
  function anew() {
    const signal = AbortSignal.timeout ? AbortSignal.timeout(LATE) : undefined;
    fetch(location.href, { method: "HEAD", cache: "no-store", signal }).then((answer) => {
      if (answer.ok) location.replace(location.pathname + location.search);
      // What stands before a server that is just starting says so.
      else if (answer.status >= 500) setTimeout(anew, LOOK_AGAIN);
    }, () => setTimeout(anew, LOOK_AGAIN));
  }

  addEventListener("error", (event) => {
    const { target, error } = event;
    if (error instanceof SyntaxError) isOld = true;
    if (target instanceof Element && target.matches("script, link[rel=stylesheet]")) missing();
  }, true);
  // What hangs on a dead line never comes, and never fails.
  setTimeout(() => { if (!isReady()) missing(); }, PATIENCE);
  const isWhole = () => isReady() && window.htmx
    && Array.from(document.querySelectorAll("link[rel=stylesheet]")).every((link) => link.sheet);

  function look() {
    if (isWhole()) {
      try { sessionStorage.removeItem(KEY); } catch { /* nothing was kept */ }
      return;
    }
    const main = document.querySelector("script[type=module]");
    // It may have failed before this one ran: asked for once more, what could not be read says so again.
    if (isReady() || !main) missing();
    else import(main.src).catch((error) => { isOld = isOld || error instanceof SyntaxError; }).then(missing);
  }

  if (document.readyState === "complete") look();
  else addEventListener("load", look);
})();
