import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors';
import { clampChanges } from '@tollgate/dialects/output-limit';
import { applyTerms, NO_TERMS } from '@tollgate/dialects/contract/body-terms';
import { fitHeader, fitQuery } from '@tollgate/dialects/contract/forwarded-headers';
import { fitFlavour } from '@tollgate/dialects/openai-chat/fit-flavour';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { UpstreamRequest } from '@tollgate/upstreams/transport/transport';
import type { Route, RouteEnd } from '../catalogue/route.ts';
import type { Exchange } from '../exchange.ts';
import type { Face } from '../faces.ts';
import type { RequestTerms } from './request-terms.ts';
import type { TranslatedRequest, Translator } from './translation.ts';

/** What every request to a provider is made from. */
export interface ForwardSource {
  exchange: Exchange;
  face: Face;
  request: RelayRequest;
  body: Buffer;
  translator: Translator;
  /** The maximum of output tokens that the hold covers, to be sent; null: the caller's own goes on as it is. */
  outputLimit: number | null;
  terms: RequestTerms;
  /** True: what the request may cost is held, so the gateway writes what that depends on. */
  isHeld: boolean;
}

export interface ForwardedRequest {
  upstream: UpstreamRequest;
  /** null: the provider speaks the caller's dialect. */
  translated: TranslatedRequest | null;
  /** Members of the request that are not in it, in the caller's terms. */
  dropped: readonly string[];
}

/**
 * Makes the request for one route.
 * @returns an error where the provider's dialect cannot say it; null where the provider takes no such requests
 */
export function forwardTo(source: ForwardSource, route: Route): Result<ForwardedRequest> | null {
  const end = source.face.findEnd(route);
  if (end === null) return null;
  if (end.dialect === source.face.dialect) {
    const { headers, dropped: droppedBetas } = relayedHeaders(source, end);
    const { body, dropped: droppedMembers } = relayedBody(source, route, end);
    const dropped = droppedBetas.length === 0 ? droppedMembers : [...droppedMembers, ...droppedBetas];
    const upstream = upstreamRequest(source, { route, end }, { headers, body });
    return { ok: true, value: { upstream, translated: null, dropped } };
  }
  const translated = source.translator.translate(route, end, source);
  if (!translated.ok) return translated;
  const { body, dropped } = translated.value;
  const upstream = upstreamRequest(source, { route, end }, { headers: end.headers, body });
  return { ok: true, value: { upstream, translated: translated.value, dropped } };
}

function upstreamRequest(
  { exchange, face }: ForwardSource,
  { route, end }: { route: Route; end: RouteEnd },
  sent: { headers: readonly string[]; body: Buffer },
): UpstreamRequest {
  const isRelayed = end.dialect === face.dialect;
  return {
    origin: end.address?.origin ?? '',
    path:
      (end.address?.path ?? (end.dialect === 'anthropic-messages' ? '/messages' : '/chat/completions')) +
      (isRelayed ? fitQuery(end.contract, exchange.query) : ''),
    ...sent,
    timeouts: route.provider.kind === 'http' ? route.provider.timeouts : null,
  };
}

/** The route's own headers, and those of the caller that mean something to a provider of the same dialect. */
function relayedHeaders(
  { exchange, face, terms }: ForwardSource,
  end: RouteEnd,
): { headers: readonly string[]; dropped: readonly string[] } {
  let { headers } = end;
  let dropped = NONE;
  for (const name of face.forwardedHeaders) {
    const given = exchange.header(name);
    if (given === null) continue;
    const fitted = terms.forwardsUnknown
      ? { value: given, dropped: NONE }
      : fitHeader(end.contract, { name, value: given });
    dropped = fitted.dropped.length === 0 ? dropped : [...dropped, ...fitted.dropped];
    if (fitted.value === null) continue;
    headers = [...headers.filter((_, at, all) => !isPairOf(all, at, name)), name, fitted.value];
  }
  return { headers, dropped };
}

/** True for the name and the value of a header in a list of them. */
function isPairOf(list: readonly string[], at: number, name: string): boolean {
  return list[at - (at % 2)] === name;
}

/** The caller's own bytes, except members that must change and members that the provider is known to refuse. */
function relayedBody(
  { face, request, body, outputLimit, isHeld, terms }: ForwardSource,
  route: Route,
  end: RouteEnd,
): { body: Buffer; dropped: readonly string[] } {
  const isRenamed = route.upstreamModel !== request.model;
  const model = isHeld || isRenamed ? { model: JSON.stringify(route.upstreamModel) } : {};
  const stream = isHeld && face.hasStreams ? { stream: JSON.stringify(request.stream) } : {};
  const { provider } = route;
  const flavour = provider.kind === 'http' ? provider.flavour : null;
  const limited =
    outputLimit === null ? {} : clampChanges(end.dialect, flavour, outputLimit, request.limitMembers);
  const changes = { ...request.forwardChanges, ...model, ...stream, ...limited };
  const own = terms.byContract.get(end.contract) ?? NO_TERMS;
  const edited = applyTerms(body, own, changes);
  // Of a server of the operator's own nothing is known: it gets what the caller wrote.
  if (provider.kind !== 'http' || provider.preset === null || end.dialect !== 'openai-chat')
    return { body: edited, dropped: own.dropped };
  const fitted = fitFlavour(edited, provider.flavour);
  return { body: fitted.body, dropped: [...own.dropped, ...fitted.dropped] };
}

const NONE: readonly string[] = [];
