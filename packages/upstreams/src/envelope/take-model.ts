import type { Buffer } from 'node:buffer';
import { takeJsonMembers } from '@tollgate/dialects/json/edit-members';

/**
 * Removes body members that are in the path instead.
 * @throws Error if the body has no model, which was checked before
 */
export function takeModel(
  body: Buffer,
  others: readonly string[],
): { rest: Buffer; model: string; taken: Readonly<Record<string, string>> } {
  const { rest, taken } = takeJsonMembers(body, ['model', ...others]);
  const model: unknown = JSON.parse(taken['model'] ?? 'null');
  if (typeof model !== 'string') throw new Error('The body of a completion names no model');
  return { rest, model, taken };
}

/** A path without its query and the suffix that the envelope replaces. */
export function pathBefore(path: string, end: string): string | null {
  const [plain = ''] = path.split('?', 1);
  return plain.endsWith(end) ? plain.slice(0, -end.length) : null;
}
