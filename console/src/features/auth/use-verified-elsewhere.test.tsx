import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/query-client.ts';
import { loadSession, sessionQuery, useSession } from '../../lib/session.ts';
import { openConsole, show } from '../../testing/open-console.tsx';
import { useVerifiedElsewhere } from './use-verified-elsewhere.ts';

const app = openConsole();
afterEach(() => vi.useRealTimers());

function Waiting({ email }: { email: string }) {
  useSession();
  useVerifiedElsewhere({ email, redirect: undefined, isIdle: true });
  return null;
}

/** @returns the path that the browser was sent to */
function wait(email: string): () => string {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/verify-email'] }),
  });
  show(
    <RouterContextProvider router={router}>
      <Waiting email={email} />
    </RouterContextProvider>,
  );
  return () => router.history.location.pathname;
}

it.each(['a visitor', 'a user'])('asks for the session once per interval while %s waits', async (who) => {
  const { email } = await app.signIn();
  const session = await loadSession();
  const user = who === 'a user' && session.user !== null ? { ...session.user, emailVerified: false } : null;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  queryClient.setQueryData(sessionQuery.queryKey, { ...session, user });
  const getPath = wait(email);
  expect(vi.getTimerCount()).toBe(1);
  expect(getPath()).toBe('/verify-email');
  await vi.advanceTimersByTimeAsync(6_000);
  await expect.poll(getPath, { timeout: 10_000 }).toBe('/overview');
  expect(vi.getTimerCount()).toBe(0);
});
