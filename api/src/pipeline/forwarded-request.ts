import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { clampChanges } from '@tollgate/dialects/output-limit';
import { editsOfTerms, NO_TERMS } from '@tollgate/dialects/contract/body-terms';
import { fitHeader, fitQuery } from '@tollgate/dialects/contract/forwarded-headers';
import { JsonObjectBytes, type MemberEdits } from '@tollgate/dialects/json/edit-members';
import { withHistory } from '@tollgate/dialects/history/fit-history';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import type { MemberPlaces } from '@tollgate/dialects/json/member-places';
import { applyModelRules } from '@tollgate/dialects/model-rules/fit-model-rules';
import {
  applyProviderQuirks,
  readMembers,
} from '@tollgate/dialects/openai-chat/quirks/apply-provider-quirks';
import {
  readReasoningSetting,
  REASONING_MEMBERS,
  type ReasoningSetting,
} from '@tollgate/dialects/reasoning-setting';
import { hasOutput } from '@tollgate/dialects/usage/billed-parts';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { UpstreamBody, UpstreamRequest } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route, UpstreamEndpoint } from '../catalogue/route.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { BodyMemory } from '../request-body/body-memory.ts';
import { MIN_FREED_BYTES } from '../request-body/worker/free-memory.ts';
import type { RequestTerms } from './request-terms.ts';
import { fitRelayedHistory } from './relayed-history.ts';
import type { LikelyOutput } from './likely-output.ts';
import type { TranslatedRequest, Translator } from './translation.ts';
import { BROKEN_GATEWAY } from './upstream-failure.ts';

/** The inputs of every request to a provider. */
export interface ForwardSource {
  exchange: Exchange;
  spec: EndpointSpec;
  request: RelayRequest;
  body: Buffer;
  /** Counts the calls that send the body; null: its memory is not freed with the request. */
  bodyMemory: BodyMemory | null;
  /** The members of the body, without the conversation. */
  members: JsonObject;
  /** Where the members of a large body are; null: unknown. */
  places: MemberPlaces | null;
  /** The marks in a large body, as `findHistoryMarks` returns them; null: not searched. */
  historyMarks: readonly string[] | null;
  translator: Translator;
  /** Maximum output tokens covered by the hold, to be sent; null: the caller's own is forwarded unchanged. */
  outputLimit: number | null;
  terms: RequestTerms;
  settlement: { readonly output: Pick<LikelyOutput, 'usualMode'> };
  /** True: the maximum cost is held, so the gateway writes the members that determine it. */
  isHeld: boolean;
}

export interface ForwardedRequest {
  upstream: UpstreamRequest;
  /** null: the provider speaks the caller's dialect. */
  translated: TranslatedRequest | null;
  /** Request members that were left out, in the caller's terms. */
  dropped: readonly string[];
  /** As the sent body sets it; null: not set, so that the model decides. */
  reasoning: ReasoningSetting | null;
}

/** Like `forwardTo`, but never throws: its callers run in callbacks that could not answer the request after an exception. */
export function tryForward(
  source: ForwardSource & { log: Logger },
  route: Route,
): Result<ForwardedRequest> | null {
  try {
    return forwardTo(source, route);
  } catch (error) {
    const { requestId } = source.exchange;
    source.log.error({ err: error, requestId }, 'a request could not be written for its provider');
    return { ok: false, error: BROKEN_GATEWAY };
  }
}

/**
 * Builds the request for one route.
 * @returns an error if the provider's dialect cannot express it; null if the provider does not support the endpoint
 */
function forwardTo(source: ForwardSource, route: Route): Result<ForwardedRequest> | null {
  const end = source.spec.resolveEndpoint(route, source.members);
  if (end === null) return null;
  if (end.dialect === source.spec.dialect) {
    const { headers, dropped: droppedBetas } = relayedHeaders(source, end);
    const relayed = relayedBody(source, route, end);
    if (!relayed.ok) return relayed;
    const { body, dropped: droppedMembers, reasoning } = relayed.value;
    const dropped = droppedBetas.length === 0 ? droppedMembers : [...droppedMembers, ...droppedBetas];
    const upstream = upstreamRequest(source, { route, end }, { headers, body });
    upstream.bodyUse = source.bodyMemory?.begin() ?? null;
    return { ok: true, value: { upstream, translated: null, dropped, reasoning } };
  }
  const translated = source.translator.translate(route, end, source);
  if (!translated.ok) return translated;
  const { body, dropped, reasoning } = translated.value;
  const upstream = upstreamRequest(source, { route, end }, { headers: end.headers, body });
  return { ok: true, value: { upstream, translated: translated.value, dropped, reasoning } };
}

function upstreamRequest(
  { exchange, spec }: ForwardSource,
  { route, end }: { route: Route; end: UpstreamEndpoint },
  sent: { headers: readonly string[]; body: UpstreamBody },
): UpstreamRequest {
  const isRelayed = end.dialect === spec.dialect;
  return {
    origin: end.address?.origin ?? '',
    path:
      (end.address?.path ?? (end.dialect === 'anthropic-messages' ? '/messages' : '/chat/completions')) +
      (isRelayed ? fitQuery(end.contract, exchange.query) : ''),
    ...sent,
    timeouts: route.provider.kind === 'http' ? route.provider.timeouts : null,
  };
}

/** The route's own headers, and the caller's headers that a provider of the same dialect understands. */
function relayedHeaders(
  { exchange, spec, terms }: ForwardSource,
  end: UpstreamEndpoint,
): { headers: readonly string[]; dropped: readonly string[] } {
  let { headers } = end;
  let dropped: readonly string[] = NONE;
  for (const name of spec.forwardedHeaders) {
    const given = exchange.header(name);
    if (given === null) continue;
    const fitted = terms.policy.forwardsUnknown
      ? { value: given, dropped: NONE }
      : fitHeader(end.contract, { name, value: given });
    dropped = fitted.dropped.length === 0 ? dropped : [...dropped, ...fitted.dropped];
    if (fitted.value === null) continue;
    headers = [...headers.filter((_, at, all) => !isPair(all, at, name)), name, fitted.value];
  }
  return { headers, dropped };
}

/** True for the name and value of a header in a list of them. */
function isPair(list: readonly string[], at: number, name: string): boolean {
  return list[at - (at % 2)] === name;
}

/** The caller's bytes, except members that must change or that the provider is known to refuse. */
function relayedBody(
  source: ForwardSource,
  route: Route,
  end: UpstreamEndpoint,
): Result<{ body: UpstreamBody; dropped: readonly string[]; reasoning: ReasoningSetting | null }> {
  const {
    spec,
    request,
    body,
    members,
    places,
    historyMarks,
    outputLimit,
    isHeld,
    terms,
    translator,
    settlement,
  } = source;
  const isRenamed = route.upstreamModel !== request.model;
  const changes: Record<string, string> = { ...request.forwardChanges };
  // If held, also without another name: a provider that reads the caller's escapes differently gets the priced name.
  if (isHeld || isRenamed) changes['model'] = JSON.stringify(route.upstreamModel);
  if (isHeld && spec.hasStreams) changes['stream'] = request.stream ? 'true' : 'false';
  const { provider } = route;
  const quirks = provider.kind === 'http' ? provider.quirks : null;
  if (outputLimit !== null)
    Object.assign(changes, clampChanges(end.dialect, quirks, outputLimit, request.limitMembers));
  const own = terms.byContract.get(end.contract) ?? NO_TERMS;
  const object = new JsonObjectBytes(body, places);
  const relayed = translator.getRelayTarget(route, end.dialect);
  const prepared = translator.findConversation(route, end.dialect);
  const target = {
    dialect: end.dialect,
    quirks: relayed.quirks,
    model: route.upstreamModel,
    isCount: !hasOutput(spec.endpoint),
  };
  const conversation = prepared?.fitted ?? null;
  const applied = applyProviderQuirks(object, editsOfTerms(own, changes), target, conversation);
  if (!applied.ok) return applied;
  const history = prepared?.history ?? fitRelayedHistory(object, relayed, historyMarks);
  const kept = withHistory(applied.value.edits, history);
  const { edits, dropped: changed } = applyModelRules(members, kept, target);
  const dropped = joinNames(own.dropped, applied.value.dropped, history.dropped, changed);
  return {
    ok: true,
    value: {
      body: applyEdits(object, edits),
      dropped,
      reasoning:
        settlement.output.usualMode === 'none' ? null : readSetting(request.reasoning, object, edits),
    },
  };
}

/** What is left of the caller's reasoning setting after the edits. */
function readSetting(
  given: RelayRequest['reasoning'],
  body: JsonObjectBytes,
  edits: MemberEdits,
): ReasoningSetting | null {
  if (given === null || given === undefined) return null;
  const isEdited = REASONING_MEMBERS.some(
    (name) => edits.drops.includes(name) || edits.changes[name] !== undefined,
  );
  if (!isEdited) return given;
  return readReasoningSetting(readMembers(body, edits, REASONING_MEMBERS));
}

/** Joins a small body so that it is sent in one write. */
function applyEdits(object: JsonObjectBytes, edits: MemberEdits): UpstreamBody {
  const { drops, changes, inside = NONE } = edits;
  if (drops.length === 0 && inside.length === 0 && Object.keys(changes).length === 0) return object.bytes;
  // The memory of the body is freed with the request, that of a copy at a collection of the whole heap.
  return object.bytes.length < MIN_FREED_BYTES ? object.edit(edits) : { pieces: object.editInPieces(edits) };
}

function joinNames(...lists: readonly (readonly string[])[]): readonly string[] {
  const [only = NONE, ...others] = lists.filter((names) => names.length > 0);
  return others.length === 0 ? only : [...new Set([only, ...others].flat())];
}

const NONE: readonly never[] = [];
