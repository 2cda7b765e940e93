import { describeDecision } from '@tollgate/core/requests/describe-decision';
import { explainCode } from '@tollgate/core/errors/explain-code';
import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import type { RequestDetail } from '../../../lib/trpc.ts';

/** Everything that support needs to find and understand a request, as plain text. It has no prompt and no response. */
export function renderSupportText(request: RequestDetail, accountId: string): string {
  const { errorCode } = request;
  const lines: (readonly [string, string | null])[] = [
    ['Request', request.id],
    ['Account', accountId],
    ['Key', describeKey(request)],
    ['Started', `${request.startedAt} (UTC)`],
    ['Endpoint', `POST ${request.endpoint}${request.streamed ? ', streamed' : ''}`],
    ['Model', describeModel(request)],
    ['Client', request.client],
    ['Session', request.session],
    ['Status', request.isOpen ? 'in progress' : String(request.status)],
    ['Error', errorCode],
    ['Message', request.errorMessage],
    ['Parameter', request.errorParam],
    ['Meaning', errorCode === null ? null : (explainCode(errorCode)?.caller ?? null)],
    ['Latency', request.isOpen ? null : `${request.latencyMs} ms`],
    ['First byte', request.firstByteMs === null ? null : `${request.firstByteMs} ms`],
    ['Checks and limits', request.queueMs === null ? null : `${request.queueMs} ms`],
  ];
  const facts = lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const attempts = request.attempts.map((attempt, index) => `${index + 1}. ${describeAttempt(attempt)}`);
  return [...facts, ...(attempts.length === 0 ? [] : ['Attempts:', ...attempts])].join('\n');
}

function describeKey({ keyId, keyName, keyPrefix, keyLast4 }: RequestDetail): string {
  const shown = keyPrefix === null ? 'deleted' : `${keyName ?? ''} ${keyPrefix}…${keyLast4 ?? ''}`.trim();
  return `${keyId} (${shown})`;
}

function describeModel({ model, requestedModel }: RequestDetail): string | null {
  return requestedModel === null ? model : `${model ?? 'unknown'} (fallback model for ${requestedModel})`;
}

function describeAttempt(attempt: RequestDetail['attempts'][number]): string {
  const { route, status, waitMs, errorType, errorMessage, message, detail, requestId } = attempt;
  const isNamed = status === null || attempt.outcome === `status_${status}`;
  const parts = [
    describeOutcome(attempt.outcome) + (isNamed ? '' : ` (HTTP ${status})`),
    `${attempt.durationMs} ms`,
    waitMs > 0 ? `after a wait of ${waitMs} ms` : null,
    requestId === null ? null : `provider request ${requestId}`,
    route === null ? null : `${route.provider} ${route.upstreamModel} ${route.id}`,
  ];
  const said = [errorType, errorMessage, message, detail].filter((text) => text !== null).join(': ');
  return [parts.filter((part) => part !== null).join(', '), said, describeDecision(attempt) ?? '']
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('.') ? part : `${part}.`))
    .join(' ');
}
