import { explainCode } from '@tollgate/core/errors/explain-code';
import { findDescribedClient, nameClient } from '@tollgate/core/clients/clients';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { formatExactDateTime } from '../../../lib/format/time.ts';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { formatUtcExact } from '../format-clock.ts';
import { describeEstimate } from './describe-estimate.ts';

/** Key facts of a request: error, time, key, model and tokens. */
export function RequestFacts({ request }: { request: RequestDetail }) {
  const startedAt = new Date(request.startedAt);
  return (
    <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-y-2 text-[13px]">
      {request.errorCode !== null && (
        <Fact name="Error">
          <code className="font-mono text-[12.5px] text-danger">{request.errorCode}</code>
          {request.errorMessage !== null && (
            <p className="mt-0.5 wrap-anywhere">
              {request.errorMessage}
              {request.errorParam !== null && (
                <>
                  {' '}
                  <span className="text-ink-3">Parameter:</span>{' '}
                  <code className="font-mono text-[12.5px]">{request.errorParam}</code>
                </>
              )}
            </p>
          )}
          <p className="mt-0.5 text-ink-2">{explainCode(request.errorCode)?.caller}</p>
          {/* Only operators see this cost. */}
          {request.operatorCostNanoUsd !== null && (
            <p className="mt-0.5 text-ink-2">
              <span className="text-ink-3">For operators:</span> {explainCode(request.errorCode)?.operator}
            </p>
          )}
        </Fact>
      )}
      <Fact name="Request ID">
        <span className="flex items-center gap-1">
          <span className="font-mono text-[12.5px] break-all">{request.id}</span>
          <CopyButton
            text={request.id}
            label="Copy ID"
            isIconOnly
            variant="ghost"
            size="icon"
            className="-my-1.5"
          />
        </span>
      </Fact>
      <Fact name="Started">
        <time dateTime={request.startedAt}>{formatExactDateTime(startedAt)}</time>
        <div className="text-[12.5px] text-ink-3">{formatUtcExact(startedAt)}</div>
      </Fact>
      <Fact name="Key">
        <Link
          to={paths.requests}
          search={(current) => ({ ...current, key: request.keyId, request: request.id })}
          className={TEXT_LINK}
          title="Show requests of this key"
        >
          {request.keyName ?? 'deleted key'}
        </Link>
        {request.keyPrefix !== null && (
          <span className="ml-2 font-mono text-[12.5px] text-ink-3">
            {request.keyPrefix}…{request.keyLast4}
          </span>
        )}
      </Fact>
      <Fact name="Client">
        <Client described={request.client} />
      </Fact>
      {request.session !== null && (
        <Fact name="Session">
          <Link
            to={paths.requestSession}
            search={{ session: request.session, request: request.id }}
            className={`${TEXT_LINK} font-mono text-[12.5px] break-all`}
            title="Show this session"
          >
            {request.session}
          </Link>
        </Fact>
      )}
      <Fact name="Model">
        <span className="break-all">{request.model ?? 'unknown'}</span>
        {request.streamed && <Chip className="ml-2">streamed</Chip>}
        {request.requestedModel !== null && (
          <div className="text-[12.5px] break-all text-ink-3">
            Fallback model for {request.requestedModel}
          </div>
        )}
      </Fact>
      <Fact name="Tokens">
        <Tokens request={request} />
      </Fact>
    </dl>
  );
}

/** The program that sent the request, with a link to its other requests. */
function Client({ described }: { described: string | null }) {
  if (described === null) return <span className="text-ink-3">unknown</span>;
  const name = nameClient(described);
  const [family = ''] = described.split(' ', 1);
  return (
    <>
      <Link
        to={paths.requests}
        search={(current) => ({ ...current, client: findDescribedClient(described)?.id ?? family })}
        className={TEXT_LINK}
        title="Show requests of this client"
      >
        {name}
      </Link>
      {name !== described && <span className="ml-2 font-mono text-[12.5px] text-ink-3">{family}</span>}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

const CLASSES = [
  { field: 'cacheRead', label: 'read from cache' },
  { field: 'cacheWrite', label: 'written to cache' },
  { field: 'cacheWrite1h', label: 'written to cache (1 h)' },
] as const;

function Tokens({ request }: { request: RequestDetail }) {
  const { tokens } = request;
  if (request.isOpen) return <span className="text-ink-3">available when the request ends</span>;
  const total = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.cacheWrite1h;
  if (total + tokens.output === 0) return <span className="text-ink-3">none</span>;
  const estimate = describeEstimate(request);
  const cached = CLASSES.filter(({ field }) => tokens[field] > 0);
  return (
    <>
      {formatCount(total)} in · {formatCount(tokens.output)} out
      {cached.map(({ field, label }) => (
        <div key={field} className="text-[12.5px] text-ink-2">
          {formatCount(tokens[field])} {label}
        </div>
      ))}
      {estimate !== null && <div className="text-[12.5px] text-warn">{estimate}</div>}
    </>
  );
}
