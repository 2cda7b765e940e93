import { explainCode } from '@tollgate/core/errors/explain-code';
import { ATTEMPT_NEXTS, ATTEMPT_STOPS } from '@tollgate/core/money/ledger';
import { formatUsd } from '@tollgate/core/money/money';
import { describeDecision } from '@tollgate/core/requests/describe-decision';
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
    waitMs: z.number().optional(),
    credential: z.string().optional(),
    requestId: z.string().optional(),
    errorType: z.string().optional(),
    errorMessage: z.string().optional(),
    message: z.string().optional(),
    detail: z.string().optional(),
    next: z.enum(ATTEMPT_NEXTS).optional().catch(undefined),
    why: z.enum(ATTEMPT_STOPS).optional().catch(undefined),
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
    errorMessage: request.errorMessage,
    errorParam: request.errorParam,
    session: request.session,
    providerRequestId: request.providerRequestId,
    latencyMs: request.latencyMs,
    firstByteMs: request.firstByteMs,
    inputTokens: request.inputTokens,
    cacheReadTokens: request.cacheReadTokens,
    cacheWriteTokens: request.cacheWriteTokens,
    cacheWrite1hTokens: request.cacheWrite1hTokens,
    outputTokens: request.outputTokens,
    estimated: request.estimated,
    costUsd: formatUsd(request.costNanoUsd),
    attempts: getAttempts(found).map((attempt) => ({ ...attempt, decision: getDecision(attempt) })),
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
    ...describeError(request),
    ['Latency', isOpen ? '-' : `${whole(request.latencyMs)} ms`],
    ['First byte', request.firstByteMs === null ? '-' : `${whole(request.firstByteMs)} ms`],
    ['Tokens', `${input}, ${read}, ${written}, ${whole(request.outputTokens)} output`],
    [isOpen ? 'On hold' : 'Cost', `${usd(request.costNanoUsd)}${request.estimated ? ' (estimated)' : ''}`],
    ['Client', request.client ?? '-'],
    ['Session', request.session ?? '-'],
    ['Provider request', request.providerRequestId ?? '-'],
  ]);
  const attempts = getAttempts(found);
  if (attempts.length === 0) return facts;
  const notes = attempts.flatMap((attempt, index) => describeAttempt(attempt, index + 1));
  return [facts, attemptsTable(attempts), ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n');
}

/** What the caller got, and what it means to an operator. */
function describeError({ errorCode, errorMessage, errorParam }: InstallationRequest['request']) {
  const meaning = errorCode === null ? null : (explainCode(errorCode)?.operator ?? null);
  const lines: [string, string | null][] = [
    ['Message', errorMessage],
    ['Parameter', errorParam],
    ['Meaning', meaning],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]));
}

/** In the words of the console's request drawer. */
function getDecision({ next, why }: Attempt): string | null {
  return describeDecision({ next: next ?? null, why: why ?? null });
}

/** What the provider said in an attempt, and what the gateway did then. */
function describeAttempt(attempt: Attempt, number: number): string[] {
  const { errorType, errorMessage, message, detail, requestId, credential, waitMs } = attempt;
  const decision = getDecision(attempt);
  const said = [errorType, errorMessage, message, detail].filter((text) => text !== undefined).join(': ');
  const parts = [
    said,
    decision ?? '',
    requestId === undefined ? '' : `Provider request ${requestId}.`,
    credential === undefined ? '' : `Credential ${credential}.`,
    waitMs === undefined ? '' : `Started after a wait of ${whole(waitMs)} ms.`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  return [`${number}. ${parts.map((part) => (part.endsWith('.') ? part : `${part}.`)).join(' ')}`];
}

const COLUMNS = [
  { title: '#', align: 'right' },
  { title: 'PROVIDER' },
  { title: 'UPSTREAM MODEL' },
  { title: 'OUTCOME' },
  { title: 'STATUS', align: 'right' },
  { title: 'MS', align: 'right' },
] as const;

function attemptsTable(attempts: readonly Attempt[]): string {
  return formatTable(
    COLUMNS,
    attempts.map(({ provider, upstreamModel, outcome, status, durationMs }, index) => [
      String(index + 1),
      provider,
      upstreamModel,
      outcome,
      status === null ? '-' : String(status),
      whole(durationMs),
    ]),
  );
}
