import { useNavigate } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { paths } from '../../lib/paths.ts';
import { describeError } from '../../lib/api-error.ts';
import { formatRelative } from '../../lib/format/time.ts';
import { refreshSession, useSession } from '../../lib/session.ts';
import { useEndViewing } from '../../lib/use-end-viewing.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../ui/button.tsx';

const CLOCK_MS = 1_000;

/** Says all the while that this is another person's account, that nothing can be changed, and how to leave. */
export function ViewingBanner() {
  const { viewing } = useSession();
  if (viewing === null) return null;
  return <Banner viewing={viewing} />;
}

function Banner({ viewing }: { viewing: { accountId: string; accountName: string; endsAt: string } }) {
  const navigate = useNavigate();
  const nowMs = useNow(CLOCK_MS);
  const endsAt = new Date(viewing.endsAt);
  const hasEnded = endsAt.getTime() <= nowMs;
  useEffect(() => {
    if (hasEnded) void refreshSession();
  }, [hasEnded]);
  const end = useEndViewing(() =>
    navigate({ to: paths.operatorAccount, params: { accountId: viewing.accountId } }),
  );
  return (
    <section
      aria-label="Viewing an account"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warn-line bg-warn-soft px-3 py-2 text-[13px] text-warn"
    >
      <Eye aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 basis-56">
        You are viewing <b className="font-medium break-all">{viewing.accountName}</b> read-only. You cannot
        make changes or send requests. Access ends {formatRelative(endsAt, nowMs)}.
        {end.isError && <span className="block text-danger">{describeError(end.error)}</span>}
      </p>
      <Button size="sm" isPending={end.isPending} onClick={() => end.mutate()}>
        Exit
      </Button>
    </section>
  );
}
