import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { afterAll, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway();
afterAll(() => gateway[Symbol.asyncDispose]());

/** Long enough for every replica to be notified of a revocation. */
const HEARD_MS = 300;

it('refuses a request whose key was revoked while its body was still arriving', async () => {
  const { keyId, secret } = await gateway.createKey();
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true });
  const call = request(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      text(response).then((received) => resolve({ status: response.statusCode, body: received }), reject);
    });
  });
  call.write(body.slice(0, 20));
  await sleep(HEARD_MS);
  await revokeKey(gateway.database.db, { keyId, accountId: null, actorUserId: null });
  await sleep(HEARD_MS);
  call.end(body.slice(20));
  const { status, body: received } = await answered;
  expect([status, received]).toEqual([401, expect.stringContaining('revoked_api_key')]);
  expect(gateway.provider.requests).toHaveLength(0);
});
