import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { RequestContract } from './contract.ts';
import { inspectEntries } from './inspect-entries.ts';
import { inspectNeed } from './inspect-need.ts';
import { Inspection } from './inspection.ts';
import type { MemberRule, MemberRules } from './member-rule.ts';

/**
 * Classifies every member of a request. It looks at each member once, and into those objects and lists that have rules.
 * @param body parsed before
 */
export function inspectRequest(body: JsonObject, contract: RequestContract): Inspection {
  const found = new Inspection();
  for (const name in body) {
    const value = body[name] ?? null;
    const rule = contract.members.get(name);
    if (rule === undefined) {
      if (!contract.allowed.has(name)) noteUnknown(found, name);
    } else if (rule.fate !== 'plain' && value !== null) {
      inspectMember({ found, contract, body }, { name, value, rule });
    }
  }
  return found;
}

/** Such a member may name a model outside the key's scope, so it is not sent on any plan. */
const MAY_NAME_MODEL = /model|fallback/i;

function noteUnknown(found: Inspection, name: string): void {
  found.reported.push(name);
  if (MAY_NAME_MODEL.test(name)) found.dropped.push(name);
  else found.unknown.push(name);
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
  switch (rule.fate) {
    case 'plain':
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
      inspectNeed(found, { name, value, need: rule.need });
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
    case 'betas':
      inspectBetas(place, name, value);
      return;
  }
}

/** Tools that items of the conversation declare run like those of `tools`. */
function inspectCarriers(place: Place, name: string, value: unknown): void {
  const rule = place.contract.members.get('tools');
  if (!Array.isArray(value) || rule?.fate !== 'entries') return;
  for (const [at, item] of value.entries()) {
    const tools = asObject(item)?.['tools'];
    if (Array.isArray(tools))
      inspectEntries(place, {
        name: `${name}.${at}.tools`,
        group: 'tools',
        value: tools,
        entries: rule.entries,
      });
  }
}

function inspectNames(found: Inspection, name: string, value: unknown): void {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  for (const [at, model] of names.entries()) noteName(found, `${name}.${at}`, model);
}

function noteName(found: Inspection, param: string, model: unknown): void {
  if (typeof model === 'string' && model !== '') found.models.push({ model, param });
  else found.rejectValue(param, `${param} must be the name of a model.`);
}

/** Each entry is a part of a request of its own: what it says beside the model has rules, and nothing else passes. */
function inspectRequests(
  { found }: Place,
  { name, value, members }: { name: string; value: unknown; members: MemberRules },
): void {
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
      if (inner === 'model' || given === null || rule?.fate === 'plain') continue;
      if (rule?.fate === 'priced') inspectNeed(found, { name: param, value: given, need: rule.need });
      else found.reject(param, `${param} is not supported here. Leave it out.`);
    }
  }
}

function inspectObject(
  { found, contract }: Place,
  { name, value, members }: { name: string; value: unknown; members: MemberRules },
): void {
  const object = asObject(value);
  if (object === null) return;
  for (const inner of Object.keys(object)) {
    const path = `${name}.${inner}`;
    if (contract.allowed.has(path)) continue;
    const rule = Object.hasOwn(members, inner) ? members[inner] : undefined;
    if (rule === undefined) {
      found.reported.push(path);
      found.unknown.push(path);
      found.owners[name] = object;
    } else if (rule.fate === 'rejected' && (object[inner] ?? null) !== null) {
      if (rule.unless?.includes(object[inner]) !== true) found.reject(path, rejection(path, rule.because));
    }
  }
}

function inspectBetas({ found, contract }: Place, name: string, value: unknown): void {
  const betas: unknown[] = Array.isArray(value) ? value : [value];
  const unknown = betas.filter((beta) => typeof beta !== 'string' || !isKnownBeta(contract, beta));
  if (unknown.length === 0) return;
  found.reported.push(name);
  found.unknown.push(name);
}

/** A beta without the date of its version. */
export function isKnownBeta({ betas, allowed }: RequestContract, beta: string): boolean {
  const family = beta.trim().replace(/[-=](?:\d{4}-\d{2}-\d{2}|\d{8}|v\d+|experimental)$/, '');
  return betas.has(family) || allowed.has(`beta.${family}`) || allowed.has(`beta.${beta.trim()}`);
}

function rejection(param: string, because: string): string {
  return `${param} is not supported: ${because}. Leave it out, or ask the gateway's operator to allow it.`;
}
