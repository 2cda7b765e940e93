import { useQuery } from '@tanstack/react-query';
import { Braces, KeyRound, Pencil, Plug, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { ProviderBreakers } from '../breakers/provider-breakers.tsx';
import { useBreakers, type SeenBreakers } from '../breakers/use-breakers.ts';
import type { OperatorProvider } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderHealth } from './provider-health.tsx';
import { RemoveProviderDialog } from './remove-provider-dialog.tsx';
import { TestButton } from './test-button.tsx';

const CLOCK_MS = 30_000;
const REFRESH_MS = 30_000;

/** `provider` is null for a new one. */
type OpenDialog =
  | { kind: 'edit'; provider: OperatorProvider | null }
  | { kind: 'credentials'; provider: OperatorProvider }
  | { kind: 'members'; provider: OperatorProvider }
  | { kind: 'remove'; provider: OperatorProvider };

/** Providers with their health and actions. */
export function ProvidersPage() {
  const nowMs = useNow(CLOCK_MS);
  const list = useQuery(
    trpc.operator.providers.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }),
  );
  const breakers = useBreakers();
  const [dialog, setDialog] = useState<(OpenDialog & { opener: Element | null }) | null>(null);
  const open = (choice: OpenDialog) => setDialog({ ...choice, opener: document.activeElement });
  const closing = {
    onClose: () => setDialog(null),
    onCloseAutoFocus: returnFocusTo(dialog?.opener ?? null),
  };
  const providers = list.data?.providers ?? [];
  return (
    <>
      <PageHeader
        title="Providers"
        action={
          <Button variant="primary" onClick={() => open({ kind: 'edit', provider: null })}>
            Add provider
          </Button>
        }
      >
        Upstream APIs that requests are routed to. Credentials are stored encrypted and never shown again.
      </PageHeader>
      <Card className="@container">
        <DataTable
          list={list}
          failure="The providers could not be loaded"
          caption="Providers, by name"
          columns={columns(open, nowMs, breakers)}
          rows={providers}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={Plug} title="No providers yet">
              Add a known provider, or any server with a supported API format.
            </EmptyState>
          }
        />
      </Card>
      {dialog?.kind === 'edit' && <ProviderDialog provider={dialog.provider} {...closing} />}
      {dialog?.kind === 'credentials' && <CredentialsDialog provider={dialog.provider} {...closing} />}
      {dialog?.kind === 'members' && <MembersDialog providerId={dialog.provider.id} {...closing} />}
      {dialog?.kind === 'remove' && <RemoveProviderDialog provider={dialog.provider} {...closing} />}
    </>
  );
}

function columns(
  open: (choice: OpenDialog) => void,
  nowMs: number,
  breakers: SeenBreakers | null,
): Column<OperatorProvider>[] {
  return [
    {
      head: 'Provider',
      kind: 'main',
      cell: (provider) => (
        <>
          <ProviderName provider={provider} />
          {breakers !== null && <ProviderBreakers providerName={provider.name} breakers={breakers} />}
        </>
      ),
    },
    {
      head: 'Last hour',
      from: 'xl',
      className: 'whitespace-nowrap',
      cell: ({ health }) => <ProviderHealth health={health} nowMs={nowMs} />,
      folded: ({ health }) => <ProviderHealth health={health} nowMs={nowMs} />,
    },
    { head: 'Routes', from: '3xl', kind: 'number', cell: ({ routes }) => formatCount(routes) },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      from: 'xl',
      cell: (provider) => <Actions provider={provider} open={open} />,
      folded: (provider) => (
        <div className="mt-1.5">
          <Actions provider={provider} open={open} />
        </div>
      ),
    },
  ];
}

function ProviderName({ provider }: { provider: OperatorProvider }) {
  const { name, baseUrl, credential, credentials } = provider;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate font-medium">{name}</span>
        {credential.kind === 'env' && <Chip>{credential.variable}</Chip>}
        {credentials.count > 1 && <Chip>{formatCount(credentials.count)} credentials</Chip>}
        {credentials.setAside > 0 && (
          <Chip tone={credentials.setAside < credentials.count ? 'warn' : 'bad'}>
            {formatPlural(credentials.setAside, 'credential')} set aside
          </Chip>
        )}
        {credential.kind === 'none' && baseUrl !== null && <Chip tone="warn">no credential</Chip>}
      </div>
      <div
        className={cn('truncate text-[12.5px] text-ink-3', baseUrl !== null && 'font-mono')}
        title={baseUrl ?? undefined}
      >
        {baseUrl ?? 'built in'}
      </div>
      <ConnectionNote provider={provider} />
    </>
  );
}

function Actions({ provider, open }: { provider: OperatorProvider; open: (choice: OpenDialog) => void }) {
  const { name, baseUrl, credential } = provider;
  return (
    <div className="flex gap-1 @xl:justify-end">
      {baseUrl !== null && (
        <>
          <TestButton provider={provider} />
          {credential.kind !== 'none' && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Credentials of ${name}`}
              title="Credentials"
              onClick={() => open({ kind: 'credentials', provider })}
            >
              <KeyRound aria-hidden className="size-4" />
            </Button>
          )}
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Request fields for ${name}`}
            title="Request fields"
            onClick={() => open({ kind: 'members', provider })}
          >
            <Braces aria-hidden className="size-4" />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Edit ${name}`}
            onClick={() => open({ kind: 'edit', provider })}
          >
            <Pencil aria-hidden className="size-4" />
          </Button>
        </>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove ${name}`}
        onClick={() => open({ kind: 'remove', provider })}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
