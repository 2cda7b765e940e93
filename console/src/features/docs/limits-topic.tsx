import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Card } from '../../components/ui/card.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { ANSWER_HEADERS, LIMIT_HEADERS, type HeaderRow } from './headers.ts';

export function LimitsTopic() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Section title="Money">
        <p>
          Before each request, its maximum cost is put on hold in the key’s budget and the account’s balance.
          When the request ends, its actual cost is charged and the rest is released. Budget and balance are
          never overdrawn.
        </p>
        <p>
          If the balance is low, the gateway limits the output of requests that set no limit. The{' '}
          <Mono>x-tollgate-max-tokens</Mono> header shows this limit.
        </p>
        <p>
          The response is 402 if the maximum cost is more than you have. It is 429 if other requests only hold
          the money for the moment: try again.
        </p>
      </Section>
      <Section title="Rates">
        <p>
          Requests and tokens of the last 60 seconds count, per key and for all keys of the account. Requests
          that a rate limit rejects do not count. All others do, including invalid ones and those rejected
          with 402.
        </p>
        <p>
          Tokens are estimated first and corrected when the response is complete. A request that alone exceeds
          the tokens per minute is rejected with 400.
        </p>
        <p>
          To see the remaining limits of a key, call <Mono>GET /v1/key</Mono> or open it under{' '}
          <Link to={paths.keys} className={TEXT_LINK}>
            API keys
          </Link>
          .
        </p>
      </Section>
      <HeaderTable caption="Rate limit headers" rows={LIMIT_HEADERS} isPaired />
      <HeaderTable caption="Other response headers" rows={ANSWER_HEADERS} />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="max-w-[75ch]">
      <h2 className="mb-1 font-semibold">{title}</h2>
      <div className="grid gap-2 text-ink-2">{children}</div>
    </section>
  );
}

interface HeaderTableProps {
  caption: string;
  rows: readonly HeaderRow[];
  /** The headers have one name per dialect. */
  isPaired?: boolean;
}

function HeaderTable({ caption, rows, isPaired = false }: HeaderTableProps) {
  return (
    <Card>
      <DataTable
        caption={caption}
        isCaptionShown
        columns={isPaired ? [OPENAI, ANTHROPIC, MEANING] : [{ ...OPENAI, head: 'Header' }, MEANING]}
        rows={rows}
        rowKey={({ header }) => header}
      />
    </Card>
  );
}

const OPENAI: Column<HeaderRow> = { head: 'OpenAI format', cell: ({ header }) => <Mono>{header}</Mono> };

const ANTHROPIC: Column<HeaderRow> = {
  head: 'Anthropic format',
  from: '2xl',
  cell: ({ anthropic }) => <Mono>{anthropic ?? 'Same'}</Mono>,
  folded: ({ anthropic }) =>
    anthropic !== undefined && (
      <div className="mt-1">
        <Mono>{anthropic}</Mono>
      </div>
    ),
};

const MEANING: Column<HeaderRow> = {
  head: 'Meaning',
  className: 'text-ink-2',
  cell: ({ text }) => text,
};

function Mono({ children }: { children: string }) {
  return <code className="font-mono text-[12.5px] break-words text-ink">{children}</code>;
}
