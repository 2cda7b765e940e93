import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../components/ui/card.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { ANSWER_HEADERS, LIMIT_HEADERS, type HeaderRow } from './headers.ts';

const HEAD = 'px-3.5 py-[9px] text-left text-xs font-medium text-ink-3 @max-md:px-2.5';
const CELL = 'px-3.5 py-2.5 align-top @max-md:px-2.5';

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
          Requests refused by a limit or the balance do not count; invalid requests do. Tokens are estimated
          first and corrected when the response is complete. A request larger than the tokens per minute is
          refused with 400. To see the remaining limits of a key, call <Mono>GET /v1/key</Mono> or open the{' '}
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
    <Card className="@container">
      <table className="w-full">
        <caption className="px-3.5 pt-3 pb-1 text-left font-semibold @max-md:px-2.5">{caption}</caption>
        <thead>
          <tr className="border-b">
            <th scope="col" className={HEAD}>
              {isPaired ? 'OpenAI format' : 'Header'}
            </th>
            {isPaired && (
              <th scope="col" className={`${HEAD} hidden @2xl:table-cell`}>
                Anthropic format
              </th>
            )}
            <th scope="col" className={HEAD}>
              Tells
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={row.header}>
              <th scope="row" className={`${CELL} text-left font-normal`}>
                <Mono>{row.header}</Mono>
                {row.anthropic !== undefined && (
                  <div className="mt-1 @2xl:hidden">
                    <Mono>{row.anthropic}</Mono>
                  </div>
                )}
              </th>
              {isPaired && (
                <td className={`${CELL} hidden @2xl:table-cell`}>
                  <Mono>{row.anthropic ?? 'Same'}</Mono>
                </td>
              )}
              <td className={`${CELL} text-ink-2`}>{row.tells}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Mono({ children }: { children: string }) {
  return <code className="font-mono text-[12.5px] break-words text-ink">{children}</code>;
}
