import { deny, type Result } from '@tollgate/core/errors/errors';
import type { MemberEdits } from '../json/edit-members.ts';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { Inspection } from './inspection.ts';

/** Policy for members that a contract does not know. */
export interface TermsPolicy {
  /** False: they are dropped, and what leaves a choice to the provider is decided here. */
  forwardsUnknown: boolean;
  /** True: what is restricted is rejected. */
  chargesMoney: boolean;
  /** Calls of a server tool that the request leaves unlimited, in its place; null: nothing limits them. */
  maxToolCalls: number | null;
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
export function decideTerms(found: Inspection, policy: TermsPolicy): Result<BodyTerms> {
  const { forwardsUnknown, chargesMoney, maxToolCalls } = policy;
  if (found.error !== null) return { ok: false, error: found.error };
  const [stray] = found.unknownEntries;
  if (!forwardsUnknown && stray !== undefined) {
    const message = `${stray.name} is not known here, so it has no price. Leave it out, or ask the gateway's operator to allow it.`;
    return deny('unsupported_parameter', message, { param: stray.param });
  }
  const [restriction] = found.restricted;
  if (chargesMoney && restriction !== undefined) {
    const { param, because, allowedAs } = restriction;
    const message = `${param} is not supported on plans that charge money: ${because}. Leave it out, or ask the gateway's operator to allow ${allowedAs}.`;
    return deny('unsupported_parameter', message, { param });
  }
  const unknown = forwardsUnknown ? [] : found.unknown;
  const limits = maxToolCalls === null ? {} : writeLimits(found, maxToolCalls);
  const edits = forwardsUnknown ? limits : { ...limits, ...found.pinned };
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

/** The members that change so that every tool has a limit of its calls, as JSON text. */
function writeLimits({ members, openLimits }: Inspection, maxCalls: number): Record<string, string> {
  const changed: JsonObject = {};
  for (const { root, path } of openLimits) {
    if (path.length === 0) changed[root] = maxCalls;
    else {
      changed[root] ??= structuredClone(members[root]);
      setNested(changed[root], path, maxCalls);
    }
  }
  return Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Sets a member of nested objects and lists; objects on the way are made. */
function setNested(target: unknown, path: readonly string[], value: number): void {
  const [name, ...rest] = path;
  if (name === undefined || typeof target !== 'object' || target === null) return;
  if (rest.length === 0) Reflect.set(target, name, value);
  else {
    const inner: unknown = Reflect.get(target, name) ?? {};
    Reflect.set(target, name, inner);
    setNested(inner, rest, value);
  }
}

function isNested(found: Inspection, name: string): boolean {
  const [owner = ''] = name.split('.', 1);
  return owner !== name && Object.hasOwn(found.owners, owner);
}

/**
 * How a caller's body is edited.
 * @param changes other changes of the same members: they win, without what is taken out of them
 */
export function editsOfTerms(terms: BodyTerms, changes: Readonly<Record<string, string>>): MemberEdits {
  if (terms === NO_TERMS) return { drops: NO_TERMS.drops, changes };
  const all: Record<string, string> = { ...terms.edits, ...changes };
  for (const [owner, names] of Object.entries(terms.nestedDrops)) {
    const changed = changes[owner] === undefined ? null : parseJsonObject(changes[owner]);
    if (changed !== null) all[owner] = JSON.stringify(without(changed, names));
  }
  return { drops: terms.drops, changes: all };
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
