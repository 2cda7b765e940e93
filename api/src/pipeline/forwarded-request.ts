import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors';
import { clampChanges } from '@tollgate/dialects/output-limit';
import { editJsonMembers } from '@tollgate/dialects/json/edit-members';
import { fitFlavour } from '@tollgate/dialects/openai-chat/fit-flavour';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { UpstreamRequest } from '@tollgate/upstreams/transport/transport';
import type { Route, RouteEnd } from '../catalogue/route.ts';
import type { Exchange } from '../exchange.ts';
import type { Face } from '../faces.ts';
import type { TranslatedRequest, Translator } from './translation.ts';

/** What every request to a provider is made from. */
export interface ForwardSource {
  exchange: Exchange;
  face: Face;
  request: RelayRequest;
  body: Buffer;
  translator: Translator;
  /** The maximum of output tokens to send in place of none; null: nothing is said. */
  outputLimit: number | null;
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
    const headers = relayedHeaders(source, end);
    const { body, dropped } = relayedBody(source, route, end);
    const upstream = upstreamRequest(source, { route, end }, { headers, body });
    return { ok: true, value: { upstream, translated: null, dropped } };
  }
  const translated = source.translator.translate(route, end.dialect, source.outputLimit);
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
      (isRelayed ? exchange.query : ''),
    ...sent,
    timeouts: route.provider.kind === 'http' ? route.provider.timeouts : null,
  };
}

/** The route's own headers, and those of the caller that mean something to a provider of the same dialect. */
function relayedHeaders({ exchange, face }: ForwardSource, end: RouteEnd): readonly string[] {
  let { headers } = end;
  for (const name of face.forwardedHeaders) {
    const value = exchange.header(name);
    if (value !== null) headers = [...headers.filter((_, at, all) => !isPairOf(all, at, name)), name, value];
  }
  return headers;
}

/** True for the name and the value of a header in a list of them. */
function isPairOf(list: readonly string[], at: number, name: string): boolean {
  return list[at - (at % 2)] === name;
}

/** The caller's own bytes, but for the members that must change and those that the provider is known to refuse. */
function relayedBody(
  { request, body, outputLimit }: ForwardSource,
  route: Route,
  end: RouteEnd,
): { body: Buffer; dropped: readonly string[] } {
  const renamed = route.upstreamModel === request.model ? {} : { model: JSON.stringify(route.upstreamModel) };
  const { provider } = route;
  const flavour = provider.kind === 'http' ? provider.flavour : null;
  const limited = outputLimit === null ? {} : clampChanges(end.dialect, flavour, outputLimit);
  const changes = { ...request.forwardChanges, ...renamed, ...limited };
  const edited = Object.keys(changes).length === 0 ? body : editJsonMembers(body, changes);
  // Of a server of the operator's own nothing is known: it gets what the caller wrote.
  return provider.kind === 'http' && provider.preset !== null && end.dialect === 'openai-chat'
    ? fitFlavour(edited, provider.flavour)
    : { body: edited, dropped: NONE };
}

const NONE: readonly string[] = [];
