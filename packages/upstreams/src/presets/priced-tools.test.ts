import { BASE_CONTRACTS, type RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import { decideTerms } from '@tollgate/dialects/contract/body-terms';
import {
  CONTRACT_ENDPOINTS,
  type ContractEndpoint,
  type RequestContract,
} from '@tollgate/dialects/contract/contract';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import type { EntryRule, PricedCalls } from '@tollgate/dialects/contract/member-rule';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { decodeOpenAiUsage } from '@tollgate/dialects/openai-chat/decode-usage';
import { decodeOpenAiResponsesUsage } from '@tollgate/dialects/openai-responses/decode-usage';
import { decodeAnthropicUsage } from '@tollgate/dialects/anthropic-messages/decode-usage';
import { CALL_COUNTERS, type CallCounter } from '@tollgate/dialects/usage/call-counters';
import { describe, expect, it } from 'vitest';
import { buildContracts } from '@tollgate/dialects/contract/base-contracts';
import { PRESETS } from './presets.ts';

const MAX_CALLS = 10;
const PAID = { forwardsUnknown: false, chargesMoney: true, maxToolCalls: MAX_CALLS };

interface PricedKind {
  title: string;
  endpoint: ContractEndpoint;
  contract: RequestContract;
  /** The smallest request with the tool. */
  body: JsonObject;
  rule: PricedCalls & { local?: unknown; settings?: string };
  allowedAs: string;
}

const allContracts: [string, RequestContracts][] = [
  ['any provider', BASE_CONTRACTS],
  ...PRESETS.map(({ name, contract }): [string, RequestContracts] => [name, buildContracts(contract, [])]),
];

function listPricedKinds(): PricedKind[] {
  return allContracts.flatMap(([provider, contracts]) =>
    CONTRACT_ENDPOINTS.flatMap((endpoint) =>
      [...contracts[endpoint].members].flatMap(([name, rule]): PricedKind[] => {
        const common = { endpoint, contract: contracts[endpoint] };
        const title = `${provider} ${endpoint} ${name}`;
        if (rule.handling === 'priced' && rule.need.kind === 'tool')
          return [{ ...common, title, body: { [name]: {} }, rule: rule.need, allowedAs: name }];
        if (rule.handling !== 'entries') return [];
        const { kinds, by } = rule.entries;
        return Object.entries(kinds).flatMap(([kind, entry]: [string, EntryRule]): PricedKind[] => {
          if (entry.handling !== 'priced') return [];
          const remote =
            entry.local === undefined ? {} : { [entry.local.member]: { type: 'container_auto' } };
          const body = { [name]: [{ [by]: kind, ...remote }] };
          return [{ ...common, title: `${title}.${kind}`, body, rule: entry, allowedAs: `${name}.${kind}` }];
        });
      }),
    ),
  );
}

/** A response with two calls in the counter's format; a citation is one call. */
function getAnswer(counter: CallCounter): JsonObject {
  if (counter.in === 'usage') {
    const counts = { [counter.member]: 2 };
    return { usage: counter.object === null ? counts : { [counter.object]: counts } };
  }
  if (counter.in === 'citations')
    return { choices: [{ message: { annotations: [{ type: 'url_citation' }, { type: 'url_citation' }] } }] };
  const items = ['one', 'two'].map((container) => ({
    type: counter.item,
    container_id: container,
    environment: { container_id: container },
  }));
  return { output: items };
}

const DECODERS: Readonly<Record<ContractEndpoint, typeof decodeOpenAiUsage>> = {
  chat: decodeOpenAiUsage,
  messages: decodeAnthropicUsage,
  responses: decodeOpenAiResponsesUsage,
  embeddings: decodeOpenAiUsage,
};

describe.each(listPricedKinds().map((kind) => [kind.title, kind] as const))('%s', (_, kind) => {
  const { contract, body, rule, allowedAs } = kind;

  it('sends a limit of calls to the provider', () => {
    const found = inspectRequest(body, contract);
    const { bound, tool } = rule;
    if (bound.by === 'nothing') {
      expect(decideTerms(found, PAID)).toMatchObject({ ok: false, error: { code: 'unsupported_parameter' } });
      const allowed = { ...contract, allowed: new Set([allowedAs]) };
      const again = inspectRequest(body, allowed);
      expect(decideTerms(again, PAID)).toMatchObject({ ok: true });
      expect(again.needs).toEqual([{ kind: 'tool_calls', tool, maxCalls: null }]);
      return;
    }
    const known = bound.by === 'provider' ? bound.calls : bound.by === 'entry' ? bound.byDefault : undefined;
    expect(found.needs).toMatchObject([{ kind: 'tool_calls', tool, maxCalls: known ?? null }]);
    if (known !== undefined) return;
    const decided = decideTerms(found, PAID);
    if (!decided.ok) throw new Error(decided.error.message);
    const sent: JsonObject = { ...body };
    for (const [name, text] of Object.entries(decided.value.edits)) sent[name] = JSON.parse(text) as unknown;
    expect(inspectRequest(sent, contract).needs).toMatchObject([
      { kind: 'tool_calls', tool, maxCalls: MAX_CALLS },
    ]);
  });

  it('has counters that count its calls in a response', () => {
    expect(rule.counters.length).toBeGreaterThan(0);
    for (const name of rule.counters) {
      const counter: CallCounter = CALL_COUNTERS[name];
      const report = DECODERS[kind.endpoint](getAnswer(counter));
      const calls = report?.usage.extras?.toolCalls ?? {};
      expect(calls).toEqual({ [counter.tool]: counter.in === 'citations' ? 1 : 2 });
      // The request determines the rate of the earlier search.
      expect(rule.tool === 'web_search_preview' ? 'web_search' : rule.tool).toBe(counter.tool);
    }
  });
});

it('covers all tools that are billed per call', () => {
  const counted = new Set(listPricedKinds().map(({ rule }) => rule.tool));
  expect([...counted].toSorted()).toEqual([
    'code_execution',
    'file_search',
    'image_generation',
    'web_fetch',
    'web_search',
    'web_search_preview',
  ]);
});

it('counts only searches, not opened or read pages, in a Responses web search', () => {
  const call = (type: string | null) => ({
    type: 'web_search_call',
    ...(type !== null && { action: { type } }),
  });
  const output = [call('search'), call('open_page'), call('find_in_page'), call('find'), call(null)];
  expect(decodeOpenAiResponsesUsage({ output })?.usage.extras?.toolCalls).toEqual({ web_search: 2 });
});

it('counts the containers of a response, not their calls or the caller’s shells', () => {
  const output = [
    { type: 'code_interpreter_call', container_id: 'a' },
    { type: 'code_interpreter_call', container_id: 'a' },
    { type: 'shell_call', environment: { type: 'container_reference', container_id: 'b' } },
    { type: 'shell_call', environment: { type: 'local' } },
  ];
  expect(decodeOpenAiResponsesUsage({ output })?.usage.extras?.toolCalls).toEqual({ code_execution: 2 });
});
