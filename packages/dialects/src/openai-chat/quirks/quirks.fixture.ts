import { asObject, type JsonObject } from '../../json/parse-object.ts';
import fc from 'fast-check';
import { CHAT_LIMIT_MEMBERS } from '../../limit-members.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

const asList = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : []).map(asObject).filter((entry) => entry !== null);
const getMessages = (body: JsonObject) => asList(body['messages']);
const getParts = (body: JsonObject) => getMessages(body).flatMap(({ content }) => asList(content));
const getCalls = (body: JsonObject) => getMessages(body).flatMap((message) => asList(message['tool_calls']));
const getIds = (body: JsonObject) => [
  ...getCalls(body).map(({ id }) => id),
  ...getMessages(body).flatMap(({ tool_call_id: id }) => id ?? []),
];
const has = (objects: readonly JsonObject[], ...names: readonly string[]) =>
  objects.some((object) => names.some((name) => object[name] !== undefined));

/** By quirk, what a provider with each value takes. A value without an entry does not compile. */
type ByValue<Name extends keyof ProviderQuirks, Rule> = Record<Extract<ProviderQuirks[Name], string>, Rule>;
type Check = (body: JsonObject, model: string) => boolean;

/** Any value of a table. */
function anyKey<Value extends string>(table: Record<Value, unknown>): fc.Arbitrary<Value> {
  const isValue = (name: string): name is Value => name in table;
  return fc.constantFrom(...Object.keys(table).filter(isValue));
}

const TAKEN_LIMITS: ByValue<'maxTokensMember', readonly string[]> = {
  max_completion_tokens: ['max_completion_tokens', 'max_tokens'],
  max_tokens: ['max_tokens'],
};

const UNFIT_ROLES: ByValue<'developerRole', readonly string[]> = { developer: [], none: ['developer'] };

const UNFIT_REASONING: ByValue<'reasoningMember', Check> = {
  reasoning: (body) => has([body], 'reasoning_effort', 'thinking'),
  reasoning_effort: (body) => has([body], 'reasoning', 'thinking'),
  thinking: (body) => has([body], 'reasoning'),
  'reasoning.enabled': (body) =>
    has([body], 'thinking') || Object.keys(body['reasoning'] ?? {}).some((name) => name !== 'enabled'),
  none: (body) => has([body], 'reasoning', 'reasoning_effort', 'thinking'),
};

const TAKEN_FIELDS: ByValue<'reasoningField', readonly string[]> = {
  reasoning_content: ['reasoning_content'],
  reasoning: ['reasoning'],
  reasoning_details: ['reasoning_details', 'reasoning'],
  content: [],
  none: [],
};
const REASONING_FIELDS = new Set(Object.values(TAKEN_FIELDS).flat());

const UNSIGNED: ByValue<'callSignatures', Check> = {
  none: (body) => has(getCalls(body), 'extra_content'),
  extra_content: (body, model) => {
    const first = getMessages(body).flatMap((message) => asList(message['tool_calls']).slice(0, 1));
    return model === 'gemini-3-pro' && first.some((call) => call['extra_content'] === undefined);
  },
};

const TAKEN_IDS: ByValue<'callIds', RegExp> = { any: /^/, short: /^[a-zA-Z0-9]{9}$/ };

/** Any provider. A field without values here does not compile. */
const VALUES: { [Name in keyof ProviderQuirks]: fc.Arbitrary<ProviderQuirks[Name]> } = {
  maxTokensMember: anyKey(TAKEN_LIMITS),
  developerRole: anyKey(UNFIT_ROLES),
  reasoningMember: anyKey(UNFIT_REASONING),
  reasoningField: anyKey(TAKEN_FIELDS),
  takesCacheControl: fc.boolean(),
  takesTopK: fc.boolean(),
  takesFileUrls: fc.boolean(),
  takesTextLists: fc.boolean(),
  callSignatures: anyKey(UNSIGNED),
  callIds: anyKey(TAKEN_IDS),
  maxStopSequences: fc.constantFrom(null, 2, 4),
  omits: fc.subarray(['user', 'seed', 'metadata', 'verbosity', 'prompt_cache_key', 'stream_options']),
};

export const arbitraryQuirks: fc.Arbitrary<ProviderQuirks> = fc.record(VALUES);

/** Whether a body is not what the provider takes, read without the code under test. A field without a check does not compile. */
const IS_UNFIT: {
  [Name in keyof ProviderQuirks]: (body: JsonObject, value: ProviderQuirks[Name], model: string) => boolean;
} = {
  maxTokensMember: (body, name) =>
    has([body], ...CHAT_LIMIT_MEMBERS.filter((other) => !TAKEN_LIMITS[name].includes(other))),
  developerRole: (body, value) =>
    getMessages(body).some(({ role }) => UNFIT_ROLES[value].includes(String(role))),
  reasoningMember: (body, member, model) => UNFIT_REASONING[member](body, model),
  reasoningField: (body, field) => {
    const others = [...REASONING_FIELDS].filter((name) => !TAKEN_FIELDS[field].includes(name));
    const hasPart = getParts(body).some(({ type }) => type === 'thinking');
    return has(getMessages(body), ...others) || (hasPart && field !== 'content');
  },
  takesCacheControl: (body, isTaken) =>
    !isTaken && /"(?:cache_control|prompt_cache_breakpoint)":/.test(JSON.stringify(body)),
  takesTopK: (body, isTaken) => !isTaken && has([body], 'top_k'),
  takesFileUrls: (body, isTaken) => !isTaken && JSON.stringify(body).includes('"file_data":"http'),
  takesTextLists: (body, isTaken) =>
    !isTaken &&
    getMessages(body).some(({ content }) => {
      const parts = asList(content);
      return parts.length > 0 && parts.every(({ type }) => type === 'text');
    }),
  callSignatures: (body, kind, model) => {
    if (getIds(body).some((id) => String(id).includes('--sig'))) return true;
    return UNSIGNED[kind](body, model);
  },
  callIds: (body, kind) => getIds(body).some((id) => !TAKEN_IDS[kind].test(String(id))),
  maxStopSequences: (body, most) =>
    most !== null && Array.isArray(body['stop']) && body['stop'].length > most,
  omits: (body, names) => has([body], ...names),
};

/** The fields whose quirks a body ignores. */
export function listUnfit(body: JsonObject, quirks: ProviderQuirks, model: string): string[] {
  return NAMES.filter((name) => isUnfit(name, quirks));

  function isUnfit<Name extends keyof ProviderQuirks>(name: Name, values: Pick<ProviderQuirks, Name>) {
    return IS_UNFIT[name](body, values[name], model);
  }
}

export const NAMES = Object.keys(NO_QUIRKS).filter((name): name is keyof ProviderQuirks => name in NO_QUIRKS);
