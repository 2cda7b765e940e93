import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startGateway } from './gateway-fixture.ts';
import { STREAM_REQUEST, streamFacesOf } from './stream-faces.ts';

const RUNTIMES = ['node', 'web'] as const;
const gateways = { node: await startGateway(), web: await startGateway({ runtime: 'web' }) };
afterAll(async () => {
  for (const runtime of RUNTIMES) await gateways[runtime][Symbol.asyncDispose]();
});

const EVENTS = 20_000;
const EVENT_BYTES = 2_000;
/**
 * The kernel's buffers of two connections: each may grow to 6 MB on the reading side and 4 MB on the writing side
 * (Linux's defaults of tcp_rmem and tcp_wmem), and some more in flight. A gateway that collects would hold all forty.
 */
const MOST_UNREAD_BYTES = 26_000_000;
const PAUSE_MS = 700;

describe.each(RUNTIMES)('a caller that stops reading, on %s', (runtime) => {
  const gateway = gateways[runtime];
  const [face] = streamFacesOf(gateway);

  it('holds the provider back, and gets every byte once it reads on', async () => {
    const event = `data: {"choices":[],"pad":"${'x'.repeat(EVENT_BYTES)}"}\n\n`;
    const body = Buffer.from(`${event.repeat(EVENTS)}data: [DONE]\n\n`);
    gateway.provider.next({ replay: { body }, split: 64 * 1024 });
    const response = await open();
    await sleep(PAUSE_MS);
    const held = gateway.provider.requests[0]?.bytesSent ?? 0;
    await sleep(PAUSE_MS);
    expect(gateway.provider.requests[0]?.bytesSent).toBe(held);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(MOST_UNREAD_BYTES);
    expect((await buffer(response)).equals(body)).toBe(true);
    expect(gateway.provider.requests[0]?.outcome).toBe('complete');
  });

  /** Sends the request and reads nothing of the answer's body. */
  function open(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = request(gateway.baseUrl + (face?.path ?? ''), {
        method: 'POST',
        headers: { ...face?.headers, 'content-type': 'application/json' },
      });
      call.once('error', reject);
      call.once('response', resolve);
      call.end(JSON.stringify(STREAM_REQUEST));
    });
  }
});
