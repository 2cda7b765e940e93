import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { paths } from '../../../lib/paths.ts';
import { usePasskeySupport } from '../../../lib/passkey.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Section } from '../section.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyItem } from './passkey-item.tsx';

export function Passkeys() {
  const list = useQuery(trpc.passkeys.list.queryOptions());
  const rows = list.data?.passkeys ?? [];
  return (
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, face or PIN, without a password or code. Passkeys are resistant to phishing."
    >
      {list.isPending && <Skeleton className="h-11" />}
      {list.isError && (
        <ErrorState
          title="Passkeys could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {rows.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-b" aria-label="Passkeys">
          {rows.map((row) => (
            <PasskeyItem key={row.id} row={row} />
          ))}
        </ul>
      )}
      {list.isSuccess && <WayToAdd />}
    </Section>
  );
}

/** The add button, or the reason why passkeys are not available. */
function WayToAdd() {
  const { isSupported, origin } = usePasskeySupport();
  if (isSupported) return <AddPasskey />;
  if (origin === null)
    return (
      <Note tone="neutral">
        Passkeys require a host name with HTTPS. The operator sets it in PUBLIC_CONSOLE_URL.
      </Note>
    );
  if (origin === location.origin) return <Note tone="neutral">This browser does not support passkeys.</Note>;
  return (
    <Note tone="neutral">
      Passkeys require a host name. Open the console at{' '}
      <a href={`${origin}${paths.settings}`} className={TEXT_LINK}>
        {origin}
      </a>{' '}
      to add a passkey.
    </Note>
  );
}
