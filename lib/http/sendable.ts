/** A value that JSON turns into a string may be a Date. */
export type Sendable<T> = T extends string
  ? T | Date
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { [Name in keyof T]: Sendable<T[Name]> }
      : T;
