import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakeProvider } from './create-fake-provider.ts';
import type { Split } from './script.ts';

const provider = await createFakeProvider();
afterAll(() => provider.close());
beforeEach(() => provider.reset());

const stream = { model: 'fake-model', stream: true, messages: [{ role: 'user', content: 'hi' }] };

function ask(fields: Record<string, unknown> = stream, signal?: AbortSignal) {
  return fetch(`${provider.origin}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(fields),
    ...(signal && { signal }),
  });
}

/** Reads until the end or the break. */
async function read(response: Response): Promise<{ pieces: Buffer[]; isBroken: boolean }> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
    return { pieces, isBroken: false };
  } catch {
    return { pieces, isBroken: true };
  }
}

describe('broken connections of the fake provider', () => {
  it.each(['close', 'reset'] as const)('cuts by %s before the headers', async (cutBy) => {
    provider.next({ cutBeforeHeaders: true, cutBy });
    await expect(ask()).rejects.toThrow('fetch failed');
    expect(provider.requests[0]).toMatchObject({ status: null, bytesSent: 0, outcome: 'cut' });
  });

  it.each([0, 1, 100, 777])('cuts a stream after exactly %i bytes', async (cutAfterBytes) => {
    provider.next({ cutAfterBytes });
    const { pieces, isBroken } = await read(await ask());
    expect(isBroken).toBe(true);
    expect(Buffer.concat(pieces)).toHaveLength(cutAfterBytes);
    expect(provider.requests[0]).toMatchObject({ bytesSent: cutAfterBytes, outcome: 'cut' });
  });

  it.each([1, -1])('cuts a stream after %i of its events', async (cutAfterPieces) => {
    provider.next({});
    const { pieces: whole } = await read(await ask());
    const events = Buffer.concat(whole)
      .toString()
      .split(/(?<=\n\n)/);
    provider.next({ cutAfterPieces });
    const { pieces, isBroken } = await read(await ask());
    expect([Buffer.concat(pieces).toString(), isBroken]).toEqual([
      events.slice(0, cutAfterPieces).join(''),
      true,
    ]);
  });

  it('cuts a sized body short', async () => {
    provider.next({ cutAfterBytes: 20 });
    expect((await read(await ask({ ...stream, stream: false }))).isBroken).toBe(true);
  });

  it('ends a body early without a connection error', async () => {
    provider.next({ cutAfterBytes: 50, cutBy: 'clean-end' });
    const { pieces, isBroken } = await read(await ask());
    expect([Buffer.concat(pieces).length, isBroken]).toEqual([50, false]);
  });

  it('counts only completely sent words', async () => {
    provider.next({ answer: { words: 10 } });
    const whole = Buffer.concat((await read(await ask())).pieces);
    const cutAfterBytes = whole.indexOf('word4') + 1;
    provider.next({ answer: { words: 10 }, cutAfterBytes });
    await read(await ask());
    expect(provider.requests[1]).toMatchObject({ outputTokensSent: 3, usage: { outputTokens: 1 } });
  });
});

it('replaces the rest of a response with garbage, and ends it in order', async () => {
  provider.next({ answer: { words: 10 } });
  const whole = Buffer.concat((await read(await ask())).pieces);
  const garbageAfterBytes = whole.indexOf('word4');
  provider.next({ answer: { words: 10 }, garbageAfterBytes });
  const { pieces, isBroken } = await read(await ask());
  const spoilt = Buffer.concat(pieces);
  expect(isBroken).toBe(false);
  expect(spoilt.subarray(0, garbageAfterBytes).equals(whole.subarray(0, garbageAfterBytes))).toBe(true);
  expect(spoilt).toHaveLength(garbageAfterBytes + 200);
  expect(provider.requests[1]).toMatchObject({ outputTokensSent: 3, outcome: 'complete' });
});

describe('slow connections of the fake provider', () => {
  it('stalls before the headers until the client disconnects, and records the time', async () => {
    provider.next({ stallBeforeHeaders: true });
    const arrived = provider.nextRequest();
    const leaving = new AbortController();
    const answer = ask(stream, leaving.signal);
    const record = await arrived;
    await sleep(30);
    expect(record).toMatchObject({ status: null, outcome: 'pending' });
    const leftAtMs = performance.now();
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await record.finished;
    expect(record.outcome).toBe('aborted');
    expect(Number(record.abortedAtMs) - leftAtMs).toBeLessThan(200);
  });

  it('stalls in the middle of a stream', async () => {
    provider.next({ stallAfterBytes: 60 });
    const response = await ask(stream, AbortSignal.timeout(80));
    const { pieces, isBroken } = await read(response);
    expect([Buffer.concat(pieces).length, isBroken]).toEqual([60, true]);
    await provider.requests[0]?.finished;
    expect(provider.requests[0]).toMatchObject({ bytesSent: 60, outcome: 'aborted' });
  });

  it('closes the connection after a stall', async () => {
    provider.next({ stallAfterPieces: 1, stallMs: 50 });
    const startMs = performance.now();
    const { isBroken } = await read(await ask());
    expect([isBroken, provider.requests[0]?.outcome]).toEqual([true, 'cut']);
    expect(performance.now() - startMs).toBeGreaterThan(45);
  });

  it('delays the first byte before or after the headers', async () => {
    const startMs = performance.now();
    provider.next({ headersDelayMs: 60 });
    await (await ask()).text();
    expect(performance.now() - startMs).toBeGreaterThan(55);
    provider.next({ firstByteDelayMs: 80 });
    const response = await ask();
    const headersMs = performance.now();
    await response.text();
    expect(performance.now() - headersMs).toBeGreaterThan(60);
  });

  it('sends chunks at a rate', async () => {
    provider.next({ answer: { words: 20 }, intervalMs: 10 });
    const startMs = performance.now();
    const { pieces } = await read(await ask());
    const elapsedMs = performance.now() - startMs;
    // On a busy machine, some arrive together.
    expect(pieces.length).toBeGreaterThan(5);
    expect(elapsedMs).toBeGreaterThan(230);
    expect(elapsedMs).toBeLessThan(600);
  });

  it('trickles small pieces', async () => {
    provider.next({ replay: { body: 'abcdefgh' }, split: 3, intervalMs: 150 });
    const { pieces } = await read(await ask());
    expect(pieces.map(String)).toEqual(['abc', 'def', 'gh']);
  });
});

describe('split responses', () => {
  const splits: Split[] = ['natural', 'burst', 'every-byte', 7, [1, 20, 3]];
  it.each(splits)('does not change a byte when split by %s', async (split) => {
    provider.next({ split });
    const whole = Buffer.concat((await read(await ask())).pieces);
    provider.next({});
    expect(Buffer.concat((await read(await ask())).pieces).equals(whole)).toBe(true);
  });

  it('sends a burst as one piece', async () => {
    provider.next({ split: 'burst' });
    expect((await read(await ask())).pieces).toHaveLength(1);
  });
});

it('survives clients that disconnect at any moment', async () => {
  provider.always({ answer: { words: 5_000 }, intervalMs: 1, split: 'natural' });
  const calls = Array.from({ length: 60 }, async (_, index) => {
    const leaving = new AbortController();
    const response = await ask(stream, leaving.signal);
    await sleep(index % 20);
    leaving.abort();
    await read(response);
  });
  await Promise.all(calls);
  await Promise.all(provider.requests.map((record) => record.finished));
  expect(new Set(provider.requests.map((record) => record.outcome))).toEqual(new Set(['aborted']));
});

it('closes with streams in flight without open connections', async () => {
  const own = await createFakeProvider();
  own.always({ stallAfterBytes: 10 });
  const arrived = own.nextRequest();
  const response = await fetch(`${own.origin}/v1/messages`, { method: 'POST', body: JSON.stringify(stream) });
  const record = await arrived;
  await own.close();
  expect((await read(response)).isBroken).toBe(true);
  await record.finished;
  expect(record.outcome).toBe('cut');
});
