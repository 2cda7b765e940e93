import { asObject, type JsonObject } from '../json/parse-object.ts';
import { withoutDate } from '../without-date.ts';
import type { RequestContract } from './contract.ts';
import { readConversation, type ConversationFacts } from './conversation.ts';
import { inspectEntries } from './inspect-entries.ts';
import { inspectNeed } from './inspect-need.ts';
import { noteNested, restrictStoredIds } from './inspect-nested.ts';
import { inspectSettings } from './inspect-settings.ts';
import { Inspection } from './inspection.ts';
import type { MemberRule, MemberRules } from './member-rule.ts';
import { findNestedNames } from './nested-names.ts';
import type { StoredKind } from './stored-ids.ts';

/**
 * Classifies every member of a request. It looks at each member once, and into objects and lists, except members that the
 * contract calls opaque.
 * @param body parsed before
 * @param conversation the classified parts of its conversation, if the body itself lacks the conversation
 */
export function inspectRequest(
  body: JsonObject,
  contract: RequestContract,
  conversation: ConversationFacts | null = null,
): Inspection {
  let place: Place | null = null;
  for (const name in body) {
    const value = body[name] ?? null;
    const rule = contract.members.get(name);
    if (rule === undefined) {
      if (contract.allowed.has(name)) continue;
      place ??= { found: new Inspection(body), contract, body };
      noteUnknown(place, name, value);
    } else if (rule.handling === 'plain' ? typeof value === 'object' : value !== null) {
      place ??= { found: new Inspection(body), contract, body };
      inspectMember(place, { name, value, rule });
    }
  }
  for (const [name, json] of contract.absentPins) {
    if ((body[name] ?? null) !== null) continue;
    place ??= { found: new Inspection(body), contract, body };
    place.found.pinned[name] = json;
  }
  if (conversation !== null) {
    place ??= { found: new Inspection(body), contract, body };
    inspectConversation(place, conversation);
  }
  return place?.found ?? NOTHING_FOUND;
}

/** Of all requests that need no closer look, which most are. */
const NOTHING_FOUND = new Inspection({});

function inspectConversation(place: Place, { declared, storedIds, settings }: ConversationFacts): void {
  const rule = place.contract.members.get('tools');
  for (const { param, tools } of declared) {
    if (rule?.handling === 'entries')
      inspectEntries(place, { name: param, group: 'tools', value: tools, entries: rule.entries });
  }
  restrictStoredIds(place, storedIds);
  for (const each of settings) inspectSettings(place, each);
}

/** Such a member may name a model outside the key's scope, so it is not sent on any plan. */
const MAY_NAME_MODEL = /model|fallback/i;

function noteUnknown({ found, contract }: Place, name: string, value: unknown): void {
  if (!found.report(name)) return;
  const inside = findNestedNames(value, name);
  if (MAY_NAME_MODEL.test(name) || inside.models.length > 0) found.dropped.push(name);
  else {
    found.unknown.push(name);
    restrictStoredIds({ found, contract }, inside.storedIds);
  }
}

interface Place {
  found: Inspection;
  contract: RequestContract;
  body: JsonObject;
}

interface Member {
  name: string;
  value: unknown;
  rule: MemberRule;
}

function inspectMember(place: Place, { name, value, rule }: Member): void {
  const { found, contract, body } = place;
  switch (rule.handling) {
    case 'plain':
      found.hasUncountedTools ||= rule.isUncounted === true && !isEmpty(value);
      noteNested(place, { value, param: name });
      return;
    case 'opaque':
      return;
    case 'stored':
      inspectStored(place, { name, value, kind: rule.kind });
      return;
    case 'restricted':
      if (contract.allowed.has(name) || rule.unless?.includes(value) === true) return;
      found.restricted.push({ param: name, because: rule.because, allowedAs: name });
      return;
    case 'dropped':
      if (value === false || contract.allowed.has(name)) return;
      found.dropped.push(name, ...(rule.alongside ?? []).filter((other) => body[other] !== undefined));
      return;
    case 'rejected':
      if (contract.allowed.has(name) || rule.unless?.includes(value) === true) return;
      found.reject(name, rejection(name, rule.because));
      return;
    case 'priced':
      inspectNeed(place, { name, value, need: rule.need });
      return;
    case 'checked':
      if (rule.shape === 'names') inspectNames(found, name, value);
      else inspectRequests(place, { name, value, members: rule.members });
      return;
    case 'object':
      inspectObject(place, { name, value, members: rule.members });
      return;
    case 'entries':
      inspectEntries(place, { name, value, entries: rule.entries });
      return;
    case 'carriers':
      inspectCarriers(place, name, value);
      return;
    case 'edits':
      found.hasCompaction ||= compacts(value);
      noteNested(place, { value, param: name });
      return;
    case 'betas':
      inspectBetas(place, name, value);
      return;
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** True for edits of which one compacts the conversation: `compact_20260112`, `compaction`. */
function compacts(value: unknown): boolean {
  const edits: unknown[] = Array.isArray(value) ? value : [value];
  return edits.some((entry) => {
    const type = asObject(entry)?.['type'];
    return typeof type === 'string' && type.startsWith('compact');
  });
}

/** Tools that items of the conversation declare run like those of `tools`. */
function inspectCarriers(place: Place, name: string, value: unknown): void {
  const facts = readConversation({ [name]: value });
  if (facts !== null) inspectConversation(place, facts);
}

/** An id, or an object that has one: `container: {"id": "container_1", "skills": [...]}`. */
function inspectStored(
  place: Place,
  { name, value, kind }: { name: string; value: unknown; kind: StoredKind },
): void {
  const object = asObject(value);
  if (object !== null) noteNested(place, { value: object, param: name });
  if (object === null) restrictStoredIds(place, [{ kind, param: name }]);
  else if ((object['id'] ?? null) !== null) restrictStoredIds(place, [{ kind, param: `${name}.id` }]);
}

function inspectNames(found: Inspection, name: string, value: unknown): void {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  for (const [at, model] of names.entries()) noteName(found, `${name}.${at}`, model);
}

function noteName(found: Inspection, param: string, model: unknown): void {
  if (typeof model === 'string' && model !== '') found.models.push({ model, param });
  else found.rejectValue(param, `${param} must be the name of a model.`);
}

/** Each entry is a partial request: only its model and members with rules are accepted. */
function inspectRequests(
  place: Place,
  { name, value, members }: { name: string; value: unknown; members: MemberRules },
): void {
  const { found } = place;
  if (!Array.isArray(value)) {
    found.reject(
      name,
      `${name} must be a list of models here: the gateway cannot price a choice of the provider.`,
    );
    return;
  }
  for (const [at, entry] of value.entries()) {
    const object = asObject(entry);
    const named = typeof entry === 'string' ? entry : object?.['model'];
    noteName(found, typeof entry === 'string' ? `${name}.${at}` : `${name}.${at}.model`, named);
    for (const [inner, given] of Object.entries(object ?? {})) {
      const param = `${name}.${at}.${inner}`;
      const rule = Object.hasOwn(members, inner) ? members[inner] : undefined;
      if (inner === 'model' || given === null) continue;
      if (rule?.handling === 'plain') noteNested(place, { value: given, param });
      else if (rule?.handling === 'priced')
        inspectNeed(place, { name: param, value: given, need: rule.need });
      else found.reject(param, `${param} is not supported here. Leave it out.`);
    }
  }
}

function inspectObject(
  place: Place,
  { name, value, members }: { name: string; value: unknown; members: MemberRules },
): void {
  const { found, contract } = place;
  const object = asObject(value);
  if (object === null) {
    found.rejectValue(name, `${name} must be an object.`);
    return;
  }
  for (const inner of Object.keys(object)) {
    const path = `${name}.${inner}`;
    if (contract.allowed.has(path)) continue;
    const given = object[inner] ?? null;
    const rule = Object.hasOwn(members, inner) ? members[inner] : undefined;
    if (rule === undefined) {
      if (!found.report(path)) return;
      found.unknown.push(path);
      found.owners[name] = object;
      // It is forwarded if no money is charged.
      noteNested(place, { value: { [inner]: given }, param: name });
    } else if (given !== null) inspectMember(place, { name: path, value: given, rule });
  }
}

function inspectBetas({ found, contract }: Place, name: string, value: unknown): void {
  const betas: unknown[] = Array.isArray(value) ? value : [value];
  const unknown = betas.filter((beta) => typeof beta !== 'string' || !isKnownBeta(contract, beta));
  if (unknown.length === 0) return;
  if (found.report(name)) found.unknown.push(name);
}

/** Versions of a beta that are no date. */
const BETA_VERSION = /[-=](?:v\d+|experimental)$/;

/** True if the contract knows a beta, whatever its version. */
export function isKnownBeta({ betas, allowed }: RequestContract, beta: string): boolean {
  const named = beta.trim();
  const undated = withoutDate(named);
  const family = undated === named ? named.replace(BETA_VERSION, '') : undated;
  return betas.has(family) || allowed.has(`beta.${family}`) || allowed.has(`beta.${named}`);
}

function rejection(param: string, because: string): string {
  return `${param} is not supported: ${because}. Leave it out, or ask the gateway's operator to allow it.`;
}
