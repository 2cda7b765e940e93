import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { JsonObjectBytes, type MemberEdits } from '../../json/edit-members.ts';
import { applyProviderQuirks } from './apply-provider-quirks.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

const STRICT = {
  ...NO_QUIRKS,
  maxTokensMember: 'max_tokens',
  omits: ['user', 'stream_options'],
} as const;

const NO_EDITS = { drops: [], changes: {} };

const apply = (body: JsonObjectBytes, given: MemberEdits, quirks: ProviderQuirks) => {
  const applied = applyProviderQuirks(body, given, { quirks, model: 'm' });
  if (!applied.ok) throw new Error(applied.error.message);
  return applied.value;
};

const fit = (text: string, given: MemberEdits = NO_EDITS) => {
  const body = new JsonObjectBytes(Buffer.from(text));
  const { edits, dropped } = apply(body, given, STRICT);
  return { text: body.edit(edits).toString(), dropped };
};

it('changes nothing of a body that holds nothing unwanted', () => {
  const body = new JsonObjectBytes(
    Buffer.from('{ "model" : "m",  "messages":[{"role":"user","content":"\\u00e4"}] }'),
  );
  expect(apply(body, NO_EDITS, STRICT).edits).toBe(NO_EDITS);
  expect(apply(body, NO_EDITS, NO_QUIRKS).edits).toBe(NO_EDITS);
});

it('removes members that another edit would add, and does not name members that are removed already', () => {
  const given = { drops: ['stream_options'], changes: { user: '"u2"', n: '2' } };
  expect(fit('{"user":"u1","stream_options":{},"model":"m"}', given)).toEqual({
    text: '{"n":2,"model":"m"}',
    dropped: ['user'],
  });
});

it('takes members out and names the members that a caller may miss', () => {
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

it('leaves text unchanged that only looks like a member', () => {
  const given = '{"model":"m","messages":[{"role":"user","content":"\\"user\\""}]}';
  expect(fit(given)).toEqual({ text: given, dropped: [] });
});
