import { describe, expect, it } from 'vitest';
import { findPreset } from '../presets/presets.ts';
import { readCredential } from './read-credential.ts';

const read = (preset: string | null, text: string | null, headers: Record<string, string> = {}) =>
  readCredential(preset === null ? null : findPreset(preset), { text, headers });

describe('readCredential', () => {
  it('reads a word as an API key, for Amazon too', () => {
    for (const preset of [null, 'groq', 'ollama', 'bedrock-anthropic'])
      expect(read(preset, 'ABSKQmVkcm9j')).toEqual({
        ok: true,
        credential: { kind: 'api-key', apiKey: 'ABSKQmVkcm9j', headers: {} },
      });
  });

  it('reads the keys of an AWS user, with or without a session token', () => {
    expect(read('bedrock-openai', 'AKIDEXAMPLE12345:wJalr/+X')).toEqual({
      ok: true,
      credential: {
        kind: 'aws',
        accessKeyId: 'AKIDEXAMPLE12345',
        secretAccessKey: 'wJalr/+X',
        sessionToken: null,
        headers: {},
      },
    });
    expect(read('bedrock-openai', 'ASIAEXAMPLE12345:s:FwoG:x/=')).toMatchObject({
      credential: { sessionToken: 'FwoG:x/=' },
    });
  });

  it('reads the key of a service account', () => {
    const file = {
      type: 'service_account',
      client_email: 'gateway@p.iam.gserviceaccount.com',
      private_key: '-----BEGIN PRIVATE KEY-----\n…',
      private_key_id: 'abc',
    };
    expect(read('vertex-anthropic', JSON.stringify(file, null, 2))).toMatchObject({
      ok: true,
      credential: { kind: 'google', privateKeyId: 'abc', tokenUrl: 'https://oauth2.googleapis.com/token' },
    });
  });

  it('requires a credential if the provider does, unless a header replaces it', () => {
    expect(read('groq', null)).toEqual({ ok: false, reason: 'Groq needs an API key' });
    expect(read('groq', null, { authorization: 'Bearer k' })).toMatchObject({ ok: true });
    expect(read('ollama', null)).toMatchObject({ ok: true });
    expect(read(null, null)).toMatchObject({ ok: true });
  });

  it.each([
    ['groq', 'two words', 'an API key is one word, without blanks or line breaks'],
    [
      'vertex-gemini',
      '{"type":"authorized_user"}',
      `must be the JSON of a service account's key: a file with`,
    ],
    ['vertex-gemini', 'ya29.token', `must be the JSON of a service account's key: a file with`],
  ])('refuses for %s %j, without repeating it', (preset, text, reason) => {
    const refused = read(preset, text);
    if (refused.ok) throw new Error('it was taken');
    expect(refused.reason).toContain(reason);
    expect(refused.reason).not.toContain(text);
  });
});
