/**
 * Checks a request against the contracts of its model's routes before anything is sent: which routes are allowed, which
 * members change, and which rates it needs.
 */
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { MAX_TOOL_CALLS } from '@tollgate/core/money/rates/bound-rates';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import {
  decideTerms,
  NO_TERMS,
  type BodyTerms,
  type TermsPolicy,
} from '@tollgate/dialects/contract/body-terms';
import { toCallerError } from '@tollgate/dialects/caller-param';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import { findUnknownBetas } from '@tollgate/dialects/contract/forwarded-headers';
import { crossContract } from '@tollgate/dialects/contract/cross-contract';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import { findModelChooser } from '@tollgate/dialects/contract/model-choosers';
import { needOfModel } from '@tollgate/dialects/contract/search-models';
import { addNeed, withLargerResults, type Inspection } from '@tollgate/dialects/contract/inspection';
import type { ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import { asObject } from '@tollgate/dialects/json/parse-object';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Route } from '../catalogue/route.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { resolveNamedModel, type ModelScope } from './named-models.ts';
import { RequestHold } from './request-hold.ts';
import type { Translator } from './translation.ts';

/** The result of checking a request against the contracts. */
export interface RequestTerms {
  /** The routes that the request may be sent to. */
  routes: readonly Route[];
  needs: readonly RateNeed[];
  /** Body changes per contract; a contract without an entry changes nothing. */
  byContract: ReadonlyMap<RequestContract, BodyTerms>;
  policy: TermsPolicy;
  /** True: a provider may run tools whose calls nothing limits or counts. */
  hasUncountedTools: boolean;
  /** True: a provider may run the model once more to compact the conversation. */
  hasCompaction: boolean;
  /** True: it names what was uploaded to one account at a provider, that of its first credential. */
  namesUploads: boolean;
}

export interface TermsSource {
  spec: EndpointSpec;
  request: RelayRequest;
  classified: ClassifiedBody;
  /** Reads a request header; null: not set. */
  header: (name: string) => string | null;
  key: CachedKey;
  routes: readonly Route[];
  translator: Translator;
  scope: ModelScope;
  /** Denies needs that lack a rate; null: a missing rate refuses nothing. */
  findRates: ((needs: readonly RateNeed[]) => Result<unknown>) | null;
  /** Called with members unknown to the first route's contract, even if the request is denied. */
  onUnknown: (provider: string, members: readonly string[]) => void;
}

/** True if requests on the plan cost its account money. */
function chargesMoney({ plan }: Pick<CachedKey, 'plan'>): boolean {
  return plan.isPrepaid && plan.pricePpm !== 0;
}

/** Unknown members are forwarded as the plan says, else only if it charges no money. */
function getPolicy(key: CachedKey): TermsPolicy {
  return {
    forwardsUnknown: key.plan.forwardsUnknown ?? !chargesMoney(key),
    chargesMoney: chargesMoney(key),
    maxToolCalls: RequestHold.isNeeded(key) ? MAX_TOOL_CALLS : null,
  };
}

/**
 * Reads a request's terms.
 * @returns the first denial if no route is allowed: `unsupported_parameter`, `invalid_request` or `model_not_allowed`
 */
export function readRequestTerms(source: TermsSource): Result<RequestTerms> {
  const policy = getPolicy(source.key);
  const needs = inputNeeds(source.request);
  let byContract: Map<RequestContract, BodyTerms> | null = null;
  let refused: Set<Route> | null = null;
  let isFirst = true;
  let error: GatewayError | null = null;
  let hasRefusedTool = false;
  let isUnrated = false;
  let inexpressible: Set<Route> | null = null;
  const turns = { hasUncountedTools: false, hasCompaction: false, namesUploads: false };
  for (const route of source.routes) {
    const end = source.spec.resolveEndpoint(route, source.classified.members);
    if (end === null) continue;
    const isTranslated = end.dialect !== source.spec.dialect;
    const contract = isTranslated ? crossContract(source.spec.contract, end.contract) : end.contract;
    const { members, conversation } = source.classified;
    const found = inspectRequest(members, contract, conversation);
    if (isFirst) {
      const betas = isTranslated
        ? []
        : findUnknownBetas(contract, source.spec.forwardedHeaders, source.header);
      const unknown = betas.length === 0 ? found.reported : [...found.reported, ...betas];
      if (unknown.length > 0) source.onUnknown(route.provider.name, unknown);
    }
    isFirst = false;
    const ownNeed = end.dialect === 'openai-chat' ? needOfModel(route.upstreamModel) : null;
    // What makes a provider run its model again may be left out by the translation.
    const mayRunAgain = isTranslated && (found.hasUncountedTools || found.hasCompaction);
    if (!mayRunAgain && isQuiet(found)) {
      noteTurns(turns, found);
      if (ownNeed !== null) addLarger(needs, ownNeed);
      continue;
    }
    const decided = isTranslated
      ? decideTranslated(source, {
          route,
          dialect: end.dialect,
          contract: end.contract,
          policy,
          asked: found,
        })
      : decideRelayed(source, { route, found, policy });
    if (!decided.ok) {
      error ??= decided.error;
      hasRefusedTool ||= isAboutTools(decided.error);
      (refused ??= new Set()).add(route);
      continue;
    }
    const missing = findMissingRate(source, decided.value);
    if (missing !== null) {
      error ??= missing;
      isUnrated = true;
      (refused ??= new Set()).add(route);
      // Another route does not waive the rates of what is no tool.
      for (const need of decided.value.needs) if (need.kind !== 'tool_calls') addLarger(needs, need);
      continue;
    }
    if (decided.value.isInexpressible === true) (inexpressible ??= new Set()).add(route);
    noteTurns(turns, decided.value.sent);
    for (const need of decided.value.needs) addLarger(needs, need);
    if (ownNeed !== null) addLarger(needs, ownNeed);
    if (isTranslated || decided.value.terms === NO_TERMS) continue;
    byContract ??= new Map();
    byContract.set(contract, decided.value.terms);
  }
  let routes = refused === null ? source.routes : withoutAny(source.routes, refused);
  // A translation may drop the tool that was refused, so it is no way around the refusal.
  if (hasRefusedTool) routes = routes.filter((route) => isRelayed(source, route));
  // A route that cannot be sent the request would hide which rate is missing.
  if (isUnrated && inexpressible !== null) routes = withoutAny(routes, inexpressible);
  if (routes.length === 0 && error !== null) return { ok: false, error };
  return {
    ok: true,
    value: { routes, needs, byContract: byContract ?? NO_CHANGES, policy, ...turns },
  };
}

const TOOLS_PARAM = /(?:^|\.)tools?(?:\.|$)/;

function isRelayed({ spec, classified }: TermsSource, route: Route): boolean {
  return spec.resolveEndpoint(route, classified.members)?.dialect === spec.dialect;
}

function isAboutTools({ param }: GatewayError): boolean {
  return param !== undefined && TOOLS_PARAM.test(param);
}

/** Notes what makes the model of a route run more than once, and what needs a certain credential. */
function noteTurns(
  turns: Pick<RequestTerms, 'hasUncountedTools' | 'hasCompaction' | 'namesUploads'>,
  { hasUncountedTools, hasCompaction, namesUploads }: Inspection,
): void {
  turns.hasUncountedTools ||= hasUncountedTools;
  turns.hasCompaction ||= hasCompaction;
  turns.namesUploads ||= namesUploads;
}

const NO_CHANGES: ReadonlyMap<RequestContract, BodyTerms> = new Map();

function withoutAny(routes: readonly Route[], refused: ReadonlySet<Route>): readonly Route[] {
  return routes.filter((route) => !refused.has(route));
}

interface Decided {
  needs: readonly RateNeed[];
  terms: BodyTerms;
  /** The request as the provider gets it. */
  sent: Inspection;
  /** True: the request cannot be translated for the route. */
  isInexpressible?: boolean;
}

/** The denial of a tool that the provider would run without a rate; null: none. */
function findMissingRate({ findRates }: TermsSource, { needs }: Decided): GatewayError | null {
  const ofTools = needs.filter(({ kind }) => kind === 'tool_calls');
  const rates = findRates === null || ofTools.length === 0 ? null : findRates(ofTools);
  return rates === null || rates.ok ? null : rates.error;
}

function decideRelayed(
  { scope }: TermsSource,
  { route, found, policy }: { route: Route; found: Inspection; policy: TermsPolicy },
): Result<Decided> {
  const terms = decideTerms(found, policy);
  if (!terms.ok) return terms;
  const chooser = policy.forwardsUnknown && isLimited(scope.key) ? findChooser(found) : null;
  if (chooser !== null) return denyChooser(chooser);
  const needs = [...found.needs];
  for (const named of found.models) {
    const resolved = resolveNamedModel(named, route, scope);
    if (!resolved.ok) return resolved;
    addLarger(needs, { kind: 'model', model: resolved.value, maxCalls: named.maxCalls });
  }
  return { ok: true, value: { needs, terms: terms.value, sent: found } };
}

/** True for a key that may use only some models. */
function isLimited({ allowedModelSet, planModelSet }: CachedKey): boolean {
  return allowedModelSet !== null || planModelSet !== null;
}

function findChooser({ unknown, members }: Inspection): string | null {
  for (const name of unknown) {
    const dot = name.indexOf('.');
    const value = dot < 0 ? members[name] : asObject(members[name.slice(0, dot)])?.[name.slice(dot + 1)];
    const chooser = findModelChooser(name, value);
    if (chooser !== null) return chooser;
  }
  return null;
}

function denyChooser(param: string): ReturnType<typeof deny> {
  const message = `${param} is not supported because it may select a model that this key cannot use. Remove it, or ask the gateway's operator to allow it.`;
  return deny('unsupported_parameter', message, { param });
}

/** Only what would be sent counts: the encoder leaves out what the provider's dialect does not support. */
function decideTranslated(
  { translator, spec }: TermsSource,
  {
    route,
    dialect,
    contract,
    policy,
    asked,
  }: {
    route: Route;
    dialect: Dialect;
    contract: RequestContract;
    policy: TermsPolicy;
    asked: Inspection;
  },
): Result<Decided> {
  const encoded = translator.classify(route, dialect);
  // The attempt itself reports what the provider's dialect cannot express.
  if (!encoded.ok)
    return { ok: true, value: { needs: [], terms: NO_TERMS, sent: asked, isInexpressible: true } };
  const found = inspectRequest(encoded.value.members, contract, encoded.value.conversation);
  const [named] = found.models;
  const judged = decideTerms(found, policy);
  const terms = judged.ok && named !== undefined ? denyNamed(named.param) : judged;
  if (terms.ok) return { ok: true, value: { needs: found.needs, terms: NO_TERMS, sent: found } };
  return { ok: false, error: spec.dialect === null ? terms.error : toCallerError(spec.dialect, terms.error) };
}

function denyNamed(param: string): ReturnType<typeof deny> {
  const message = `${param} names another model, which is supported only by providers of the same API format.`;
  return deny('unsupported_parameter', message, { param });
}

function inputNeeds({ hasAudioInput }: RelayRequest): RateNeed[] {
  return hasAudioInput === true ? [{ kind: 'tokens', class: 'audio_input' }] : [];
}

/** Keeps the larger limit of two needs for the same rate: only one route answers. */
function addLarger(needs: RateNeed[], need: RateNeed): void {
  addNeed(needs, need, (known) =>
    withLargerResults(
      getCalls(need) > getCalls(known) ? { ...known, ...need } : { ...need, ...known },
      known,
      need,
    ),
  );
}

function getCalls(need: RateNeed): number {
  if (need.kind !== 'tool_calls' && need.kind !== 'model') return 0;
  return need.maxCalls === undefined ? 1 : (need.maxCalls ?? MAX_TOOL_CALLS);
}

function isQuiet(found: Inspection): boolean {
  const { error, needs, models, dropped, unknown, unknownEntries, restricted, pinned } = found;
  if (error !== null || needs.length > 0 || models.length > 0 || dropped.length > 0) return false;
  if (restricted.length > 0 || unknown.length > 0 || unknownEntries.length > 0) return false;
  for (const _ in pinned) return false;
  return true;
}
