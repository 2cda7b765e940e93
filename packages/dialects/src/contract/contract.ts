import type { EntryRule, MemberRule, MemberRules } from './member-rule.ts';

/** The requests that have a contract. Counting tokens follows that of `messages` or `responses`. */
export const CONTRACT_ENDPOINTS = ['chat', 'messages', 'responses', 'embeddings'] as const;

export type ContractEndpoint = (typeof CONTRACT_ENDPOINTS)[number];

/** A contract in its source form: the base of a dialect, or what a provider adds to it. */
export interface ContractTerms {
  members: MemberRules;
  /** Parameters of the caller's query string that are forwarded, and the values that they may have. */
  query?: Readonly<Record<string, RegExp>>;
  /** Beta features, without their date, that change neither model nor price. */
  betas?: readonly string[];
}

/** How the requests of one endpoint are classified for one provider, ready for look-ups. */
export interface RequestContract {
  endpoint: ContractEndpoint;
  members: ReadonlyMap<string, MemberRule>;
  query: ReadonlyMap<string, RegExp>;
  betas: ReadonlySet<string>;
  /** Members, `owner.member` and `tools.type` that the operator forwards to this provider. */
  allowed: ReadonlySet<string>;
  /** Members that are added on plans that charge money if the request leaves them out, as JSON text. */
  absentPins: readonly (readonly [name: string, json: string])[];
}

/** Terms that a provider adds to the contracts of its dialects. */
export type ProviderContract = Partial<Readonly<Record<ContractEndpoint, ContractTerms>>>;

/**
 * Puts a contract together.
 * @param base of the dialect
 * @param own of the provider: its rules replace those of the base; kinds of tools are added to them
 * @param allowed names that the operator forwards although they are unknown or rejected
 */
export function buildContract(
  endpoint: ContractEndpoint,
  base: ContractTerms,
  own: ContractTerms = { members: {} },
  allowed: readonly string[] = [],
): RequestContract {
  const members = new Map<string, MemberRule>(Object.entries(base.members));
  for (const [name, rule] of Object.entries(own.members)) {
    members.set(name, merge(members.get(name), rule));
  }
  return {
    endpoint,
    members,
    query: new Map(Object.entries({ ...base.query, ...own.query })),
    betas: new Set([...(base.betas ?? []), ...(own.betas ?? [])]),
    allowed: new Set(allowed),
    absentPins: [...members].flatMap(([name, rule]) => {
      const value =
        rule.handling === 'priced' && 'whenAbsent' in rule.need ? rule.need.whenAbsent : undefined;
      return value === undefined ? [] : [[name, JSON.stringify(value)] as const];
    }),
  };
}

/** Two lists of entries become one; any other rule replaces the one before. */
function merge(before: MemberRule | undefined, rule: MemberRule): MemberRule {
  if (before?.handling !== 'entries' || rule.handling !== 'entries') return rule;
  const kinds: Record<string, EntryRule> = { ...before.entries.kinds, ...rule.entries.kinds };
  return { handling: 'entries', entries: { ...rule.entries, kinds } };
}
