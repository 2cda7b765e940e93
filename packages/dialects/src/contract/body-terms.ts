import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors';
import { editJsonMembers, takeJsonMembers } from '../json/edit-members.ts';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { Inspection } from './inspection.ts';

/** What happens to members that a contract does not know. */
export interface TermsPolicy {
  /** False: they are dropped, and what leaves a choice to the provider is decided here. */
  forwardsUnknown: boolean;
}

/** How a body must change before a provider gets it. */
export interface BodyTerms {
  /** Members of the body that are taken out. */
  drops: readonly string[];
  /** Members of objects in the body that are taken out, by the object's name. */
  nestedDrops: Readonly<Record<string, readonly string[]>>;
  /** New values, as JSON text. */
  edits: Readonly<Record<string, string>>;
  /** All that is taken out, as the caller knows it. */
  dropped: readonly string[];
}

/** Nothing changes. */
export const NO_TERMS: BodyTerms = { drops: [], nestedDrops: {}, edits: {}, dropped: [] };

/**
 * Decides what becomes of a request.
 * @returns `unsupported_parameter` or `invalid_request` if it cannot be sent
 */
export function decideTerms(found: Inspection, { forwardsUnknown }: TermsPolicy): Result<BodyTerms> {
  if (found.fault !== null) return { ok: false, error: found.fault };
  const [stray] = found.unknownEntries;
  if (!forwardsUnknown && stray !== undefined) {
    const message = `${stray.name} is not known here, so it has no price. Leave it out, or ask the gateway's operator to allow it.`;
    return deny('unsupported_parameter', message, { param: stray.param });
  }
  const unknown = forwardsUnknown ? [] : found.unknown;
  const edits = forwardsUnknown ? {} : found.pinned;
  if (unknown.length === 0 && found.dropped.length === 0 && Object.keys(edits).length === 0)
    return { ok: true, value: NO_TERMS };
  const drops = [...found.dropped, ...unknown.filter((name) => !isNested(found, name))];
  const nestedDrops: Record<string, string[]> = {};
  const replaced: Record<string, string> = { ...edits };
  for (const [owner, object] of Object.entries(found.owners)) {
    const names = unknown.flatMap((name) =>
      name.startsWith(`${owner}.`) ? [name.slice(owner.length + 1)] : [],
    );
    if (names.length === 0) continue;
    nestedDrops[owner] = names;
    replaced[owner] = JSON.stringify(without(object, names));
  }
  return {
    ok: true,
    value: { drops, nestedDrops, edits: replaced, dropped: [...found.dropped, ...unknown] },
  };
}

function isNested(found: Inspection, name: string): boolean {
  const [owner = ''] = name.split('.', 1);
  return owner !== name && Object.hasOwn(found.owners, owner);
}

/**
 * Changes a caller's body; every other member keeps its bytes.
 * @param body a valid JSON object, proven by the caller's JSON.parse
 * @param changes other changes of the same members: they win, without what is taken out of them
 */
export function applyTerms(
  body: Buffer,
  terms: BodyTerms,
  changes: Readonly<Record<string, string>>,
): Buffer {
  const all: Record<string, string> = { ...terms.edits, ...changes };
  for (const [owner, names] of Object.entries(terms.nestedDrops)) {
    const changed = changes[owner] === undefined ? null : parseJsonObject(changes[owner]);
    if (changed !== null) all[owner] = JSON.stringify(without(changed, names));
  }
  const kept = terms.drops.length === 0 ? body : takeJsonMembers(body, terms.drops).rest;
  return Object.keys(all).length === 0 ? kept : editJsonMembers(kept, all);
}

/** Changes a body that the gateway wrote itself. */
export function applyTermsToObject(body: JsonObject, terms: BodyTerms): JsonObject {
  if (terms === NO_TERMS) return body;
  const kept = without(body, terms.drops);
  for (const [name, text] of Object.entries(terms.edits)) {
    const value: unknown = JSON.parse(text);
    kept[name] = asObject(value) ?? value;
  }
  return kept;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
