import { expect, it } from 'vitest';
import { computeSessionKey } from './session-cache-key.ts';

it('is short enough for OpenAI, always the same, and another one for each account and session', () => {
  const key = computeSessionKey('a', 'session');
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(computeSessionKey('a', 'session')).toBe(key);
  expect(computeSessionKey('b', 'session')).not.toBe(key);
  expect(computeSessionKey('a', 'session0')).not.toBe(key);
});
