import { isDeepStrictEqual } from 'node:util';
import { fitHistory } from '@tollgate/dialects/history/fit-history';
import { UNCHANGED, type FittedHistory, type HistoryTarget } from '@tollgate/dialects/history/history-target';
import type { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { NO_QUIRKS, type ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { TranslationTarget } from './encode-for-provider.ts';

type Target = Pick<
  TranslationTarget,
  'dialect' | 'upstreamModel' | 'isKnown' | 'isAnthropic' | 'quirks' | 'dropsReasoning'
>;

/**
 * How the conversation of a caller's own body changes for a provider whose quirks do not change it.
 * @param marks of a large body; null: not searched yet
 */
export function fitRelayedHistory(
  body: JsonObjectBytes,
  target: Target,
  marks: readonly string[] | null = null,
): FittedHistory {
  return hasQuirks(target) ? UNCHANGED : fitHistory(body, getHistoryTarget(target), marks);
}

export function getHistoryTarget({
  dialect,
  upstreamModel: model,
  isKnown,
  isAnthropic,
  dropsReasoning,
}: Target): HistoryTarget {
  return { dialect, model, isKnown, isAnthropic, ...(dropsReasoning === true && { dropsReasoning }) };
}

/** True if the provider's quirks change conversations, which include what others wrote. */
export function hasQuirks({ dialect, quirks }: Pick<Target, 'dialect' | 'quirks'>): boolean {
  return dialect === 'openai-chat' && !areNone(quirks);
}

/** A provider keeps its quirks for all requests, so they are compared once. */
const compared = new WeakMap<ProviderQuirks, boolean>([[NO_QUIRKS, true]]);

function areNone(quirks: ProviderQuirks): boolean {
  const known = compared.get(quirks);
  if (known !== undefined) return known;
  const isSame = isDeepStrictEqual(quirks, NO_QUIRKS);
  compared.set(quirks, isSame);
  return isSame;
}
