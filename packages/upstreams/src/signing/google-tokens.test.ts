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

  it('buys a token with a signed assertion, and keeps it', async () => {
    const tokens = new GoogleTokens();
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    // A catalogue that was read again brings the same credential as another object.
    expect(await tokens.get({ ...endpoint.credential })).toBe('ya29.1');
    expect(endpoint.purchases()).toBe(1);
  });

  it('buys one token for all that wait for it', async () => {
    const tokens = new GoogleTokens();
    const got = await Promise.all(Array.from({ length: 50 }, () => tokens.get(endpoint.credential)));
    expect(new Set(got)).toEqual(new Set(['ya29.1']));
    expect(endpoint.purchases()).toBe(1);
  });

  it('buys a new token before the old one ends', async () => {
    const tokens = new GoogleTokens();
    endpoint.behave({ holdsSeconds: 200 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    endpoint.behave({ holdsSeconds: 3_600 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.2');
    expect(await tokens.get(endpoint.credential)).toBe('ya29.2');
  });

  it('goes on with a token that still holds while the endpoint is away', async () => {
    const tokens = new GoogleTokens();
    endpoint.behave({ holdsSeconds: 200 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    endpoint.behave({ status: 503 });
    expect(await tokens.get(endpoint.credential)).toBe('ya29.1');
    expect(endpoint.purchases()).toBeGreaterThan(1);
  });

  it('says that a key is refused, without a word of it, and asks again the next time', async () => {
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

  it('keeps an endpoint that cannot be reached apart from one that refuses', async () => {
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
