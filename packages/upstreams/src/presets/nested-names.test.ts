/**
 * Hostile bodies for every contract: under any forwarded member, a nested model is checked and the id of a stored object
 * is restricted.
 */
import {
  BASE_CONTRACTS,
  buildContracts,
  type RequestContracts,
} from '@tollgate/dialects/contract/base-contracts';
import { decideTerms } from '@tollgate/dialects/contract/body-terms';
import { CONTRACT_ENDPOINTS } from '@tollgate/dialects/contract/contract';
import { classifyBody } from '@tollgate/dialects/contract/request-members';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import type { EntryRule, MemberRule } from '@tollgate/dialects/contract/member-rule';
import { STORED_ID_MEMBERS } from '@tollgate/dialects/contract/stored-ids';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { describe, expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

const PAID = { forwardsUnknown: false, chargesMoney: true, maxToolCalls: 10 };
const INTERNAL = { forwardsUnknown: true, chargesMoney: false, maxToolCalls: null };

const contracts: [string, RequestContracts][] = [
  ['any provider', BASE_CONTRACTS],
  ...PRESETS.map(({ name, contract }): [string, RequestContracts] => [name, buildContracts(contract, [])]),
];

/** Every place in a request where a contract forwards an object, with its value in a body. */
function* getPlaces(name: string, rule: MemberRule): Generator<(value: unknown) => JsonObject> {
  const wrap = (inner: (value: unknown) => unknown) => (value: unknown) => ({ [name]: inner(value) });
  if (rule.handling === 'opaque' || rule.handling === 'rejected' || rule.handling === 'restricted') return;
  if (rule.handling === 'object') {
    for (const [inner, innerRule] of Object.entries(rule.members))
      for (const place of getPlaces(inner, innerRule)) yield wrap(place);
    yield wrap((value) => asObject(value) ?? { list: value });
    return;
  }
  if (rule.handling === 'checked' && rule.shape === 'requests') {
    for (const [inner, innerRule] of Object.entries(rule.members))
      if (innerRule.handling === 'plain') yield wrap((value) => [{ model: 'named', [inner]: value }]);
    return;
  }
  if (rule.handling === 'entries') {
    const { by, kinds } = rule.entries;
    const all: Record<string, EntryRule> = { ...kinds, not_known: { handling: 'plain' } };
    for (const [kind, entry] of Object.entries(all)) {
      if (entry.handling === 'opaque' || entry.handling === 'rejected') continue;
      yield wrap((value) => [{ [by]: kind, setting: value }]);
    }
    return;
  }
  if (rule.handling === 'plain') yield wrap((value) => value);
}

const cases = contracts.flatMap(([provider, each]) =>
  CONTRACT_ENDPOINTS.flatMap((endpoint) =>
    [...each[endpoint].members].flatMap(([name, rule]) =>
      [...getPlaces(name, rule)].map((place, at) => ({
        title: `${provider} ${endpoint} ${name} ${at}`,
        contract: each[endpoint],
        place,
      })),
    ),
  ),
);

describe('nested names in a forwarded member', () => {
  it('are tested in every contract', () => {
    expect(cases.length).toBeGreaterThan(500);
  });

  it.each(['model', 'models', 'draft_model', 'fallbackModel'])(
    'cannot select an unchecked model: %s',
    (name) => {
      const unchecked = cases.filter(({ contract, place }) =>
        [place({ [name]: 'forbidden' }), place([{ deep: { [name]: ['forbidden'] } }])].some((body) => {
          const found = inspectRequest(body, contract);
          return !found.models.some(({ model }) => model === 'forbidden') && found.error === null;
        }),
      );
      expect(unchecked.map(({ title }) => title)).toEqual([]);
    },
  );

  it.each(Object.keys(STORED_ID_MEMBERS))('cannot reference a stored object on charged plans: %s', (name) => {
    const open = cases.filter(({ contract, place }) =>
      [place({ [name]: 'id_1' }), place([{ deep: { [name]: ['id_1'] } }])].some(
        (body) => decideTerms(inspectRequest(body, contract), PAID).ok,
      ),
    );
    expect(open.map(({ title }) => title)).toEqual([]);
  });
});

describe('nested names in a conversation', () => {
  it.each([
    [
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
    ],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] }],
    ['chat', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] }],
    ['chat', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
    [
      'responses',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', file_id: 'f' }] }] },
    ],
    ['responses', { input: [{ type: 'code_interpreter_call', container_id: 'c' }] }],
    ['responses', { input: [{ type: 'shell_call', environment: { container_id: 'c' } }] }],
    ['responses', { input: [{ type: 'x', tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }] }],
    ['messages', { messages: [], container: 'container_1' }],
    ['messages', { messages: [], container: { id: 'container_1' } }],
    ['messages', { messages: [], container: { skills: [{ type: 'custom', skill_id: 's' }] } }],
    ['responses', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
  ] as const)('cannot reference a stored object on charged plans: %s %j', (endpoint, body) => {
    const { members, conversation } = classifyBody(body);
    const found = inspectRequest(members, BASE_CONTRACTS[endpoint], conversation);
    expect(decideTerms(found, PAID)).toMatchObject({ ok: false, error: { code: 'unsupported_parameter' } });
    expect(decideTerms(found, INTERNAL)).toMatchObject({ ok: true });
    const [restriction] = found.restricted;
    const { [endpoint]: allowing } = buildContracts({}, [restriction?.allowedAs ?? '']);
    const again = inspectRequest(members, allowing, conversation);
    expect(again.restricted.filter(({ allowedAs }) => allowedAs === restriction?.allowedAs)).toEqual([]);
  });

  it('may be data of any name and skills of the provider', () => {
    const body = {
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'f', input: { file_id: 'x', model: 'y' } }],
        },
      ],
      tools: [{ name: 'f', input_schema: { properties: { model: { type: 'string' } } } }],
      container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] },
    };
    const { members, conversation } = classifyBody(body);
    expect(inspectRequest(members, BASE_CONTRACTS.messages, conversation)).toMatchObject({
      error: null,
      models: [],
      restricted: [],
    });
  });
});

it('drops an unknown member that contains a model, on any plan', () => {
  const found = inspectRequest({ new_thing: { deep: [{ model: 'forbidden' }] } }, BASE_CONTRACTS.chat);
  expect(decideTerms(found, INTERNAL)).toMatchObject({ value: { drops: ['new_thing'] } });
});
