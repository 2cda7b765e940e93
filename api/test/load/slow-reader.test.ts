import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startGateway } from '../gateway-fixture.ts';
import { STREAM_REQUEST, getStreamEndpoints } from '../faults/stream-endpoints.ts';

const RUNTIMES = ['node', 'web'] as const;
const gateways = { node: await startGateway(), web: await startGateway({ runtime: 'web' }) };
afterAll(async () => {
  for (const runtime of RUNTIMES) await gateways[runtime][Symbol.asyncDispose]();
});

/** The kernel buffers of two connections, plus data in flight in the processes. */
const MOST_UNREAD_BYTES = 2 * (getMaxBytes('rmem') + getMaxBytes('wmem')) + 6_000_000;
const EVENT = `data: {"choices":[],"pad":"${'x'.repeat(2_000)}"}\n\n`;
/** A gateway that buffers would take all of it. */
const BODY = Buffer.from(`${EVENT.repeat((MOST_UNREAD_BYTES + 20_000_000) / EVENT.length)}data: [DONE]\n\n`);
const PAUSE_MS = 700;

describe.each(RUNTIMES)('a caller that stops reading, on %s', (runtime) => {
  const gateway = gateways[runtime];
  const [endpoint] = getStreamEndpoints(gateway);

  it('slows the provider down, and gets every byte once it reads on', async () => {
    gateway.provider.next({ replay: { body: BODY }, split: 64 * 1024 });
    const response = await open();
    const held = await bytesWhenHeld();
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(MOST_UNREAD_BYTES);
    expect((await buffer(response)).equals(BODY)).toBe(true);
    expect(gateway.provider.requests[0]?.outcome).toBe('complete');
  });

  it('is not sent what follows the terminator, which is not read to its end', async () => {
    const words = 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n';
    const end = `${words}data: [DONE]\n\n`;
    const body = Buffer.concat([Buffer.from(end), BODY]);
    gateway.provider.next({ replay: { body }, split: [end.length, 1_000_000], intervalMs: 30 });
    const response = await open();
    expect((await buffer(response)).toString()).toBe(end);
    const record = gateway.provider.requests.at(-1);
    await record?.finished;
    expect(record?.bytesSent).toBeLessThan(MOST_UNREAD_BYTES);
  });

  /** How many bytes the provider could send until it was blocked for a while. */
  async function bytesWhenHeld(): Promise<number> {
    const sent = () => gateway.provider.requests.at(-1)?.bytesSent ?? 0;
    for (;;) {
      const before = sent();
      await sleep(PAUSE_MS);
      if (sent() === before) return before;
    }
  }

  /** Sends the request and reads nothing of the response body. */
  function open(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = request(gateway.baseUrl + (endpoint?.path ?? ''), {
        method: 'POST',
        headers: { ...endpoint?.headers, 'content-type': 'application/json' },
      });
      call.once('error', reject);
      call.once('response', resolve);
      call.end(JSON.stringify(STREAM_REQUEST));
    });
  }
});

/** The kernel's maximum buffer of a connection on this machine; outside Linux macOS's `kern.ipc.maxsockbuf`. */
function getMaxBytes(buffer: 'rmem' | 'wmem'): number {
  if (process.platform !== 'linux') return 8_000_000;
  const [, , most] = readFileSync(`/proc/sys/net/ipv4/tcp_${buffer}`, 'utf8').trim().split(/\s+/);
  return Number(most);
}
