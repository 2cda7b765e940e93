import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { fitFlavour } from './fit-flavour.ts';
import { OPENAI_FLAVOUR } from './flavour.ts';

const STRICT = {
  ...OPENAI_FLAVOUR,
  maxTokensMember: 'max_tokens',
  omits: ['user', 'stream_options'],
} as const;

const fit = (text: string) => {
  const { body, dropped } = fitFlavour(Buffer.from(text), STRICT);
  return { text: body.toString(), dropped };
};

it('keeps the very bytes of a body that holds nothing unwanted', () => {
  const body = Buffer.from('{ "model" : "m",  "messages":[{"role":"user","content":"\\u0041"}] }');
  expect(fitFlavour(body, STRICT).body).toBe(body);
  expect(fitFlavour(body, OPENAI_FLAVOUR).body).toBe(body);
});

it('takes members out and names those that a caller may miss', () => {
  const given = '{"user":"u1","model":"m","stream_options":{"include_usage":true},"n":1.50}';
  expect(fit(given)).toEqual({ text: '{"model":"m","n":1.50}', dropped: ['user'] });
});

it('gives the output limit the name that the provider knows', () => {
  expect(JSON.parse(fit('{"model":"m","max_completion_tokens":64}').text)).toEqual({
    model: 'm',
    max_tokens: 64,
  });
  expect(fit('{"max_completion_tokens":64,"model":"m"}').dropped).toEqual([]);
});

it('leaves alone what only looks like a member', () => {
  const given = '{"model":"m","messages":[{"role":"user","content":"\\"user\\""}]}';
  expect(fit(given)).toEqual({ text: given, dropped: [] });
});
