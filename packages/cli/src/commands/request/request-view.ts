import { formatUsd } from '@tollgate/core/money/money';
import type { InstallationRequest } from '@tollgate/db/queries/requests/find-request';
import { z } from 'zod';
import { iso, usd, whole } from '../../output/format.ts';
import { formatFacts, formatTable } from '../../output/table.ts';

const attemptsSchema = z.array(
  z.object({
    provider: z.string(),
    upstreamModel: z.string(),
    outcome: z.string(),
    status: z.number().nullable(),
    durationMs: z.number(),
  }),
);

type Attempt = z.infer<typeof attemptsSchema>[number];

/** Recorded attempts; empty if the first attempt succeeded, or no provider was called. */
function getAttempts({ request }: InstallationRequest): Attempt[] {
  return attemptsSchema.catch([]).parse(request.attempts ?? []);
}

export function requestJson(found: InstallationRequest) {
  const { request, key, account } = found;
  return {
    id: request.id,
    account: { id: account.id, name: account.name },
    key: { id: request.keyId, name: key?.name ?? null },
    startedAt: iso(request.startedAt),
    endpoint: request.endpoint,
    model: request.model,
    requestedModel: request.requestedModel,
    provider: request.provider,
    upstreamModel: request.upstreamModel,
    streamed: request.streamed,
    client: request.client,
    open: request.state === 'held',
    status: request.state === 'held' ? null : request.status,
    errorCode: request.errorCode,
    latencyMs: request.latencyMs,
    firstByteMs: request.firstByteMs,
    inputTokens: request.inputTokens,
    cacheReadTokens: request.cacheReadTokens,
    cacheWriteTokens: request.cacheWriteTokens,
    cacheWrite1hTokens: request.cacheWrite1hTokens,
    outputTokens: request.outputTokens,
    estimated: request.estimated,
    costUsd: formatUsd(request.costNanoUsd),
    attempts: getAttempts(found),
  };
}

export function requestText(found: InstallationRequest): string {
  const { request, key, account } = found;
  const isOpen = request.state === 'held';
  const input = `${whole(request.inputTokens)} input`;
  const read = `${whole(request.cacheReadTokens)} cache read`;
  const written = `${whole(request.cacheWriteTokens + request.cacheWrite1hTokens)} cache write`;
  const facts = formatFacts([
    ['Request', request.id],
    ['Account', `${account.name} (${account.id})`],
    ['Key', `${key?.name ?? 'deleted'} (${request.keyId})`],
    ['Started', iso(request.startedAt) ?? '-'],
    ['Endpoint', request.endpoint],
    ['Model', request.model ?? 'unknown'],
    ['Provider', request.provider ?? 'none called'],
    ['Status', isOpen ? 'in progress' : String(request.status)],
    ['Error', request.errorCode ?? '-'],
    ['Latency', isOpen ? '-' : `${whole(request.latencyMs)} ms`],
    ['First byte', request.firstByteMs === null ? '-' : `${whole(request.firstByteMs)} ms`],
    ['Tokens', `${input}, ${read}, ${written}, ${whole(request.outputTokens)} output`],
    [isOpen ? 'On hold' : 'Cost', `${usd(request.costNanoUsd)}${request.estimated ? ' (estimated)' : ''}`],
    ['Client', request.client ?? '-'],
  ]);
  const attempts = getAttempts(found);
  return attempts.length === 0 ? facts : `${facts}\n\n${attemptsTable(attempts)}`;
}

const COLUMNS = [
  { title: 'PROVIDER' },
  { title: 'UPSTREAM MODEL' },
  { title: 'OUTCOME' },
  { title: 'STATUS', align: 'right' },
  { title: 'MS', align: 'right' },
] as const;

function attemptsTable(attempts: readonly Attempt[]): string {
  return formatTable(
    COLUMNS,
    attempts.map(({ provider, upstreamModel, outcome, status, durationMs }) => [
      provider,
      upstreamModel,
      outcome,
      status === null ? '-' : String(status),
      whole(durationMs),
    ]),
  );
}
