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
          When the request ends, the actual cost is charged and the rest is released. Neither is ever
          overdrawn. If a request sets no output token limit and the balance is low, the gateway lowers the
          limit. The <Mono>x-tollgate-max-tokens</Mono> header shows the lowered value. If the limit you set
          costs more than you have, the response is 402. If only holds of in-flight requests block the
          request, the response is 429. You can retry it a moment later.
        </p>
      </Section>
      <Section title="Rates">
        <p>
          Requests and tokens are counted in a sliding window of 60 seconds, per key and per account plan.
          Requests that a rate limit refuses do not count. All others count, including invalid ones and those
          refused with 402. Tokens are estimated first and corrected when the response is complete. A request
          larger than the tokens per minute is refused with 400. To see the remaining limits of a key, call{' '}
          <Mono>GET /v1/key</Mono> or open the{' '}
          <Link to={paths.keys} className={TEXT_LINK}>
            list of API keys
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
      <div className="text-ink-2">{children}</div>
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
