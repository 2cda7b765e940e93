/** Providers cache the exact bytes of a prefix, so a conversation must be translated in the same way in every turn. */
import type { TextPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Message } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import {
  arbitraryBase64,
  arbitraryRedactedThinkingPart,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
} from '@tollgate/testing/arbitrary-completion-content';
import { arbitraryConversation, arbitraryTool } from '@tollgate/testing/arbitrary-completion-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiChatRequest } from '../openai-chat/decode-request.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';

const ANSWER: TextPart = { type: 'text', text: 'Done.', citations: [], cache: null };
const cache = fc.constant(null);
const text = arbitraryTextPart({ cache, citations: fc.constant([]) });

/** Of content that every dialect can express. A turn of the assistant always says something. */
const conversations = arbitraryConversation({
  system: text,
  user: text,
  toolResult: text,
  toolCache: cache,
  assistant: fc.oneof(
    text,
    arbitraryToolCallPart({ cache }),
    arbitraryThinkingPart({ signature: arbitraryBase64 }),
    arbitraryRedactedThinkingPart,
    arbitraryRefusalPart,
  ),
}).map((messages) =>
  messages.map((message): Message =>
    message.role === 'assistant' ? { ...message, content: [...message.content, ANSWER] } : message,
  ),
);
const requests = fc.record({
  messages: conversations,
  tools: fc.uniqueArray(arbitraryTool({ cache }), { maxLength: 4, selector: ({ name }) => name }),
});

function createRequest(model: string): CompletionRequest {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }], prompt_cache_key: 'k' };
  const decoded = decodeOpenAiChatRequest(body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

/** What the model reads, in its order, without cache breakpoints. */
function listPrompt(request: CompletionRequest, dialect: Dialect): string[] | null {
  const breakpoints = { isAgent: true };
  const target = { quirks: NO_QUIRKS, defaultMaxTokens: 1_000, breakpoints };
  const encoded = getCodec(dialect).encodeRequest(request, target);
  if (!encoded.ok) return null;
  const body = JSON.parse(JSON.stringify(encoded.body), (name, value: unknown) =>
    name === 'cache_control' ? undefined : value,
  ) as JsonObject;
  const turns = (body['messages'] ?? body['input']) as JsonObject[];
  const parts =
    dialect === 'anthropic-messages'
      ? turns.flatMap(({ role, content }) => (content as JsonObject[]).map((block) => [role, block]))
      : turns;
  return [body['tools'], body['system'], body['instructions'], ...parts].map(
    (part) => JSON.stringify(part) ?? '',
  );
}

describe.each<[Dialect, string]>([
  ['anthropic-messages', 'claude-opus-4-8'],
  ['anthropic-messages', 'claude-sonnet-4-5'],
  ['openai-chat', 'gpt-4.1'],
  ['openai-responses', 'gpt-5.4'],
])('a conversation in %s for %s', (dialect, model) => {
  it('begins with the same bytes in every turn', () => {
    let compared = 0;
    fc.assert(
      fc.property(requests, (given) => {
        const request = { ...createRequest(model), ...given };
        const whole = listPrompt(request, dialect);
        if (whole === null) return;
        expect(listPrompt(structuredClone(request), dialect)).toEqual(whole);
        for (const [at, { role }] of request.messages.entries()) {
          if (role !== 'assistant' || at === 0) continue;
          const earlier = listPrompt({ ...request, messages: request.messages.slice(0, at) }, dialect);
          if (earlier === null) continue;
          expect(whole.slice(0, earlier.length)).toEqual(earlier);
          compared += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
