import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { useResponseSetting } from '../../../lib/response-setting.ts';
import { useHasRole } from '../../../lib/current-account.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import type { Account, ResponseSetting } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { KeepDialog } from './keep-dialog.tsx';
import { StopDialog } from './stop-dialog.tsx';

/** Stored responses of the account, which later requests can continue. */
export function ResponsesCard({ account }: { account: Account }) {
  const isAdmin = useHasRole('admin');
  const query = useResponseSetting(account.id);
  const [dialog, setDialog] = useState<{ kind: 'keep' | 'stop'; opener: Element | null } | null>(null);
  const open = (kind: 'keep' | 'stop') => setDialog({ kind, opener: document.activeElement });
  const setting = query.data;
  const isOn = setting !== undefined && setting !== null;
  const rest =
    dialog === null
      ? null
      : { account, onClose: () => setDialog(null), onCloseAutoFocus: returnFocusTo(dialog.opener) };
  return (
    <Card id="responses" className="scroll-mt-4">
      <section
        aria-label="Stored responses"
        className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-3.5 py-3"
      >
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2 font-medium">
            Stored responses
            {setting !== undefined && <Chip tone={isOn ? 'ok' : 'neutral'}>{isOn ? 'On' : 'Off'}</Chip>}
          </h2>
          {query.isPending && <Skeleton className="mt-1.5 h-3.5 w-64 max-w-full" />}
          {query.isError && setting === undefined && (
            <p className="mt-0.5 text-[13px] text-danger">{describeError(query.error)}</p>
          )}
          {setting !== undefined && (
            <p className="mt-0.5 text-[13px] text-ink-2">{describeSetting(setting)}</p>
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
      {rest !== null && dialog?.kind === 'keep' && <KeepDialog {...rest} setting={setting ?? null} />}
      {rest !== null && dialog?.kind === 'stop' && <StopDialog {...rest} />}
    </Card>
  );
}

function describeSetting(setting: ResponseSetting): string {
  if (setting === null)
    return 'The Responses API stores nothing. Clients send the whole conversation with each request.';
  const { retentionDays, since } = setting;
  return (
    `Responses since ${formatDateTime(new Date(since))} are stored encrypted for ${formatPlural(retentionDays, 'day')}. ` +
    'All keys of the account can read and continue them.'
  );
}
