import { beforeEach, expect, it } from 'vitest';
import { queryClient } from '../../lib/query-client.ts';
import { sessionQuery } from '../../lib/session.ts';
import { clearTab } from '../../lib/tab-storage.ts';
import { changePlayground, readPlayground } from './playground-store.ts';

const KEY = { secret: 'sk-secret', origin: 'pasted', expiresAtMs: null } as const;

function signIn(userId: string): void {
  queryClient.setQueryData(
    sessionQuery.queryKey,
    (session) =>
      ({
        accounts: [],
        lastAccountId: null,
        viewing: null,
        ...session,
        user: { id: userId },
      }) as never,
  );
}

/** All that this tab keeps. */
const listStored = () => JSON.stringify(Object.entries(sessionStorage));

beforeEach(() => clearTab(null));

it('keeps the key of a user for their account', () => {
  signIn('user_1');
  changePlayground('acct_1', { key: KEY });
  dispatchEvent(new Event('pagehide'));
  signIn('user_1');
  expect(readPlayground('acct_1').key).toEqual(KEY);
  expect(listStored()).toContain('sk-secret');
});

it('gives nothing to a user whom another tab signed in', () => {
  signIn('user_1');
  changePlayground('acct_1', { key: KEY });
  signIn('user_2');
  dispatchEvent(new Event('pagehide'));
  expect(readPlayground('acct_1').key).toBeNull();
  expect(listStored()).not.toContain('sk-secret');
});
