import { Buffer } from 'node:buffer';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../json/parse-object.ts';
import { measurePartial } from './measure-partial.ts';
import { writtenIn } from './written-in.ts';

const TEXT = 'Zwölf Boxkämpfer jagen "Viktor" \\ quer über 🏟 den Sylter Deich. '.repeat(8);
const INPUT = {
  path: 'a.txt',
  usage: { input_tokens: 5, output_tokens: 1 },
  text: TEXT,
  list: [1, [true, null]],
};
const USAGE = { input_tokens: 900, output_tokens: 700 };
const SHAPES: readonly (readonly [string, object])[] = [
  ['text of messages', { content: [{ type: 'text', text: TEXT }], usage: USAGE }],
  ['thinking', { content: [{ type: 'thinking', thinking: TEXT, signature: 'x'.repeat(99) }], usage: USAGE }],
  ['tool_use', { content: [{ type: 'tool_use', id: 't', name: 'write', input: INPUT }], usage: USAGE }],
  [
    'a block whose type is last',
    { content: [{ input: INPUT, name: 'write', type: 'tool_use' }], usage: USAGE },
  ],
  ['mcp_tool_use', { content: [{ type: 'mcp_tool_use', id: 't', name: 'w', input: INPUT }], usage: USAGE }],
  ['custom_tool_call', { output: [{ type: 'custom_tool_call', name: 'patch', input: TEXT }], usage: USAGE }],
  ['function_call', { output: [{ type: 'function_call', name: 'f', arguments: JSON.stringify(INPUT) }] }],
  ['apply_patch_call', { output: [{ type: 'apply_patch_call', operation: { diff: TEXT } }], usage: USAGE }],
  ['shell_call', { output: [{ type: 'shell_call', action: { commands: [TEXT, TEXT] } }], usage: USAGE }],
  [
    'output text',
    { output: [{ type: 'message', content: [{ type: 'output_text', text: TEXT, annotations: [] }] }] },
  ],
  [
    'chat',
    {
      choices: [
        {
          message: {
            role: 'assistant',
            reasoning: TEXT,
            reasoning_content: TEXT,
            content: TEXT,
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(INPUT) } },
              { id: 'd', type: 'custom', custom: { name: 'g', input: TEXT } },
            ],
          },
          logprobs: { content: [{ token: 'Zw', logprob: -1.5, bytes: [90, 119] }] },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 7 },
    },
  ],
];

/** Structure that is closed where a text was cut, and a number that may go on, in bytes. */
const CLOSERS = 16;

/** @returns the cuts whose measure does not fit that of the whole answer; empty if all fit */
function listMisfits(json: string, cuts: readonly number[]): string[] {
  const bytes = Buffer.from(json);
  const whole = writtenIn(parseJsonObject(json) ?? {});
  const { outputTokens, leastOutputTokens, report } = measurePartial(bytes);
  const misfits: string[] = [];
  if (outputTokens !== whole.outputTokens) misfits.push(`whole: ${outputTokens}, not ${whole.outputTokens}`);
  if (leastOutputTokens !== whole.leastOutputTokens) misfits.push(`least: ${leastOutputTokens}`);
  let before = { at: 0, tokens: 0 };
  for (const at of cuts) {
    const cut = measurePartial(bytes.subarray(0, at));
    const tokens = cut.outputTokens;
    // A cut never measures more than is there, nor less than a shorter one.
    if (tokens > whole.outputTokens + CLOSERS) misfits.push(`${at}: ${tokens} of ${whole.outputTokens}`);
    if (tokens < before.tokens - CLOSERS) misfits.push(`${at}: ${tokens} after ${before.tokens}`);
    if (tokens - before.tokens > at - before.at + CLOSERS) misfits.push(`${at}: ${tokens} at once`);
    // Usage is the provider's, whole and unchanged, or null.
    if (cut.report !== null && JSON.stringify(cut.report.usage) !== JSON.stringify(report?.usage))
      misfits.push(`${at}: ${JSON.stringify(cut.report.usage)}`);
    before = { at, tokens };
  }
  return misfits;
}

describe('the beginning of a whole answer', () => {
  it.each(SHAPES)('is measured in proportion to its length, for any cut: %s', (_, body) => {
    const json = JSON.stringify(body);
    const { length } = Buffer.from(json);
    const everywhere = Array.from({ length }, (__, at) => at);
    expect(listMisfits(json, everywhere)).toEqual([]);
    expect(listMisfits(JSON.stringify(body, null, 2), everywhere)).toEqual([]);
  });

  it.each(SHAPES)('has nearly all of the output shortly before its end: %s', (_, body) => {
    const json = JSON.stringify(body);
    const at = json.lastIndexOf('Deich') + 5;
    const { outputTokens } = measurePartial(Buffer.from(json.slice(0, at)));
    expect(outputTokens).toBeGreaterThan(0.9 * writtenIn(parseJsonObject(json) ?? {}).outputTokens);
  });

  it('has the usage of the provider, not one that the model wrote', () => {
    const body = { content: [{ type: 'tool_use', id: 't', name: 'write', input: INPUT }], usage: USAGE };
    const json = JSON.stringify(body);
    const at = json.indexOf('"text"');
    expect(measurePartial(Buffer.from(json.slice(0, at))).report).toBeNull();
    expect(measurePartial(Buffer.from(json.slice(0, -2))).report).toBeNull();
    expect(measurePartial(Buffer.from(json.slice(0, -1))).report?.usage).toMatchObject({ outputTokens: 700 });
  });

  it('is measured for any depth of a tool’s input', () => {
    const levels = 50_000;
    const json = `{"content":[{"type":"tool_use","name":"f","input":{"a":${'['.repeat(levels)}${JSON.stringify(TEXT)}`;
    expect(measurePartial(Buffer.from(json)).outputTokens).toBeGreaterThan(100);
  });
});

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);
describe(`the beginnings of recorded answers. ${describeRecordings(recordings)}`, () => {
  const bodies = recordings.cases.flatMap(({ name, isStream, responseBody }) =>
    isStream ? [] : [[name, responseBody.toString()] as const],
  );

  it.each(bodies)('%s', (_, body) => {
    const { length } = Buffer.from(body);
    const cuts = Array.from({ length: 64 }, (__, part) => Math.floor((length * part) / 64));
    expect(listMisfits(body, cuts)).toEqual([]);
  });
});

describe('an answer that is hostile to its reader', () => {
  it.each([1, 2, 3])('is measured fast if it is full of backslashes, %i of them at its end', (odd) => {
    const json = Buffer.from(
      `{"content":[{"type":"text","text":"${'\\\\a'.repeat(200_000)}${'\\'.repeat(odd)}`,
    );
    const measure = () => expect(measurePartial(json).outputTokens).toBeGreaterThan(50_000);
    expect(threadTimeMs(measure)).toBeLessThan(1_000);
  });

  it.each([
    ['thinking', '{"thinking":['],
    ['content', '{"content":['],
  ])('is measured for any depth of its %s', (_name, opening) => {
    const nested = opening.repeat(20_000);
    expect(measurePartial(Buffer.from(`{"content":[${nested}`)).outputTokens).toBe(0);
    const results = `{"content":[{"type":"web_search_tool_result","content":${'['.repeat(50_000)}`;
    expect(() => measurePartial(Buffer.from(results))).not.toThrow();
  });

  it('is measured if the input of a tool is deep and wide', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const wide = `[${'1,'.repeat(299_999)}1]`;
    const json = `{"content":[{"type":"tool_use","name":"f","input":{"deep":${deep},"wide":${wide}}}]}`;
    expect(measurePartial(Buffer.from(json)).outputTokens).toBeGreaterThan(100_000);
  });
});
