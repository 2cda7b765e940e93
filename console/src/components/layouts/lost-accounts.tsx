import { useEffect, useRef } from 'react';
import { toast } from '../../lib/toast.ts';
import { useSession } from '../../lib/session.ts';

/** Says so when the person loses their place in an account while its pages are open: they go on in another. */
export function LostAccounts() {
  const session = useSession();
  const known = useRef(session);
  useEffect(() => {
    const { user, accounts, viewing } = known.current;
    known.current = session;
    if (session.user === null || session.user.id !== user?.id) return;
    // Who looks at an account of another person's comes and goes.
    if (viewing !== null || session.viewing !== null) return;
    const ids = new Set(session.accounts.map(({ id }) => id));
    for (const { id, name } of accounts) {
      if (!ids.has(id)) toast.info(`You are no longer a member of ${name}`);
    }
  }, [session]);
  return null;
}
