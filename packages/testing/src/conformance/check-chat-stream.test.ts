import { describe, expect, it } from 'vitest';
import { checkChatCompletion } from './check-chat-completion.ts';
import { checkChatCompletionStream } from './check-chat-stream.ts';

const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chunk = (delta: object, finish: string | null = null) => ({
  ...envelope,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
});
const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } };
const opening = chunk({ role: 'assistant', content: '', refusal: null });
const report = { ...envelope, choices: [], usage };
const good = [
  opening,
  chunk({ content: 'Hi' }),
  chunk({ tool_calls: [call] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
  chunk({}, 'tool_calls'),
  report,
];
const write = (chunks: readonly unknown[], end = 'data: [DONE]\n\n') =>
  chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('') + end;
const put = (place: number, ...chunks: unknown[]) => good.toSpliced(place, 1, ...(chunks as typeof good));

const BROKEN: [string, string, RegExp][] = [
  ['no terminator', write(good, ''), /must end with \[DONE\]/],
  ['a terminator without a blank line', write(good, 'data: [DONE]'), /blank line/],
  ['an unknown member', write(put(1, { ...good[1], extra: 1 })), /chunk 1: .*additional properties: extra/],
  ['a missing member', write(put(1, { ...good[1], created: undefined })), /required property 'created'/],
  ['another id', write(put(1, { ...good[1], id: 'chatcmpl-2' })), /id: changes/],
  ['no role', write(good.slice(1)), /must start with the role/],
  ['the role twice', write(put(1, opening)), /repeats its role/],
  ['no finish', write(put(4)), /finishes 0 times/],
  ['two finishes', write(put(4, good[4], good[4])), /finishes 2 times/],
  ['text after the finish', write(put(4, good[4], good[1])), /goes on after its finish/],
  ['no usage', write(put(5)), /usage: must be there/],
  ['usage too early', write([report, ...good]), /usage: its chunk must be the last/],
  [
    'usage that does not add up',
    write(put(5, { ...report, usage: { ...usage, total_tokens: 6 } })),
    /3 \+ 2/,
  ],
  ['a negative count', write(put(5, { ...report, usage: { ...usage, prompt_tokens: -1 } })), /no count/],
  ['arguments before their call', write(put(2)), /opens without id/],
  ['a repeated call', write(put(3, good[2])), /is repeated/],
  ['tool_calls without a call', write(put(2).toSpliced(2, 1)), /without a call/],
  ['an error instead of the end', write(good, 'data: {"error":{"message":"m"}}\n\n'), /must end with/],
];

describe('checkChatCompletionStream', () => {
  it('accepts a valid stream', () => {
    expect(checkChatCompletionStream(write(good), { ending: 'whole' })).toEqual([]);
  });

  it.each(BROKEN)('finds %s', (_name, body, violation) => {
    expect(checkChatCompletionStream(body, { ending: 'whole' }).join('\n')).toMatch(violation);
  });

  it('accepts an expected error at the end, but not an incomplete one', () => {
    const end = (error: object) => `data: ${JSON.stringify({ error })}\n\n`;
    const error = { message: 'm', type: 'server_error', param: null, code: 'upstream_error' };
    const broken = good.slice(0, 2);
    expect(checkChatCompletionStream(write(broken, end(error)), { ending: 'error' })).toEqual([]);
    const half = checkChatCompletionStream(write(broken, end({ message: 'm' })), { ending: 'error' });
    expect(half.join('\n')).toContain("required property 'code'");
  });

  it('finds usage that was not requested', () => {
    const asked = checkChatCompletionStream(write(good), { ending: 'whole', wantsUsage: false });
    expect(asked).toEqual(['usage: was not requested']);
  });
});

describe('checkChatCompletion', () => {
  const message = { role: 'assistant', content: 'Hi', refusal: null };
  const choice = { index: 0, message, logprobs: null, finish_reason: 'stop' };
  const whole = { ...envelope, object: 'chat.completion', choices: [choice], usage };
  const withCalls = (...calls: object[]) => ({ ...choice, message: { ...message, tool_calls: calls } });
  const { index: _index, ...made } = call;

  it('accepts a valid completion, with or without reasoning', () => {
    const reasoned = { ...choice, message: { ...message, reasoning_content: 'Hm' } };
    expect(checkChatCompletion(whole)).toEqual([]);
    expect(checkChatCompletion({ ...whole, choices: [reasoned] })).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no usage', { ...whole, usage: undefined }, /usage: must be there/],
    ['milliseconds as a fraction', { ...whole, created: 0.5 }, /created/],
    ['choices out of order', { ...whole, choices: [{ ...choice, index: 1 }] }, /choices.0.index: must be 0/],
    [
      'a reason of another dialect',
      { ...whole, choices: [{ ...choice, finish_reason: 'end_turn' }] },
      /allowed/,
    ],
    [
      'no refusal',
      { ...whole, choices: [{ ...choice, message: { ...message, refusal: undefined } }] },
      /refusal/,
    ],
    ['an empty list of calls', { ...whole, choices: [withCalls()] }, /omitted if empty/],
    ['two calls with one id', { ...whole, choices: [withCalls(made, made)] }, /taken/],
    [
      'tool_calls without a call',
      { ...whole, choices: [{ ...choice, finish_reason: 'tool_calls' }] },
      /call/,
    ],
    [
      'reasoning that is not text',
      { ...whole, choices: [{ ...choice, message: { ...message, reasoning_content: 1 } }] },
      /reasoning_content: must be string/,
    ],
  ])('finds %s', (_name, value, violation) => {
    expect(checkChatCompletion(JSON.parse(JSON.stringify(value))).join('\n')).toMatch(violation);
  });
});
