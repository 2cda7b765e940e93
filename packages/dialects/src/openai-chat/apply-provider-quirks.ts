import type { JsonObjectBytes, MemberEdits } from '../json/edit-members.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

/**
 * Fits the edits of a caller's own body to a provider of the same dialect that refuses some of OpenAI's members.
 * @returns the edits together with the provider's, and the names of the members that are not sent
 */
export function applyProviderQuirks(
  body: JsonObjectBytes,
  edits: MemberEdits,
  quirks: ProviderQuirks,
): { edits: MemberEdits; dropped: string[] } {
  if (quirks === NO_QUIRKS) return { edits, dropped: [] };
  const { drops, changes } = edits;
  const other = quirks.maxTokensMember === 'max_tokens' ? 'max_completion_tokens' : null;
  const textOf = (name: string) =>
    changes[name] ?? (drops.includes(name) || !body.mayHave(name) ? undefined : body.textOf(name));
  // Most bodies hold none of these names.
  const names = [...quirks.omits, ...(other === null ? [] : [other])].filter(
    (name) => textOf(name) !== undefined,
  );
  if (names.length === 0) return { edits, dropped: [] };
  const kept = Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name)));
  const limit = other === null ? undefined : textOf(other);
  // null is no limit, and must not take the place of one that is.
  if (limit !== undefined && limit !== 'null') kept['max_tokens'] = limit;
  return {
    edits: { drops: [...drops, ...names], changes: kept },
    dropped: names.filter((name) => name !== other && name !== 'stream_options'),
  };
}
