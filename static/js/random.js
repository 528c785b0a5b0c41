// Ids that nobody guesses and no two phones share.

export function random(bytes = 12) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
}
