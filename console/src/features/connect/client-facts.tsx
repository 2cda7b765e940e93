import type { Client } from '@tollgate/core/clients/client';
import type { ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';

/** What works with a client, its known limits, and the tested version. */
export function ClientFacts({ client }: { client: Client }) {
  const { notes } = client;
  return (
    <Card className="p-4 text-[13px]">
      <h2 className="mb-2.5 font-semibold">About {client.title}</h2>
      <dl className="grid gap-2.5">
        <Fact name="Endpoint">
          <code className="font-mono text-[12.5px]">{client.endpoint}</code>
        </Fact>
        {client.install !== null && (
          <Fact name="Install">
            <code className="font-mono text-[12.5px] break-words">{client.install}</code>
          </Fact>
        )}
        <Fact name="Same API format">{notes.native}</Fact>
        <Fact name="Translated">{notes.translated}</Fact>
        <Fact name="Limits">
          <ul className="grid gap-1">
            {notes.limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </Fact>
        <Fact name="Tested version">
          {client.testedVersion} ·{' '}
          <a href={client.docs} target="_blank" rel="noreferrer" className={TEXT_LINK}>
            Documentation
          </a>
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="text-ink-2">{children}</dd>
    </div>
  );
}
