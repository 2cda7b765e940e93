import type { Dialect } from '@tollgate/core/models/dialect';
import type { JsonObjectBytes, MemberEdits } from '../json/edit-members.ts';
import { findMarks } from '../json/find-marks.ts';
import { chatHistory } from './chat-history.ts';
import { UNCHANGED, type FittedHistory, type HistoryFit, type HistoryTarget } from './history-target.ts';
import { messagesHistory } from './messages-history.ts';
import { responsesHistory } from './responses-history.ts';

/**
 * Takes out of a conversation what its provider would refuse because another provider or the gateway wrote it: reasoning
 * without the provider's own signature, and ids that carry signatures. Its own signatures are sent back as they were. It
 * reads only conversations with marks of these, each once.
 * @param body a caller's own body, in the provider's dialect
 */
export function fitHistory(body: JsonObjectBytes, target: HistoryTarget): FittedHistory {
  return mayFitHistory(body, target) ? FITS[target.dialect].fit(body, target) : UNCHANGED;
}

/** False if a conversation certainly stays as it is. Native searches, almost without reading the JSON. */
export function mayFitHistory(body: JsonObjectBytes, target: HistoryTarget): boolean {
  const fits = FITS[target.dialect];
  const isMarked = findMarks(body.bytes, fits.getMarks(target))?.length !== 0;
  return isMarked || fits.dependsOnTurns?.(body, target) === true;
}

const FITS: Record<Dialect, HistoryFit> = {
  'openai-chat': chatHistory,
  'anthropic-messages': messagesHistory,
  'openai-responses': responsesHistory,
};
const LISTS = ['messages', 'input'];

/** Adds the changes of a conversation to the edits of its body. */
export function withHistory(edits: MemberEdits, { edits: inside, drops }: FittedHistory): MemberEdits {
  if (inside.length === 0 && drops.length === 0) return edits;
  const isReplaced = LISTS.some((name) => name in edits.changes || edits.drops.includes(name));
  const kept = Object.entries(edits.changes).filter(([name]) => !drops.includes(name));
  return {
    drops: [...edits.drops, ...drops],
    changes: Object.fromEntries(kept),
    inside: [...(edits.inside ?? []), ...(isReplaced ? [] : inside)],
  };
}
