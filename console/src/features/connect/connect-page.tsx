import { getClient } from '@tollgate/core/clients/clients';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { ClientCards } from './client-cards.tsx';
import { ClientGuide } from './client-guide.tsx';
import { DEFAULT_CLIENT, type ConnectSearch } from './search.ts';

/** The configuration of each client for this installation, and whether its first request has arrived. */
export function ConnectPage() {
  const account = useCurrentAccount();
  const search = useSearch({ from: '/app/connect' });
  const navigate = useNavigate({ from: '/connect' });
  const change = useCallback(
    (part: Partial<ConnectSearch>) =>
      void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false }),
    [navigate],
  );
  const client = getClient(search.client ?? DEFAULT_CLIENT);
  return (
    <>
      <PageHeader title="Connect">
        Configure a coding agent or an SDK for this installation, and see its first request arrive.
      </PageHeader>
      <ClientCards chosen={client.id} />
      <ClientGuide
        key={account.id}
        accountId={account.id}
        client={client}
        search={search}
        onChange={change}
      />
    </>
  );
}
