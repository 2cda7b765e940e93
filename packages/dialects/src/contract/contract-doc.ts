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
  responses: '`POST /v1/responses` and `POST /v1/responses/input_tokens`',
  embeddings: '`POST /v1/embeddings`',
};

const INTRODUCTION = `## Request contracts

Before the gateway sends a request, it looks up each member in the contract of the provider. The rules of an endpoint apply to every provider; a preset adds its own rules.

- **forwarded**: the member changes neither the model nor the price.
- **priced**: the member needs its own rate in the model's prices, except with the values that the note lists. Without that rate the request is rejected, unless neither a balance nor a budget limits the key. Allowing a priced tool by name does not make it free.
- **checked**: the member contains the upstream model of another route. The key and the plan must allow that model, and it must have a price. Its usage is billed at its own price.
- **restricted**: the member is rejected on plans that charge money (prepaid plans with a price multiplier above 0), unless the operator allows it by name for the provider. On other plans it is forwarded.
- **rejected**: the request is rejected with 400 \`unsupported_parameter\`, and \`param\` names the member.
- **dropped**: the member is not sent, and \`x-tollgate-dropped-params\` lists it.

The gateway searches forwarded members at any depth for names of models (in \`model\`, \`models\`, \`draft_model\` and similar names), which it checks, and for ids of stored objects. _Not inspected_ means that it does not search the member, and why.

A member without a rule is _unknown_. On plans that charge money it is dropped and listed, on others it is forwarded. There are two exceptions:

- A tool or plugin of an unknown kind is rejected on plans that charge money, because a tool choice may depend on it.
- An unknown member is dropped on every plan if its name contains \`model\` or \`fallback\`, or if a member inside it names a model.

Operators can change the default per plan, allow members per provider, and see which unknown members arrive: \`tollgate provider members\`, or _Request fields_ on the Providers page of the console.

\`service_tier: auto\` lets the provider select the tier. On plans that charge money, the gateway sends the standard tier instead.

The version of a tool (\`_20250305\`, \`_2025_08_26\`) does not change its rule.
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
    [INTRODUCTION, renderStoredKinds(), ...bases, '### Rules of presets', ...own]
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
      handling: members.map((name) => `\`${name}\``).join(', '),
      note: STORED_KINDS[kind],
    };
  });
  return [
    '### Ids of stored objects',
    "All accounts of a gateway share the operator's account at the provider. An id of an object that is stored there may belong to another account. Such an id is restricted everywhere in a request: in a member, in a tool, or in a part of the conversation.",
    renderTable(rows, ['name for --allow', 'members', 'stored objects']),
  ].join('\n\n');
}

function renderTerms({ members, query, betas }: ContractTerms, isBase: boolean): string {
  const rows = Object.entries(members).flatMap(([name, rule]) => describe(name, rule));
  const plain = rows
    .filter(({ handling, note }) => handling === 'forwarded' && note === '')
    .map(({ name }) => `\`${name}\``);
  const others = rows.filter(({ handling, note }) => handling !== 'forwarded' || note !== '');
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
      `Forwarded beta features, of any version: ${(betas ?? []).map((beta) => `\`${beta}\``).join(', ')}.`,
    );
  return parts.join('\n\n');
}

interface Row {
  name: string;
  handling: string;
  note: string;
}

const EDITS_NOTE =
  'for an entry whose type begins with `compact`, the hold covers one more turn of the model';
const UNCOUNTED_NOTE =
  'its calls are neither counted nor limited; the hold covers ten further turns of the model';

function describe(name: string, rule: MemberRule): Row[] {
  switch (rule.handling) {
    case 'plain':
      return [{ name, handling: 'forwarded', note: rule.isUncounted === true ? UNCOUNTED_NOTE : '' }];
    case 'opaque':
      return [{ name, handling: 'forwarded', note: `not inspected: ${rule.because}` }];
    case 'restricted':
      return [{ name, handling: 'restricted', note: rule.because + unless(rule.unless ?? []) }];
    case 'stored':
      return [{ name, handling: 'restricted', note: `ids of ${STORED_KINDS[rule.kind]}` }];
    case 'dropped':
      return [{ name, handling: 'dropped', note: rule.because + alongside(rule.alongside ?? []) }];
    case 'rejected':
      return [{ name, handling: 'rejected', note: rule.because + unless(rule.unless ?? []) }];
    case 'priced':
      return [{ name, handling: 'priced', note: getNote(rule.need) }];
    case 'checked':
      return [{ name, handling: 'checked', note: rule.shape === 'requests' ? innerNote(rule.members) : '' }];
    case 'betas':
      return [{ name, handling: 'forwarded', note: 'known beta features' }];
    case 'carriers':
      return [{ name, handling: 'forwarded', note: 'tools in its items follow the rules of `tools`' }];
    case 'edits':
      return [{ name, handling: 'forwarded', note: EDITS_NOTE }];
    case 'object':
      return [
        { name, handling: 'forwarded', note: innerNote(rule.members) },
        ...Object.entries(rule.members)
          .filter(([, inner]) => inner.handling !== 'plain')
          .flatMap(([inner, innerRule]) => describe(`${name}.${inner}`, innerRule)),
      ];
    case 'entries':
      return Object.entries(rule.entries.kinds).map(([kind, entry]) =>
        describeEntry(`${name}.${kind}`, entry),
      );
  }
}

function describeEntry(name: string, entry: EntryRule): Row {
  switch (entry.handling) {
    case 'plain':
      return { name, handling: 'forwarded', note: entry.isUncounted === true ? UNCOUNTED_NOTE : '' };
    case 'opaque':
      return { name, handling: 'forwarded', note: `not inspected: ${entry.because}` };
    case 'rejected':
    case 'restricted':
      return { name, handling: entry.handling, note: entry.because };
    case 'checked':
      return { name, handling: 'checked', note: `its \`model\`${boundNote(entry.bound)}` };
    case 'group':
      return {
        name,
        handling: 'forwarded',
        note: `the tools in its \`${entry.member}\` follow their own rules`,
      };
    case 'priced': {
      const local =
        entry.local === undefined
          ? ''
          : `; forwarded if \`${entry.local.member}\` is ${entry.local.types.join(' or ')}`;
      return { name, handling: 'priced', note: `${callsNote(entry)}${local}` };
    }
  }
}

/** How calls are limited and counted. */
function callsNote({ tool, bound, counters, leastCalls }: PricedCalls): string {
  const counted = counters.map((name) => `\`${name}\``).join(' or ');
  const least = leastCalls === undefined ? '' : `, or as ${leastCalls} if the response has neither`;
  return `at the rate \`tool_calls:${tool}\` per call${boundNote(bound)}; counted by ${counted}${least}`;
}

function boundNote(bound: CallBound): string {
  switch (bound.by) {
    case 'entry':
    case 'request':
      return `, limited by \`${bound.member}\``;
    case 'provider':
      return `, at most ${bound.calls} per request`;
    case 'nothing':
      return '; without a limit on calls, so plans that charge money need the operator to allow it';
  }
}

const unless = (values: readonly unknown[]) =>
  values.length === 0 ? '' : `; except ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
const alongside = (names: readonly string[]) =>
  names.length === 0 ? '' : `; also drops ${names.map((name) => `\`${name}\``).join(', ')}`;

function innerNote(members: MemberRules): string {
  const names = Object.entries(members).flatMap(([name, rule]) =>
    rule.handling === 'plain' ? [`\`${name}\``] : [],
  );
  return names.length === 0 ? '' : `known members: ${names.join(', ')}`;
}

function getNote(need: NeedRule): string {
  switch (need.kind) {
    case 'modalities':
      return 'audio and image output';
    case 'tool':
      return callsNote(need);
    default: {
      const pins = Object.entries(need.pinned ?? {}).map(
        ([value, sent]) => `; \`${value}\` is sent as \`${sent}\``,
      );
      const absent =
        need.whenAbsent === undefined ? '' : `; \`${need.whenAbsent}\` is sent if the request has none`;
      return `except ${need.included.map((value) => `\`${value}\``).join(', ')}${pins.join('')}${absent}`;
    }
  }
}

/** Pads each column to its widest cell, as the formatter does. */
function renderTable(rows: readonly Row[], header = ['member', 'rule', 'note']): string {
  const cells = [header, ...rows.map(({ name, handling, note }) => [`\`${name}\``, handling, note])];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  return [line(first), rule, ...rest.map(line)].join('\n');
}
