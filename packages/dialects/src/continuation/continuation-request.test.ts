import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { appendResponse } from './continuation-request.ts';

const append = (dialect: Parameters<typeof appendResponse>[0], body: string, isInstructed = true) =>
  appendResponse(dialect, Buffer.from(body), { text: 'So "far"', isInstructed })?.toString('utf8') ?? null;

describe('appendResponse', () => {
  it('keeps all other bytes of a body', () => {
    const body = '{"seed": 12345678901234567890, "messages" : [ {"role":"user","content":"Hi"} ],"x":1.0}';
    expect(append('openai-chat', body, false)).toBe(
      '{"seed": 12345678901234567890, "messages" : [{"role":"user","content":"Hi"},{"role":"assistant","content":"So \\"far\\""}],"x":1.0}',
    );
  });

  it('adds an instruction with the last words', () => {
    const added = JSON.parse(append('anthropic-messages', '{"messages":[]}') ?? '') as {
      messages: { role: string; content: string }[];
    };
    expect(added.messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(added.messages[1]?.content).toContain('---\nSo "far"\n---');
  });

  it('quotes only the last words of a long text', () => {
    const text = `${'word '.repeat(100)}the end of it`;
    const body = appendResponse('openai-chat', Buffer.from('{"messages":[]}'), { text, isInstructed: true });
    expect(body?.toString('utf8')).toContain('---\\nword word word the end of it\\n---');
  });

  it('turns the text input of the Responses API into a message', () => {
    expect(append('openai-responses', '{"input":"Hi"}', false)).toBe(
      '{"input":[{"role":"user","content":"Hi"},{"role":"assistant","content":"So \\"far\\""}]}',
    );
  });

  it('does not change a body without a conversation', () => {
    expect(append('openai-chat', '{"messages":null}')).toBeNull();
    expect(append('openai-responses', '{}')).toBeNull();
  });
});
