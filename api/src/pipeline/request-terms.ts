/**
 * Holds a request against the contracts of its model's routes before anything is sent: which routes may be sent it, what
 * changes in it on the way, and which rates it needs.
 */
import type { Dialect } from '@tollgate/core/dialect';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors';
import { MAX_TOOL_CALLS } from '@tollgate/core/rates/bound-rates';
import type { RateNeed } from '@tollgate/core/rates/rate-need';
import { decideTerms, NO_TERMS, type BodyTerms } from '@tollgate/dialects/contract/body-terms';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import { crossContract } from '@tollgate/dialects/contract/cross-contract';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import { isSameNeed, type Inspection } from '@tollgate/dialects/contract/inspection';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Route } from '../catalogue/route.ts';
import type { Face } from '../faces.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { resolveNamedModel, type ModelScope } from './named-models.ts';
import type { Translator } from './translation.ts';

/** What the contracts make of one request. */
export interface RequestTerms {
  /** The routes that may be sent it. */
  routes: readonly Route[];
  needs: readonly RateNeed[];
  /** How the body changes for each contract; a contract that is not here changes nothing. */
  byContract: ReadonlyMap<RequestContract, BodyTerms>;
  forwardsUnknown: boolean;
  /** Names that the first route's contract does not know; null: it knows all. */
  reported: { provider: string; members: readonly string[] } | null;
}

export interface TermsSource {
  face: Face;
  request: RelayRequest;
  members: JsonObject;
  key: CachedKey;
  routes: readonly Route[];
  translator: Translator;
  scope: ModelScope;
}

/** True if the plan forwards members that no contract knows: its own setting, else if it charges no money. */
function forwardsUnknownMembers({ plan }: Pick<CachedKey, 'plan'>): boolean {
  return plan.forwardsUnknown ?? (!plan.isPrepaid || plan.pricePpm === 0);
}

/**
 * Reads a request's terms.
 * @returns the first denial if no route may be sent it: `unsupported_parameter`, `invalid_request` or `model_not_allowed`
 */
export function readRequestTerms(source: TermsSource): Result<RequestTerms> {
  const forwardsUnknown = forwardsUnknownMembers(source.key);
  const needs = inputNeeds(source.request);
  const byContract = new Map<RequestContract, BodyTerms>();
  const refused = new Set<Route>();
  let reported: RequestTerms['reported'] = null;
  let isFirst = true;
  let fault: GatewayError | null = null;
  for (const route of source.routes) {
    const end = source.face.findEnd(route);
    if (end === null) continue;
    const isTranslated = end.dialect !== source.face.dialect;
    const contract = isTranslated ? crossContract(source.face.contract, end.contract) : end.contract;
    const found = inspectRequest(source.members, contract);
    if (isFirst && found.reported.length > 0)
      reported = { provider: route.provider.name, members: found.reported };
    isFirst = false;
    if (isQuiet(found)) continue;
    const decided = isTranslated
      ? decideTranslated(source, { route, dialect: end.dialect, contract: end.contract, forwardsUnknown })
      : decideRelayed(source, { route, found, forwardsUnknown });
    if (!decided.ok) {
      fault ??= decided.error;
      refused.add(route);
      continue;
    }
    for (const need of decided.value.needs) addNeed(needs, need);
    if (!isTranslated && decided.value.terms !== NO_TERMS) byContract.set(contract, decided.value.terms);
  }
  const routes = refused.size === 0 ? source.routes : source.routes.filter((route) => !refused.has(route));
  if (routes.length === 0 && fault !== null) return { ok: false, error: fault };
  return { ok: true, value: { routes, needs, byContract, forwardsUnknown, reported } };
}

interface Decided {
  needs: readonly RateNeed[];
  terms: BodyTerms;
}

function decideRelayed(
  { scope }: TermsSource,
  { route, found, forwardsUnknown }: { route: Route; found: Inspection; forwardsUnknown: boolean },
): Result<Decided> {
  const terms = decideTerms(found, { forwardsUnknown });
  if (!terms.ok) return terms;
  const needs = [...found.needs];
  for (const named of found.models) {
    const resolved = resolveNamedModel(named, route, scope);
    if (!resolved.ok) return resolved;
    addNeed(needs, { kind: 'model', model: resolved.value, maxCalls: named.maxCalls });
  }
  return { ok: true, value: { needs, terms: terms.value } };
}

/** Only what the provider would be sent counts: the encoder leaves out what the provider's dialect has no place for. */
function decideTranslated(
  { translator }: TermsSource,
  {
    route,
    dialect,
    contract,
    forwardsUnknown,
  }: { route: Route; dialect: Dialect; contract: RequestContract; forwardsUnknown: boolean },
): Result<Decided> {
  const encoded = translator.encode(route, dialect, null);
  // The attempt itself reports what cannot be said in the provider's dialect.
  if (!encoded.ok) return { ok: true, value: { needs: [], terms: NO_TERMS } };
  const found = inspectRequest(encoded.value.body, contract);
  const terms = decideTerms(found, { forwardsUnknown });
  if (!terms.ok) return terms;
  const [named] = found.models;
  if (named !== undefined) return denyNamed(named.param);
  return { ok: true, value: { needs: found.needs, terms: NO_TERMS } };
}

function denyNamed(param: string): ReturnType<typeof deny> {
  const message = `${param} names another model, which is supported only by providers of the same API format.`;
  return deny('unsupported_parameter', message, { param });
}

function inputNeeds({ hasAudioInput }: RelayRequest): RateNeed[] {
  return hasAudioInput === true ? [{ kind: 'tokens', class: 'audio_input' }] : [];
}

/** Keeps the larger limit of two needs of the same rate: one route answers. */
function addNeed(needs: RateNeed[], need: RateNeed): void {
  const at = needs.findIndex((known) => isSameNeed(known, need));
  const known = needs[at];
  if (known === undefined) needs.push(need);
  else if (callsOf(need) > callsOf(known)) needs[at] = need;
}

function callsOf(need: RateNeed): number {
  if (need.kind !== 'tool_calls' && need.kind !== 'model') return 0;
  return need.maxCalls === undefined ? 1 : (need.maxCalls ?? MAX_TOOL_CALLS);
}

function isQuiet({ fault, needs, models, dropped, unknown, unknownEntries, pinned }: Inspection): boolean {
  if (fault !== null || needs.length > 0 || models.length > 0 || dropped.length > 0) return false;
  if (unknown.length > 0 || unknownEntries.length > 0) return false;
  for (const _ in pinned) return false;
  return true;
}
