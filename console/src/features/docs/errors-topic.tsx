import { ERROR_TABLE, RECORD_CODES, type ErrorKind } from '@tollgate/core/errors/errors';
import { explainCode } from '@tollgate/core/errors/explain-code';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { cn } from '../../lib/cn.ts';

const MONO = 'font-mono text-[12.5px]';

/** Whether the OpenAI and Anthropic SDKs retry this error automatically: not if it has `x-should-retry: false`. */
function isRetried({ status, retryAfterMs }: ErrorKind): boolean {
  return retryAfterMs !== null && (status === 408 || status === 429 || status >= 500);
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
          a stream, it is an error event. An interrupted stream has no final event. In the OpenAI format, the
          code is in <code className={MONO}>error.code</code>. To find a request in the request log, search
          for the <code className={MONO}>x-request-id</code> header of its response.
        </p>
        <p>
          If a provider rejects a request, you get its status and message. If the gateway translated them to
          the OpenAI format, the code is <code className={MONO}>upstream_rejected</code>.
        </p>
      </div>
      <Card className="mb-4">
        <DataTable
          caption="API errors"
          columns={COLUMNS}
          rows={listErrors()}
          rowKey={({ code }) => code}
          rowId={({ code }) => code}
        />
      </Card>
      <p className="mb-2 max-w-[75ch] text-ink-2">The request log has three more codes:</p>
      <Card>
        <DataTable
          caption="Codes of the request log"
          columns={LOG_COLUMNS}
          rows={RECORD_CODES.map((code) => ({ code, summary: explainCode(code)?.caller ?? '' }))}
          rowKey={({ code }) => code}
          rowId={({ code }) => code}
        />
      </Card>
    </>
  );
}

const COLUMNS: Column<ErrorRow>[] = [
  {
    head: 'Code',
    cell: ({ code }) => <span className={cn(MONO, 'break-all @xl:whitespace-nowrap')}>{code}</span>,
  },
  {
    head: 'Status',
    kind: 'number',
    cell: (row) => (
      <>
        {row.status}
        {isRetried(row) && (
          <div>
            <Chip title="OpenAI and Anthropic SDKs retry this error">SDKs retry</Chip>
          </div>
        )}
      </>
    ),
  },
  { head: 'OpenAI type', kind: 'code', from: '4xl', cell: ({ openaiType }) => openaiType },
  { head: 'Anthropic type', kind: 'code', from: '4xl', cell: ({ anthropicType }) => anthropicType },
  {
    head: 'Cause',
    from: 'xl',
    className: 'text-ink-2',
    cell: ({ summary }) => summary,
    folded: ({ summary }) => <p className="mt-0.5">{summary}</p>,
  },
];

const LOG_COLUMNS: Column<Pick<ErrorRow, 'code' | 'summary'>>[] = [
  { head: 'Code', cell: ({ code }) => <span className={MONO}>{code}</span> },
  { head: 'Cause', className: 'text-ink-2', cell: ({ summary }) => summary },
];

function listErrors(): ErrorRow[] {
  return Object.entries(ERROR_TABLE).map(([code, kind]) => ({
    code,
    ...kind,
    summary: explainCode(code)?.caller ?? '',
  }));
}
