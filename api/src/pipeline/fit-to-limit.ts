import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { Result } from '@tollgate/core/errors/errors';
import type { MemberEdits } from '@tollgate/dialects/json/edit-members';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import type { PreparedBody } from '../request-body/worker/translate-body.ts';
import { encodeFor, type TranslationTarget } from './encode-for-provider.ts';

type Prepared = Pick<PreparedBody, 'outline' | 'classified' | 'dropped'>;

export interface FittedToLimit extends Pick<PreparedBody, 'classified' | 'dropped'> {
  edits: MemberEdits;
}

const NO_EDITS: MemberEdits = { drops: [], changes: {} };

/**
 * Changes the output limit in a body that was written for the caller's own limit, and the members that an encoder derives
 * from it, such as a thinking budget.
 * @param outputLimit maximum output tokens to send; null: the caller's
 * @returns a refusal if the provider's dialect cannot express the request with this limit
 */
export function fitToLimit(
  from: Dialect,
  { outline, classified, dropped }: Prepared,
  { target, outputLimit }: { target: TranslationTarget; outputLimit: number | null },
): Result<FittedToLimit> {
  const isSame = outputLimit === null || outputLimit === outline.maxOutputTokens;
  if (isSame) return { ok: true, value: { edits: NO_EDITS, classified, dropped } };
  const before = encodeFor(from, outline, { target, outputLimit: null });
  if (!before.ok) return before;
  const after = encodeFor(from, outline, { target, outputLimit });
  if (!after.ok) return after;
  const { members, edits } = applyDifference(classified.members, before.value.body, after.value.body);
  const isLost = (name: string) => before.value.dropped.includes(name) && !after.value.dropped.includes(name);
  const names = [...dropped.filter((name) => !isLost(name)), ...after.value.dropped];
  return {
    ok: true,
    value: { edits, classified: { ...classified, members }, dropped: [...new Set(names)] },
  };
}

function applyDifference(
  members: JsonObject,
  before: JsonObject,
  after: JsonObject,
): { members: JsonObject; edits: MemberEdits } {
  const changes: Record<string, string> = {};
  const drops: string[] = [];
  const changed = { ...members };
  for (const name of listDifferent(before, after)) {
    const value = changeMember(members[name], before[name], after[name]);
    if (value === undefined) {
      delete changed[name];
      drops.push(name);
    } else {
      changed[name] = value;
      changes[name] = JSON.stringify(value);
    }
  }
  return { members: changed, edits: { drops, changes } };
}

/** Changes only the members of an object that differ: the whole request has others, such as an output format. */
function changeMember(whole: unknown, before: unknown, after: unknown): unknown {
  const object = asObject(whole);
  if (object === null) return after;
  const [first, second] = [asObject(before) ?? {}, asObject(after) ?? {}];
  const changed = { ...object };
  for (const name of listDifferent(first, second)) {
    if (second[name] === undefined) delete changed[name];
    else changed[name] = second[name];
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function listDifferent(first: JsonObject, second: JsonObject): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => !isDeepStrictEqual(first[name], second[name]));
}
