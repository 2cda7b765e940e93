import { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { appendResponse, countInstruction } from '@tollgate/dialects/continuation/continuation-request';
import type { SeamRules } from '@tollgate/dialects/continuation/seam';
import type { StreamSoFar } from '@tollgate/dialects/continuation/stream-so-far';
import { findPrefill, type Prefill } from '@tollgate/dialects/continuation/takes-prefill';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { joinBody, type UpstreamBody } from '@tollgate/upstreams/transport/transport';
import type { Route } from '../../catalogue/route.ts';
import type { ExecuteContext } from '../execute-context.ts';
import { Translator } from '../translation.ts';
import type { Delivered } from './continued-usage.ts';

/** The body of a request that is continued is read on the event loop. */
export const MAX_CONTINUED_BODY_BYTES = 1024 * 1024;

/** Members of other dialects that change what a response contains. */
const EXCLUDED = [
  'audio',
  'web_search_options',
  'fallbacks',
  'context_management',
  'container',
  'mcp_servers',
];
const FREE_CHOICES: ReadonlySet<string> = new Set(['auto', 'none']);

/** What is known of the stream that is continued. */
export interface ContinuationState {
  readonly soFar: Pick<StreamSoFar, 'text' | 'openBlock'>;
  readonly delivered: Delivered;
  refusesPrefill(route: Route): boolean;
}

/** The request of an attempt that continues a stream. */
export interface ContinuedRequest {
  context: ExecuteContext;
  prefill: Prefill | null;
  seam: SeamRules;
  /** Input that the provider reads in addition to the caller's, in tokens. */
  addedTokens: number;
}

/** True if the response to a request is plain text, perhaps with calls of the caller's tools. */
export function canBeContinued(request: RelayRequest, canonical: CompletionRequest): boolean {
  const { choices, logprobs, outputFormat, modalities, toolChoice, hostedTools, extra } = canonical;
  return (
    choices === 1 &&
    logprobs === null &&
    outputFormat.type === 'text' &&
    modalities.every((name) => name === 'text') &&
    (toolChoice === null || FREE_CHOICES.has(toolChoice.type)) &&
    hostedTools.length === 0 &&
    request.hasUncountedTools !== true &&
    request.hasCompaction !== true &&
    EXCLUDED.every((name) => extra[name] === undefined || extra[name] === null)
  );
}

/**
 * Builds the request that continues a stream at a route.
 * @returns null if the route cannot take it
 */
export function continueRequest(
  context: ExecuteContext,
  continuation: ContinuationState,
  route: Route,
): ContinuedRequest | null {
  const { spec, members, body, model, key, exchange, request } = context;
  const end = spec.resolveEndpoint(route, members);
  const canonical = context.translator.getRequest()?.canonical;
  const limit = context.outputLimit ?? request.maxOutputTokens;
  const remaining = limit === null ? null : limit - continuation.delivered.usage.outputTokens;
  if (end === null || canonical === undefined || route.provider.kind !== 'http') return null;
  // Its text has ended, and what follows is unknown.
  if (continuation.soFar.openBlock === null) return null;
  // Reasoning needs room in the maximum of the output.
  if (remaining !== null && remaining <= (request.thinkingBudgetTokens ?? 0)) return null;
  const { preset, baseUrl } = route.provider;
  const reasons = canonical.reasoning !== null && canonical.reasoning.type !== 'off';
  const target = { dialect: end.dialect, upstreamModel: route.upstreamModel, preset, baseUrl, reasons };
  const prefill = continuation.refusesPrefill(route) ? null : findPrefill(target);
  const { text: received } = continuation.soFar;
  // Anthropic refuses white space at the end of a message.
  const text = prefill === null ? received : received.trimEnd();
  const appended = { text, isInstructed: prefill === null };
  const continued = appendResponse(spec.dialect, body, appended);
  if (continued === null) return null;
  const source = { from: spec.dialect, body: continued, model, key, exchange, prepared: null };
  const changes = { body: continued, translator: new Translator(source), places: null, historyMarks: null };
  return {
    context: { ...context, ...changes, outputLimit: remaining },
    prefill,
    seam: { mayRepeat: prefill !== 'plain', trimmed: received.slice(received.trimEnd().length) },
    addedTokens: continuation.delivered.usage.outputTokens + countInstruction(appended),
  };
}

/** Marks the message of the assistant that ends the conversation of a chat completion. */
export function markPrefix(body: UpstreamBody): UpstreamBody {
  const parsed = parseJsonObject(joinBody(body).toString('utf8'));
  const messages: unknown = parsed?.['messages'];
  if (parsed === null || !Array.isArray(messages)) return body;
  const last = { ...asObject(messages.at(-1)), prefix: true };
  return Buffer.from(JSON.stringify({ ...parsed, messages: [...messages.slice(0, -1), last] }));
}
