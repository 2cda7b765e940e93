import fc from 'fast-check';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { packCallId } from '../../call-id.ts';
import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { arbitraryRequestFor, RICH } from '../arbitrary-request.fixture.ts';
import { encodeOpenAiChatRequest } from '../encode-request.ts';
import { getMeaning, passThrough, translate } from './both-ways.fixture.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';
import { arbitraryQuirks, listUnfit, NAMES } from './quirks.fixture.ts';

const SIGNATURE = 'c2lnbmVk';
const IDS = [
  'call_1',
  'functions.add:0',
  'abcDEF123',
  `toolu_${'x'.repeat(60)}`,
  packCallId('function-call-1', SIGNATURE),
];

/** A caller's body, written in the form of any provider, with ids of any provider. */
const arbitraryBody = fc
  .record({
    request: arbitraryRequestFor(RICH),
    form: arbitraryQuirks.map((quirks) => ({
      ...quirks,
      omits: [],
      maxStopSequences: null,
      takesFileUrls: true,
    })),
    ids: fc.array(fc.constantFrom(...IDS), { minLength: 1, maxLength: 4 }),
    isSigned: fc.boolean(),
    isSpaced: fc.boolean(),
    breakpoint: fc.constantFrom('cache_control', 'prompt_cache_breakpoint'),
    nulls: fc.subarray(['max_tokens', 'top_k', 'stop', 'reasoning', 'user', 'cache_control']),
  })
  .map(({ request, form, ids, isSigned, isSpaced, breakpoint, nulls }) => {
    const encoded = encodeOpenAiChatRequest(request, { ...form, callIds: 'any', callSignatures: 'none' });
    if (!encoded.ok) throw new Error(encoded.error.message);
    const known: unknown[] = [];
    const absent = Object.fromEntries(nulls.map((name) => [name, null]));
    const text = JSON.stringify({ ...absent, ...encoded.body }, (name, value: unknown) => {
      if (name === 'tool_calls' && Array.isArray(value) && isSigned) return value.map(sign);
      const isId = name === 'id' || name === 'tool_call_id';
      if (!isId || typeof value !== 'string' || !value.startsWith('call_')) return value;
      if (!known.includes(value)) known.push(value);
      return ids[known.indexOf(value) % ids.length];
    });
    const marked = text.replaceAll('"cache_control":{', `"${breakpoint}":{`);
    return isSpaced ? JSON.stringify(JSON.parse(marked), null, 2) : marked;
  });

const sign = (call: unknown) => ({
  ...asObject(call),
  id: 'signed-call',
  extra_content: { google: { thought_signature: SIGNATURE } },
});

describe('a request for a provider of the same dialect', () => {
  it('means the same in passthrough with quirks as if it were read and written again', () => {
    const model = fc.constantFrom('m', 'gemini-3-pro');
    fc.assert(
      fc.property(arbitraryBody, arbitraryQuirks, model, (text, quirks, name) => {
        const target = { quirks, model: name };
        const passed = passThrough(text, target);
        const translated = translate(text, target);
        if (!passed.ok || !translated.ok) {
          expect(passed).toEqual(translated);
          return;
        }
        expect(listUnfit(passed.value.body, quirks, name)).toEqual([]);
        expect(listUnfit(translated.value.body, quirks, name)).toEqual([]);
        expect(getMeaning(passed.value.body, quirks)).toEqual(getMeaning(translated.value.body, quirks));
        expect(passed.value.dropped.toSorted()).toEqual(translated.value.dropped.toSorted());
      }),
      { numRuns: 300 },
    );
  });
});

const message = { role: 'user', content: 'Hi' };
const assistant = (members: JsonObject) => ({
  model: 'm',
  messages: [message, { role: 'assistant', content: 'Hello', ...members }, message],
});
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

interface Sample<Value> {
  value: Value;
  /** A request that must change, or be refused, for a provider with this value; null: there is none. */
  body: JsonObject | null;
}

/** A value without a sample does not compile. */
function getSamples<Value extends string>(bodies: Record<Value, JsonObject | null>): Sample<Value>[] {
  const isValue = (name: string): name is Value => name in bodies;
  return Object.keys(bodies)
    .filter(isValue)
    .map((value) => ({ value, body: bodies[value] }));
}

/** A field without samples does not compile. */
const SAMPLES: { [Name in keyof ProviderQuirks]: readonly Sample<ProviderQuirks[Name]>[] } = {
  maxTokensMember: getSamples<ProviderQuirks['maxTokensMember']>({
    max_completion_tokens: null,
    max_tokens: { ...assistant({}), max_completion_tokens: 9 },
  }),
  developerRole: getSamples<ProviderQuirks['developerRole']>({
    developer: null,
    none: { model: 'm', messages: [{ role: 'developer', content: 'Be brief' }] },
  }),
  reasoningMember: getSamples<ProviderQuirks['reasoningMember']>({
    reasoning_effort: { ...assistant({}), reasoning: { max_tokens: 2000 } },
    reasoning: { ...assistant({}), reasoning_effort: 'low' },
    'reasoning.enabled': { ...assistant({}), reasoning: { max_tokens: 2000 } },
    thinking: { ...assistant({}), reasoning: { max_tokens: 2000 } },
    none: { ...assistant({}), reasoning_effort: 'low' },
  }),
  reasoningField: getSamples<ProviderQuirks['reasoningField']>({
    reasoning_content: assistant({ reasoning: 'Hm' }),
    reasoning: assistant({ reasoning_content: 'Hm' }),
    reasoning_details: assistant({ reasoning_content: 'Hm' }),
    content: assistant({ reasoning_content: 'Hm' }),
    none: assistant({ reasoning_content: 'Hm' }),
  }),
  takesCacheControl: [
    {
      value: false,
      body: {
        ...assistant({ content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] }),
        tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }],
        cache_control: { type: 'ephemeral' },
      },
    },
  ],
  takesTopK: [{ value: false, body: { ...assistant({}), top_k: 5 } }],
  takesFileUrls: [
    {
      value: false,
      body: {
        model: 'm',
        messages: [
          { role: 'user', content: [{ type: 'file', file: { file_data: 'https://example.com/a.pdf' } }] },
        ],
      },
    },
  ],
  takesTextLists: [{ value: false, body: assistant({ content: [{ type: 'text', text: 'x' }] }) }],
  callSignatures: getSamples<ProviderQuirks['callSignatures']>({
    extra_content: assistant({ tool_calls: [{ ...call, id: packCallId('function-call-1', SIGNATURE) }] }),
    none: assistant({ tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'c2ln' } } }] }),
  }),
  callIds: getSamples<ProviderQuirks['callIds']>({ any: null, short: assistant({ tool_calls: [call] }) }),
  maxStopSequences: [{ value: 1, body: { ...assistant({}), stop: ['a', 'b'] } }],
  omits: [{ value: ['seed'], body: { ...assistant({}), seed: 1 } }],
};

const VALUES = NAMES.flatMap((name) => SAMPLES[name].map(({ value, body }) => ({ name, value, body })));
const CHANGING = VALUES.flatMap(({ body, ...rest }) => (body === null ? [] : [{ ...rest, body }]));

describe('each quirk', () => {
  it("has a request that must change, except for OpenAI's own value", () => {
    const unchanged = VALUES.filter(({ body }) => body === null);
    expect(unchanged.filter(({ name, value }) => value !== NO_QUIRKS[name])).toEqual([]);
  });

  it.each(CHANGING)('$name: $value is applied in passthrough and in translation', ({ name, value, body }) => {
    const quirks: ProviderQuirks = { ...NO_QUIRKS, [name]: value };
    const text = JSON.stringify(body);
    expect(listUnfit(body, quirks, 'm')).toContain(name);
    const target = { quirks, model: 'm' };
    for (const sent of [passThrough(text, target), translate(text, target)]) {
      if (sent.ok) expect(listUnfit(sent.value.body, quirks, 'm')).toEqual([]);
      else expect(sent.error.code).toBe('unsupported_parameter');
    }
  });

  it('finds what it changes however the names are escaped', () => {
    const text = String.raw`{"model":"m","messages":[{"role":"d\u0065veloper","content":"Hi"}],"top\u005fk":5}`;
    const quirks: ProviderQuirks = { ...NO_QUIRKS, developerRole: 'none' };
    const sent = passThrough(text, { quirks, model: 'm' });
    expect(sent).toMatchObject({
      ok: true,
      value: { body: { messages: [{ role: 'system' }] }, dropped: ['top_k'] },
    });
  });
});

describe('the id of a tool call that is too long for a provider', () => {
  const quirks: ProviderQuirks = { ...NO_QUIRKS, callIds: 'short' };
  const turn = (...ids: string[]) =>
    JSON.stringify({
      model: 'm',
      messages: ids.flatMap((id) => [
        { role: 'assistant', content: null, tool_calls: [{ ...call, id }] },
        { role: 'tool', tool_call_id: id, content: '{"id":"call_1"}' },
      ]),
    });
  const sentIds = (text: string) => {
    const sent = passThrough(text, { quirks, model: 'm' });
    if (!sent.ok) throw new Error(sent.error.message);
    return [...JSON.stringify(sent.value.body['messages']).matchAll(/"(?:id|tool_call_id)":"(\w+)"/g)].map(
      ([, id]) => id,
    );
  };

  it('is the same in every turn of a conversation, for the call and its result', () => {
    // The provider's own id of the first response is kept.
    const first = sentIds(turn('call_of_another_provider'));
    const second = sentIds(turn('call_of_another_provider', 'D681PevKs'));
    expect(first[0]).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(second).toEqual([first[0], first[0], 'D681PevKs', 'D681PevKs']);
    expect(first).toEqual([first[0], first[0]]);
  });

  it('changes only the bytes of the ids', () => {
    const text = `{ "messages" : [ {"role":"user","content":"\\u0041", "n":1.50} , {"role":"tool", "tool_call_id" : "call_1","content":"x"}] ,"model":"m","seed":12345678901234567890}`;
    const sent = passThrough(text, { quirks, model: 'm' });
    if (!sent.ok) throw new Error(sent.error.message);
    const [id] = sentIds(turn('call_1'));
    expect(sent.value.bytes.toString()).toBe(text.replace('call_1', String(id)));
  });
});

it('takes time in proportion to the size of a body', () => {
  const entry = { role: 'tool', tool_call_id: 'call_1', content: 'text '.repeat(10) };
  const text = JSON.stringify({ model: 'm', messages: Array.from({ length: 40_000 }, () => entry) });
  // If each message were searched for in the rest of the body, it would take a minute.
  const ms = threadTimeMs(() => {
    const sent = passThrough(text, { quirks: { ...NO_QUIRKS, callIds: 'short' }, model: 'm' });
    expect(sent.ok && sent.value.bytes.includes('"call_1"')).toBe(false);
  });
  expect(ms).toBeLessThan(10_000);
});
