import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { MAX_TOOL_CALLS } from '@tollgate/core/money/rates/bound-rates';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * Names per request that the contract does not know. Taking members out of a body takes time for each pair of a member and a
 * name. The newest agents send a handful of unknown ones.
 */
const MAX_UNKNOWN_NAMES = 100;

/** For the same reason, the characters of such a name. */
const MAX_UNKNOWN_NAME_LENGTH = 1_000;

/** Callers choose the names of members. */
const MAX_SHOWN_NAME = 100;

/** An additional model in a request, by the provider's name. */
export interface NamedModel {
  model: string;
  /** Its path in the request: `models.1`. */
  param: string;
  /** How often a tool may call it; null: the request sets no limit; absent: it answers once. */
  maxCalls?: number | null;
}

/** A member that is rejected if the plan charges money. */
export interface Restriction {
  param: string;
  because: string;
  /** The name under which the operator allows it: `tools.code_execution`, `stored.file`. */
  allowedAs: string;
}

/** A member that limits the calls of a tool, and that the request leaves out. */
export interface OpenLimit {
  /** The member of the request that it is in, or is: `tools`. */
  root: string;
  /** Its place in there; empty: it is that member. */
  path: readonly string[];
}

/** The findings of a contract for one request. */
export class Inspection {
  /** Why the provider cannot be sent the request; null: it can. */
  error: GatewayError | null = null;
  readonly needs: RateNeed[] = [];
  readonly models: NamedModel[] = [];
  /** Members that are known and not sent. */
  readonly dropped: string[] = [];
  /** Members that the contract does not know: `name`, `owner.name`. */
  readonly unknown: string[] = [];
  /** Unknown tools and plugins: `tools.kind`, and their paths. */
  readonly unknownEntries: { name: string; param: string }[] = [];
  readonly restricted: Restriction[] = [];
  readonly openLimits: OpenLimit[] = [];
  /** True: the provider runs tools whose calls nothing limits or counts, such as those of MCP servers. */
  hasUncountedTools = false;
  /** True: the provider may run the model once more to compact the conversation. */
  hasCompaction = false;
  /** True: it names what was uploaded to one account at the provider. */
  namesUploads = false;
  /** The members that the contract was held against. */
  readonly members: JsonObject;
  /** Every name that the contract does not know, for the operator. */
  readonly reported: string[] = [];
  /** Members that are sent with another value unless unknown members are forwarded, as JSON text. */
  readonly pinned: Record<string, string> = {};
  /** Objects with members that the contract does not know, by name. */
  readonly owners: Record<string, JsonObject> = {};

  #hasTooMany = false;

  constructor(members: JsonObject) {
    this.members = members;
  }

  /**
   * Reports a name that the contract does not know.
   * @returns false if the request has too many of them: it is rejected
   */
  report(name: string, param = name): boolean {
    if (this.#hasTooMany) return false;
    if (name.length > MAX_UNKNOWN_NAME_LENGTH) {
      this.#hasTooMany = true;
      this.rejectValue(
        param,
        `${param.slice(0, MAX_SHOWN_NAME)}… is not known here, and its name has more than ${MAX_UNKNOWN_NAME_LENGTH} characters. Leave it out.`,
      );
      return false;
    }
    if (this.reported.includes(name)) return true;
    if (this.reported.length < MAX_UNKNOWN_NAMES) {
      this.reported.push(name);
      return true;
    }
    this.#hasTooMany = true;
    this.rejectValue(
      param,
      `${param.slice(0, MAX_SHOWN_NAME)} is not known here, and the request has ${MAX_UNKNOWN_NAMES} unknown members already. Leave them out.`,
    );
    return false;
  }

  /** Notes the first error: a 400 with `param`. */
  reject(param: string, message: string): void {
    this.error ??= deny('unsupported_parameter', message, { param }).error;
  }

  rejectValue(param: string, message: string): void {
    this.error ??= deny('invalid_request', message, { param }).error;
  }

  /** Notes a need once. Of two limits for the same tool their sum: a tool without one gets the gateway's. */
  need(need: RateNeed): void {
    addNeed(this.needs, need, (known) => {
      if (known.kind !== 'tool_calls' || need.kind !== 'tool_calls') return known;
      const maxCalls = (known.maxCalls ?? MAX_TOOL_CALLS) + (need.maxCalls ?? MAX_TOOL_CALLS);
      return withLargerResults({ ...known, ...need, maxCalls }, known, need);
    });
  }
}

/**
 * Adds a need once for each rate.
 * @param combine merges the known need and the added need
 */
export function addNeed(needs: RateNeed[], need: RateNeed, combine: (known: RateNeed) => RateNeed): void {
  const at = needs.findIndex((known) => isSameNeed(known, need));
  const known = needs[at];
  if (known === undefined) needs.push(need);
  else needs[at] = combine(known);
}

/** Keeps the larger results of two needs for the same tool: those of a tool without a limit fill the context. */
export function withLargerResults(merged: RateNeed, ...needs: readonly RateNeed[]): RateNeed {
  if (merged.kind !== 'tool_calls') return merged;
  const sizes = needs.map((need) => (need.kind === 'tool_calls' ? need.resultTokens : undefined));
  const { resultTokens: _, ...rest } = merged;
  const known = sizes.filter((size) => size !== undefined);
  return known.length < sizes.length ? rest : { ...rest, resultTokens: Math.max(...known) };
}

/** True for two needs of the same rate. */
export function isSameNeed(a: RateNeed, b: RateNeed): boolean {
  return getRate(a) === getRate(b);
}

function getRate(need: RateNeed): string {
  switch (need.kind) {
    case 'service_tier':
      return `service_tier ${need.tier}`;
    case 'speed':
      return `speed ${need.speed}`;
    case 'inference_geo':
      return `inference_geo ${need.geo}`;
    case 'tokens':
      return `tokens ${need.class}`;
    case 'tool_calls':
      return `tool_calls ${need.tool}`;
    case 'model':
      return `model ${need.model}`;
  }
}
