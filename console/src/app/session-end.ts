import { queryClient, setSignedOutHandler } from '../lib/query-client.ts';
import { forgetSession, sessionQuery } from '../lib/session.ts';
import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** If the session ends while a page is open, the user signs in again and returns to that page. */
export function followSessionEnd(): void {
  setSignedOutHandler(() => {
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (session === undefined || session.user === null) return;
    const { href } = router.state.location;
    void leave(href);
  });
}

async function leave(href: string): Promise<void> {
  await forgetSession();
  await router.navigate({ to: paths.signIn, search: { redirect: href, reason: 'expired' } });
}
