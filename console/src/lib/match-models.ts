import type { Model } from './trpc.ts';

/** Models whose ID contains every typed word. IDs that start with the first word come first. */
export function matchModels<T extends Pick<Model, 'id'>>(models: T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return models;
  const found = models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  const startsWithFirst = ({ id }: T) => id.toLowerCase().startsWith(first);
  return [...found.filter(startsWithFirst), ...found.filter((model) => !startsWithFirst(model))];
}
