import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeError } from '../../../lib/api-error.ts';
import { useBodySetting } from '../../../lib/body-setting.ts';
import { useHasRole } from '../../../lib/current-account.ts';
import { useIsViewing } from '../../../lib/session.ts';
import type { BodySetting, RequestDetail } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { BodyBlock } from './body-block.tsx';
import { describeAbsence } from './describe-absence.ts';
import { Section } from './section.tsx';
import { isFresh, useBodies } from './use-bodies.ts';

const CLOCK_MS = 1_000;

/** What was asked and answered, where the account keeps it and the person may read it; else why there is nothing. */
export function Bodies({ accountId, request }: { accountId: string; request: RequestDetail }) {
  const isMember = useHasRole('member');
  const isAdmin = useHasRole('admin');
  const isViewing = useIsViewing();
  const setting = useBodySetting(accountId);
  const bodies = useBodies(accountId, request, isMember && !isViewing);
  if (setting.data === undefined && setting.isPending) return <Loading />;
  if (setting.data === null) {
    return (
      <Absent>
        Not stored: this account keeps no bodies.{' '}
        {isAdmin && (
          <Link to={paths.team} hash="bodies" className={TEXT_LINK}>
            Keep them from now on
          </Link>
        )}
      </Absent>
    );
  }
  if (isViewing) return <Absent>For the account&rsquo;s own people: not shown while you look at it.</Absent>;
  if (!isMember) return <Absent>Kept, for members of the account: a viewer may not read it.</Absent>;
  if (request.isOpen) return <Absent>Stored when the request is over.</Absent>;
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
      {kept.answer === null ? (
        <Section title="Answer">
          <p className="text-[13px] text-ink-3">None: the caller left before there was one.</p>
        </Section>
      ) : (
        <BodyBlock title="Answer" body={kept.answer} />
      )}
    </>
  );
}

function Unstored({ request, setting }: { request: RequestDetail; setting: BodySetting }) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <Absent>
      {isFresh(request, nowMs) ? 'It is being stored.' : describeAbsence(request.startedAt, setting, nowMs)}
    </Absent>
  );
}

function Absent({ children }: { children: ReactNode }) {
  return (
    <Section title="Request and answer">
      <p className="text-[13px] text-ink-2">{children}</p>
    </Section>
  );
}

function Loading() {
  return (
    <div>
      <output className="sr-only">Loading what was asked and answered</output>
      <Skeleton className="mb-2 h-3.5 w-20" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
