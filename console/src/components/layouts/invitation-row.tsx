import { Mail } from 'lucide-react';
import { describeError } from '../../lib/api-error.ts';
import type { ReceivedInvitation } from '../../lib/trpc.ts';
import { useAnswerInvitation } from '../../lib/use-answer-invitation.ts';
import { Button } from '../ui/button.tsx';

/** One invitation with its two answers. */
export function InvitationRow({ invitation }: { invitation: ReceivedInvitation }) {
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
