import { foldNameLoosely } from '../json/fold-name.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { RequestContract } from './contract.ts';
import type { Inspection } from './inspection.ts';
import type { CallBound, PricedCalls } from './member-rule.ts';

interface Place {
  found: Inspection;
  contract: RequestContract;
  body: JsonObject;
}

/** A tool that is billed per call, as a request declares it. */
export interface CallPlace {
  /** The object with the limit of the calls; null: none. */
  holder: JsonObject | null;
  /** Path of the holder: `tools.0.parameters`. */
  param: string;
  /** The name under which the operator allows the tool: `tools.code_execution`. */
  allowedAs: string;
}

/** Notes that a request needs the rate of a tool's calls, and what limits them. */
export function needCalls(place: Place, { priced, ...at }: CallPlace & { priced: PricedCalls }): void {
  const { tool, bound, leastCalls, resultTokens } = priced;
  const [member = 'tools'] = at.param.split('.');
  const maxCalls = boundCalls(place, bound, at);
  place.found.need({
    kind: 'tool_calls',
    tool,
    maxCalls,
    ...(leastCalls !== undefined && { leastCalls }),
    ...(resultTokens !== undefined && { resultTokens }),
    ...(member !== 'tools' && { member }),
  });
}

/** Finds the limit of a tool's calls, and notes one that can be set and is not. @returns null if the request sets none */
export function boundCalls(
  { found, contract, body }: Place,
  bound: CallBound,
  { holder, param, allowedAs }: CallPlace,
): number | null {
  switch (bound.by) {
    case 'provider':
      return bound.calls;
    case 'nothing':
      if (!contract.allowed.has(allowedAs))
        found.restricted.push({ param, because: 'the number of its calls cannot be limited', allowedAs });
      return null;
    case 'request': {
      const limit = readLimit(found, bound.member, body[bound.member]);
      if (limit === null) found.openLimits.push({ root: bound.member, path: [] });
      return limit;
    }
    case 'entry': {
      const name = `${param}.${bound.member}`;
      const limit = readLimit(found, name, holder?.[bound.member]) ?? bound.byDefault ?? null;
      if (holder !== null) rejectTwins(found, { holder, param, member: bound.member });
      const [root = name, ...path] = name.split('.');
      if (limit !== null) return limit;
      if (body[root] !== undefined) found.openLimits.push({ root, path });
      else found.restricted.push({ param: name, because: 'its calls must be limited here', allowedAs });
      return null;
    }
  }
}

/** Names of an object that holds data of the caller are not checked when a body is read, so the limit's are checked here. */
function rejectTwins(
  found: Inspection,
  { holder, param, member }: { holder: JsonObject; param: string; member: string },
): void {
  for (const name in holder) {
    if (name === member || foldNameLoosely(name) !== foldNameLoosely(member)) continue;
    found.rejectValue(`${param}.${name}`, `${param}.${name} must be written as ${member}.`);
  }
}

/**
 * A limit of calls. One that cannot be read is rejected: the provider might read it. So is 0: no provider documents it, and
 * one may take it for no limit.
 * @returns null if the request sets none
 */
function readLimit(found: Inspection, name: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  found.rejectValue(name, `${name} must be a whole number of at least 1.`);
  return null;
}
