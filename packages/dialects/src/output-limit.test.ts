import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { parseAnthropicMessagesRequest } from './anthropic-messages/parse-request.ts';
import { editJsonMembers, JsonObjectBytes } from './json/edit-members.ts';
import { applyProviderQuirks } from './openai-chat/quirks/apply-provider-quirks.ts';
import { NO_QUIRKS, type ProviderQuirks } from './openai-chat/quirks/provider-quirks.ts';
import { parseOpenAiChatRequest } from './openai-chat/parse-request.ts';
import { parseOpenAiResponsesRequest } from './openai-responses/parse-request.ts';
import { clampChanges } from './output-limit.ts';

const CHAT = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":1.10}';
const older: ProviderQuirks = { ...NO_QUIRKS, maxTokensMember: 'max_tokens' };
const edit = (body: string, changes: Record<string, string>) => editJsonMembers(Buffer.from(body), changes);

describe('clampChanges', () => {
  it.each([
    ['OpenAI', null, 'max_completion_tokens'],
    ['one like OpenAI', NO_QUIRKS, 'max_completion_tokens'],
    ['one that knows only the older name', older, 'max_tokens'],
  ] as const)('names the limit as %s takes it, and leaves every other byte', (_, quirks, member) => {
    const body = edit(CHAT, clampChanges('openai-chat', quirks, 77)).toString();
    expect(body).toBe(CHAT.replace('{', `{"${member}":77,`));
    expect(parseOpenAiChatRequest(body)).toMatchObject({ value: { maxOutputTokens: 77 } });
  });

  it('stays if the request is fitted to the provider afterwards, and if the caller sent null', () => {
    const given = CHAT.replace('{', '{"max_completion_tokens":null,');
    const body = new JsonObjectBytes(Buffer.from(given));
    const clamped = { drops: [], changes: clampChanges('openai-chat', older, 77) };
    const applied = applyProviderQuirks(body, clamped, { quirks: older, model: 'm' });
    if (!applied.ok) throw new Error(applied.error.message);
    expect(JSON.parse(body.edit(applied.value.edits).toString())).toMatchObject({ max_tokens: 77 });
  });

  it.each([
    [NO_QUIRKS, ['max_tokens'], { max_tokens: 77 }],
    [NO_QUIRKS, ['max_completion_tokens'], { max_completion_tokens: 77 }],
    [older, ['max_tokens'], { max_tokens: 77 }],
    [older, ['max_completion_tokens'], { max_completion_tokens: 77, max_tokens: 77 }],
    [older, ['max_tokens', 'max_completion_tokens'], { max_completion_tokens: 77, max_tokens: 77 }],
  ])(
    'writes the limit where the request named one and where the provider reads it (%#)',
    (quirks, named, sent) => {
      const members = named.map((name) => `"${name}":500,`).join('');
      const body = edit(CHAT.replace('{', `{${members}`), clampChanges('openai-chat', quirks, 77, named));
      expect(JSON.parse(body.toString())).toEqual({ ...JSON.parse(CHAT), ...sent });
    },
  );

  it('replaces the limit of a message, and of a response', () => {
    const message = edit(
      CHAT.replace('{', '{"max_tokens":null,'),
      clampChanges('anthropic-messages', null, 16),
    );
    expect(parseAnthropicMessagesRequest(message.toString())).toMatchObject({
      value: { maxOutputTokens: 16 },
    });
    const response = edit('{"model":"m","input":"Hi"}', clampChanges('openai-responses', null, 16));
    expect(parseOpenAiResponsesRequest(response.toString())).toMatchObject({
      value: { maxOutputTokens: 16 },
    });
  });
});
