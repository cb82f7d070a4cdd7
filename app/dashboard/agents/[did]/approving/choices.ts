/** Begins the names of the switches of kinds. */
export const kindPrefix = "kind:";

export const confidences = [
  ["0", "as sure as it likes"],
  ["0.5", "at least 50 % sure"],
  ["0.7", "at least 70 % sure"],
  ["0.8", "at least 80 % sure"],
  ["0.9", "at least 90 % sure"],
] as const;

export const lives = [
  ["1", "a day"],
  ["7", "a week"],
  ["14", "two weeks"],
  ["30", "30 days"],
] as const;

export const uses = [
  ["10", "10 proposals"],
  ["25", "25 proposals"],
  ["50", "50 proposals"],
  ["100", "100 proposals"],
] as const;
