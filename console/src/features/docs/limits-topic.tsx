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
          Before a provider is asked, what the request may cost at most is held of the key’s budget and of the
          account’s balance; when it is over, the true cost is charged and the rest comes free. Neither is
          ever overdrawn. Where a request names no maximum of output tokens and less than the model’s can be
          paid, it is given as many as can be: <Mono>x-tollgate-max-tokens</Mono> says so. Where one is named
          that cannot be paid, the answer is 402. Where only requests under way stand in the way, it is 429,
          and the same request passes a moment later.
        </p>
      </Section>
      <Section title="Rates">
        <p>
          Requests and tokens are counted in a window that slides over the last 60 seconds, for the key and
          for the plan of its account. A request that a limit or the balance refuses does not count; one that
          is rejected as wrong does. Tokens are reserved by what is expected and set right when the answer is
          complete. A request that alone is more than the tokens of a minute can never pass, and is answered
          with 400 at once. <Mono>GET /v1/key</Mono> shows a program what its key has left; the{' '}
          <Link to={paths.keys} className={TEXT_LINK}>
            list of keys
          </Link>{' '}
          tells people.
        </p>
      </Section>
      <HeaderTable caption="Limits in the headers of an answer" rows={LIMIT_HEADERS} isPaired />
      <HeaderTable caption="Other headers of an answer" rows={ANSWER_HEADERS} />
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
  /** Each dialect has a name of its own. */
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
              {isPaired ? 'OpenAI’s dialect' : 'Header'}
            </th>
            {isPaired && (
              <th scope="col" className={`${HEAD} hidden @2xl:table-cell`}>
                Anthropic’s dialect
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
                  <Mono>{row.anthropic ?? 'the same'}</Mono>
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
