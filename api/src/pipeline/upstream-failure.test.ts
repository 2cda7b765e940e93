import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { findOpeningError } from './upstream-failure.ts';

const event = (data: { type: string; [member: string]: unknown }) => `data: ${JSON.stringify(data)}\n\n`;
const START = event({ type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 1 } } });
const TEXT = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
const CALL = event({
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
});
const WORD = event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } });
const ERROR = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
const STOP = event({ type: 'message_stop' });

const find = (text: string, isOver = false) =>
  findOpeningError('anthropic-messages', Buffer.from(text), { isOver, redact: (each) => each });

describe('the error that a stream starts with', () => {
  it.each([
    ['at once', ERROR],
    ['after the start', START + ERROR],
    ['after the start of an empty text', START + TEXT + ERROR],
  ])('is found %s', (_name, text) => {
    expect(find(text)).toEqual({ code: 'upstream_overloaded', message: 'Overloaded', isProviders: true });
  });

  it.each([
    ['a text', START + TEXT + WORD + ERROR],
    ['a call of a tool', START + CALL + ERROR],
  ])('is none after %s', (_name, text) => expect(find(text)).toBeNull());

  it('is found in a message that has an end and no start', () => {
    expect(find(STOP, true)).toMatchObject({ code: 'upstream_error' });
    expect(find(START + STOP, true)).toBeNull();
  });
});
