// One's turn is felt: a soft sound of our own, and a tap in the hand; each can be switched off.

const NOTES = [[587, 0], [880, .12]];
const LONG = .35;
const LOUD = .06;
// Several parts of a page change at one turn.
const ONCE = 1500;

let audio = null;
let mayRest = 0;
let last = -ONCE;

// A browser lets a page sound only after it was touched.
document.addEventListener("pointerdown", () => {
  if (!wants("sound") || !("AudioContext" in window) || mayRest) return;
  audio ??= new AudioContext();
  audio.resume().then(rest).catch(() => undefined);
}, true);

// Silence that is played keeps a phone's processor awake all evening: between two sounds it is off.
function rest() {
  clearTimeout(mayRest);
  mayRest = setTimeout(() => audio.suspend(), 1000 * NOTES.length * LONG);
}

const wants = (what) => ["both", what].includes(document.body.dataset.felt);
// What a phone does while its owner plans in secret would tell the others that something changed.
const isSecret = () => document.querySelector("[data-hide]") !== null;

export function feel() {
  if (isSecret() || performance.now() - last < ONCE) return;
  last = performance.now();
  if (wants("buzz") && navigator.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate(120);
  chime();
}

export function chime() {
  if (wants("sound") && mayRest) audio.resume().then(sound).catch(() => { mayRest = 0; });
}

function sound() {
  rest();
  for (const [pitch, later] of NOTES) {
    const start = audio.currentTime + later, note = audio.createOscillator(), loud = audio.createGain();
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(LOUD, start);
    loud.gain.exponentialRampToValueAtTime(.0001, start + LONG);
    note.connect(loud).connect(audio.destination);
    note.start(start);
    note.stop(start + LONG);
  }
}
