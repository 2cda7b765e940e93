import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from './anthropic-messages/stream-rules.ts';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from './openai-responses/stream-rules.ts';
import { getText } from './stream-tap.fixture.ts';
import { StreamTap } from './stream-tap.ts';
import { TextMeter } from './usage/text-meter.ts';

const TEXTS = [
  ' word',
  ' another',
  '',
  '\n\n',
  'data: [DONE]\n\n',
  '"error": {"message": "no"}',
  '\\"',
  '\\',
  'error',
  'model": "other"',
  'usage',
  'äöü €',
  '\ud83d\ude00',
  'aaaaaaaaaa',
  '\u0001',
  'A'.repeat(600),
];
const NAMES = ['content', 'content', 'content', 'refusal', 'reasoning_content'] as const;
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":7}}\n\n';

const head = (model: string) => `data: {"id":"c1","model":"${model}","choices":[{"index":0,"delta":`;
const chunk = (model: string, delta: object) =>
  `${head(model)}${JSON.stringify(delta)},"logprobs":null,"finish_reason":null}],"usage":null}\n\n`;

class CountingPattern extends RegExp {
  static calls = 0;
  override exec(text: string): RegExpExecArray | null {
    CountingPattern.calls += 1;
    return super.exec(text);
  }
}

function* randomNumbers(): Generator<number> {
  for (let seed = 5; ; seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) yield seed / 2 ** 32;
}

/** Cuts at random places, or not at all. */
function cut(text: string, next: (below: number) => number): Buffer[] {
  const bytes = Buffer.from(text);
  const most = [bytes.length, 2_000, 120, 9][next(4)] ?? 1;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + next(most);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

describe('events that differ only in their text', () => {
  it('are measured and passed on like all others, among others, in pieces of any size', () => {
    const numbers = randomNumbers();
    const next = (below: number) => Math.floor(numbers.next().value * below);
    for (let round = 0; round < 300; round++) {
      const meters = { text: new TextMeter(), reasoning_content: new TextMeter() };
      let text = chunk('m', { role: 'assistant', content: '' });
      let model = 'm';
      for (let count = next(30); count > 0; count--) {
        const name = next(3) > 0 ? 'content' : (NAMES[next(NAMES.length)] ?? 'content');
        const written = TEXTS[next(TEXTS.length)] ?? '';
        if (next(20) === 0) model = `m${next(3)}`;
        if (next(20) === 0) text += ': waiting\n\n';
        const json = Buffer.from(JSON.stringify(written));
        meters[name === 'reasoning_content' ? name : 'text'].addJson(json, 1, json.length - 1);
        text += chunk(model, { [name]: written });
      }
      text += `${USAGE}data: [DONE]\n\n`;
      const tap = new StreamTap(createOpenAiStreamRules(true));
      const passed = cut(text, next).map((piece) => getText(tap.push(piece)));
      const end = tap.finish();
      const { bytes, plainBytes, pieces } = meters.text.plus(meters.reasoning_content);
      expect(Buffer.from([...passed, getText(end.rest)].join(''), 'latin1').toString()).toBe(text);
      expect(tap.meter).toMatchObject({ bytes, plainBytes, pieces });
      expect(tap.served?.model).toBe(model);
      expect([tap.report?.usage.outputTokens, tap.isReportFinal, end.isClean]).toEqual([7, true, true]);
    }
  });

  it('are not searched', () => {
    const rules = createOpenAiStreamRules(true);
    const tap = new StreamTap({ ...rules, keys: new CountingPattern(rules.keys) });
    CountingPattern.calls = 0;
    for (let at = 0; at < 100; at++) tap.push(Buffer.from(chunk('m', { content: `${at}` }).repeat(10)));
    expect(tap.meter).toMatchObject({ pieces: 1_000 });
    expect(CountingPattern.calls).toBeLessThan(20);
  });

  it.each([
    ['Chat', createOpenAiStreamRules(true), 'data: {"content":"TEXT"}\n\n'],
    ['Messages', anthropicStreamRules, 'event: other\ndata: {"text":"TEXT"}\n\n'],
    ['Responses', openAiResponsesStreamRules, 'data: {"delta":"TEXT"}\n\n'],
  ])('show no credential if they have no mark of the dialect: %s', (_, rules, event) => {
    const tap = new StreamTap(rules, (text) => text.replaceAll('sk-1234567890', '[redacted]'));
    for (const text of ['wait', 'wait', 'wrong key sk-1234567890', 'wait', 'sk-1234567890']) {
      const passed = getText(tap.push(Buffer.from(event.replace('TEXT', text))));
      expect(passed).toBe(event.replace('TEXT', text.replace('sk-1234567890', '[redacted]')));
    }
  });

  it('are not searched if they have a number and random letters', () => {
    const rules = openAiResponsesStreamRules;
    const tap = new StreamTap({ ...rules, keys: new CountingPattern(rules.keys) });
    CountingPattern.calls = 0;
    let passed = '';
    let given = '';
    for (let at = 0; at < 100; at++) {
      const event = `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${at},"delta":"${at}","obfuscation":"${'x'.repeat(at % 7)}"}\n\n`;
      given += event;
      passed += getText(tap.push(Buffer.from(event)));
    }
    expect([passed === given, tap.meter.pieces]).toEqual([true, 100]);
    expect(CountingPattern.calls).toBeLessThan(20);
    const other =
      '{"type":"response.output_text.delta","sequence_number":7,"delta":"a","obfuscation":"\\"","error":{"message":"no"}}';
    tap.push(Buffer.from(`event: response.output_text.delta\ndata: ${other}\n\n`));
    expect(tap.sawError).toBe(true);
  });

  it('are not searched if they have blanks before their last brace', () => {
    const tap = new StreamTap({
      ...anthropicStreamRules,
      keys: new CountingPattern(anthropicStreamRules.keys),
    });
    CountingPattern.calls = 0;
    for (let at = 0; at < 100; at++)
      tap.push(
        Buffer.from(
          `event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"${at}"}${' '.repeat(at % 9)}}\n\n`,
        ),
      );
    expect(tap.meter.pieces).toBe(100);
    expect(CountingPattern.calls).toBeLessThan(20);
  });

  it.each([
    ['a line end in the text', chunk('m', { content: 'x' }).replace('"x"', '"x\ny"')],
    ['another end', chunk('m', { content: 'x' }).replace('}\n\n', ',\n\n')],
  ])('are followed by an error event for one that cannot be read: %s', (_, broken) => {
    for (const pieces of [1, 2]) {
      const tap = new StreamTap(createOpenAiStreamRules(true));
      const good = chunk('m', { content: ' a' }).repeat(4);
      const blocks = pieces === 1 ? [good + broken] : [good, broken];
      const passed = blocks.map((block) => getText(tap.push(Buffer.from(block)))).join('');
      expect(passed.startsWith(`${good}data: {"error":`)).toBe(true);
      expect([tap.sawError, tap.meter.pieces]).toEqual([true, 4]);
    }
  });

  it('are found among events with names', () => {
    const delta = (text: string) =>
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`;
    const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    const text = `${delta('one')}${delta('event: error')}${delta('three')}${stop}`;
    const tap = new StreamTap(anthropicStreamRules);
    expect(getText(tap.push(Buffer.from(text + delta('late'))))).toBe(text);
    expect([tap.meter.pieces, tap.terminated, tap.sawError]).toEqual([3, true, false]);
  });
});

it('inspects an event that differs between its text and a filler', () => {
  const event = (model: string) =>
    `data: {"choices":[{"index":0,"delta":{"content":"a"}}],"model":"${model}","obfuscation":"xy"}\n\n`;
  const tap = new StreamTap(createOpenAiStreamRules(true));
  const events = `${event('one').repeat(4)}${event('two')}`;
  expect(getText(tap.push(Buffer.from(events)))).toBe(events);
  expect(tap.served).toMatchObject({ model: 'two' });
});

it('has no terminator if it comes after an error', () => {
  const tap = new StreamTap(createOpenAiStreamRules(true));
  // The first events of a read are inspected alone, the others together.
  const error = 'data: {"id":"a"}\n\ndata: {"id":"b"}\n\ndata: {"error":{"message":"no"}}\n\n';
  expect(getText(tap.push(Buffer.from(`${error}data: [DONE]\n\n`)))).toBe(error);
  expect(tap).toMatchObject({ sawError: true, terminated: false });
});
