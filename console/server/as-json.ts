/** A value as the browser receives it: amounts as decimal integers, times in ISO 8601. */
export type JsonOf<T> = T extends bigint | Date
  ? string
  : T extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : T extends object
      ? { [Member in keyof T]: JsonOf<T[Member]> }
      : T;
