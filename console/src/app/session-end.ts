import { queryClient, setSignedOutHandler } from '../lib/query-client.ts';
import { forgetSession, sessionQuery } from '../lib/session.ts';
import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** Where the session ends under someone's hands, they sign in again and come back to where they were. */
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
