import type { RetentionKind } from '@tollgate/core/requests/retention';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { useHasRole } from '../../../lib/current-account.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useRetention } from '../../../lib/retention.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import type { Account, Retention } from '../../../lib/trpc.ts';
import { KeepDialog } from './keep-dialog.tsx';
import { RETENTION_TEXTS } from './retention-texts.ts';
import { StopDialog } from './stop-dialog.tsx';

/** The account's setting for one kind of stored data. The request log links to the one of its payloads. */
export function RetentionCard({ kind, account }: { kind: RetentionKind; account: Account }) {
  const { title } = RETENTION_TEXTS[kind];
  const isAdmin = useHasRole('admin');
  const query = useRetention(kind, account.id);
  const [dialog, setDialog] = useState<{ action: 'keep' | 'stop'; opener: Element | null } | null>(null);
  const open = (action: 'keep' | 'stop') => setDialog({ action, opener: document.activeElement });
  const setting = query.data;
  const isOn = setting !== undefined && setting !== null;
  const rest =
    dialog === null
      ? null
      : { kind, account, onClose: () => setDialog(null), onCloseAutoFocus: returnFocusTo(dialog.opener) };
  return (
    <Card id={kind} className="scroll-mt-4">
      <section aria-label={title} className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-3.5 py-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2 font-medium">
            {title}
            {setting !== undefined && <Chip tone={isOn ? 'ok' : 'neutral'}>{isOn ? 'On' : 'Off'}</Chip>}
          </h2>
          {query.isPending && <Skeleton className="mt-1.5 h-3.5 w-64 max-w-full" />}
          {query.isError && setting === undefined && (
            <p className="mt-0.5 text-[13px] text-danger">{describeError(query.error)}</p>
          )}
          {setting !== undefined && (
            <p className="mt-0.5 text-[13px] text-ink-2">{describeSetting(kind, setting)}</p>
          )}
        </div>
        {isAdmin && setting !== undefined && (
          <div className="flex gap-2">
            <Button size="sm" onClick={() => open('keep')}>
              {isOn ? 'Change…' : 'Turn on…'}
            </Button>
            {isOn && (
              <Button size="sm" onClick={() => open('stop')}>
                Turn off…
              </Button>
            )}
          </div>
        )}
      </section>
      {rest !== null && dialog?.action === 'keep' && <KeepDialog {...rest} setting={setting ?? null} />}
      {rest !== null && dialog?.action === 'stop' && <StopDialog {...rest} />}
    </Card>
  );
}

function describeSetting(kind: RetentionKind, setting: Retention): string {
  const texts = RETENTION_TEXTS[kind];
  if (setting === null) return texts.off;
  const { retentionDays, since } = setting;
  return texts.describe(formatDateTime(new Date(since)), formatPlural(retentionDays, 'day'));
}
