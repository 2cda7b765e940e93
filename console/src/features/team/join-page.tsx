import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Note } from '../../components/ui/note.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { describeError, errorCode } from '../../lib/api-error.ts';
import { useIsViewing, useSession } from '../../lib/session.ts';
import { trpc, type LinkedInvitation, type ReceivedInvitation } from '../../lib/trpc.ts';
import { useAnswerInvitation } from '../../lib/use-answer-invitation.ts';
import { useSignOut } from '../../lib/use-sign-out.ts';
import { NewLogin, SignInToJoin } from './join-forms.tsx';
import { ROLE_LABELS, ROLE_RIGHTS } from './roles.ts';

const OVER = {
  accepted: 'It was already accepted.',
  withdrawn: 'It was withdrawn.',
  expired: 'It has expired. Ask for a new invitation.',
} as const;

/** Landing page of an invitation link, with or without a session. */
export function JoinPage() {
  const { token = '' } = useSearch({ from: '/auth/join' });
  const query = useQuery(trpc.team.invitation.queryOptions({ token }));
  if (query.isPending) {
    return (
      <AuthCard title="Invitation">
        <output className="sr-only">Loading</output>
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-9 w-full" />
      </AuthCard>
    );
  }
  if (query.data === undefined) {
    const isMissing = errorCode(query.error) === 'NOT_FOUND';
    return (
      <AuthCard title="Invitation">
        <FormError
          message={
            isMissing
              ? 'This link is incomplete or was replaced. Open the link in the newest email.'
              : describeError(query.error)
          }
        />
        <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
          Try again
        </Button>
      </AuthCard>
    );
  }
  return <Invitation invitation={query.data} token={token} />;
}

interface InvitationProps {
  invitation: LinkedInvitation;
  /** Of the link. */
  token: string;
}

function Invitation({ invitation, token }: InvitationProps) {
  const { user } = useSession();
  const { accountName, invitedByEmail, role, email, state } = invitation;
  const isNewcomer = !invitation.hasLogin && (user === null || (user.email === email && !user.emailVerified));
  if (state !== 'open') {
    return (
      <AuthCard title="This invitation is no longer valid">
        <Note tone="neutral">{OVER[state]}</Note>
        <Button asChild>
          <Link to={paths.home}>{user === null ? 'Sign in' : 'Go to the console'}</Link>
        </Button>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={`Join ${accountName}`}
      description={
        <>
          {invitedByEmail ?? 'A member'} invited you (
          <b className="font-medium break-all text-ink">{email}</b>) as {ROLE_LABELS[role].toLowerCase()} (
          {lowerFirst(ROLE_RIGHTS[role])}).
        </>
      }
    >
      {user !== null && user.email !== email && <OtherPerson email={email} mine={user.email} token={token} />}
      {isNewcomer && <NewLogin email={email} token={token} />}
      {user === null && invitation.hasLogin && <SignInToJoin email={email} token={token} />}
      {user?.email === email && user.emailVerified && <Answer invitation={invitation} />}
    </AuthCard>
  );
}

function OtherPerson({ email, mine, token }: { email: string; mine: string; token: string }) {
  const signOut = useSignOut({ to: paths.join, search: { token } });
  return (
    <>
      <Note tone="warn">
        You are signed in as <b className="font-semibold break-all">{mine}</b>. Only {email} can accept.
      </Note>
      <Button isPending={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </>
  );
}

function Answer({ invitation }: { invitation: ReceivedInvitation }) {
  const navigate = useNavigate();
  const { id: invitationId } = invitation;
  const isViewing = useIsViewing();
  const { accept, decline, error } = useAnswerInvitation(() => navigate({ to: paths.home }));
  if (isViewing)
    return <Note tone="neutral">Exit the account that you are viewing, then open this link again.</Note>;
  return (
    <>
      <FormError message={error === null ? undefined : describeError(error)} />
      <Button variant="primary" isPending={accept.isPending} onClick={() => accept.mutate({ invitationId })}>
        Join account
      </Button>
      <Button isPending={decline.isPending} onClick={() => decline.mutate({ invitationId })}>
        Decline
      </Button>
    </>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
