import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { scanBody } from './scan-body.ts';

const scan = (text: string) => scanBody(Buffer.from(text));
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('names that readers disagree on', () => {
  it.each([
    ['another case of a known member', '{"model":"a","Model":"b"}', 'Model'],
    ['another case without a twin', '{"MAX_TOKENS":5}', 'MAX_TOKENS'],
    ['a long s', '{"ſtream":true}', 'ſtream'],
    ['a long s as an escape', String.raw`{"\u017ftream":true}`, 'ſtream'],
    ['a Kelvin sign', '{"max_toKens":5}'.replace('K', '\u212a'), 'max_to\u212aens'],
    ['a name with escapes', String.raw`{"\u006dodel":"b"}`, 'model'],
    ['a name without underscores', '{"maxTokens":5}', 'maxTokens'],
    ['a name with dashes', '{"max-tokens":5}', 'max-tokens'],
    ['a member that chooses models', '{"Fallback_Models":[]}', 'Fallback_Models'],
    ['an exact twin', '{"model":"a","model":"b"}', 'model'],
    ['a twin by an escape', String.raw`{"x":1,"\u0078":2}`, 'x'],
    ['a twin of an unknown member', '{"foo":1,"FOO":2}', 'FOO'],
    ['stream_options', '{"stream_options":{"Include_Usage":false}}', 'stream_options.Include_Usage'],
    ['a message', '{"messages":[{},{"Role":"user"}]}', 'messages.1.Role'],
    ['a part', '{"messages":[{"content":[{"type":"text","Text":""}]}]}', 'messages.0.content.0.Text'],
    ['a tool', '{"tools":[{"function":{"Name":"x"}}]}', 'tools.0.function.Name'],
    ['a tool choice', '{"tool_choice":{"Type":"any"}}', 'tool_choice.Type'],
    ['thinking', '{"thinking":{"Budget_Tokens":1}}', 'thinking.Budget_Tokens'],
    ['reasoning', '{"reasoning":{"EFFORT":"high"}}', 'reasoning.EFFORT'],
    ['a cache mark', '{"system":[{"cache_control":{"TTL":"1h"}}]}', 'system.0.cache_control.TTL'],
    [
      'a response format',
      '{"response_format":{"json_schema":{"Schema":{}}}}',
      'response_format.json_schema.Schema',
    ],
    ['the format of a text', '{"text":{"format":{"Type":"text"}}}', 'text.format.Type'],
    ['an item of the input', '{"input":[{"Content":[]}]}', 'input.0.Content'],
    ['a model of a fallback', '{"fallbacks":[{"Model":"x"}]}', 'fallbacks.0.Model'],
    ['metadata by case', '{"metadata":{"a":"1","A":"2"}}', 'metadata.A'],
    ['the user of metadata', '{"metadata":{"User_id":"1"}}', 'metadata.User_id'],
    ['a control character', String.raw`{"model\u0000":1}`, 'model\u0000'],
    ['a prototype', '{"a":{"__proto__":{}}}', 'a.__proto__'],
    ['a prototype by an escape', String.raw`{"a":{"__prot\u006f__":{}}}`, 'a.__proto__'],
    [
      'twins in a schema',
      '{"tools":[{"function":{"parameters":{"a":1,"a":2}}}]}',
      'tools.0.function.parameters.a',
    ],
    ['twins in a list', '{"x":[1,[{"b":1,"b":2}]]}', 'x.1.0.b'],
  ])('refuses %s', (_name, text, param) => {
    expect(scan(text)).toMatchObject({ code: 'invalid_request', param });
  });

  it('finds a twin among many names', () => {
    const names = Array.from({ length: 200 }, (_, at) => `"n${at}":1`);
    expect(scan(`{${names.join()}}`)).toBeNull();
    expect(scan(`{${names.join()},"N7":1}`)).toMatchObject({ param: 'N7' });
    expect(scan(`{"x":{${names.join()},"N7":1}}`)).toBeNull();
    expect(scan(`{"x":{${names.join()},"n7":1}}`)).toMatchObject({ param: 'x.n7' });
    expect(scan(`{"x":{${names.join()}},"y":{${names.join()}}}`)).toBeNull();
    expect(scan(`{"x":[{${names.join()}},{${names.join()}}]}`)).toBeNull();
  });

  it('finds a twin behind many names of outer objects', () => {
    const names = Array.from({ length: 20 }, (_, at) => `"n${at}":1`).join();
    const nest = (inner: string) => `{"x":${`{${names},"x":`.repeat(20)}${inner}${'}'.repeat(21)}`;
    expect(scan(nest('{"a":1,"b":2}'))).toBeNull();
    expect(scan(nest('{"a":1,"a":2}'))).toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    [
      'a schema',
      '{"tools":[{"function":{"name":"x","parameters":{"properties":{"id":1,"ID":2,"Model":3}}}}]}',
    ],
    ['an input schema', '{"tools":[{"name":"x","input_schema":{"Type":1,"type":2}}]}'],
    ['a schema of the answer', '{"response_format":{"json_schema":{"schema":{"Name":1,"name":2}}}}'],
    ['an output format', '{"text":{"format":{"type":"json_schema","schema":{"Name":1,"name":2}}}}'],
    [
      'the input of a tool',
      '{"messages":[{"content":[{"type":"tool_use","input":{"a":1,"A":2,"Model":3}}]}]}',
    ],
    ['arguments', '{"messages":[{"tool_calls":[{"function":{"arguments":{"a":1,"A":2}}}]}]}'],
    ['metadata', '{"metadata":{"Model":"x","Type":"y"}}'],
    ['headers of a server', '{"tools":[{"type":"mcp","headers":{"Authorization":"x","Type":"y"}}]}'],
    ['unknown members', '{"unknown":{"Model":1,"a":1,"A":2}}'],
    ['names of other scripts', '{"tools":[{"input_schema":{"größe":1,"Größe":2,"日本":3}}]}'],
  ])('takes names that differ in case in %s', (_name, text) => {
    expect(scan(text)).toBeNull();
  });
});

describe('numbers', () => {
  it.each([
    ['{"max_tokens":5.0}', 'max_tokens'],
    ['{"max_completion_tokens":1e2}', 'max_completion_tokens'],
    ['{"max_output_tokens":1E2}', 'max_output_tokens'],
    ['{"n":1.0}', 'n'],
    ['{"thinking":{"budget_tokens":2e3}}', 'thinking.budget_tokens'],
    ['{"x":1e400}', 'x'],
    ['{"x":[0,-1e400]}', 'x.1'],
    [`{"x":1${'0'.repeat(400)}}`, 'x'],
  ])('refuses %s', (text, param) => {
    expect(scan(text)).toMatchObject({ code: 'invalid_request', param });
  });

  it('takes every other number', () => {
    expect(scan('{"max_tokens":5,"temperature":1.0,"x":[-0,1e-400,9007199254740993,1E10]}')).toBeNull();
  });
});

describe('halves of surrogate pairs', () => {
  it.each([
    [String.raw`"\ud83d"`, String.raw`"\ufffd"`],
    [String.raw`"\uDE00x"`, String.raw`"\ufffdx"`],
    [String.raw`"\ud83d\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    [String.raw`"\ud83d\n\ude00"`, String.raw`"\ufffd\n\ufffd"`],
    [String.raw`"\\ud83d could"`, String.raw`"\\ud83d could"`],
    [String.raw`"\ud83d\ude00"`, String.raw`"\ud83d\ude00"`],
  ])('writes %s as %s', (before, after) => {
    const body = Buffer.from(`{"x":${before}}`);
    expect(scanBody(body)).toBeNull();
    expect(body.toString()).toBe(`{"x":${after}}`);
  });

  it('finds one after thousands of similar words', () => {
    const body = Buffer.from(String.raw`{"x":"\n${'could '.repeat(5_000)}\ud83d"}`);
    expect(scanBody(body)).toBeNull();
    expect(body.toString()).toContain(String.raw`could \ufffd"`);
  });
});

describe('limits', () => {
  const { maxDepth, maxValues, maxMembers } = BODY_LIMITS;

  it('takes a body at each limit and names the limit beyond', () => {
    expect(scan(nested(maxDepth))).toBeNull();
    expect(scan(nested(maxDepth + 1))).toMatchObject({
      code: 'invalid_request',
      param: 'a',
      message: expect.stringContaining(`at most ${maxDepth} levels`),
    });
    const numbers = (count: number) => `{"input":[${'1,'.repeat(count - 1)}1]}`;
    expect(scan(numbers(maxValues - 2))).toBeNull();
    expect(scan(numbers(maxValues - 1))).toMatchObject({
      param: 'input',
      message: expect.stringContaining(`more than ${maxValues} values`),
    });
    const members = (count: number) =>
      `{"x":{${Array.from({ length: count - 1 }, (_, at) => `"${at}":1`).join()}}}`;
    expect(scan(members(maxMembers))).toBeNull();
    expect(scan(members(maxMembers + 1))).toMatchObject({
      param: 'x',
      message: expect.stringContaining(`more than ${maxMembers} members`),
    });
  });

  it.each([
    ['[', '['],
    ['{"a":', '{"a":'],
    ['[],', '{"a":[[],'],
    ['{"a":1},', '{"a":[{},'],
  ])('stops early in 30 MB of %s', (unit, start) => {
    const body = Buffer.concat([Buffer.from(start), Buffer.alloc(30_000_000, unit)]);
    const scan = () => expect(scanBody(body)).toMatchObject({ code: 'invalid_request' });
    // Parsing these took seconds.
    expect(threadTimeMs(scan)).toBeLessThan(1_000);
  });
});

describe('text that is no JSON', () => {
  it.each([
    '',
    ' ',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{a:1}',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1]',
    '[1}',
    '{} {}',
    '{"a":NaN}',
    '{"a":"x',
    '\ufeff{}',
    String.raw`{"\q":1}`,
  ])('is refused: %j', (text) => {
    expect(scan(text)).toMatchObject({ code: 'invalid_json' });
  });
});
