/** Request bodies whose memory is freed when their requests are settled, not at a garbage collection. */
import type { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { BodyMemory } from '../../src/request-body/body-memory.ts';
import { post } from '../../src/testing/call-api.ts';
import { MODEL, startGateway, type Gateway } from '../gateway-fixture.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** The bodies that the api has read. */
function watchBodies(): Buffer[] {
  const bodies: Buffer[] = [];
  const { of } = BodyMemory;
  vi.spyOn(BodyMemory, 'of').mockImplementation((body) => {
    bodies.push(body);
    return of(body);
  });
  return bodies;
}

it.each([
  ['20 kB, which arrives together with its head', 20_000, {}],
  ['20 kB whose members change', 20_000, { stream: true }],
  ['100 kB', 100_000, {}],
  ['300 kB', 300_000, {}],
  ['2 MB, which is read in a thread', 2_000_000, {}],
  ['300 kB with a stream', 300_000, { stream: true }],
])('frees a body of %s', async (_name, size, members) => {
  const bodies = watchBodies();
  const copies = vi.spyOn(JsonObjectBytes.prototype, 'edit');
  const body = { model: MODEL, messages: [{ role: 'user', content: 'x'.repeat(size) }], ...members };
  const response = await post(`${gateway.baseUrl}/chat/completions`, body, { secret: gateway.secret });
  expect(response.status).toBe(200);
  await response.text();
  expect(bodies).toHaveLength(1);
  await expect.poll(() => bodies[0]?.length).toBe(0);
  // A copy with changed members would be left to a garbage collection.
  expect(copies).not.toHaveBeenCalled();
});
