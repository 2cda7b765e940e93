import { Buffer } from 'node:buffer';
import { REASONING_EFFORTS } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { arbitraryCompletionRequest } from '@tollgate/testing/arbitrary-completion-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import { JsonObjectBytes } from '../json/edit-members.ts';
import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { CLAUDE_MODELS, listRefusals, OPENAI_MODELS } from './breaks-rules.fixture.ts';
import { applyModelRules } from './fit-model-rules.ts';

const OPENAI = Object.keys(OPENAI_MODELS);
const TARGETS: readonly (readonly [Dialect, readonly string[]])[] = [
  ['openai-chat', OPENAI],
  ['openai-responses', OPENAI],
  ['anthropic-messages', CLAUDE_MODELS],
];

function passThrough(dialect: Dialect, body: JsonObject) {
  const bytes = Buffer.from(JSON.stringify(body));
  const target = { dialect, model: String(body['model']), quirks: NO_QUIRKS };
  const { edits, dropped } = applyModelRules(body, { drops: [], changes: {} }, target);
  const edited = new JsonObjectBytes(bytes).edit(edits);
  return { bytes, edited, dropped, sent: parseJsonObject(edited.toString()) ?? {} };
}

const some = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);
const effort = some(...REASONING_EFFORTS, null);
const limit = some(1, 1024, 5000, 16_384, 64_000, 128_000, 300_000, null);
const unit = some(0, 0.5, 1, null);
const tools = some([], [{ type: 'function', name: 'f' }]);
const SETTINGS: Readonly<Record<Dialect, fc.Arbitrary<JsonObject>>> = {
  'openai-chat': fc.record(
    {
      reasoning_effort: effort,
      max_tokens: limit,
      max_completion_tokens: limit,
      temperature: unit,
      top_p: unit,
      logprobs: some(true, false, null),
      top_logprobs: some(0, 3),
      stop: some('END', ['END'], [], null),
      presence_penalty: unit,
      frequency_penalty: unit,
      logit_bias: some({}, { 5: 1 }),
      tools,
      verbosity: some('low', 'medium', 'high', null),
      seed: some(1),
    },
    { requiredKeys: [] },
  ),
  'openai-responses': fc.record(
    {
      reasoning: some(null, {}, { summary: 'auto' }, ...REASONING_EFFORTS.map((name) => ({ effort: name }))),
      include: some(
        [],
        ['reasoning.encrypted_content'],
        ['file_search_call.results'],
        ['message.output_text.logprobs', 'file_search_call.results'],
        null,
      ),
      max_output_tokens: limit,
      temperature: unit,
      top_p: unit,
      top_logprobs: some(0, 3),
      text: some({}, { verbosity: 'low' }, { verbosity: 'medium', format: { type: 'json_object' } }),
      tools,
    },
    { requiredKeys: [] },
  ),
  'anthropic-messages': fc.record(
    {
      max_tokens: some(2000, 5000, 64_000, 128_000, 300_000),
      thinking: some(
        { type: 'disabled' },
        { type: 'adaptive' },
        { type: 'between_tools' },
        { type: 'enabled', budget_tokens: 1024 },
      ),
      output_config: some({}, ...REASONING_EFFORTS.slice(2).map((name) => ({ effort: name }))),
      tool_choice: some({ type: 'auto' }, { type: 'any' }, { type: 'tool', name: 'f' }),
      temperature: unit,
      top_p: unit,
      top_k: some(4, null),
    },
    { requiredKeys: ['max_tokens'] },
  ),
};

const startsWith = (list: unknown, start: unknown): boolean =>
  Array.isArray(list) && Array.isArray(start) && start.every((entry, at) => list[at] === entry);

/** The values that mean the same as if they were left out. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  temperature: [1],
  top_p: [1],
  logprobs: [false],
  top_logprobs: [0],
  stop: [[]],
  logit_bias: [{}],
  reasoning: [{}],
};

describe.each(TARGETS)('a request for a model in %s', (dialect, models) => {
  it.each(models)('is accepted by %s in passthrough, and every change is listed', (model) => {
    fc.assert(
      fc.property(SETTINGS[dialect], (settings) => {
        const body = { model, ...settings };
        const { sent, dropped } = passThrough(dialect, body);
        expect(listRefusals(dialect, sent)).toEqual([]);
        const roots = new Set(dropped.map((name) => name.split('.')[0]));
        for (const [name, value] of Object.entries(settings)) {
          const isSame = JSON.stringify(sent[name]) === JSON.stringify(value);
          const isDefault =
            value === null ||
            DEFAULTS[name]?.some((known) => JSON.stringify(known) === JSON.stringify(value)) === true;
          const isRenamed = name === 'max_tokens' && sent['max_completion_tokens'] === value;
          const isDouble = name === 'max_tokens' && (settings['max_completion_tokens'] ?? null) !== null;
          // A budget or thinking that is turned off becomes an effort.
          const isOfThinking = name === 'output_config' && roots.has('thinking');
          const isAsked = name === 'include' && startsWith(sent[name], value);
          if (!isSame && !isDefault && !isRenamed && !isDouble && !isAsked && !isOfThinking)
            expect(roots).toContain(name);
        }
      }),
    );
  });

  it('keeps its bytes in passthrough if the model accepts it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...models), SETTINGS[dialect], (model, settings) => {
        const once = passThrough(dialect, { model, ...settings });
        const again = passThrough(dialect, once.sent);
        expect(again.dropped).toEqual([]);
        expect(again.edited.equals(again.bytes)).toBe(true);
      }),
    );
  });

  it.each(models)('is accepted by %s if it is translated', (model) => {
    const anyRequest = arbitraryCompletionRequest({ hostedTools: fc.constant([]) });
    fc.assert(
      fc.property(anyRequest, (request) => {
        const encoded = getCodec(dialect).encodeRequest(
          { ...request, model },
          { quirks: NO_QUIRKS, defaultMaxTokens: 4096 },
        );
        expect(encoded.ok ? listRefusals(dialect, encoded.body) : []).toEqual([]);
      }),
    );
  });
});

describe('applyModelRules', () => {
  const apply = (dialect: Dialect, model: string, members: JsonObject) => {
    const { sent, dropped } = passThrough(dialect, { model, ...members });
    const { model: _model, ...rest } = sent;
    return { sent: rest, dropped };
  };

  it('renames the output limit, and lists nothing', () => {
    expect(apply('openai-chat', 'gpt-5.5', { max_tokens: 64_000 })).toEqual({
      sent: { max_completion_tokens: 64_000 },
      dropped: [],
    });
  });

  it('lowers the output limit', () => {
    expect(apply('openai-chat', 'gpt-4o', { max_tokens: 64_000 })).toEqual({
      sent: { max_tokens: 16_384 },
      dropped: ['max_tokens'],
    });
  });

  it('does not list a limit that the gateway has set', () => {
    const edits = { drops: [], changes: { max_completion_tokens: '64000' } };
    const target = { dialect: 'openai-chat', model: 'gpt-4o', quirks: NO_QUIRKS } as const;
    expect(applyModelRules({ model: 'm' }, edits, target)).toEqual({
      edits: { drops: [], changes: { max_completion_tokens: '16384' } },
      dropped: [],
    });
  });

  it('turns reasoning off for functions that chat completions refuse otherwise', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(apply('openai-chat', 'gpt-5.5', { tools, temperature: 0 })).toEqual({
      sent: { tools, temperature: 0, reasoning_effort: 'none' },
      dropped: ['reasoning_effort'],
    });
  });

  it('sends the nearest effort', () => {
    expect(apply('openai-chat', 'gpt-5.5', { reasoning_effort: 'max' }).sent).toEqual({
      reasoning_effort: 'xhigh',
    });
    expect(apply('openai-chat', 'gpt-5.5', { reasoning_effort: 'minimal' }).sent).toEqual({
      reasoning_effort: 'low',
    });
    expect(apply('openai-responses', 'o3', { reasoning: { effort: 'none', summary: 'auto' } }).sent).toEqual({
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    });
    expect(apply('anthropic-messages', 'claude-opus-4-6', { output_config: { effort: 'xhigh' } })).toEqual({
      sent: { output_config: { effort: 'high' } },
      dropped: ['output_config.effort'],
    });
  });

  it('asks models that reason for their reasoning, in addition to what the caller asks for', () => {
    const include = ['code_interpreter_call.outputs'];
    expect(apply('openai-responses', 'openai/gpt-5.2', { include })).toEqual({
      sent: { include: [...include, 'reasoning.encrypted_content'] },
      dropped: [],
    });
    expect(apply('openai-responses', 'gpt-4o', { include }).sent).toEqual({ include });
  });

  it('replaces settings of thinking that Claude no longer takes', () => {
    const disabled = { max_tokens: 100, thinking: { type: 'disabled' } };
    expect(apply('anthropic-messages', 'claude-opus-5-5', disabled)).toEqual({
      sent: { max_tokens: 100, output_config: { effort: 'low' } },
      dropped: ['thinking'],
    });
    expect(apply('anthropic-messages', 'claude-sonnet-5-5', disabled).sent).toEqual({
      max_tokens: 100,
      thinking: { type: 'between_tools' },
    });
    const budget = { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 3000 } };
    expect(apply('anthropic-messages', 'claude-opus-4-8', budget)).toEqual({
      sent: {
        max_tokens: 4000,
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
      },
      dropped: ['thinking'],
    });
  });

  it('offers a tool that it cannot force', () => {
    const choice = { type: 'tool', name: 'f', disable_parallel_tool_use: true };
    expect(apply('anthropic-messages', 'claude-opus-5-5', { tool_choice: choice })).toEqual({
      sent: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      dropped: ['tool_choice'],
    });
  });

  it('changes nothing for a provider with another reasoning setting', () => {
    const quirks = { ...NO_QUIRKS, reasoningMember: 'reasoning' } as const;
    const edits = { drops: [], changes: {} };
    const target = { dialect: 'openai-chat', model: 'openai/gpt-5.5', quirks } as const;
    expect(applyModelRules({ temperature: 0, max_tokens: 5 }, edits, target)).toEqual({ edits, dropped: [] });
  });
});
