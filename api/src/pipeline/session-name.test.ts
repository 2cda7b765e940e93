import { describe, expect, it } from 'vitest';
import { findSessionName } from './session-name.ts';

const SESSION = '7b1c8f4e-2f0a-4f6e-9d57-0d6f0a1f3c55';
const find = (headers: Record<string, string>, members = {}) =>
  findSessionName({ members, header: (name) => headers[name] ?? null });

describe('findSessionName', () => {
  it.each(['x-session-id', 'x-claude-code-session-id', 'session_id', 'session-id', 'x-session-affinity'])(
    'reads the header %s before the body',
    (header) => {
      expect(find({ [header]: SESSION }, { prompt_cache_key: 'key' })).toBe(SESSION);
    },
  );

  it('reads the session of Claude Code, but no other user', () => {
    const userId = JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: SESSION });
    expect(find({}, { metadata: { user_id: userId } })).toBe(SESSION);
    expect(find({}, { metadata: { user_id: `user_1_account_2_session_${SESSION}` } })).toBe(SESSION);
    expect(find({}, { metadata: { user_id: 'user-1234' } })).toBeNull();
  });

  it('reads the key of the prompt cache last', () => {
    expect(find({}, { prompt_cache_key: SESSION })).toBe(SESSION);
    expect(find({}, { prompt_cache_key: 7 })).toBeNull();
    expect(find({})).toBeNull();
  });

  it('cuts and cleans a name', () => {
    expect(find({ 'x-session-id': ` a\tb\u0000${'c'.repeat(200)}` })).toBe(`ab${'c'.repeat(123)}`);
    expect(find({ 'x-session-id': ' \u0007 ' })).toBeNull();
    expect(find({ 'x-session-id': 'a\uD800' })).toBe('a\uFFFD');
  });
});
