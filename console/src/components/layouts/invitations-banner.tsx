import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';

/** Few people have an invitation: the first page does not wait for it. */
const InvitationRow = lazy(async () => ({
  default: (await import('./invitation-row.tsx')).InvitationRow,
}));

const FRESH_MS = 60_000;

/** What another person waits for: who has just signed up to join an account finds it here. */
export function InvitationsBanner() {
  const { viewing } = useSession();
  const { data } = useQuery(trpc.team.invitationsToMe.queryOptions(undefined, { staleTime: FRESH_MS }));
  const invitations = data?.invitations ?? [];
  if (invitations.length === 0 || viewing !== null) return null;
  return (
    <section aria-label="Invitations" className="mb-5 grid gap-2">
      <Suspense fallback={null}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Suspense>
    </section>
  );
}
