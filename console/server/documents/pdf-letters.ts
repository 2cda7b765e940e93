import type { Sheet } from './sheet.ts';

/** Letters that the fonts of the PDF lack: all scripts except Latin, Greek and Cyrillic, and pictures such as emoji. */
const MISSING =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}/u;

/** True if the PDF of a document shows boxes for some of its letters. Its page shows them all. */
export function hasMissingLetters({ parties, facts, tables, notes }: Sheet): boolean {
  const texts = [
    ...parties.flatMap(({ heading, lines }) => [heading, ...lines]),
    ...facts.flat(),
    ...tables.flatMap(({ rows, foot }) => [...rows, ...foot].flat()),
    ...notes,
  ];
  return texts.some((text) => MISSING.test(text));
}
