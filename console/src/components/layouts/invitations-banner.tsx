import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { describeError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { trpc, type ReceivedInvitation } from '../../lib/trpc.ts';
import { useAnswerInvitation } from '../../lib/use-answer-invitation.ts';
import { Button } from '../ui/button.tsx';

const FRESH_MS = 60_000;

/** What another person waits for: who has just signed up to join an account finds it here. */
export function InvitationsBanner() {
  const { viewing } = useSession();
  const { data } = useQuery(trpc.team.invitationsToMe.queryOptions(undefined, { staleTime: FRESH_MS }));
  const invitations = data?.invitations ?? [];
  if (invitations.length === 0 || viewing !== null) return null;
  return (
    <section aria-label="Invitations" className="mb-5 grid gap-2">
      {invitations.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} />
      ))}
    </section>
  );
}

function Invitation({ invitation }: { invitation: ReceivedInvitation }) {
  const { id: invitationId, accountName, invitedByEmail, role } = invitation;
  const { accept, decline, error } = useAnswerInvitation(() => undefined);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-accent-line bg-accent-soft px-3.5 py-2.5">
      <Mail aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-60 text-[13px] break-words">
        {invitedByEmail ?? 'A member'} invited you to <b className="font-semibold">{accountName}</b> as {role}
        .
        {error !== null && (
          <span role="alert" className="block text-danger">
            {describeError(error)}
          </span>
        )}
      </p>
      <div className="flex gap-2">
        <Button
          size="sm"
          variant="primary"
          isPending={accept.isPending}
          onClick={() => accept.mutate({ invitationId })}
        >
          Join
        </Button>
        <Button size="sm" isPending={decline.isPending} onClick={() => decline.mutate({ invitationId })}>
          Decline
        </Button>
      </div>
    </div>
  );
}
