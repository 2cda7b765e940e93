import fc from 'fast-check';

/** Replacement values: one of each type, and strings with a meaning in requests. */
const REPLACEMENTS: readonly unknown[] = [
  null,
  true,
  '',
  'word',
  'auto',
  'function',
  'text',
  'file',
  'https://example.com/a.png',
  0,
  -1,
  1.5,
  129,
  3_000_000_000,
  [],
  ['word'],
  [null],
  [{}],
  {},
  { type: 'text' },
  { type: 'function' },
  { type: 'custom' },
  { name: 'f' },
];

type Step = string | number;

/** One change in a JSON value: a value is replaced or removed. */
export function arbitraryMutant(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.constantFrom(...getPaths(value)),
      fc.option(fc.constantFrom(...REPLACEMENTS), { nil: undefined }),
    )
    .map(([path, replacement]) => changeAt(value, path, replacement));
}

function getPaths(value: unknown, above: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const steps: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const below = steps.flatMap(([step, inside]) => getPaths(inside, [...above, step]));
  return above.length === 0 ? below : [above, ...below];
}

function changeAt(value: unknown, path: readonly Step[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    const changed = value.map((item: unknown, index) =>
      index === step ? changeAt(item, rest, replacement) : item,
    );
    return changed.filter((item) => item !== undefined);
  }
  const entries = Object.entries(value as object).map(([key, inside]: [string, unknown]) => [
    key,
    key === step ? changeAt(inside, rest, replacement) : inside,
  ]);
  return Object.fromEntries(entries.filter(([, inside]) => inside !== undefined));
}
