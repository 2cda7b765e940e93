import { beforeEach, expect, it } from 'vitest';
import { clearTab } from '../../lib/tab-storage.ts';
import type { AnswerTurn, UserTurn } from './conversation.ts';
import type { PlaygroundState } from './playground-state.ts';
import { readStoredPlayground, storePlayground } from './stored-playground.ts';

beforeEach(() => clearTab(null));

const ASKED: UserTurn = {
  kind: 'user',
  id: 1,
  text: 'Hi',
  image: { name: 'a.png', mediaType: 'image/png', base64: 'AAAA' },
  toolResults: [],
};
const ANSWERED: AnswerTurn = {
  kind: 'answer',
  id: 2,
  model: 'm',
  dialect: 'anthropic',
  state: 'done',
  text: 'Hello',
  reasoning: '',
  toolCalls: [{ index: 0, id: 'call_1', name: 'find', arguments: '{}' }],
  failure: null,
  requestId: 'req_1',
  finishReason: 'stop',
  usage: {
    inputTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 2,
    extras: { audioOutputTokens: 1 },
  },
  firstTokenMs: 5,
  totalMs: 9,
};
const STATE: PlaygroundState = {
  key: { secret: 'sk-secret', origin: 'pasted', expiresAtMs: null },
  system: 'Be brief.',
  tools: '',
  conversations: [[ASKED, ANSWERED], [ASKED]],
  draft: 'And',
  image: null,
  results: { '0 call_1': 'found' },
};

it('keeps the key and the conversations in the tab only', () => {
  storePlayground('user_1', 'acct_1', STATE);
  expect(readStoredPlayground('user_1', 'acct_1')).toEqual(STATE);
  expect(readStoredPlayground('user_1', 'acct_2')).toBeNull();
  expect(readStoredPlayground('user_2', 'acct_1')).toBeNull();
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('sk-secret');
});

it('forgets what belongs to another user, and everything if no one is signed in', () => {
  storePlayground('user_1', 'acct_1', STATE);
  storePlayground('user_2', 'acct_1', STATE);
  sessionStorage.setItem('of-another-page', 'x');
  clearTab('user_1');
  expect(readStoredPlayground('user_1', 'acct_1')).toEqual(STATE);
  expect(readStoredPlayground('user_2', 'acct_1')).toBeNull();
  clearTab(null);
  expect(readStoredPlayground('user_1', 'acct_1')).toBeNull();
  expect(sessionStorage.getItem('of-another-page')).toBe('x');
  sessionStorage.removeItem('of-another-page');
});

it('reads a response whose stream was left as stopped', () => {
  storePlayground('user_1', 'acct_1', {
    ...STATE,
    conversations: [[ASKED, { ...ANSWERED, state: 'streaming' }]],
  });
  const [turns] = readStoredPlayground('user_1', 'acct_1')?.conversations ?? [];
  expect(turns?.at(-1)).toEqual({ ...ANSWERED, state: 'stopped' });
});

it('omits images that are too large, and keeps nothing that is still too large', () => {
  const image = { name: 'b.png', mediaType: 'image/png', base64: 'A'.repeat(4_000_000) };
  storePlayground('user_1', 'acct_1', { ...STATE, conversations: [[{ ...ASKED, image }]] });
  expect(readStoredPlayground('user_1', 'acct_1')?.conversations).toEqual([[{ ...ASKED, image: null }]]);
  storePlayground('user_1', 'acct_1', { ...STATE, draft: 'x'.repeat(4_000_000) });
  expect(readStoredPlayground('user_1', 'acct_1')).toBeNull();
});

it('ignores a state that it cannot read', () => {
  storePlayground('user_1', 'acct_1', STATE);
  const [key = ''] = Object.keys(sessionStorage);
  for (const text of ['{', '{"key":1}']) {
    sessionStorage.setItem(key, text);
    expect(readStoredPlayground('user_1', 'acct_1')).toBeNull();
  }
});
