import { ERROR_SUMMARIES } from '@tollgate/core/errors/error-summaries';
import { ERROR_TABLE, type ErrorKind } from '@tollgate/core/errors/errors';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { cn } from '../../lib/cn.ts';

const HEAD = 'px-3.5 py-[9px] text-left text-xs font-medium text-ink-3 @max-md:px-2.5';
const CELL = 'px-3.5 py-2.5 align-top @max-md:px-2.5';
const MONO = 'font-mono text-[12.5px]';

/** Whether the OpenAI and Anthropic SDKs retry this status automatically. */
function isRetried(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

interface ErrorRow extends ErrorKind {
  code: string;
  summary: string;
}

/** All API errors, from the table that the API uses. */
export function ErrorsTopic() {
  return (
    <>
      <div className="mb-4 grid max-w-[75ch] gap-2 text-ink-2">
        <p>
          Errors use the API format of the request. Before a stream starts, an error is an HTTP status; during
          a stream, it is an error event. A stream that breaks off has no final event. In the OpenAI format,
          the code is in <code className={MONO}>error.code</code>. Use the{' '}
          <code className={MONO}>x-request-id</code> header of the response to find it in the request log.
        </p>
        <p>
          If a provider rejects a request, you get its status and message. In a translated response in the
          OpenAI format, the code is <code className={MONO}>upstream_rejected</code>.
        </p>
      </div>
      <Card className="@container">
        <table className="w-full">
          <caption className="sr-only">API errors</caption>
          <thead>
            <tr className="border-b">
              <th scope="col" className={HEAD}>
                Code
              </th>
              <th scope="col" className={cn(HEAD, 'text-right')}>
                Status
              </th>
              <th scope="col" className={cn(HEAD, 'hidden @4xl:table-cell')}>
                OpenAI type
              </th>
              <th scope="col" className={cn(HEAD, 'hidden @4xl:table-cell')}>
                Anthropic type
              </th>
              <th scope="col" className={cn(HEAD, 'hidden @xl:table-cell')}>
                When
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {listErrors().map((row) => (
              <ErrorTableRow key={row.code} row={row} />
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

function ErrorTableRow({ row }: { row: ErrorRow }) {
  return (
    <tr id={row.code}>
      <th scope="row" className={cn(CELL, 'text-left font-normal')}>
        <span className={cn(MONO, 'break-all @xl:whitespace-nowrap')}>{row.code}</span>
        <p className="mt-0.5 text-[12.5px] text-ink-2 @xl:hidden">{row.summary}</p>
      </th>
      <td className={cn(CELL, 'text-right whitespace-nowrap')}>
        {row.status}
        {isRetried(row.status) && (
          <div>
            <Chip title="SDKs retry these automatically">Retried</Chip>
          </div>
        )}
      </td>
      <td className={cn(CELL, MONO, 'hidden @4xl:table-cell')}>{row.openaiType}</td>
      <td className={cn(CELL, MONO, 'hidden @4xl:table-cell')}>{row.anthropicType}</td>
      <td className={cn(CELL, 'hidden text-ink-2 @xl:table-cell')}>{row.summary}</td>
    </tr>
  );
}

function listErrors(): ErrorRow[] {
  const summaries = new Map<string, string>(Object.entries(ERROR_SUMMARIES));
  return Object.entries(ERROR_TABLE).map(([code, kind]) => ({
    code,
    ...kind,
    // Strip Markdown backticks.
    summary: (summaries.get(code) ?? '').replaceAll('`', ''),
  }));
}
