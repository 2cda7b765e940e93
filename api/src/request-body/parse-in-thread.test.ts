import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMemberPlaces } from '@tollgate/dialects/json/member-places';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { parseBody, REQUEST_PARSERS, type Endpoint } from './parse-body.ts';
import { describeBody } from './describe-body.ts';
import { isForThread } from './is-for-thread.ts';
import { describeInThread, parseInThread } from './parse-in-thread.ts';
import { BodyWorkers } from './worker/body-workers.ts';

const MIB = 1024 * 1024;
/** Well below what reading such a body takes (up to 2.8 s), and above what a slow machine adds. */
const MAX_LOOP_MS = 120;
const open: BodyWorkers[] = [];
afterAll(() => Promise.all(open.map((workers) => workers.close())));

function openWorkers(options: Partial<ConstructorParameters<typeof BodyWorkers>[0]> = {}): BodyWorkers {
  const workers = new BodyWorkers({ threads: 1, timeLimitMs: 120_000, maxHeapMib: 512, ...options });
  open.push(workers);
  return workers;
}

/** Its threads work on a body with "stuck" for a second, and cannot be terminated meanwhile, as if they parsed. */
const STUCK = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { pbkdf2Sync } from 'node:crypto';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ body }) => {
      if (Buffer.from(body).includes('stuck')) pbkdf2Sync('x', 'y', 3_000_000, 64, 'sha512');
      parentPort.postMessage({ body, parsed: { ok: false, error: { code: 'invalid_json', message: '' } } });
    });`)}`,
);

const workers = openWorkers();
const parse = (text: string, owner = 'a', by = workers) =>
  parseInThread(by, '/v1/chat/completions', { body: getBody(text), owner, isWanted: () => true });

/** A separate block, as the body collector creates it. */
function getBody(text: string): Buffer {
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

/** The expected result of a thread: it also has the positions of the members, and has searched for marks. */
function parseHere(endpoint: Endpoint, body: Buffer) {
  const parsed = parseBody(endpoint, body);
  if (!parsed.ok) return parsed;
  return { ok: true, value: { ...parsed.value, places: readMemberPlaces(body), historyMarks: [] } };
}

const chat = (content: unknown) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });

/** Members whose names differ at their end. */
const longNames = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'x'.repeat(length)}${10 + at}`, 1]));

it('reads a body with item ids in a thread if it is larger than 16 KiB', () => {
  const withIds = (bytes: number) => getBody(chat(`msg_1${ITEM_MARK}${'x'.repeat(bytes)}`));
  expect(isForThread(withIds(17 * 1024))).toBe(true);
  expect(isForThread(withIds(15 * 1024))).toBe(false);
  expect(isForThread(getBody(chat('x'.repeat(100 * 1024))))).toBe(false);
});

it('reads a body with many values in lists in a thread', () => {
  const withList = (count: number) => getBody(JSON.stringify({ model: 'm', input: Array(count).fill(1) }));
  expect(isForThread(withList(7_000))).toBe(true);
  expect(isForThread(withList(5_000))).toBe(false);
});

it('gives at most one result in each turn of the event loop, however fast the threads are', async () => {
  const two = openWorkers({ threads: 2 });
  let turn = 0;
  const timer = setInterval(() => (turn += 1), 0);
  const turns: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      await parse(chat('hello'), 'a', two);
      turns.push(turn);
      const untilMs = performance.now() + 20; // The next results come meanwhile.
      while (performance.now() < untilMs);
    }),
  );
  clearInterval(timer);
  expect(new Set(turns).size).toBe(12);
});

it('refuses a body with more members than any API has', async () => {
  const withMembers = (count: number) => {
    const members = Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`m${at}`, 1]));
    return JSON.stringify({ ...members, ...(JSON.parse(chat('hello')) as object) });
  };
  expect(await parse(withMembers(1_000))).toMatchObject({ value: { parsed: { ok: true } } });
  const message = 'The request body has more than 1000 members besides its conversation.';
  const error = { code: 'invalid_request', message };
  expect(await parse(withMembers(1_001))).toMatchObject({ value: { parsed: { ok: false, error } } });
});

it('refuses a body with longer names than any API has', async () => {
  const read = await parse(
    JSON.stringify({ ...longNames(40, 10_000), ...(JSON.parse(chat('hello')) as object) }),
  );
  const message = 'The names of members outside of messages have more than 400000 characters in total.';
  expect(read).toMatchObject({
    value: { parsed: { ok: false, error: { code: 'invalid_request', message } } },
  });
});

it('describes the input of a body in a thread as it does here', async () => {
  const text = JSON.stringify({
    model: 'm',
    max_tokens: 5,
    tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: '\u{1f600} two' },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'x'.repeat(200_000) },
    ],
  });
  for (const endpoint of ['/v1/messages', '/v1/messages/count_tokens'] as const) {
    const body = getBody(text);
    const asked = { endpoint, model: 'claude-sonnet-4-5' };
    const described = await describeInThread(workers, asked, { body, owner: 'a', isWanted: () => true });
    expect(described).toEqual(describeBody(endpoint, getBody(text), asked.model));
    expect(described).toMatchObject({ ok: true, value: { input: { tools: 1, messages: 3 } } });
    expect(body.toString()).toBe(text);
  }
});

it('copies bodies to describe only at their turn', async () => {
  const body = getBody(chat('x'.repeat(4 * MIB)));
  const asked = { endpoint: '/v1/chat/completions', model: 'm' } as const;
  let isWanted = true;
  const before = process.memoryUsage().arrayBuffers;
  const by = openWorkers();
  const all = Array.from({ length: 20 }, () =>
    describeInThread(by, asked, { body, owner: 'a', isWanted: () => isWanted }),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
  isWanted = false;
  const [first, ...others] = await Promise.all(all);
  expect(first).toMatchObject({ ok: true });
  expect(others.every((described) => described === null)).toBe(true);
});

describe('parsing in a thread', () => {
  let reader: Worker;
  beforeAll(() => {
    reader = new Worker(new URL('loop-time.fixture.ts', import.meta.url), { execArgv: [] });
  });
  afterAll(() => reader.terminate());

  it('has the same result as parsing here, and returns the bytes if they could be parsed', async () => {
    const texts = [
      chat('Prose and \u{1f600}. '.repeat(50_000)),
      `{"model":"m"${' '.repeat(MIB)}`,
      '['.repeat(MIB),
    ];
    for (const text of texts) {
      const body = getBody(text);
      expect(isForThread(body)).toBe(true);
      const read = await parse(text);
      if (read?.ok !== true) throw new Error('The body was not read');
      expect(read.value.parsed).toEqual(parseHere('/v1/chat/completions', body));
      const isParsed = read.value.parsed.ok;
      expect(read.value.body.equals(isParsed ? body : Buffer.alloc(0))).toBe(true);
    }
  });

  it('reads a body whose memory is shared with others, and leaves theirs', async () => {
    const all = Buffer.allocUnsafeSlow(64 * 1024).fill(0x20);
    const text = chat('x'.repeat(17 * 1024));
    all.write(text, 100);
    const body = all.subarray(100, 100 + text.length);
    const read = await parseInThread(workers, '/v1/chat/completions', {
      body,
      owner: 'a',
      isWanted: () => true,
    });
    expect(read).toMatchObject({ ok: true, value: { parsed: { ok: true } } });
    expect(all.length).toBe(64 * 1024);
  });

  it('works for every endpoint', async () => {
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 1,
      input: 'x'.repeat(MIB),
      messages: [{ role: 'user' }],
    });
    for (const endpoint of Object.keys(REQUEST_PARSERS) as (keyof typeof REQUEST_PARSERS)[]) {
      const read = await parseInThread(workers, endpoint, {
        body: getBody(body),
        owner: 'a',
        isWanted: () => true,
      });
      expect(read).toMatchObject({ ok: true, value: { parsed: parseHere(endpoint, getBody(body)) } });
    }
  });

  it.each<[string, string]>([
    ['text', chat('Some words of prose. '.repeat((30 * MIB) / 21))],
    ['escapes', chat('\n'.repeat(15 * MIB))],
    [
      'base64',
      chat([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(30 * MIB)}` } }]),
    ],
    ['opening brackets', `{"model":"m","messages":${'['.repeat(30 * MIB)}`],
    ['empty lists', `{"model":"m","messages":[${'[],'.repeat(10 * MIB)}[]]}`],
    ['members', `{${Array.from({ length: 3 * MIB }, (_, at) => `"m${at}":1`).join(',')}}`],
    ['names', JSON.stringify(longNames(90, 300_000))],
    ['spaces', `${' '.repeat(30 * MIB)}${chat('Hello')}`],
  ])(
    'blocks the event loop only briefly for 30 MB of %s',
    async (name, text) => {
      let loopMs = Infinity;
      // One reading may include a garbage collection, as the first one includes what is compiled.
      for (let tries = 0; tries < 5 && loopMs >= MAX_LOOP_MS; tries += 1) {
        reader.postMessage(text, []);
        const [read] = (await once(reader, 'message')) as [{ ok: boolean; loopMs: number }];
        expect(read.ok).toBe(true);
        loopMs = Math.min(loopMs, read.loopMs);
      }
      process.stdout.write(`30 MB of ${name}: ${loopMs.toFixed(1)} ms in the event loop\n`);
      expect(loopMs).toBeLessThan(MAX_LOOP_MS);
    },
    // Far more than five tries need.
    180_000,
  );

  it('takes accounts in turns', async () => {
    const order: string[] = [];
    const asked = ['a', 'a', 'a', 'b'].map(async (owner) => {
      await parse(chat('x'.repeat(MIB)), owner);
      order.push(owner);
    });
    await Promise.all(asked);
    expect(order.indexOf('b')).toBeLessThan(3);
  });

  describe('whose work takes long', () => {
    const [large, small] = ['x'.repeat(2 * MIB), 'x'];
    const openStuck = async (timeLimitMs: number) => {
      const by = openWorkers({ timeLimitMs, program: STUCK });
      // Both threads have started.
      await Promise.all([parse(chat(large), 'a', by), parse(chat(small), 'a', by)]);
      return (content: string, owner: string) => parse(chat(content), owner, by);
    };

    it('leaves a thread to small bodies', async () => {
      const ask = await openStuck(60_000);
      const order: string[] = [];
      const asked = [`${large}stuck`, large, small, small].map(async (content, at) => {
        await ask(content, `owner ${at}`);
        order.push(content === small ? 'small' : 'large');
      });
      await Promise.all(asked);
      expect(order).toEqual(['small', 'small', 'large', 'large']);
      // Large ones come to their turn, too.
      const next = ask(`${small}stuck`, 'a');
      expect(await ask(large, 'b')).toMatchObject({ ok: true });
      await next;
    });

    it('starts no other thread in its place before it has ended', async () => {
      const ask = await openStuck(300);
      await Promise.all([ask(`${large}stuck`, 'a'), ask(`${small}stuck`, 'a')]);
      const startedAtMs = performance.now();
      await ask(small, 'a');
      expect(performance.now() - startedAtMs).toBeGreaterThan(500);
    });
  });

  it('drops the body of a caller that has disconnected', async () => {
    const call = { body: getBody(chat('x'.repeat(MIB))), owner: 'a', isWanted: () => false };
    expect(await parseInThread(workers, '/v1/chat/completions', call)).toBeNull();
  });

  it('gives up on a body that takes too long', async () => {
    const slow = openWorkers({ timeLimitMs: 1 });
    expect(await parse(chat('x'.repeat(4 * MIB)), 'a', slow)).toMatchObject({
      ok: false,
      error: { code: 'gateway_overloaded' },
    });
    expect(await parse(chat('x'.repeat(MIB)))).toMatchObject({ ok: true });
  });
});
