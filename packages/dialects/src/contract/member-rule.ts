import type { ServerTool } from '@tollgate/core/money/rates/rate-need';
import type { CallCounterName } from '../usage/call-counters.ts';
import type { StoredKind } from './stored-ids.ts';

/**
 * What the gateway does with one member of a request. `null` counts as absent for every rule. A member without a rule is
 * unknown: it is dropped if the plan charges money and forwarded if it does not.
 */
export type MemberRule =
  /** Forwarded. It changes neither the model nor the price; models and stored ids inside it are found by their names. */
  | PlainRule
  /** Forwarded, not inspected: the provider does not act on the names of its members. */
  | { handling: 'opaque'; because: string }
  /** Known, and not sent. `alongside`: members that the provider accepts only together with it. */
  | { handling: 'dropped'; because: string; alongside?: readonly string[] }
  /** 400 `unsupported_parameter`, except for values that change nothing. */
  | { handling: 'rejected'; because: string; unless?: readonly unknown[] }
  /** Rejected if the plan charges money, unless the operator allows it by name; else forwarded. */
  | { handling: 'restricted'; because: string; unless?: readonly unknown[] }
  /** An id of something stored in the operator's account at the provider, or an object with one: as `restricted`. */
  | { handling: 'stored'; kind: StoredKind }
  /** Needs its own rate. */
  | { handling: 'priced'; need: NeedRule }
  /** Names other models. Each must be allowed for the key and have a price. */
  | { handling: 'checked'; shape: 'names' }
  /** A list of partial requests, each with a `model`. */
  | { handling: 'checked'; shape: 'requests'; members: MemberRules }
  /** An object whose members have rules. */
  | { handling: 'object'; members: MemberRules }
  /** A list of tools or plugins, each with its own rule. */
  | { handling: 'entries'; entries: EntryRules }
  /** A list of items. Some contain tools, which follow the rules of `tools`. */
  | { handling: 'carriers' }
  /** A list of edits of the conversation. The provider runs the model once more to compact it; others cost nothing. */
  | { handling: 'edits' }
  /** A list of beta features, filtered as the header `anthropic-beta` is. */
  | { handling: 'betas' };

/** `isUncounted`: the provider runs tools whose calls nothing limits or counts; the hold covers the model's further turns. */
interface PlainRule {
  handling: 'plain';
  isUncounted?: boolean;
  /** The caller runs the tool itself if this member has this value. */
  local?: { member: string; value: string };
}

export type MemberRules = Readonly<Record<string, MemberRule>>;

/** How a member's value becomes a rate need. */
export type NeedRule =
  | {
      kind: 'service_tier' | 'speed' | 'inference_geo';
      /** Values at the standard price. */
      included: readonly string[];
      /** Values that leave the choice to the provider, and what is sent instead if money is charged. */
      pinned?: Readonly<Record<string, string>>;
      /** What is sent if money is charged and the member is left out; absent: nothing. */
      whenAbsent?: string;
    }
  /** `offMode`: the `mode` of the object that makes no calls. */
  | ({ kind: 'tool'; offMode?: string } & PricedCalls)
  | { kind: 'modalities' };

/** Calls of a tool that are billed one by one: what limits them, and what counts them in the answer. */
export interface PricedCalls {
  tool: ServerTool;
  bound: CallBound;
  /** Calls that are billed for every response, even if nothing counts them; absent: none. */
  leastCalls?: number;
  /** Most tokens that a call plausibly adds to the input; absent: up to the model's context. */
  resultTokens?: number;
  /** The first one that the answer has counts. */
  counters: readonly [CallCounterName, ...CallCounterName[]];
}

/** What limits the calls of a tool. The gateway writes a member that is left out if the calls must be held. */
export type CallBound =
  /** A member of the entry, or of its settings. `byDefault`: the provider's own limit without it; nothing is written. */
  | { by: 'entry'; member: string; byDefault?: number }
  /** A member of the request, for the calls of all its tools together. */
  | { by: 'request'; member: string }
  /** The provider makes no more calls than this for one request. */
  | { by: 'provider'; calls: number }
  /**
   * Nothing: if the plan charges money, the tool is rejected unless the operator allows it. The hold then covers the
   * gateway's own number of calls.
   */
  | { by: 'nothing' };

/** A list of entries, each classified by one of its members. */
export interface EntryRules {
  /** The member that names an entry's kind: `type`, `id`. */
  by: string;
  /** The kind of an entry without one. */
  absent: string | null;
  kinds: Readonly<Record<string, EntryRule>>;
}

/** What the gateway does with one tool or plugin. A kind without a rule is unknown. */
export type EntryRule =
  | PlainRule
  /** Described by the caller: its members are schemas, whose names mean nothing to the provider. */
  | { handling: 'opaque'; because: string }
  | { handling: 'rejected'; because: string }
  /** Rejected if the plan charges money, unless the operator allows it by name; else forwarded. */
  | { handling: 'restricted'; because: string }
  /** Run by the provider and billed per call. `settings`: its member that holds its settings. */
  | ({ handling: 'priced'; local?: LocalRule; settings?: string } & PricedCalls)
  /** Its member `model` names another model, which is called as often as `bound` allows. */
  | { handling: 'checked'; bound: CallBound }
  /** Holds further entries in a member. */
  | { handling: 'group'; member: string };

/** A tool that the caller runs itself when `member.type` is one of these values. */
interface LocalRule {
  member: string;
  types: readonly string[];
}

export const PLAIN = { handling: 'plain' } as const;
export const UNCOUNTED = { handling: 'plain', isUncounted: true } as const;

/** Rules for members that are forwarded, from their names separated by blanks. */
export function plain(names: string): Record<string, { handling: 'plain' }> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, PLAIN]),
  );
}

/** Rules for members that are not inspected, for one reason. */
export function opaque(names: string, because: string): MemberRules {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { handling: 'opaque', because }]),
  );
}

/** A tool that the caller describes and runs. */
export const CALLERS_TOOL = { handling: 'opaque', because: 'the caller defines its client tools' } as const;

/** A rule for an object whose known members are the plain ones in `names`, and `others` with their own rules. */
export function objectRule(names: string, others: MemberRules = {}): MemberRule {
  return { handling: 'object', members: { ...plain(names), ...others } };
}

/** Rejects members for one reason. */
export function rejected(names: string, because: string): MemberRules {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { handling: 'rejected', because }]),
  );
}

/** Drops members for one reason. */
export function dropped(names: string, because: string): MemberRules {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { handling: 'dropped', because }]),
  );
}
