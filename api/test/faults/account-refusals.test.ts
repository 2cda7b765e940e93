import { afterAll, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { SECRET, startSealedProvider } from './sealed-provider.ts';

const { api, provider, spare, secret, sql, close } = await startSealedProvider();
afterAll(close);

const call = (model: string) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, messages: [{ role: 'user', content: 'Hello' }] },
    { secret },
  );

const findNewestAttempts = async () => {
  const [row] = await sql<{ attempts: { message?: string }[] | null }[]>`
    SELECT attempts FROM requests WHERE model = 'openai' ORDER BY id DESC LIMIT 1`;
  return row?.attempts ?? [];
};

it('keeps what a provider says about the account for the operator, without secrets', async () => {
  provider.reset();
  const body = Buffer.from(JSON.stringify({ error: { message: `Your key ${SECRET} has expired` } }));
  provider.always({ replay: { status: 401, body, contentType: 'application/json' } });
  const refused = await call('openai');
  expect(await refused.text()).not.toContain('expired');
  await expect
    .poll(async () => (await findNewestAttempts()).at(-1)?.message)
    .toBe('Your key [redacted] has expired');
});

it.each([
  [400, { error: { message: 'Your credit balance is too low.', type: 'invalid_request_error' } }],
  [402, { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } }],
  [429, { error: { message: 'You exceeded your current quota.', type: 'x', code: 'insufficient_quota' } }],
])(
  'fails over when the account at a provider has no credit (%i), and is upstream_misconfigured without another route',
  async (status, refusal) => {
    provider.reset();
    const body = Buffer.from(JSON.stringify(refusal));
    provider.always({ replay: { status, body, contentType: 'application/json' } });
    expect((await call('both')).status).toBe(200);
    expect(spare.requests).toHaveLength(1);
    spare.reset();
    const alone = await call('openai');
    expect(alone.status).toBe(502);
    expect(await readJson<ErrorBody>(alone)).toMatchObject({
      error: {
        code: 'upstream_misconfigured',
        message:
          "The gateway's account at the provider of this model has no credit. Contact the gateway's operator.",
      },
    });
    const said = refusal.error.message;
    await expect.poll(async () => (await findNewestAttempts()).at(-1)).toMatchObject({ message: said });
  },
);
