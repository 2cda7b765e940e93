import type { Buffer } from 'node:buffer';
import type { GatewayError, Result } from '@tollgate/core/errors/errors';
import { mayFitHistory } from '@tollgate/dialects/history/fit-history';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import { FALLBACK_HEADER, readFallbackHeader } from '../pipeline/fallback-header.ts';
import { authorizeModel } from '../pipeline/authorize.ts';
import { getRelayTarget, getTarget, type TranslationTarget } from '../pipeline/encode-for-provider.ts';
import { getHistoryTarget, hasQuirks } from '../pipeline/relayed-history.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { shortageError } from '../request-body/read-limits.ts';
import type { ParsedBody } from '../request-body/parse-body.ts';
import { parseInThread, translateInThread } from '../request-body/parse-in-thread.ts';
import type { PreparedTranslations } from '../request-body/worker/translate-body.ts';
import type { IncomingRequest } from './reject-request.ts';

/** A large body after all slow work was done in threads. */
export interface LargeBody {
  /** Empty if it could not be parsed. */
  body: Buffer;
  parsed: Result<ParsedBody>;
  /** null: it is not changed for any route of its model. */
  prepared: PreparedTranslations | null;
}

interface LargeRequest extends Pick<IncomingRequest, 'spec' | 'key'> {
  exchange: Pick<Exchange, 'header' | 'isDisconnected' | 'startedAtMs'>;
  body: Buffer;
  reservation: BodyReservation;
}

/**
 * Reads a large body in threads, and prepares it for the routes of its model whose providers need it in another form.
 * @param known the body, if it is parsed already
 * @returns null if the caller has disconnected
 */
export async function prepareLargeBody(
  deps: Pick<ApiDeps, 'bodyWorkers' | 'catalogue'>,
  request: LargeRequest,
  known: ParsedBody | null = null,
): Promise<Result<LargeBody> | null> {
  const { exchange, spec, key, reservation } = request;
  const ofCaller = { owner: key.accountId, isWanted: () => !exchange.isDisconnected };
  const read =
    known === null
      ? await parseInThread(deps.bodyWorkers, spec.endpoint, { body: request.body, ...ofCaller })
      : { ok: true as const, value: { body: request.body, parsed: { ok: true as const, value: known } } };
  if (read?.ok !== true) return read;
  const { body, parsed } = read.value;
  const targets = parsed.ok ? listTargets(deps, { ...request, body }, parsed.value) : [];
  if (targets.length === 0) return { ok: true, value: { body, parsed, prepared: null } };
  const translated = await translateInThread(
    deps.bodyWorkers,
    { from: spec.dialect, targets },
    { body, ...ofCaller },
  );
  if (translated?.ok !== true) return translated;
  const { body: back, prepared } = translated.value;
  if (!prepared.ok) return { ok: true, value: { body: back, parsed: prepared, prepared: null } };
  const shortage = reserve(reservation, prepared.value);
  if (shortage !== null) return { ok: false, error: shortage };
  return { ok: true, value: { body: back, parsed, prepared: prepared.value } };
}

/** The providers that a request can need to be changed for; none if the key may not use the model. */
export function listTargets(
  deps: Pick<ApiDeps, 'catalogue'>,
  { key, spec, exchange, body }: Pick<LargeRequest, 'key' | 'spec' | 'exchange' | 'body'>,
  { request, classified, places, historyMarks }: ParsedBody,
): TranslationTarget[] {
  const authorized = authorizeModel(key, request.model, deps.catalogue.current, exchange.startedAtMs);
  if (!authorized.ok) return [];
  const { model } = authorized.value;
  const object = new JsonObjectBytes(body, places);
  /** True if the conversation of a request may change for a provider of the same dialect. */
  const mayChange = (target: TranslationTarget): boolean =>
    hasQuirks(target) || mayFitHistory(object, getHistoryTarget(target), historyMarks);
  const targets = new Map<string, TranslationTarget>();
  for (const each of [model, ...listFallbacks(deps.catalogue.current, model, { key, spec, exchange })])
    for (const route of each.routes) {
      const end = spec.resolveEndpoint(route, classified.members);
      if (end === null) continue;
      const isRelayed = end.dialect === spec.dialect;
      const getFor = isRelayed ? getRelayTarget : getTarget;
      const target = getFor(route, end.dialect, { model: each, key, exchange });
      if (isRelayed && !mayChange(target)) continue;
      targets.set(JSON.stringify(target), target);
    }
  return [...targets.values()];
}

/** The fallback models that the request may go to. */
function listFallbacks(
  catalogue: Catalogue,
  { fallbacks }: Model,
  { key, spec, exchange }: Pick<LargeRequest, 'key' | 'spec' | 'exchange'>,
): Model[] {
  const allowed = readFallbackHeader(exchange.header(FALLBACK_HEADER));
  if (!allowed.ok || !spec.hasStreams) return [];
  return fallbacks.flatMap(({ modelId }) => {
    if (allowed.value?.has(modelId) === false) return [];
    const authorized = authorizeModel(key, modelId, catalogue, exchange.startedAtMs);
    return authorized.ok ? [authorized.value.model] : [];
  });
}

/** Reserves memory for what was prepared. */
function reserve(
  reservation: BodyReservation,
  { translations, conversations }: PreparedTranslations,
): GatewayError | null {
  let bytes = 0;
  for (const { fitted, history } of conversations)
    for (const { text } of [...fitted.messages, ...fitted.tools, ...history.edits]) bytes += text.length;
  for (const { encoded } of translations) if (encoded.ok) bytes += encoded.value.body.length;
  const shortage = reservation.grow(bytes);
  return shortage === null ? null : shortageError(shortage);
}
