// Whether whoever looks wants things to move.

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
