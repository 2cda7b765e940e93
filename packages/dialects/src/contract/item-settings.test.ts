import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS, buildContracts } from './base-contracts.ts';
import { decideTerms } from './body-terms.ts';
import { inspectRequest } from './inspect-request.ts';
import { classifyBody } from './request-members.ts';

const PAID = { forwardsUnknown: false, chargesMoney: true, maxToolCalls: 10 };
const UPDATE = 'configuration_update';

function inspect(item: Record<string, unknown>, contract = BASE_CONTRACTS.responses) {
  const { members, conversation } = classifyBody({
    model: 'm',
    input: [{ role: 'user', content: 'x' }, item],
  });
  return inspectRequest(members, contract, conversation);
}

describe('an item of `input` that updates the configuration', () => {
  it('may set the reasoning and the format', () => {
    const format = { type: 'json_schema', name: 'a', schema: { properties: { model: { type: 'string' } } } };
    const found = inspect({ type: UPDATE, id: 'x', reasoning: { effort: 'high' }, text: { format } });
    expect(found).toMatchObject({ restricted: [], models: [], error: null });
  });

  it.each([
    ['service_tier', 'priority'],
    ['service_tier', 'auto'],
    ['max_output_tokens', 100_000],
    ['configuration', { max_output_tokens: 100_000 }],
  ])('is refused on plans that charge money with %s', (name, value) => {
    const found = inspect({ type: UPDATE, [name]: value });
    expect(decideTerms(found, PAID)).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param: `input.1.${name}` },
    });
    expect(decideTerms(found, { ...PAID, chargesMoney: false })).toMatchObject({ ok: true });
  });

  it.each([
    [{ model: 'other' }, 'input.1.model'],
    [{ configuration: { model: 'other' } }, 'input.1.configuration.model'],
    [{ reasoning: { draft_model: 'other' } }, 'input.1.reasoning.draft_model'],
  ])('has its model checked like that of the request: %j', (more, param) => {
    expect(inspect({ type: UPDATE, ...more }).models).toEqual([{ model: 'other', param }]);
  });

  it.each([
    [{ reasoning: { effort: 'high', pro_mode: true } }, 'input.1.reasoning.pro_mode'],
    [{ text: { verbosity: 'low', rewriter: 'x' } }, 'input.1.text.rewriter'],
  ])('is refused on plans that charge money with unknown members of its settings: %j', (more, param) => {
    const found = inspect({ type: UPDATE, ...more });
    expect(decideTerms(found, PAID)).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param },
    });
    expect(decideTerms(found, { ...PAID, chargesMoney: false })).toMatchObject({ ok: true });
    const { responses } = buildContracts({}, [`input.${UPDATE}`]);
    expect(inspect({ type: UPDATE, ...more }, responses).restricted).toEqual([]);
  });

  it.each(['reasoning', 'text'])('is refused on every plan if %s is no object', (name) => {
    expect(inspect({ type: UPDATE, [name]: 'high' }).error).toMatchObject({ param: `input.1.${name}` });
  });

  it('may have a format with any names, like the request', () => {
    const schema = { dependentSchemas: { model: { file_id: 'x' } } };
    const text = { format: { type: 'json_schema', name: 'a', schema } };
    expect(inspect({ type: UPDATE, text })).toMatchObject({ restricted: [], models: [], error: null });
  });

  it('has its tools checked like those of the request', () => {
    const found = inspect({ type: UPDATE, tools: [{ type: 'mcp', server_label: 'x' }] });
    expect(found.hasUncountedTools).toBe(true);
  });

  it('can be allowed by the operator', () => {
    const { responses } = buildContracts({}, [`input.${UPDATE}`]);
    expect(inspect({ type: UPDATE, service_tier: 'priority' }, responses).restricted).toEqual([]);
  });
});

describe('an item of `input` of an unknown kind', () => {
  it('has its model and what needs a rate checked', () => {
    const found = inspect({ type: 'mystery', service_tier: 'priority', model: 'other', text: 'x' });
    expect(found.models).toEqual([{ model: 'other', param: 'input.1.model' }]);
    expect(found.restricted).toMatchObject([{ param: 'input.1.service_tier' }]);
  });

  it('is forwarded without them', () => {
    expect(inspect({ type: 'mystery', text: 'x' })).toMatchObject({
      restricted: [],
      models: [],
      error: null,
    });
  });
});

it('ignores the names of members in items of the conversation', () => {
  for (const type of ['message', 'function_call', 'image_generation_call', undefined])
    expect(
      inspect({ type, role: 'user', content: 'x', model: 'other', service_tier: 'priority' }),
    ).toMatchObject({
      restricted: [],
      models: [],
    });
});
