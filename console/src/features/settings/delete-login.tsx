import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Note } from '../../components/ui/note.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { trpc, type Deletion } from '../../lib/trpc.ts';
import { DeleteLoginDialog } from './delete-login-dialog.tsx';
import { Section } from './section.tsx';

const OBSTACLES = {
  other_members: (
    <>
      An account that you own has other members.{' '}
      <Link to={paths.team} className={TEXT_LINK}>
        Transfer ownership to one of them
      </Link>{' '}
      first.
    </>
  ),
  last_operator: 'You are the only operator. Make another person an operator first.',
  debt: (
    <>
      The balance is below zero.{' '}
      <Link to={paths.billing} className={TEXT_LINK}>
        Add credit
      </Link>{' '}
      first.
    </>
  ),
  calls_running: 'Requests with your keys are still running. Revoke the keys, or try again in a moment.',
  payment_pending: 'A payment or refund is still being processed. Try again when it is complete.',
} satisfies Record<NonNullable<Deletion['obstacle']>, ReactNode>;

export function DeleteLogin() {
  const deletion = useQuery(trpc.settings.deletion.queryOptions(undefined, { staleTime: 0 }));
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section
      title="Delete account"
      description="Permanently deletes your login and the accounts that you own."
    >
      <ul className="mb-4 list-disc space-y-1 pl-4 text-[13px] text-ink-2">
        <li>All API keys of the accounts that you own stop working within a second.</li>
        <li>
          Your email address, name, sessions, passkeys and saved payment method are erased. Requests,
          payments, ledger entries and key names are kept under a pseudonym for accounting.
        </li>
        <li>The remaining balance is not refunded.</li>
      </ul>
      {deletion.isPending && <Skeleton className="h-[34px] w-40" />}
      {deletion.isError && (
        <ErrorState
          title="This section could not be loaded"
          error={deletion.error}
          onRetry={() => void deletion.refetch()}
        />
      )}
      {deletion.isSuccess &&
        (deletion.data.obstacle === null ? (
          <Button onClick={() => setIsAsking(true)}>Delete account…</Button>
        ) : (
          <Note tone="neutral">{OBSTACLES[deletion.data.obstacle]}</Note>
        ))}
      {deletion.isSuccess && isAsking && (
        <DeleteLoginDialog deletion={deletion.data} onClose={() => setIsAsking(false)} />
      )}
    </Section>
  );
}
