import { CLIENTS } from '@tollgate/core/clients/clients';
import type { Client, ClientId } from '@tollgate/core/clients/client';
import { Link } from '@tanstack/react-router';
import { Code, SquareTerminal, Terminal, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../lib/cn.ts';

const KINDS: Readonly<Record<Client['kind'], { icon: LucideIcon; label: string }>> = {
  agent: { icon: SquareTerminal, label: 'Coding agent' },
  sdk: { icon: Code, label: 'SDK' },
  shell: { icon: Terminal, label: 'Shell' },
};

/** Every client as a card; a filter shortens the list. */
export function ClientCards({ chosen }: { chosen: ClientId }) {
  const [text, setText] = useState('');
  const found = CLIENTS.filter((client) => isFound(client, text));
  return (
    <section aria-label="Clients" className="mb-5 grid gap-3">
      <SearchField label="Filter clients" placeholder="Filter clients" value={text} onSearch={setText} />
      {found.length === 0 ? (
        <p className="py-4 text-ink-2">
          No client matches “{text}”. Any program with the format of OpenAI or Anthropic works: select an SDK.
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-2">
          {found.map((client) => (
            <li key={client.id}>
              <ClientCard client={client} isChosen={client.id === chosen} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ClientCard({ client, isChosen }: { client: Client; isChosen: boolean }) {
  const { icon: Icon, label } = KINDS[client.kind];
  return (
    <Link
      to={paths.connect}
      search={(current) => ({ ...current, client: client.id })}
      replace
      resetScroll={false}
      aria-current={isChosen ? 'page' : undefined}
      className={cn(
        'flex h-full items-center gap-2.5 rounded-xl border px-3 py-2.5 shadow-card transition-colors duration-100',
        isChosen ? 'border-accent bg-accent-soft' : 'bg-surface hover:bg-sunken',
      )}
    >
      <Icon
        aria-hidden
        strokeWidth={1.7}
        className={cn('size-[18px] shrink-0', isChosen ? 'text-accent' : 'text-ink-3')}
      />
      <span className="min-w-0">
        <span className="block truncate font-medium">{client.title}</span>
        <span className="block truncate text-xs text-ink-2">{label}</span>
      </span>
    </Link>
  );
}

function isFound({ id, title, kind }: Client, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const described = `${id} ${title} ${KINDS[kind].label}`.toLowerCase();
  return words.every((word) => described.includes(word));
}
