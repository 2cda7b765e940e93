import { describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import { createHttpProvider, type ProviderSettings } from './create-provider.ts';
import { NO_CREDENTIAL, parseCredential } from './credential/credential.ts';
import { DEFAULT_TIMEOUTS } from './transport/transport.ts';

const STORED: ProviderSettings = {
  id: 'prov_1',
  name: 'mine',
  preset: null,
  dialect: 'openai-chat',
  baseUrl: 'https://llm.example.com/v1',
  settings: {},
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  totalTimeoutMs: null,
  maxConcurrency: null,
};

describe('createHttpProvider', () => {
  it('leaves unset timeouts to the transport, and completes partly set ones', () => {
    expect(createHttpProvider(STORED, NO_CREDENTIAL).timeouts).toBeNull();
    const provider = createHttpProvider({ ...STORED, totalTimeoutMs: 1_000 }, NO_CREDENTIAL);
    expect(provider.timeouts).toEqual({ ...DEFAULT_TIMEOUTS, totalMs: 1_000 });
  });
});

describe('parseCredential', () => {
  it('reads a credential without a kind as an API key', () => {
    expect(parseCredential('{"apiKey":"k","headers":{"x-team":"blue"}}')).toEqual({
      kind: 'api-key',
      apiKey: 'k',
      headers: { 'x-team': 'blue' },
    });
  });

  it.each(['null', '[]', '{"kind":"aws"}', '{"kind":"other","headers":{}}'])('refuses %s', (json) => {
    expect(() => parseCredential(json)).toThrow(ZodError);
  });
});
