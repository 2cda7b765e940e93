import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../json/parse-object.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { applyModelRules } from './fit-model-rules.ts';

/** Applies the rules to a body. `dropped` names the members that are not sent as given. */
function apply(dialect: Dialect, model: string, members: JsonObject) {
  const target = { dialect, model, quirks: NO_QUIRKS };
  const { edits, dropped } = applyModelRules(members, { drops: [], changes: {} }, target);
  const sent = { ...members };
  for (const name of edits.drops) delete sent[name];
  for (const [name, text] of Object.entries(edits.changes)) sent[name] = parseJson(text);
  return { sent, dropped };
}

describe('a request of the Responses API', () => {
  it('asks for log probabilities only if the model does not reason', () => {
    const include = ['message.output_text.logprobs'];
    expect(apply('openai-responses', 'gpt-5', { include, top_logprobs: 2 })).toEqual({
      sent: { include: ['reasoning.encrypted_content'] },
      dropped: ['include', 'top_logprobs'],
    });
    const off = { include, reasoning: { effort: 'none' } };
    expect(apply('openai-responses', 'gpt-5.5', off)).toEqual({
      sent: { ...off, include: [...include, 'reasoning.encrypted_content'] },
      dropped: [],
    });
    expect(apply('openai-responses', 'gpt-4o', { include })).toEqual({ sent: { include }, dropped: [] });
  });

  it('leaves out a verbosity that models before GPT-5 and their Codex models refuse', () => {
    const format = { type: 'json_object' };
    for (const model of [
      'gpt-4.1',
      'o4-mini',
      'gpt-5.1-codex-max',
      'gpt-5-chat-latest',
      'codex-mini-latest',
    ]) {
      const { sent, dropped } = apply('openai-responses', model, { text: { format, verbosity: 'low' } });
      expect(sent['text']).toEqual({ format });
      expect(dropped).toEqual(['text.verbosity']);
    }
    expect(apply('openai-responses', 'gpt-4o', { text: { verbosity: 'high' } })).toEqual({
      sent: {},
      dropped: ['text.verbosity'],
    });
    expect(apply('openai-chat', 'gpt-4o', { verbosity: 'low' })).toEqual({
      sent: {},
      dropped: ['verbosity'],
    });
    expect(apply('openai-chat', 'gpt-4o', { verbosity: 'medium' }).sent).toEqual({ verbosity: 'medium' });
    for (const model of ['gpt-5.3-codex', 'gpt-5-pro', 'gpt-5.4', 'gpt-oss-120b'])
      expect(apply('openai-responses', model, { text: { verbosity: 'low' } })).toMatchObject({
        sent: { text: { verbosity: 'low' } },
        dropped: [],
      });
  });
});

describe('a request of the Messages API', () => {
  it('keeps a budget below a limit that it lowers', () => {
    for (const budget of [64_000, 80_000])
      expect(
        apply('anthropic-messages', 'claude-haiku-4-5', {
          max_tokens: 100_000,
          thinking: { type: 'enabled', budget_tokens: budget },
        }),
      ).toEqual({
        sent: { max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 63_999 } },
        dropped: ['max_tokens', 'thinking'],
      });
  });
});
