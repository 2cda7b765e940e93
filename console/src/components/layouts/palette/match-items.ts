import { PALETTE_GROUPS, type PaletteItem } from './palette-item.ts';

type Searchable = Pick<PaletteItem, 'group' | 'label' | 'hint' | 'words' | 'isFound'>;

/** Models are many: nothing of them is shown until someone types. */
const HIDDEN_UNTIL_TYPED = new Set(['Models']);
const SHOWN_PER_GROUP = 8;

/**
 * The items in which every word that was typed begins a word, and the items that the server found, group by group; in
 * each those first whose label begins with what was typed.
 */
export function matchItems<T extends Searchable>(items: readonly T[], text: string): T[] {
  const words = splitWords(text);
  const first = words[0];
  return PALETTE_GROUPS.flatMap((group) => {
    const members = items.filter((item) => item.group === group);
    if (first === undefined)
      return HIDDEN_UNTIL_TYPED.has(group) ? [] : members.slice(0, SHOWN_PER_GROUP * 2);
    const found = members.filter((item) => {
      if (item.isFound === true) return true;
      const parts = splitWords(`${item.label} ${item.hint ?? ''} ${item.words ?? ''}`);
      return words.every((word) => parts.some((part) => part.startsWith(word)));
    });
    const isFirst = (item: T) => item.label.toLowerCase().startsWith(first);
    const sorted = [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))];
    // The server has limited its own.
    return sorted.filter((item, place) => item.isFound === true || place < SHOWN_PER_GROUP);
  });
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
