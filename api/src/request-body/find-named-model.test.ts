import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { findNamedModel } from './find-named-model.ts';

const find = (text: string) => findNamedModel(Buffer.from(text));

it.each([
  ['{"model":"gpt-5","max_tokens":"x"}', 'gpt-5'],
  ['{ "messages" : [ ], "model" :\n"gpt-5" }', 'gpt-5'],
  // The end of the body is missing.
  ['{"model":"gpt-5","messages":[{"role":"us', 'gpt-5'],
  ['{"messages":[{"content":"say \\"model\\": \\"no\\""}],"model":"gpt-5"}', 'gpt-5'],
  ['{"metadata":{"model":"inner"},"tools":["model"],"model":"outer"}', 'outer'],
  ['{"stop":"model","model":"gpt-5"}', 'gpt-5'],
  ['{"text":"\\\\","model":"caf\\u00e9"}', 'caf\u00e9'],
])('finds the model of %s', (body, model) => {
  expect(find(body)).toBe(model);
});

it.each([
  '',
  'not JSON',
  '{"messages":[]}',
  '{"model":17}',
  '{"model":["gpt-5"]}',
  '{"model":""}',
  '{"model"',
  '{"model":"',
  '{"model":"\\x"}',
  '["model","gpt-5"]',
  '{"metadata":{"model":"inner"}}',
  `{"model":"${'x'.repeat(2_000)}"}`,
])('finds none in %s', (body) => {
  expect(find(body)).toBeNull();
});

it('searches only the beginning of a large body', () => {
  const filler = 'x'.repeat(300 * 1024);
  expect(find(`{"model":"gpt-5","input":"${filler}"}`)).toBe('gpt-5');
  expect(find(`{"input":"${filler}","model":"gpt-5"}`)).toBeNull();
});

it('takes a few milliseconds for any bytes', () => {
  for (const text of [
    '"'.repeat(256 * 1024),
    '\\'.repeat(256 * 1024),
    `"${'\\"'.repeat(128 * 1024)}`,
    '['.repeat(256 * 1024),
  ]) {
    const startMs = performance.now();
    find(text);
    expect(performance.now() - startMs).toBeLessThan(500);
  }
});

it('finds nothing in a body whose memory has moved to a thread', () => {
  const body = Buffer.from(new Uint8Array(100).buffer);
  structuredClone(body.buffer, { transfer: [body.buffer] });
  expect(findNamedModel(body)).toBeNull();
});
