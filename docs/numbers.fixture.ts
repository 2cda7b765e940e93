import { productIn } from './read-docs.fixture.ts';

/** A constant in bytes, milliseconds or items, with a factor or function for other units. */
export type Source = readonly [
  file: string,
  name: string | RegExp,
  convert?: number | ((value: number) => number),
];
/** The constants behind one number of a document. All must have its value. */
export type Stated = readonly Source[];

const UNITS: Record<string, number> = {
  KiB: 1024,
  MiB: 1024 * 1024,
  GiB: 1024 * 1024 * 1024,
  Ki: 1024,
  Mi: 1024 * 1024,
  million: 1_000_000,
  ms: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};
/** Excludes numbers in names, such as UTF-16. */
const NUMBER = new RegExp(
  String.raw`(?<![\w.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(?: (${Object.keys(UNITS).join('|')})\b)?`,
  'g',
);
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bhalf an hour\b/g, '30 minutes'],
  [/\b(?:per|an|one) hour\b/g, '1 hour'],
  [/\b(?:a|per|every) (second|minute|day)\b/g, '1 $1'],
  [/\ban eighth\b/g, '0.125'],
  [/\b(?:a|the last) quarter\b/g, '0.25'],
  ...['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'].map(
    (word, at) => [new RegExp(String.raw`\b${word}\b`, 'g'), String(at + 2)] as const,
  ),
];

/** The text with its numbers in digits. */
function inDigits(text: string): string {
  return WORDS.reduce((spelled, [word, digits]) => spelled.replaceAll(word, digits), text);
}

/** Every number of a text, in bytes and milliseconds. */
export function numbersIn(text: string): number[] {
  return [...inDigits(text).matchAll(NUMBER)].map(
    ([, digits = '', unit = '']) => Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1),
  );
}

/** Variants of a text: one number changed, one unit changed, one number added. */
export function getChanges(text: string): string[] {
  const spelled = inDigits(text);
  const changes = [...spelled.matchAll(NUMBER)].flatMap(({ 0: whole, 2: unit = '', index }) => {
    const end = index + whole.length;
    const other = unit.startsWith('day') ? 's' : 'days';
    return [
      `${spelled.slice(0, index)}7${spelled.slice(index)}`,
      ...(unit === '' ? [] : [spelled.slice(0, end - unit.length) + other + spelled.slice(end)]),
    ];
  });
  return [...changes, `${spelled}, 9 times`];
}

export function readNumber([file, name, convert = 1]: Source): number {
  const value = productIn(file, name);
  return typeof convert === 'number' ? value * convert : convert(value);
}

/** The value of each number, or all values if its constants differ. */
export function getValues(numbers: readonly Stated[], read = readNumber): (number | number[])[] {
  return numbers.map((sources) => {
    const values = [...new Set(sources.map(read))];
    const [value = Number.NaN] = values;
    return values.length > 1 ? values : value;
  });
}
