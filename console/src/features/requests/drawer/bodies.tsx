import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeError } from '../../../lib/api-error.ts';
import { useRetention } from '../../../lib/retention.ts';
import { useHasRole } from '../../../lib/current-account.ts';
import { useIsViewing } from '../../../lib/session.ts';
import type { RequestDetail, Retention } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { AgainButtons } from './again-buttons.tsx';
import { BodyBlock } from './body-block.tsx';
import { describeAbsence } from './describe-absence.ts';
import { Section } from './section.tsx';
import { isFresh, useBodies } from './use-bodies.ts';

const CLOCK_MS = 1_000;

/** The logged payload, or the reason why it is not shown. */
export function Bodies({ accountId, request }: { accountId: string; request: RequestDetail }) {
  const isMember = useHasRole('member');
  const isAdmin = useHasRole('admin');
  const isViewing = useIsViewing();
  const setting = useRetention('bodies', accountId);
  const bodies = useBodies(accountId, request, isMember && !isViewing);
  if (setting.data === undefined && setting.isPending) return <Loading />;
  if (setting.data === null) {
    return (
      <Absent>
        Not logged: request logging is off.{' '}
        {isAdmin && (
          <Link to={paths.team} hash="bodies" className={TEXT_LINK}>
            Turn on request logging
          </Link>
        )}
      </Absent>
    );
  }
  if (isViewing) return <Absent>Only members of the account can see logged content.</Absent>;
  if (!isMember) return <Absent>Viewers can&rsquo;t see logged content. Ask a member of the account.</Absent>;
  if (request.isOpen) return <Absent>Available when the request ends.</Absent>;
  if (bodies.isPending) return <Loading />;
  if (bodies.data === undefined) {
    return (
      <Absent>
        <span className="text-danger">{describeError(bodies.error)}</span>{' '}
        <Button size="sm" isPending={bodies.isFetching} onClick={() => void bodies.refetch()}>
          Try again
        </Button>
      </Absent>
    );
  }
  const { kept } = bodies.data;
  if (kept === null) return <Unstored request={request} setting={setting.data ?? null} />;
  return (
    <>
      <BodyBlock title="Request" body={kept.request} />
      <AgainButtons accountId={accountId} endpoint={request.endpoint} request={kept.request} />
      {kept.answer === null ? (
        <Section title="Response">
          <p className="text-[13px] text-ink-3">None. The client disconnected before the response.</p>
        </Section>
      ) : (
        <BodyBlock title="Response" body={kept.answer} />
      )}
    </>
  );
}

function Unstored({ request, setting }: { request: RequestDetail; setting: Retention }) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <Absent>
      {isFresh(request, nowMs) ? 'Saving the content…' : describeAbsence(request.startedAt, setting, nowMs)}
    </Absent>
  );
}

function Absent({ children }: { children: ReactNode }) {
  return (
    <Section title="Request and response">
      <p className="text-[13px] text-ink-2">{children}</p>
    </Section>
  );
}

function Loading() {
  return (
    <div>
      <output className="sr-only">Loading the logged content</output>
      <Skeleton className="mb-2 h-3.5 w-20" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
