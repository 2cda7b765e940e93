import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

describe('the environment of the api', () => {
  it('may be empty, and an empty variable counts as unset', () => {
    expect(readEnv({ REDIS_URL: '', API_PORT: '' })).toEqual(readEnv({}));
  });

  it('lists every problem together, and repeats no value, which may be a secret', () => {
    const read = () =>
      readEnv({
        DATABASE_URL: 'mysql://a-secret',
        API_PORT: '70000',
        LOG_LEVEL: 'loud',
        BODY_MEMORY_MIB: '63',
        REDIS_URL: 'http://a-secret',
      });
    expect(read).toThrow(
      /^The environment is invalid:\n {2}DATABASE_URL .*\n {2}REDIS_URL .*\n {2}API_PORT .*\n {2}BODY_MEMORY_MIB .*\n {2}LOG_LEVEL .*\n {2}ENCRYPTION_KEY is required/,
    );
    expect(read).not.toThrow(/a-secret/);
  });

  it('reads the proxies, and lists their problems with the others, without their passwords', () => {
    expect(readEnv({ https_proxy: 'proxy.test:3128' }).proxies.https).toBe('http://proxy.test:3128/');
    const read = () => readEnv({ HTTPS_PROXY: 'ftp://me:a-secret@proxy.test', API_PORT: '70000' });
    expect(read).toThrow(/API_PORT .*\n {2}HTTPS_PROXY must be an http or https URL/);
    expect(read).not.toThrow(/a-secret/);
  });

  it('reads CORS_ORIGINS as a list of origins', () => {
    expect(readEnv({}).CORS_ORIGINS).toEqual([]);
    const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173';
    expect(readEnv({ CORS_ORIGINS }).CORS_ORIGINS).toEqual(CORS_ORIGINS.split(', '));
    for (const wrong of [
      '*',
      'app.example.com',
      'https://app.example.com/',
      'https://A.example',
      'ftp://x.example',
    ])
      expect(() => readEnv({ CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS must be origins such as https://');
  });

  it('requires the encryption key with an external database', () => {
    const DATABASE_URL = 'postgres://localhost/tollgate';
    expect(() => readEnv({ DATABASE_URL })).toThrow('ENCRYPTION_KEY is required with DATABASE_URL');
    expect(() => readEnv({ DATABASE_URL, ENCRYPTION_KEY: 'short' })).toThrow('32 bytes in base64');
    const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
    expect(readEnv({ DATABASE_URL, ENCRYPTION_KEY })).toMatchObject({ DATABASE_URL, ENCRYPTION_KEY });
  });
});
