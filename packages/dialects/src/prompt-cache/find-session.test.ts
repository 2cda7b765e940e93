import { describe, expect, it } from 'vitest';
import { findSession } from './find-session.ts';

const SESSION = '7b1c8f4e-2f0a-4f6e-9d57-0d6f0a1f3c55';

describe('findSession', () => {
  it.each([
    `user_${'a'.repeat(64)}_account_3d5e_session_${SESSION}`,
    `user_${'a'.repeat(64)}_account__session_${SESSION}`,
    JSON.stringify({ device_id: 'a'.repeat(64), account_uuid: '', session_id: SESSION }),
  ])('finds the session in %s', (userId) => {
    expect(findSession(userId)).toBe(SESSION);
  });

  it.each([
    null,
    '',
    'user-1234',
    '{"session_id":',
    '{"session_id":7}',
    '{"device_id":"a"}',
    '{"session_id":""}',
  ])('finds none in %s', (userId) => {
    expect(findSession(userId)).toBeNull();
  });
});

it('does not read JSON that is longer than what Claude Code sends', () => {
  const json = (length: number) => JSON.stringify({ session_id: 's', rest: 'x'.repeat(length) });
  expect(findSession(json(1_000))).toBe('s');
  expect(findSession(json(2_000))).toBeNull();
});
