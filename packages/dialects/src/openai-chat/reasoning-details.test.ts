import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeReasoningDetails, encodeReasoningDetail } from './reasoning-details.ts';
import { NO_QUIRKS } from './quirks/provider-quirks.ts';

const TARGET = {
  quirks: { ...NO_QUIRKS, reasoningField: 'reasoning_details' as const },
  defaultMaxTokens: 16,
};
const CONTEXT = { requestId: 'req_1', model: 'm', nowSeconds: 1 };

/** A text that Google signed, as OpenRouter returns it. */
const DETAIL = {
  type: 'reasoning.text',
  text: 'I look.',
  signature: 'c2ln',
  format: 'google-gemini-v1',
  index: 0,
};
const ANTHROPICS = { ...DETAIL, format: 'anthropic-claude-v1' };

const getAnswer = (detail: JsonObject) => ({
  id: 'gen-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Done', reasoning: 'I look.', reasoning_details: [detail] },
    },
  ],
});

/** The content of an answer to a caller of the Messages API. */
function getContent(detail: JsonObject): unknown {
  const answer = getCodec('openai-chat').decodeResponse(getAnswer(detail));
  if (answer === null) throw new Error('The answer cannot be read');
  return getCodec('anthropic-messages').encodeResponse(answer, CONTEXT)['content'];
}

/** The next request of the caller. */
function continueAt(dialect: 'openai-chat' | 'anthropic-messages', content: unknown, model: string): string {
  const user = { role: 'user', content: 'Go on' };
  const messages = [user, { role: 'assistant', content }, user];
  const decoded = getCodec('anthropic-messages').decodeRequest({ model: 'm', max_tokens: 16, messages });
  if (!decoded.ok) throw new Error(decoded.error.message);
  const encoded = getCodec(dialect).encodeRequest({ ...decoded.value, model }, TARGET);
  if (!encoded.ok) throw new Error(encoded.error.message);
  return JSON.stringify(encoded.body);
}

describe('a text that another maker than Anthropic signed', () => {
  it('goes back with its format', () => {
    for (const detail of [DETAIL, ANTHROPICS, { ...DETAIL, id: 'r1', format: 'unknown' }]) {
      const [placed] = decodeReasoningDetails([detail]);
      if (placed === undefined) throw new Error('Nothing was read');
      expect(encodeReasoningDetail(placed.part, 0)).toEqual(detail);
      const sent = continueAt('openai-chat', getContent(detail), 'some/model');
      expect(sent).toContain(detail.signature);
      expect(sent).toContain(detail.format);
    }
  });

  it('is not sent to Claude', () => {
    expect(continueAt('anthropic-messages', getContent(ANTHROPICS), 'claude-opus-4-8')).toContain('I look.');
    expect(continueAt('anthropic-messages', getContent(DETAIL), 'claude-opus-4-8')).not.toContain('I look.');
  });

  it('keeps a signature that was packed before', () => {
    const [placed] = decodeReasoningDetails([DETAIL]);
    if (placed?.part.type !== 'thinking') throw new Error('It is no text');
    const { signature } = placed.part;
    const [again] = decodeReasoningDetails([{ type: 'reasoning.text', text: 'I look.', signature }]);
    expect(again?.part).toEqual(placed.part);
  });
});
