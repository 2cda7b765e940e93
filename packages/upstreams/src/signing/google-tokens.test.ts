import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialRefused } from './credential-refused.ts';
import { GoogleTokens } from './google-tokens.ts';
import { createTokenEndpoint, type TokenEndpoint } from './token-endpoint.fixture.ts';

describe('GoogleTokens', () => {
  let endpoint: TokenEndpoint;
  beforeEach(async () => {
    endpoint = await createTokenEndpoint();
  });
  afterEach(() => endpoint.close());

  it('requests a token with a signed assertion, and caches it', async () => {
    const tokens = new GoogleTokens();
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    // A reloaded catalogue has an equal credential in a new object.
    expect(await tokens.get({ ...endpoint.credential })).toBe('ya29.1');
    expect(endpoint.purchases()).toBe(1);
  });

  it('requests one token for all concurrent callers', async () => {
    const tokens = new GoogleTokens();
    const got = await Promise.all(Array.from({ length: 50 }, () => tokens.get(endpoint.credential)));
    expect(new Set(got)).toEqual(new Set(['ya29.1']));
    expect(endpoint.purchases()).toBe(1);
  });

  it('requests a new token before the old one expires', async () => {
    const tokens = new GoogleTokens();
    endpoint.behave({ holdsSeconds: 200 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    endpoint.behave({ holdsSeconds: 3_600 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.2');
    expect(await tokens.get(endpoint.credential)).toBe('ya29.2');
  });

  it('uses a valid token while the endpoint is unreachable', async () => {
    const tokens = new GoogleTokens();
    endpoint.behave({ holdsSeconds: 200 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    endpoint.behave({ status: 503 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    expect(endpoint.purchases()).toBeGreaterThan(1);
  });

  it('reports a refused key without its value, and retries at the next call', async () => {
    const tokens = new GoogleTokens();
    endpoint.behave({ status: 400 });
    const refusal = await tokens.get(endpoint.credential).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CredentialRefused);
    expect(refusal).toHaveProperty(
      'message',
      'Google does not take the key of gateway@project.iam.gserviceaccount.com',
    );
    endpoint.behave({ status: 200 });
    expect(await tokens.get(endpoint.credential)).toMatch(/^ya29\./);
  });

  it.each([
    ['of another account', () => otherKey()],
    ['that is none', () => 'not a PRIVATE KEY'],
  ])('refuses a key %s', async (_, key) => {
    const credential = { ...endpoint.credential, privateKey: key() };
    await expect(new GoogleTokens().get(credential)).rejects.toThrow(CredentialRefused);
  });

  it('distinguishes an unreachable endpoint from a refusal', async () => {
    const credential = { ...endpoint.credential, tokenUrl: 'http://127.0.0.1:1/token' };
    const error = await new GoogleTokens().get(credential).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CredentialRefused);
  });
});

function otherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
