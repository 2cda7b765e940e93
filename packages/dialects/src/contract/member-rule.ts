import type { ServerTool } from '@tollgate/core/rates/rate-need';

/**
 * What the gateway does with one member of a request. `null` counts as absent for every rule. A member without a rule is
 * unknown: it is dropped where the plan charges money and forwarded where it does not.
 */
export type MemberRule =
  /** Forwarded. It changes neither the model nor the price. */
  | { fate: 'plain' }
  /** Known, and not sent. `alongside`: members that the provider accepts only together with it. */
  | { fate: 'dropped'; because: string; alongside?: readonly string[] }
  /** 400 `unsupported_parameter`, except for values that change nothing. */
  | { fate: 'rejected'; because: string; unless?: readonly unknown[] }
  /** Needs a rate of its own. */
  | { fate: 'priced'; need: NeedRule }
  /** Names other models. Each must be allowed for the key and have a price. */
  | { fate: 'checked'; shape: 'names' }
  /** A list of partial requests, each with a `model`. */
  | { fate: 'checked'; shape: 'requests'; members: MemberRules }
  /** An object whose members have rules of their own. */
  | { fate: 'object'; members: MemberRules }
  /** A list of tools or plugins, each with a rule of its own. */
  | { fate: 'entries'; entries: EntryRules }
  /** A list of items, some of which carry tools of their own, with the rules of `tools`. */
  | { fate: 'carriers' }
  /** A list of beta features, filtered as the header `anthropic-beta` is. */
  | { fate: 'betas' };

export type MemberRules = Readonly<Record<string, MemberRule>>;

/** How a member's value becomes a rate need. */
export type NeedRule =
  | {
      kind: 'service_tier' | 'speed' | 'inference_geo';
      /** Values at the plain price. */
      included: readonly string[];
      /** Values that leave the choice to the provider, and what is sent in their place where money is charged. */
      pinned?: Readonly<Record<string, string>>;
    }
  /** `limit`: the member of the object that bounds the calls. `offMode`: its `mode` that makes no calls. */
  | { kind: 'tool'; tool: ServerTool; limit?: string; offMode?: string }
  | { kind: 'modalities' };

/** A list of entries, each classified by one of its members. */
export interface EntryRules {
  /** The member that names an entry's kind: `type`, `id`. */
  by: string;
  /** The kind of an entry that names none. */
  absent: string | null;
  /** The member of the request that bounds the calls of all entries. */
  limit?: string;
  kinds: Readonly<Record<string, EntryRule>>;
}

/** What the gateway does with one tool or plugin. A kind without a rule is unknown. */
export type EntryRule =
  | { fate: 'plain' }
  | { fate: 'rejected'; because: string }
  /**
   * Run by the provider and billed per call. `limit`: the entry's member that bounds the calls. `settings`: its member
   * that holds its settings. A `model` in either is checked.
   */
  | { fate: 'priced'; tool: ServerTool; limit?: string; local?: LocalRule; settings?: string }
  /** Its member `model` names another model. */
  | { fate: 'checked' }
  /** Holds further entries in a member. */
  | { fate: 'group'; member: string };

/** A tool that the caller runs itself when `member.type` is one of these values. */
interface LocalRule {
  member: string;
  types: readonly string[];
}

export const PLAIN = { fate: 'plain' } as const;

/** Rules for members that are forwarded, from their names separated by blanks. */
export function plain(names: string): Record<string, { fate: 'plain' }> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, PLAIN]),
  );
}

/** A rule for an object of which only the named members are known, and plain. */
export function objectOf(names: string, others: MemberRules = {}): MemberRule {
  return { fate: 'object', members: { ...plain(names), ...others } };
}

/** Rejects members for one reason. */
export function rejected(names: string, because: string): MemberRules {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { fate: 'rejected', because }]),
  );
}

/** Drops members for one reason. */
export function dropped(names: string, because: string): MemberRules {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { fate: 'dropped', because }]),
  );
}
