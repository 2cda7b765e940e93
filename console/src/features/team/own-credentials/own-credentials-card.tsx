import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { useHasRole } from '../../../lib/current-account.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { trpc, type Account, type OwnCredential } from '../../../lib/trpc.ts';
import { OwnCredentialDialog } from './own-credential-dialog.tsx';
import { RemoveOwnCredentialDialog } from './remove-own-credential-dialog.tsx';
import { TestOwnCredential } from './test-own-credential.tsx';

const MODES = {
  first:
    'Used first. If it is refused or rate limited, requests use the gateway’s credentials at model prices.',
  only: 'Used exclusively. If it is refused or rate limited, requests fail. Its models use no other provider.',
} as const;

interface OpenDialog {
  kind: 'set' | 'remove';
  provider: OwnCredential;
  opener: Element | null;
}

/** The account's own credentials for providers that allow them; nothing if none does. */
export function OwnCredentialsCard({ account }: { account: Account }) {
  const isAdmin = useHasRole('admin');
  const list = useQuery(trpc.ownCredentials.list.queryOptions({ accountId: account.id }));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const providers = list.data?.providers ?? [];
  if (providers.length === 0) return null;
  const open = (kind: OpenDialog['kind'], provider: OwnCredential) =>
    setDialog({ kind, provider, opener: document.activeElement });
  const closing = {
    accountId: account.id,
    onClose: () => setDialog(null),
    onCloseAutoFocus: returnFocusTo(dialog?.opener ?? null),
  };
  return (
    <Card id="own-credentials" className="scroll-mt-4">
      <section aria-label="Provider credentials">
        <div className="px-3.5 py-3">
          <h2 className="font-medium">Provider credentials</h2>
          <p className="mt-0.5 text-[13px] text-ink-2">
            Requests with your own credential are billed by the provider. This gateway charges only the fee of
            your plan.
          </p>
        </div>
        <ul className="divide-y border-t">
          {providers.map((provider) => (
            <li
              key={provider.providerId}
              className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-3.5 py-3"
            >
              <Description provider={provider} />
              {isAdmin && (
                <Actions
                  accountId={account.id}
                  provider={provider}
                  onSet={() => open('set', provider)}
                  onRemove={() => open('remove', provider)}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
      {dialog?.kind === 'set' && <OwnCredentialDialog provider={dialog.provider} {...closing} />}
      {dialog?.kind === 'remove' && <RemoveOwnCredentialDialog provider={dialog.provider} {...closing} />}
    </Card>
  );
}

function Description({ provider: { name, credential, isAllowed } }: { provider: OwnCredential }) {
  return (
    <div className="min-w-0 flex-1 basis-64">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        {credential !== null && isAllowed && <Chip tone="ok">Attached</Chip>}
        {credential !== null && !isAllowed && <Chip tone="bad">No longer allowed</Chip>}
      </h3>
      <p className="mt-0.5 text-[13px] text-ink-2">
        {credential === null
          ? 'No credential attached.'
          : `${MODES[credential.mode]} Changed ${formatDateTime(new Date(credential.changedAt))}.`}
      </p>
    </div>
  );
}

interface ActionsProps {
  accountId: string;
  provider: OwnCredential;
  onSet: () => void;
  onRemove: () => void;
}

function Actions({ accountId, provider, onSet, onRemove }: ActionsProps) {
  const { name, credential, isAllowed } = provider;
  return (
    <div className="flex gap-2">
      {credential !== null && isAllowed && <TestOwnCredential accountId={accountId} provider={provider} />}
      {isAllowed && (
        <Button
          size="sm"
          aria-label={credential === null ? `Attach credential for ${name}` : `Change credential for ${name}`}
          onClick={onSet}
        >
          {credential === null ? 'Attach…' : 'Change…'}
        </Button>
      )}
      {credential !== null && (
        <Button size="sm" aria-label={`Remove credential for ${name}`} onClick={onRemove}>
          Remove…
        </Button>
      )}
    </div>
  );
}
