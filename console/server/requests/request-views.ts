import type { RequestRecordRow } from '@tollgate/db/queries/requests/find-request';
import type { RequestRow } from '@tollgate/db/queries/requests/request-row';
import {
  ATTEMPT_NEXTS,
  ATTEMPT_STOPS,
  type AttemptNext,
  type AttemptStop,
} from '@tollgate/core/money/ledger';
import { z } from 'zod';
import { toCostView, type CostView } from './cost-view.ts';

/** A request as the log lists it. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface RequestListRow {
  id: string;
  startedAt: string;
  /** Position in the log: the newest has the highest. */
  position: string;
  keyId: string;
  keyName: string | null;
  endpoint: string;
  model: string | null;
  streamed: boolean;
  /** True: it is in progress; status, times and cost are not known yet. */
  isOpen: boolean;
  status: number;
  errorCode: string | null;
  /** All that the model read, caches included. */
  inputTokens: number;
  /** The part of them that was read from a cache. */
  cacheReadTokens: number;
  outputTokens: number;
  costNanoUsd: string;
  latencyMs: number;
  firstByteMs: number | null;
  estimated: boolean;
  recovered: boolean;
  /** Family and version of the calling program: `codex_exec 0.171.0`; null: unknown. */
  client: string | null;
  /** The name that the caller gave to its session; null: none. */
  session: string | null;
}

export interface RequestAttempt {
  /** null: that of the request. */
  model: string | null;
  outcome: string;
  status: number | null;
  durationMs: number;
  /** Wait after the end of the previous attempt; 0: none, or unknown. */
  waitMs: number;
  /** Of several credentials of the provider; null: it has one, or shown only to operators. */
  credential: string | null;
  /** What the provider said about the operator's account; null: nothing, or shown only to operators. */
  message: string | null;
  /** How the connection failed, or the text of an error page; null: nothing, or shown only to operators. */
  detail: string | null;
  /** The provider's error type or code; null: none. */
  errorType: string | null;
  /** What the provider said; null: nothing. */
  errorMessage: string | null;
  /** The provider's ID of the request; null: none, or shown only to operators. */
  requestId: string | null;
  /** What followed the failure; null: unknown, or it did not fail. */
  next: AttemptNext | null;
  /** Why nothing followed; null: unknown, or something did. */
  why: AttemptStop | null;
  /** null: providers are shown only to operators. */
  route: { id: string; provider: string; upstreamModel: string } | null;
}

export interface RequestDetail extends Omit<RequestListRow, 'position' | 'inputTokens' | 'cacheReadTokens'> {
  keyPrefix: string | null;
  keyLast4: string | null;
  queueMs: number | null;
  holdMs: number | null;
  connectMs: number | null;
  tokens: { input: number; cacheRead: number; cacheWrite: number; cacheWrite1h: number; output: number };
  heldNanoUsd: string;
  chargesBalance: boolean;
  /** The error message that the caller got; null: none is recorded. */
  errorMessage: string | null;
  /** The member of the request that the error named; null: none. */
  errorParam: string | null;
  /** Empty: no provider was called. */
  attempts: RequestAttempt[];
  /** The model that the request named, if a fallback model was tried last; null: its model. */
  requestedModel: string | null;
  /** Why its first route was the first; null: its model has one route, or shown only to operators. */
  routeChoice: string | null;
  /** The provider's usage object as JSON text; null: none, or shown only to operators. */
  rawUsage: string | null;
  /** Reason of a price mismatch; null: none. */
  priceMismatch: string | null;
  /** The cost that the provider reports; null: none, or shown only to operators. */
  reportedCostNanoUsd: string | null;
  /** null: it had no price, its price is no longer on record, or it is still in progress. */
  cost: CostView | null;
  /** Unbilled cost; null: shown only to operators. */
  operatorCostNanoUsd: string | null;
}

export function toListRow(row: RequestRow): RequestListRow {
  return {
    id: row.id,
    startedAt: row.startedAt.toISOString(),
    position: row.position,
    keyId: row.keyId,
    keyName: row.keyName,
    endpoint: row.endpoint,
    model: row.model,
    streamed: row.streamed,
    isOpen: row.state === 'held',
    status: row.status,
    errorCode: row.errorCode,
    inputTokens: row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens + row.cacheWrite1hTokens,
    cacheReadTokens: row.cacheReadTokens,
    outputTokens: row.outputTokens,
    costNanoUsd: row.costNanoUsd.toString(),
    latencyMs: row.latencyMs,
    firstByteMs: row.firstByteMs,
    estimated: row.estimated,
    recovered: row.recovered,
    client: row.client,
    session: row.session,
  };
}

/** @param reader.isOperator whether providers and their costs are shown */
export function toDetail(record: RequestRecordRow, reader: { isOperator: boolean }): RequestDetail {
  const { request, key } = record;
  return {
    id: request.id,
    startedAt: request.startedAt.toISOString(),
    keyId: request.keyId,
    keyName: key?.name ?? null,
    keyPrefix: key?.prefix ?? null,
    keyLast4: key?.last4 ?? null,
    endpoint: request.endpoint,
    model: request.model,
    streamed: request.streamed,
    isOpen: request.state === 'held',
    status: request.status,
    errorCode: request.errorCode,
    outputTokens: request.outputTokens,
    costNanoUsd: request.costNanoUsd.toString(),
    latencyMs: request.latencyMs,
    firstByteMs: request.firstByteMs,
    queueMs: request.queueMs,
    holdMs: request.holdMs,
    connectMs: request.connectMs,
    estimated: request.estimated,
    recovered: request.recovered,
    client: request.client,
    session: request.session,
    tokens: {
      input: request.inputTokens,
      cacheRead: request.cacheReadTokens,
      cacheWrite: request.cacheWriteTokens,
      cacheWrite1h: request.cacheWrite1hTokens,
      output: request.outputTokens,
    },
    heldNanoUsd: request.heldNanoUsd.toString(),
    chargesBalance: request.chargesBalance,
    errorMessage: request.errorMessage,
    errorParam: request.errorParam,
    attempts: getAttempts(record, reader),
    requestedModel: request.requestedModel,
    routeChoice: reader.isOperator ? request.routeChoice : null,
    // It holds the provider's own price.
    rawUsage: reader.isOperator ? request.rawUsage : null,
    priceMismatch: reader.isOperator ? request.priceMismatch : null,
    reportedCostNanoUsd: reader.isOperator ? (request.reportedCostNanoUsd?.toString() ?? null) : null,
    cost: toCostView(record),
    operatorCostNanoUsd: reader.isOperator ? request.operatorCostNanoUsd.toString() : null,
  };
}

const attemptsSchema = z.array(
  z.object({
    route: z.string(),
    provider: z.string(),
    upstreamModel: z.string(),
    outcome: z.string(),
    status: z.number().nullable(),
    durationMs: z.number(),
    waitMs: z.number().optional(),
    model: z.string().optional(),
    credential: z.string().optional(),
    message: z.string().optional(),
    detail: z.string().optional(),
    errorType: z.string().optional(),
    errorMessage: z.string().optional(),
    requestId: z.string().optional(),
    own: z.boolean().optional(),
    next: z.enum(ATTEMPT_NEXTS).optional().catch(undefined),
    why: z.enum(ATTEMPT_STOPS).optional().catch(undefined),
  }),
);

/** The recorded attempts; a single successful attempt is described by the request itself. */
function getAttempts(
  { request }: RequestRecordRow,
  { isOperator }: { isOperator: boolean },
): RequestAttempt[] {
  const tries = attemptsSchema.catch([]).parse(request.attempts ?? []);
  if (tries.length === 0 && request.provider !== null && request.state === 'settled') {
    tries.push({
      route: request.routeId ?? '',
      provider: request.provider,
      upstreamModel: request.upstreamModel ?? request.model ?? '',
      outcome: request.errorCode ?? 'answered',
      status: null,
      durationMs: Math.max(request.latencyMs - (request.queueMs ?? 0), 0),
      ...(request.providerRequestId !== null && { requestId: request.providerRequestId }),
      own: request.ownCredential,
    });
  }
  return tries.map(({ route, provider, upstreamModel, credential, message, ...rest }) => ({
    outcome: rest.outcome,
    status: rest.status,
    durationMs: rest.durationMs,
    waitMs: rest.waitMs ?? 0,
    model: rest.model ?? null,
    errorType: rest.errorType ?? null,
    errorMessage: rest.errorMessage ?? null,
    next: rest.next ?? null,
    why: rest.why ?? null,
    requestId: isOperator || rest.own === true ? (rest.requestId ?? null) : null,
    credential: isOperator ? (credential ?? null) : null,
    message: isOperator ? (message ?? null) : null,
    detail: isOperator ? (rest.detail ?? null) : null,
    route: isOperator ? { id: route, provider, upstreamModel } : null,
  }));
}
