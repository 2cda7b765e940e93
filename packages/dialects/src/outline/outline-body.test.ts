import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { findInOutline, outlineBody, takeIdleMembers, UNBOUNDED } from './outline-body.ts';

const FIRST = Array.from({ length: 8 }, () => ({ role: 'user', content: 'Hi' }));

/** A body with a part behind its first entries; the text of the part is JSON without quotes. */
function bodyWith(part: Record<string, string>, text: string): Buffer {
  const members = Object.entries({ ...part, [part['name'] ?? 'text']: '@' });
  const json = JSON.stringify({
    model: 'm',
    messages: [...FIRST, { role: 'user', content: [Object.fromEntries(members)] }],
  });
  return Buffer.from(json.replace('@', () => text));
}

const TEXTS = ['"stream"', 'stream:', 'true', 'words', ':1}"'];

function isValid(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

const measure = (body: Buffer) => outlineBody(body, UNBOUNDED)?.json.length ?? -1;

describe('the outline of a body', () => {
  it.each(['some words ', '中文', '\\u4e2d\\u6587', '\\ud83d\\ude00', '"\\n'.replace('"', '\\"'), 'a: b, '])(
    'leaves out most of a text of %s',
    (piece) => {
      const body = bodyWith({ type: 'text' }, `x ${piece.repeat(10_000)}`);
      expect(measure(body)).toBeGreaterThan(0);
      expect(measure(body)).toBeLessThan(1_000);
      expect(JSON.parse(String(outlineBody(body, UNBOUNDED)?.json))).toMatchObject({ model: 'm' });
    },
  );

  it('keeps more of the first texts of the user and of the system only', () => {
    const long = 'some words '.repeat(60);
    const messages = ['system', 'user', 'assistant', 'user', 'tool'].map((role) => ({ role, content: long }));
    const body = Buffer.from(JSON.stringify({ model: 'm', messages }));
    const outline = JSON.parse(String(outlineBody(body, UNBOUNDED)?.json)) as { messages: typeof messages };
    const kept = outline.messages.map(({ content }) => content === long);
    expect(kept).toEqual([true, true, false, false, false]);
  });

  it('keeps more of the text of an entry whose role follows it or is written with escapes', () => {
    const content = 'some words '.repeat(60);
    const entries = [{ role: 'assistant' }, { content, role: 'user' }, { role: '@', content }];
    const json = JSON.stringify({ model: 'm', messages: entries }).replace('@', String.raw`syst\u0065m`);
    const body = Buffer.from(json);
    expect(String(outlineBody(body, UNBOUNDED)?.json)).toBe(json);
  });

  it.each([
    'https://example.com/',
    'gs:\\/\\/bucket/',
    ' \\ts3://bucket/',
    '\\u0067s://bucket/',
    'ht\\ntp://user:',
    'http\\t\\r:user:',
    'da\\nta:,',
  ])('keeps an address that begins with %s', (begin) => {
    const body = bodyWith({ type: 'image', name: 'url' }, begin + 'a'.repeat(5_000));
    expect(measure(body)).toBe(body.length);
  });

  it('keeps members that are not listed, and texts outside of the conversation', () => {
    const long = 'a'.repeat(5_000);
    const other = bodyWith({ type: 'text', name: 'id' }, long);
    expect(measure(other)).toBe(other.length);
    const member = Buffer.from(JSON.stringify({ model: 'm', messages: FIRST, metadata: { text: long } }));
    expect(measure(member)).toBe(member.length);
  });

  it('can do without texts, ids and calls of the conversation', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } };
    const marked = { ...call, cache_control: { type: 'ephemeral' } };
    const part = { type: 'text', text: 'Hi' };
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: 'Yes.', name: 'a', tool_calls: [call, call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'All of it.' },
        { content: 'Go on.', role: 'user' },
        { role: 'assistant', content: null, tool_calls: [call, marked] },
        { role: 'user', content: [part] },
        { role: 'user', content: 'Stop.', tool_calls: 'none' },
      ],
      metadata: { role: 'tool', content: 'Note.' },
      tools: [{ type: 'custom', tool_call_id: 'call_1', content: 'All of it.', tool_calls: [] }],
    };
    expect(outlineBody(Buffer.from(JSON.stringify(body, null, 1)), UNBOUNDED)).not.toBeNull();
    expect(JSON.parse(String(takeIdleMembers()))).toEqual({
      ...body,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', name: 'a' },
        { role: 'tool' },
        { content: 'Go on.', role: 'user' },
        { role: 'assistant', content: null, tool_calls: [call, marked] },
        { role: 'user', content: [part] },
        { role: 'user', tool_calls: 'none' },
      ],
    });
  });

  it('takes out no more members than it has room for', () => {
    const messages = Array.from({ length: 5_000 }, () => ({ role: 'tool', tool_call_id: 'a', content: 'b' }));
    const body = Buffer.from(JSON.stringify({ model: 'm', messages }));
    expect(outlineBody(body, UNBOUNDED)).not.toBeNull();
    const rest = JSON.parse(String(takeIdleMembers())) as { model: string; messages: object[] };
    expect(rest.model).toBe('m');
    expect(rest.messages.slice(0, 2_048)).toEqual(Array.from({ length: 2_048 }, () => ({ role: 'tool' })));
    expect(rest.messages.slice(2_048)).toEqual(messages.slice(2_048));
  });

  it('replaces halves of surrogate pairs in the body', () => {
    const body = bodyWith({ type: 'text' }, `${'a'.repeat(500)}\\ud83d`);
    expect(outlineBody(body, UNBOUNDED)).not.toBeNull();
    expect(body.toString()).toContain('a\\ufffd"');
  });

  it('does not exist for a large body with halves of surrogate pairs, which take long to replace', () => {
    const body = bodyWith({ type: 'text' }, `${'a'.repeat(5_000)}\\ud83d`);
    const given = Buffer.from(body);
    expect(outlineBody(given, { ...UNBOUNDED, maxBytes: 4_000 })).toBeNull();
    expect(given.equals(body)).toBe(true);
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":2}}',
    '{"Model":"m"}',
    '{"maxTokens":1}',
    '{"max_tokens":1.0}',
    '{"n":[1e999]}',
    '{"__proto__":1}',
    '[1]',
    '{"a":01}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":1}}',
    '{"a":1,}',
    `{"a":${'['.repeat(101)}${']'.repeat(101)}}`,
  ])('does not exist for %s', (json) => {
    expect(outlineBody(Buffer.from(json), UNBOUNDED)).toBeNull();
  });

  it('has the places of the members, and is searched for texts', () => {
    const body = Buffer.from('{ "model" : "m", "stream":true}');
    expect(outlineBody(body, UNBOUNDED)?.places).toEqual([2, 9, 12, 15, 17, 25, 26, 30]);
    expect(findInOutline(TEXTS)).toEqual(['"stream"', 'true']);
  });

  it('has no text that only the memory behind it has', () => {
    const long = bodyWith({ type: 'text' }, 'words "stream" '.replaceAll('"', '\\"').repeat(1_000));
    expect(outlineBody(long, UNBOUNDED)).not.toBeNull();
    expect(outlineBody(Buffer.from('{"n":1,"stre":1}'), UNBOUNDED)).not.toBeNull();
    expect(findInOutline(TEXTS)).toEqual([]);
  });

  it.each([
    '\\\\',
    '\\\\\\',
    '\\"',
    '\\n\\"\\\\',
    '\\u00e9',
    '\\\\u00e9',
    '\\ud83d\\ude00',
    'é',
    '\\x',
    '\\u12g4',
    '\\\\\\x',
    '"',
    '\n',
    '\\\n',
  ])('accepts a long text with %j if JSON.parse does, wherever it is', (piece) => {
    for (let before = 0; before < 200; before += 1)
      for (const end of ['', 'b'.repeat(70), '\\\\'.repeat(40)]) {
        const json = `{"a":"${'a'.repeat(before)}${piece}${end}"}`;
        const isOutlined = outlineBody(Buffer.from(json), UNBOUNDED) !== null;
        expect({ json, isOutlined }).toEqual({ json, isOutlined: isValid(json) });
      }
  });

  it.each(['\\\\', '\\n', '\\"'])('reads 1 MiB of %s in less than 2 ms', (piece) => {
    const body = bodyWith({ type: 'text' }, piece.repeat(512 * 1024));
    expect(outlineBody(body, UNBOUNDED)).not.toBeNull();
    const read = () => {
      for (let runs = 0; runs < 10; runs += 1) outlineBody(body, UNBOUNDED);
    };
    const times = Array.from({ length: 5 }, () => threadTimeMs(read) / 10);
    expect(Math.min(...times)).toBeLessThan(2);
  });
});
