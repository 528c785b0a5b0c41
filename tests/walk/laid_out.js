// Shows a page as it is born, without scripts, or the one that is shown in another way; all in one go.

async ({ html, text, isLost }) => {
  const root = () => document.documentElement;
  if (html) {
    document.open();
    document.write(html);
    document.close();
    if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
    // A ceremony's steps follow each other; the last one shows most.
    document.querySelectorAll("[data-ceremony]").forEach((ceremony) => {
      const last = Number(ceremony.dataset.ceremony);
      ceremony.querySelectorAll("[data-step-at]").forEach((node) => node.toggleAttribute(
        "hidden", last < Number(node.dataset.stepAt) || last > Number(node.dataset.stepTo || last)));
    });
    // What moves has arrived, however long this took.
    document.querySelectorAll("svg:has(animateMotion)").forEach((drawing) => drawing.setCurrentTime(60));
  }
  if (!text) return;
  root().style.fontSize = text;
  // What the page's script does when the line is lost.
  const band = document.getElementById("offline");
  if (!band) return;
  band.hidden = !isLost;
  root().style.setProperty("--band", isLost ? `${band.offsetHeight}px` : "");
}
