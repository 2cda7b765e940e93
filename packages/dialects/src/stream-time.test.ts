import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { StreamTap } from './stream-tap.ts';

const line = (data: string) => `data: ${data}\n\n`;
const member = '"error":{},';
const annotations = '"annotations":[{"type":"file"}],';

it.each([
  ['an event that is no JSON', line(`{${member.repeat(40_000)}`)],
  ['an event that is a list', line(`[{${member.repeat(40_000)}"a":1}]`)],
  ['an event with many members', line(`{${member.repeat(40_000)}"a":1}`)],
  ['an event that names many models', line(`{${'"model":"a","model":"b",'.repeat(20_000)}"a":1}`)],
  ['an event with many annotations', line(`{${annotations.repeat(40_000)}"a":1}`)],
  ['many events', line('{"usage":{"prompt_tokens":1}}').repeat(20_000)],
  ['many events with CRLF', line('{"usage":{"prompt_tokens":1}}').replaceAll('\n', '\r\n').repeat(20_000)],
])('%s takes time that grows with its length', (_name, text) => {
  const tap = new StreamTap(createOpenAiStreamRules(true));
  // Linear time takes a tenth of the limit; quadratic time took several seconds.
  expect(threadTimeMs(() => tap.push(Buffer.from(text)))).toBeLessThan(1_500);
});
