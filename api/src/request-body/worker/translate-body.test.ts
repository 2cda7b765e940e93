import { Buffer } from 'node:buffer';
import { UNCHANGED } from '@tollgate/dialects/history/history-target';
import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { expect, it } from 'vitest';
import { translateBody } from './translate-body.ts';

const BODY = Buffer.from(
  '{"model":"m","messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":"Hi"}]}',
);
const target = {
  dialect: 'openai-chat',
  upstreamModel: 'm',
  quirks: NO_QUIRKS,
  isKnown: false,
  isAnthropic: false,
  defaultMaxTokens: 9,
  caller: null,
} as const;

it('prepares the edits of a conversation for a provider of the same dialect, and no translation', () => {
  const strict = { ...target, quirks: { ...NO_QUIRKS, developerRole: 'none' } } as const;
  const start = BODY.indexOf('"developer"');
  expect(translateBody('openai-chat', BODY, [strict, target])).toEqual({
    ok: true,
    value: {
      requestBody: {},
      translations: [],
      conversations: [
        {
          target: strict,
          fitted: {
            messages: [{ start, end: start + '"developer"'.length, text: '"system"' }],
            tools: [],
            dropped: [],
            refusal: null,
          },
          history: UNCHANGED,
        },
        { target, fitted: { messages: [], tools: [], dropped: [], refusal: null }, history: UNCHANGED },
      ],
    },
  });
});

it('prepares translations in addition', () => {
  const other = { ...target, dialect: 'anthropic-messages' } as const;
  const prepared = translateBody('openai-chat', BODY, [other, target]);
  expect(prepared).toMatchObject({
    ok: true,
    value: { translations: [{ target: other, encoded: { ok: true } }], conversations: [{ target }] },
  });
});

/** Calls of a tool, whose arguments have this many values in total. */
const withArguments = (count: number) => {
  const texts = [1, count - 5].map((values) => JSON.stringify({ a: Array<number>(values).fill(1) }));
  const tool_calls = texts.map((text, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name: 'f', arguments: text },
  }));
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls },
  ];
  return Buffer.from(JSON.stringify({ model: 'm', messages }));
};

it('refuses arguments of tool calls with so many values that parsing them could end the process', () => {
  const other = { ...target, dialect: 'anthropic-messages' } as const;
  expect(translateBody('openai-chat', withArguments(99_990), [other])).toMatchObject({ ok: true });
  const message = 'The arguments of tool calls have more than 100000 values in total.';
  const refused = { ok: false, error: { code: 'invalid_request', message } };
  expect(translateBody('openai-chat', withArguments(100_010), [other])).toMatchObject(refused);
  expect(translateBody('openai-chat', withArguments(8_000_000), [other])).toMatchObject(refused);
});

/** A document of control characters: each takes six when it is written. */
const withControls = (bytes: number, start = '') => {
  const text = Buffer.alloc(bytes, 1);
  text.write(start);
  const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${text.toString('base64')}` };
  return Buffer.from(
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file }] }] }),
  );
};
const toAnthropic = [{ ...target, dialect: 'anthropic-messages' }] as const;

it('refuses a body that its translation makes larger than any provider reads', () => {
  const read = (bytes: number) => translateBody('openai-chat', withControls(bytes), toAnthropic);
  expect(read(1_000)).toMatchObject({ ok: true, value: { translations: [{ encoded: { ok: true } }] } });
  expect(read(12_000_000)).toMatchObject({
    value: { translations: [{ encoded: { ok: false, error: { code: 'request_too_large' } } }] },
  });
});
