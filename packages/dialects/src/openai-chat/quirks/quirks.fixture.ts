import { asObject, type JsonObject } from '../../json/parse-object.ts';
import fc from 'fast-check';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

/** Any provider. A field without values here does not compile. */
const VALUES: { [Name in keyof ProviderQuirks]: fc.Arbitrary<ProviderQuirks[Name]> } = {
  maxTokensMember: fc.constantFrom('max_completion_tokens', 'max_tokens'),
  developerRole: fc.constantFrom('developer', 'none'),
  reasoningMember: fc.constantFrom('reasoning_effort', 'reasoning', 'reasoning.enabled', 'thinking', 'none'),
  reasoningField: fc.constantFrom('reasoning_content', 'reasoning', 'reasoning_details', 'content', 'none'),
  takesCacheControl: fc.boolean(),
  takesTopK: fc.boolean(),
  takesFileUrls: fc.boolean(),
  takesTextLists: fc.boolean(),
  callSignatures: fc.constantFrom('extra_content', 'none'),
  callIds: fc.constantFrom('any', 'short'),
  maxStopSequences: fc.constantFrom(null, 2, 4),
  omits: fc.subarray(['user', 'seed', 'metadata', 'verbosity', 'prompt_cache_key', 'stream_options']),
};

export const arbitraryQuirks: fc.Arbitrary<ProviderQuirks> = fc.record(VALUES);

const listOf = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : []).map(asObject).filter((entry) => entry !== null);
const messagesOf = (body: JsonObject) => listOf(body['messages']);
const partsOf = (body: JsonObject) => messagesOf(body).flatMap(({ content }) => listOf(content));
const callsOf = (body: JsonObject) => messagesOf(body).flatMap((message) => listOf(message['tool_calls']));
const idsOf = (body: JsonObject) => [
  ...callsOf(body).map(({ id }) => id),
  ...messagesOf(body).flatMap(({ tool_call_id: id }) => id ?? []),
];
const has = (objects: readonly JsonObject[], ...names: readonly string[]) =>
  objects.some((object) => names.some((name) => object[name] !== undefined));

const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'];

/** Whether a body is not what the provider takes, read without the code under test. A field without a check does not compile. */
const IS_UNFIT: {
  [Name in keyof ProviderQuirks]: (body: JsonObject, value: ProviderQuirks[Name], model: string) => boolean;
} = {
  maxTokensMember: (body, name) => name === 'max_tokens' && has([body], 'max_completion_tokens'),
  developerRole: (body, role) =>
    role === 'none' && messagesOf(body).some((message) => message['role'] === 'developer'),
  reasoningMember: (body, member) => {
    switch (member) {
      case 'reasoning':
        return has([body], 'reasoning_effort', 'thinking');
      case 'reasoning_effort':
        return has([body], 'reasoning', 'thinking');
      case 'thinking':
        return has([body], 'reasoning');
      case 'reasoning.enabled':
        return (
          has([body], 'thinking') || Object.keys(body['reasoning'] ?? {}).some((name) => name !== 'enabled')
        );
      case 'none':
        return has([body], 'reasoning', 'reasoning_effort', 'thinking');
    }
  },
  reasoningField: (body, field) => {
    const taken = field === 'reasoning_details' ? ['reasoning_details', 'reasoning'] : [field];
    const others = REASONING_FIELDS.filter((name) => !taken.includes(name));
    const hasPart = partsOf(body).some(({ type }) => type === 'thinking');
    return has(messagesOf(body), ...others) || (hasPart && field !== 'content');
  },
  takesCacheControl: (body, isTaken) =>
    !isTaken && /"(?:cache_control|prompt_cache_breakpoint)":/.test(JSON.stringify(body)),
  takesTopK: (body, isTaken) => !isTaken && has([body], 'top_k'),
  takesFileUrls: (body, isTaken) => !isTaken && JSON.stringify(body).includes('"file_data":"http'),
  takesTextLists: (body, isTaken) =>
    !isTaken &&
    messagesOf(body).some(({ content }) => {
      const parts = listOf(content);
      return parts.length > 0 && parts.every(({ type }) => type === 'text');
    }),
  callSignatures: (body, kind, model) => {
    if (idsOf(body).some((id) => String(id).includes('--sig'))) return true;
    if (kind === 'none') return has(callsOf(body), 'extra_content');
    const first = messagesOf(body).flatMap((message) => listOf(message['tool_calls']).slice(0, 1));
    return model === 'gemini-3-pro' && first.some((call) => call['extra_content'] === undefined);
  },
  callIds: (body, kind) => kind === 'short' && idsOf(body).some((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id))),
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
