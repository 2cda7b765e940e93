import { restoreCredential } from '@tollgate/db/queries/providers/set-aside-credentials';
import { describe, expect, it, vi } from 'vitest';
import { getAuthorization, getValue, startWithCredentials } from './credentials-harness.ts';

const QUOTA = {
  error: {
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    param: null,
    code: 'insufficient_quota',
  },
};
const by = (label: string) => ({ headers: { authorization: getAuthorization(label) } });
const body = async (response: Promise<Response>) => {
  const answered = await response;
  return { status: answered.status, text: await answered.text() };
};

describe('a provider with two credentials', () => {
  it('keeps each session at one of them, on every replica, and uses both', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { replicas: 2 });
    const sessions = Array.from({ length: 16 }, (_, at) => `session ${at}`);
    const bySession = new Map<string, Set<string | undefined>>(sessions.map((name) => [name, new Set()]));
    for (const replica of [0, 1, 0])
      for (const session of sessions) {
        expect((await body(gateway.ask({ session, replica }))).status).toBe(200);
        bySession.get(session)?.add(gateway.used().at(-1));
      }
    for (const used of bySession.values()) expect(used.size).toBe(1);
    expect(new Set(gateway.used())).toEqual(new Set(['first', 'second']));
    expect(gateway.spare.requests).toEqual([]);
  });

  it('answers with the other one if a rate limit of the first one is reached, and then prefers it', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    await gateway.ask({ session: 's' });
    const [usual = ''] = gateway.used();
    const other = usual === 'first' ? 'second' : 'first';
    gateway.provider.always({ error: { status: 429, retryAfterSeconds: 20 } }, by(usual ?? ''));
    expect((await body(gateway.ask({ session: 's' }))).status).toBe(200);
    expect((await body(gateway.ask({ session: 's' }))).status).toBe(200);
    expect(gateway.used()).toEqual([usual, usual, other, other]);
    expect(gateway.spare.requests).toEqual([]);
    expect(await gateway.readStates()).toMatchObject({ first: { cause: null }, second: { cause: null } });
  });

  it('prefers the other one while nothing is left of a limit of the first one', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    await body(gateway.ask({ session: 's' }));
    const [usual = ''] = gateway.used();
    const text =
      '{"id":"x","object":"chat.completion","created":1,"model":"shared-model","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hi."}}]}';
    const headers = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20s' };
    gateway.provider.always({ replay: { body: text, headers } }, by(usual));
    for (let at = 0; at < 3; at++) expect((await body(gateway.ask({ session: 's' }))).status).toBe(200);
    const other = usual === 'first' ? 'second' : 'first';
    expect(gateway.used()).toEqual([usual, usual, other, other]);
  });

  it('sets a refused credential aside on every replica, and uses it again when it is restored', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { replicas: 2, attempts: 1 });
    gateway.provider.always({ error: { status: 401 } }, by('first'));
    for (let at = 0; at < 8; at++) expect((await body(gateway.ask({ session: `${at}` }))).status).toBe(200);
    expect(gateway.used().filter((label) => label === 'first')).toHaveLength(1);
    await vi.waitFor(async () => {
      expect(await gateway.readStates()).toMatchObject({
        first: { cause: 'refused' },
        second: { cause: null },
      });
    });
    await vi.waitFor(() => {
      const [route] = gateway.apis[1]?.deps.catalogue.current.get('shared-model')?.routes ?? [];
      expect(route?.byCredential?.[0]?.credential?.setAsideAtMs).not.toBe(null);
    });
    const before = gateway.used().length;
    for (let at = 0; at < 8; at++) await body(gateway.ask({ session: `${at}`, replica: 1 }));
    expect(new Set(gateway.used().slice(before))).toEqual(new Set(['second']));

    await vi.waitFor(async () => {
      const rows = await gateway.db.sql<{ attempts: { credential: string }[] }[]>`
        SELECT attempts FROM requests WHERE state = 'settled' ORDER BY jsonb_array_length(attempts) DESC`;
      expect(rows).toHaveLength(16);
      expect(rows[0]?.attempts).toMatchObject([
        { credential: 'first', status: 401 },
        { credential: 'second', outcome: 'answered' },
      ]);
      expect(rows[1]?.attempts).toMatchObject([{ credential: 'second', outcome: 'answered' }]);
    });
    const traces = await gateway.db.sql`SELECT to_jsonb(audit_log) AS row FROM audit_log
      UNION ALL SELECT to_jsonb(requests) FROM requests UNION ALL SELECT to_jsonb(provider_credentials) FROM provider_credentials`;
    expect(JSON.stringify(traces)).toContain('provider.credential_set_aside');
    expect(JSON.stringify(traces)).not.toContain(getValue('first'));

    gateway.provider.reset();
    await restoreCredential(gateway.db, { id: gateway.providerId, actorUserId: null, by: 'operator' });
    await vi.waitFor(async () => {
      for (let at = 0; at < 8; at++) await body(gateway.ask({ session: `${at}` }));
      expect(new Set(gateway.used())).toEqual(new Set(['first', 'second']));
    });
  });

  it('sets one without credit aside, whose provider answers 429', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    gateway.provider.always({ replay: { status: 429, body: JSON.stringify(QUOTA) } }, by('second'));
    for (let at = 0; at < 8; at++) expect((await body(gateway.ask({ session: `${at}` }))).status).toBe(200);
    expect(gateway.used().filter((label) => label === 'second')).toHaveLength(1);
    await vi.waitFor(async () => {
      const { second } = await gateway.readStates();
      expect(second).toEqual({ cause: 'no_credit', message: QUOTA.error.message });
    });
  });

  it('does not set one aside because of words that the request contains', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    gateway.provider.always({ replay: { status: 403, body: JSON.stringify(QUOTA) } });
    const messages = [{ role: 'user', content: QUOTA.error.message }];
    for (let at = 0; at < 4; at++) await body(gateway.ask({ session: `${at}`, body: { messages } }));
    expect(await gateway.readStates()).toMatchObject({ first: { cause: null }, second: { cause: null } });
  });

  it('does not set one aside that has credit for shorter responses', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    const message =
      'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 9000.';
    const refusal = JSON.stringify({ error: { message, code: 402 } });
    gateway.provider.always({ replay: { status: 402, body: refusal } }, by('second'));
    for (let at = 0; at < 8; at++) expect((await body(gateway.ask({ session: `${at}` }))).status).toBe(200);
    const before = gateway.used().length;
    gateway.provider.reset();
    for (let at = 0; at < 8; at++) await body(gateway.ask({ session: `${at}` }));
    expect(before).toBeGreaterThan(8);
    expect(gateway.used()).toContain('second');
    expect(await gateway.readStates()).toMatchObject({ first: { cause: null }, second: { cause: null } });
  });

  it('answers as with one credential if both are refused, and recovers when one is accepted', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    gateway.provider.always({ error: { status: 401 } });
    const refused = await body(gateway.ask());
    expect(refused.status).toBe(502);
    expect(refused.text).toContain('upstream_misconfigured');
    await vi.waitFor(async () => {
      expect(await gateway.readStates()).toMatchObject({
        first: { cause: 'refused' },
        second: { cause: 'refused' },
      });
    });
    gateway.provider.reset();
    await vi.waitFor(async () => {
      expect((await body(gateway.ask({ session: 's' }))).status).toBe(200);
      const states = Object.values(await gateway.readStates());
      expect(states.filter(({ cause }) => cause === null).length).toBeGreaterThan(0);
    });
  });

  it('tries other providers before the other credential if the failure is not about the credential', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 2 });
    gateway.provider.always({ error: { status: 503 } });
    expect((await body(gateway.ask())).status).toBe(200);
    expect(gateway.used()).toHaveLength(1);
    expect(gateway.spare.requests).toHaveLength(1);
  });

  it('leads to the other provider if each credential reached its rate limit', async () => {
    await using gateway = await startWithCredentials(['first', 'second', 'third'], { attempts: 2 });
    gateway.provider.always({ error: { status: 429, retryAfterSeconds: 20 } });
    expect((await body(gateway.ask())).status).toBe(200);
    expect(new Set(gateway.used())).toEqual(new Set(['first', 'second', 'third']));
    expect(gateway.spare.requests).toHaveLength(1);
  });

  it('removes the values of all of them from what the provider says', async () => {
    await using gateway = await startWithCredentials(['first', 'second'], { attempts: 1 });
    const message = `Not for ${getValue('first')} or ${getValue('second')}.`;
    const error = { error: { message, type: 'invalid_request_error', param: null, code: 'x' } };
    gateway.provider.always({ replay: { status: 400, body: JSON.stringify(error) } });
    const refused = await body(gateway.ask());
    expect(refused.text).toContain('Not for [redacted] or [redacted].');
  });

  it('sends what names an uploaded file to the first one, whose account has it', async () => {
    await using gateway = await startWithCredentials(['first', 'second']);
    const content = [
      { type: 'text', text: 'Read this.' },
      { type: 'file', file: { file_id: 'file-abc' } },
    ];
    for (let at = 0; at < 8; at++)
      await body(gateway.ask({ session: `${at}`, body: { messages: [{ role: 'user', content }] } }));
    expect(new Set(gateway.used())).toEqual(new Set(['first']));
  });
});
