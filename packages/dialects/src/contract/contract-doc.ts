import { BASE_TERMS } from './base-contracts.ts';
import {
  CONTRACT_ENDPOINTS,
  type ContractEndpoint,
  type ContractTerms,
  type ProviderContract,
} from './contract.ts';
import type { CallBound, EntryRule, MemberRule, MemberRules, NeedRule, PricedCalls } from './member-rule.ts';
import { allowedName, STORED_ID_MEMBERS, STORED_KINDS, type StoredKind } from './stored-ids.ts';

/** A provider as the document lists it. */
export interface DocumentedProvider {
  name: string;
  title: string;
  contract: ProviderContract;
}

const ENDPOINT_PATHS: Readonly<Record<ContractEndpoint, string>> = {
  chat: '`POST /v1/chat/completions`',
  messages: '`POST /v1/messages` and `POST /v1/messages/count_tokens`',
  responses: '`POST /v1/responses`',
  embeddings: '`POST /v1/embeddings`',
};

const INTRODUCTION = `## Request contracts

Before a request is sent, each of its members is looked up in the contract of the provider that gets it. The rules of an endpoint hold for every provider; a preset adds its own.

- **forwarded**: it changes neither the model nor the price.
- **priced**: it needs a rate of its own in the model's prices. Without that rate the request is denied before it is sent, unless neither a balance nor a budget limits what the key spends. Allowing a priced tool by name does not make it free.
- **checked**: it names another model by the provider's own name. The key and the plan must allow that model, and it must have a price; it is billed as itself.
- **restricted**: it is rejected where the plan charges money, unless the operator allows it by name for the provider; it is forwarded elsewhere.
- **rejected**: the request is denied with 400 \`unsupported_parameter\`, and \`param\` names the member.
- **dropped**: it is not sent, and \`x-tollgate-dropped-params\` lists it.

A member without a rule is _unknown_. It is dropped and listed where the account's plan charges money (a prepaid plan with a price multiplier above 0), and forwarded where it does not. A tool or plugin of an unknown kind is rejected where money is charged, since a tool choice may depend on it. An unknown member with \`model\` or \`fallback\` in its name, or that names a model inside, is dropped on every plan. A model that a forwarded member names inside (\`model\`, \`models\`, \`draft_model\`) is checked. Operators change the default per plan, allow members per provider, and see which unknown members arrive: \`tollgate provider members\`, or the provider's page in the console.

\`service_tier: auto\` leaves the tier to the provider. Where money is charged, the gateway sends the standard tier in its place. The version of a tool (\`_20250305\`, \`_2025_08_26\`) does not change its rule.
`;

/** Writes the part of `docs/dialects.md` that lists the request contracts. */
export function renderContracts(providers: readonly DocumentedProvider[]): string {
  const bases = CONTRACT_ENDPOINTS.map((endpoint) =>
    [`### ${ENDPOINT_PATHS[endpoint]}`, renderTerms(BASE_TERMS[endpoint], true)].join('\n\n'),
  );
  const own = providers.flatMap(({ name, title, contract }) =>
    CONTRACT_ENDPOINTS.flatMap((endpoint) => {
      const terms = contract[endpoint];
      if (terms === undefined) return [];
      return [
        [`#### ${title} (\`${name}\`), ${ENDPOINT_PATHS[endpoint]}`, renderTerms(terms, false)].join('\n\n'),
      ];
    }),
  );
  return (
    [INTRODUCTION, renderStoredKinds(), ...bases, '### Rules that presets add', ...own]
      .join('\n\n')
      .replace(/\n{3,}/g, '\n\n') + '\n'
  );
}

function renderStoredKinds(): string {
  const kinds = Object.keys(STORED_KINDS) as StoredKind[];
  const rows = kinds.map((kind) => {
    const members = Object.keys(STORED_ID_MEMBERS).filter((name) => STORED_ID_MEMBERS[name] === kind);
    return {
      name: allowedName(kind),
      fate: members.map((name) => `\`${name}\``).join(', '),
      note: STORED_KINDS[kind],
    };
  });
  return [
    '### Ids of stored things',
    "All accounts of a gateway share the provider's account of its operator. An id of something that is stored there may be that of another account, so it is restricted wherever a request names it: in a member, in a tool, or in a part of the conversation.",
    renderTable(rows, ['allowed as', 'members', 'what they name']),
  ].join('\n\n');
}

function renderTerms({ members, query, betas }: ContractTerms, isBase: boolean): string {
  const rows = Object.entries(members).flatMap(([name, rule]) => describe(name, rule));
  const plain = rows
    .filter(({ fate, note }) => fate === 'forwarded' && note === '')
    .map(({ name }) => `\`${name}\``);
  const others = rows.filter(({ fate, note }) => fate !== 'forwarded' || note !== '');
  const parts = plain.length === 0 ? [] : [`Forwarded: ${plain.join(', ')}.`];
  if (others.length > 0) parts.push(renderTable(others));
  const parameters = Object.keys(query ?? {}).map((name) => `\`${name}\``);
  if (isBase)
    parts.push(
      parameters.length === 0
        ? 'The query string is dropped.'
        : `The query string is dropped, except for ${parameters.join(', ')}.`,
    );
  if ((betas ?? []).length > 0)
    parts.push(
      `Beta features that are forwarded, in any version: ${(betas ?? []).map((beta) => `\`${beta}\``).join(', ')}.`,
    );
  return parts.join('\n\n');
}

interface Row {
  name: string;
  fate: string;
  note: string;
}

function describe(name: string, rule: MemberRule): Row[] {
  switch (rule.fate) {
    case 'plain':
      return [{ name, fate: 'forwarded', note: '' }];
    case 'opaque':
      return [{ name, fate: 'forwarded', note: `not looked into: ${rule.because}` }];
    case 'restricted':
      return [{ name, fate: 'restricted', note: rule.because + unless(rule.unless ?? []) }];
    case 'stored':
      return [{ name, fate: 'restricted', note: `names ${STORED_KINDS[rule.kind]}` }];
    case 'dropped':
      return [{ name, fate: 'dropped', note: rule.because + alongside(rule.alongside ?? []) }];
    case 'rejected':
      return [{ name, fate: 'rejected', note: rule.because + unless(rule.unless ?? []) }];
    case 'priced':
      return [{ name, fate: 'priced', note: noteOf(rule.need) }];
    case 'checked':
      return [{ name, fate: 'checked', note: rule.shape === 'requests' ? innerNote(rule.members) : '' }];
    case 'betas':
      return [{ name, fate: 'forwarded', note: 'beta features that are known' }];
    case 'carriers':
      return [{ name, fate: 'forwarded', note: 'tools in its items have the rules of `tools`' }];
    case 'object':
      return [
        { name, fate: 'forwarded', note: innerNote(rule.members) },
        ...Object.entries(rule.members)
          .filter(([, inner]) => inner.fate !== 'plain')
          .flatMap(([inner, innerRule]) => describe(`${name}.${inner}`, innerRule)),
      ];
    case 'entries':
      return Object.entries(rule.entries.kinds).map(([kind, entry]) =>
        describeEntry(`${name}.${kind}`, entry),
      );
  }
}

function describeEntry(name: string, entry: EntryRule): Row {
  switch (entry.fate) {
    case 'plain':
      return { name, fate: 'forwarded', note: '' };
    case 'opaque':
      return { name, fate: 'forwarded', note: `not looked into: ${entry.because}` };
    case 'rejected':
    case 'restricted':
      return { name, fate: entry.fate, note: entry.because };
    case 'checked':
      return { name, fate: 'checked', note: `its \`model\`${boundNote(entry.bound)}` };
    case 'group':
      return { name, fate: 'forwarded', note: `its \`${entry.member}\` are looked up, too` };
    case 'priced': {
      const local =
        entry.local === undefined
          ? ''
          : `; not where \`${entry.local.member}\` is ${entry.local.types.join(', ')}`;
      return { name, fate: 'priced', note: `${callsNote(entry)}${local}` };
    }
  }
}

/** What calls are limited and counted by. */
function callsNote({ tool, bound, counters }: PricedCalls): string {
  const counted = counters.map((name) => `\`${name}\``).join(' or ');
  return `calls of ${tool}${boundNote(bound)}; counted by ${counted}`;
}

function boundNote(bound: CallBound): string {
  switch (bound.by) {
    case 'entry':
    case 'request':
      return `, at most \`${bound.member}\``;
    case 'provider':
      return `, at most ${bound.calls}`;
    case 'nothing':
      return ', without a limit: where the plan charges money, only if the operator allows it';
  }
}

const unless = (values: readonly unknown[]) =>
  values.length === 0 ? '' : `; not as ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
const alongside = (names: readonly string[]) =>
  names.length === 0 ? '' : `; with it ${names.map((name) => `\`${name}\``).join(', ')}`;

function innerNote(members: MemberRules): string {
  const names = Object.entries(members).flatMap(([name, rule]) =>
    rule.fate === 'plain' ? [`\`${name}\``] : [],
  );
  return names.length === 0 ? '' : `with ${names.join(', ')}`;
}

function noteOf(need: NeedRule): string {
  switch (need.kind) {
    case 'modalities':
      return 'output of sound and pictures';
    case 'tool':
      return callsNote(need);
    default: {
      const pins = Object.entries(need.pinned ?? {}).map(
        ([value, sent]) => `; \`${value}\` is sent as \`${sent}\``,
      );
      const absent = need.whenAbsent === undefined ? '' : `; if left out, \`${need.whenAbsent}\` is sent`;
      return `except ${need.included.map((value) => `\`${value}\``).join(', ')}${pins.join('')}${absent}`;
    }
  }
}

/** Columns as wide as their widest cell, as the formatter of the repository leaves them. */
function renderTable(rows: readonly Row[], header = ['member', 'rule', 'note']): string {
  const cells = [header, ...rows.map(({ name, fate, note }) => [`\`${name}\``, fate, note])];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  return [line(first), rule, ...rest.map(line)].join('\n');
}
