import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/parse-object.ts';
import { createEventStore } from '../../sse/event-store.ts';
import { parseOpenAiResponsesRequest } from '../parse-request.ts';
import { CarriedItems } from './carried-items.ts';
import { createCarrier } from './carrier.ts';
import { expandItems } from './expand-items.ts';
import { carryItem, ITEM_MARK, sealItems } from './item-id.ts';
import { needsCarrier } from './keeps-items.ts';
import { StreamCarrier } from './stream-carrier.ts';

const TEXT = { type: 'output_text', text: 'Grüße 👋', annotations: [] };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [TEXT] };
const REASONING = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' };
const USER = { role: 'user', content: 'Hi' };
const referTo = (item: JsonObject) => ({ type: 'item_reference', id: item['id'] });

/** The input after its expansion. */
function expand(input: readonly unknown[]) {
  const body = expandItems(Buffer.from(JSON.stringify({ model: 'm', input })));
  return body.ok ? { ok: true, value: JSON.parse(body.value.toString('utf8')).input } : body;
}

function getCarrier(items: readonly JsonObject[]): JsonObject {
  const carried = new CarriedItems();
  for (const item of items) carried.add(item);
  return createCarrier(carried, 'stem') ?? {};
}

describe('the id of an item', () => {
  it('carries the item to the next request', () => {
    const carried = carryItem(MESSAGE);
    expect(carried).toEqual({ ...MESSAGE, id: expect.stringMatching(/^msg_1--item1-[\w-]+$/) });
    expect(expand([USER, referTo(carried), USER])).toEqual({ ok: true, value: [USER, MESSAGE, USER] });
  });

  it('is the first one again if the item is sent whole, and the item counts once', () => {
    const carried = carryItem(REASONING);
    expect(expand([carried, referTo(carried), referTo(carried)])).toEqual({
      ok: true,
      value: [REASONING],
    });
  });

  it('does not repeat log probabilities', () => {
    const carried = carryItem({ ...MESSAGE, content: [{ ...TEXT, logprobs: [{ token: 'a' }] }] });
    expect(expand([referTo(carried)])).toEqual({ ok: true, value: [MESSAGE] });
  });

  it('stays as it is for an item without one, and for a large item', () => {
    const large = { id: 'ig_1', type: 'image_generation_call', result: 'x'.repeat(300_000) };
    const nameless = { type: 'message', content: [] };
    expect(carryItem(large)).toBe(large);
    expect(carryItem(nameless)).toBe(nameless);
    expect(carryItem(carryItem(MESSAGE))).toEqual(carryItem(MESSAGE));
  });

  it('is refused if it was changed or cut', () => {
    const id = String(carryItem(MESSAGE)['id']);
    const other = id.replace('msg_1', 'msg_2');
    const flipped = id.slice(0, -3) + (id.at(-3) === 'A' ? 'B' : 'A') + id.slice(-2);
    for (const changed of [other, flipped, id.slice(0, -4), `msg_1${ITEM_MARK}x`, `${id}?`])
      expect(expand([USER, { type: 'item_reference', id: changed }])).toMatchObject({
        ok: false,
        error: { code: 'invalid_request', param: 'input.1.id' },
      });
  });

  it('is read in one pass, however many marks it contains', () => {
    const id = `${`${ITEM_MARK}a-`.repeat(10_000)}?`;
    const read = () => expect(expand([{ type: 'item_reference', id }])).toMatchObject({ ok: false });
    expect(threadTimeMs(read)).toBeLessThan(500);
  });

  it.each(['Zm9v+/bar==', 'msg/1', 'msg é', 'a#b', 'a--item1', `a${ITEM_MARK}x`, `a${ITEM_MARK}`])(
    'stays with the item, whatever the provider calls it: %s',
    (id) => {
      const item = { ...MESSAGE, id };
      const carried = carryItem(item);
      expect(carried['id']).toMatch(/^[\w.:-]+$/);
      for (const given of [carried, referTo(carried)])
        expect(expand([USER, given])).toEqual({ ok: true, value: [USER, item] });
      const carrier = getCarrier([item]);
      expect(expand([item, referTo(carrier)])).toEqual({ ok: true, value: [item] });
      expect(expand([referTo(item), referTo(carrier)])).toEqual({ ok: true, value: [item] });
    },
  );

  it('names no item twice: one that is sent whole stays in its place', () => {
    const carried = carryItem(MESSAGE);
    for (const whole of [carried, MESSAGE]) {
      expect(expand([referTo(carried), USER, whole])).toEqual({ ok: true, value: [USER, MESSAGE] });
      expect(expand([whole, USER, referTo(carried)])).toEqual({ ok: true, value: [MESSAGE, USER] });
    }
    const call = { type: 'local_shell_call', id: 'c1', call_id: 'c1', action: {} };
    const result = { type: 'local_shell_call_output', id: 'c1', output: 'Done' };
    expect(expand([referTo(carryItem(call)), result])).toEqual({ ok: true, value: [call, result] });
  });

  it('is refused if its content could not be forwarded as it is', () => {
    const twice = '{"item":{"id":"msg_1","id":"msg_2","type":"message","content":"Hi"}}';
    for (const json of ['{"item":{"type":"message"}}', '{"item":1}', '{"items":[]}', '[]', '{', twice])
      expect(expand([{ type: 'item_reference', id: sealItems('msg_1', json) }])).toMatchObject({
        ok: false,
        error: { code: 'invalid_request', param: 'input.0.id' },
      });
  });

  it('must be carried by the request', () => {
    const carried = carryItem(MESSAGE);
    expect(expand([referTo(carried), { type: 'item_reference', id: 'msg_other' }])).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param: 'input.1' },
    });
  });
});

describe('the body around items', () => {
  const settings =
    '"seed": 12345678901234567890, "temperature":1.0, "10":1, "9":{"maximum":9007199254740993}';
  const write = (input: string) => `{ ${settings},\n"input" : [${input}] , "x":"${ITEM_MARK}"}`;
  const user = '{ "content":"Hi","role":"user", "10":1.0,"9":2 }';
  const carried = carryItem(MESSAGE);
  const reference = JSON.stringify(referTo(carried));
  const whole = (id: unknown) => `{"n" : 1.50,"id" : ${JSON.stringify(id)}, "type":"message" }`;
  const carrier = JSON.stringify(getCarrier([MESSAGE]));

  it.each([
    ['without any', user, user],
    [
      'in place of a reference',
      ` ${user} ,${reference}, ${user}`,
      ` ${user} ,${JSON.stringify(MESSAGE)}, ${user}`,
    ],
    ['sent whole', whole(carried['id']), whole(MESSAGE.id)],
    [
      'that were dropped',
      `${carrier} , ${carrier}, ${user} ,${carrier} ,${carrier}, ${user}`,
      `${user}, ${user}`,
    ],
    ['that were all dropped', ` ${carrier} ,${carrier}`, ' '],
  ])('keeps its bytes: items %s', (_name, given, expected) => {
    const body = Buffer.from(write(given));
    const expanded = expandItems(body);
    expect(expanded.ok && expanded.value.toString('utf8')).toBe(write(expected));
    if (given === expected) expect(expanded).toEqual({ ok: true, value: body });
  });
});

describe('the carrier of a stream', () => {
  const carrier = getCarrier([REASONING, MESSAGE]);

  it('carries items under the ids that were sent before their content, and is no item itself', () => {
    const input = [USER, referTo(REASONING), referTo(MESSAGE), referTo(carrier), USER];
    expect(expand(input)).toEqual({ ok: true, value: [USER, REASONING, MESSAGE, USER] });
    expect(expand([USER, carrier, USER])).toEqual({ ok: true, value: [USER, USER] });
  });

  it('is sent only to clients that refer to items', () => {
    expect(needsCarrier('expected', null)).toBe(true);
    expect(needsCarrier('possible', 'app/1.0 ai-sdk/openai/2.0.11 runtime/node.js/v24')).toBe(true);
    expect(needsCarrier('possible', 'ai/7.0.173 ai-sdk-provider-utils/5.0.81 node.js/v24')).toBe(true);
    expect(needsCarrier('possible', 'OpenAI/JS 7.0.0')).toBe(false);
    expect(needsCarrier(undefined, 'ai-sdk-openai/4.0.118')).toBe(false);
  });

  it('is written before the last event, which follows it in number', () => {
    const stream = new StreamCarrier('stem');
    stream.add(MESSAGE);
    stream.add(null);
    const before = 'event: response.output_item.done\ndata: {"type":"response.output_item.done"}\n\n';
    const last = (number: number) =>
      `event: response.completed\ndata: {"type":"response.completed","sequence_number":${number},"response":{"sequence_number":3}}\n\n`;
    const inserted = stream.insert(before + last(7));
    const written = typeof inserted === 'string' ? inserted : '';
    expect(written.startsWith(before)).toBe(true);
    expect(written.endsWith(last(9))).toBe(true);
    const events = [...written.matchAll(/^data: (.*)$/gm)].map(([, data]): JsonObject =>
      JSON.parse(data ?? ''),
    );
    const item = getCarrier([MESSAGE]);
    expect(events.slice(1, 3)).toEqual([
      { type: 'response.output_item.added', sequence_number: 7, output_index: 2, item },
      { type: 'response.output_item.done', sequence_number: 8, output_index: 2, item },
    ]);
    expect(stream.insert(last(7))).toBe(last(7));
  });

  it('carries no more than 1 MiB, and follows items that it does not', () => {
    const items = Array.from({ length: 6 }, (_, at) => ({
      ...MESSAGE,
      id: `msg_${at}`,
      text: 'x'.repeat(200_000),
    }));
    const input = [...items.map(referTo), referTo(getCarrier(items))];
    expect(expand(input)).toMatchObject({ ok: false, error: { param: 'input.5' } });
    expect(expand(input.filter((_, at) => at !== 5))).toEqual({ ok: true, value: items.slice(0, 5) });
  });

  it('is written before a last event that is too large to be read', () => {
    const stream = new StreamCarrier('stem');
    stream.add(MESSAGE);
    const last = createEventStore();
    last.add(Buffer.from('event: response.completed\ndata: {}\n\n'));
    const [added, ...rest] = [stream.insert(last)].flat();
    expect(rest).toEqual([last]);
    expect(added).toContain(JSON.stringify(getCarrier([MESSAGE])));
  });

  it('is left out of a stream without items, and of one that fails', () => {
    const completed = 'event: response.completed\ndata: {"type":"response.completed"}\n\n';
    const failed = 'event: response.failed\ndata: {"type":"response.failed"}\n\n';
    const stream = new StreamCarrier('stem');
    expect(stream.insert(completed)).toBe(completed);
    stream.add(MESSAGE);
    expect(stream.insert(failed)).toBe(failed);
  });
});

describe('a request', () => {
  it.each([
    [{}, 'possible'],
    [{ store: null }, 'possible'],
    [{ store: true }, 'expected'],
    [{ store: false }, undefined],
  ])('with %j may refer to items: %s', (members, itemReferences) => {
    const parsed = parseOpenAiResponsesRequest(JSON.stringify({ model: 'm', input: 'Hi', ...members }));
    expect(parsed.ok && parsed.value.itemReferences).toBe(itemReferences);
  });
});
