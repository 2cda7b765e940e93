import type { Dialect } from '@tollgate/core/models/dialect';
import { BASE_CONTRACTS, type RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { needsResponses } from '@tollgate/dialects/model-rules/needs-responses';
import type { CatalogueRows } from '@tollgate/db/queries/catalogue/catalogue';
import {
  getAddress,
  completionAddress,
  providerHeaders,
  type ProviderAddress,
} from '@tollgate/upstreams/provider-request';
import type { HttpProvider, Provider } from '@tollgate/upstreams/provider';

/** Where and how a route sends requests of one dialect. */
export interface UpstreamEndpoint {
  dialect: Dialect;
  /** null: the demo provider, in this process. */
  address: ProviderAddress | null;
  /** Name, value, name, value, …: the headers of every request on the route. */
  headers: readonly string[];
  /** How its requests are classified. */
  contract: RequestContract;
}

/** A credential of a provider, without its value. */
export interface RouteCredential {
  id: string;
  label: string;
  /** Changes with its value, and when it is used again after it was set aside. */
  version: number;
  /** When its provider refused it, so that it is used only if no other one is left; null: it is usable. */
  setAsideAtMs: number | null;
}

/** A provider with one of its credentials. */
export interface CredentialedProvider {
  provider: Provider;
  endpoints: ProviderEndpoints;
  /** null: the demo provider. */
  credential: RouteCredential | null;
  weight: number;
}

/** The endpoints of a provider; routes with the same credential share them. */
export interface ProviderEndpoints {
  /** The dialects of the provider; never empty, its main dialect first. */
  ends: readonly [UpstreamEndpoint, ...UpstreamEndpoint[]];
  /** Where it counts the tokens of Anthropic messages; null: not supported. */
  countTokens: UpstreamEndpoint | null;
  /** Where it counts the tokens of requests of the Responses API; null: not supported. */
  inputTokens: UpstreamEndpoint | null;
  /** Where it creates embeddings in OpenAI's format; null: not supported. */
  embeddings: UpstreamEndpoint | null;
}

/** One way to reach a model, with everything that does not depend on the request. */
export interface Route extends ProviderEndpoints {
  /** Its own state, such as its circuit breaker, has this id: `routeId`, and a credential if it is not the first one. */
  id: string;
  routeId: string;
  provider: Provider;
  /** null: the demo provider. */
  credential: RouteCredential | null;
  /** The route with each credential of its provider; null: there is only one. */
  byCredential: readonly Route[] | null;
  /** True: another route differs only in the credential. */
  isOneOfSeveral: boolean;
  /** True: it has a credential of the account, which its provider bills. */
  isOwn: boolean;
  upstreamModel: string;
  /** Other names that the provider reports for the model. */
  servedNames: readonly string[];
  /** The context window of its upstream model; null: that of the model. */
  contextTokens: number | null;
  /** What its provider costs, in parts per million of the model's price. */
  costPpm: number;
  priority: number;
  weight: number;
}

/** @param providers its provider, once with each credential */
export function toRoute(
  row: CatalogueRows['routes'][number],
  providers: readonly [CredentialedProvider, ...CredentialedProvider[]],
): Route {
  const [first] = providers;
  const route = toRouteWith(row, first, row.weight);
  if (providers.length === 1) return route;
  const byCredential = providers.map((each) => ({
    ...toRouteWith(row, each, each.weight),
    isOneOfSeveral: true,
  }));
  return { ...route, byCredential };
}

function toRouteWith(
  row: CatalogueRows['routes'][number],
  { provider, credential, endpoints }: CredentialedProvider,
  weight: number,
): Route {
  const isFirst = provider.kind === 'demo' || credential === null || credential.id === provider.id;
  return {
    id: isFirst ? row.id : joinRouteId(row.id, credential.id),
    routeId: row.id,
    provider,
    credential,
    byCredential: null,
    isOneOfSeveral: false,
    isOwn: false,
    upstreamModel: row.upstreamModel ?? row.modelId,
    servedNames: row.servedNames,
    contextTokens: row.contextTokens,
    costPpm: row.costPpm,
    priority: row.priority,
    weight,
    ...endpoints,
  };
}

/**
 * The route with a credential of an account.
 * @param isOneOfSeveral true: the route with a credential of its provider follows
 */
export function toOwnRoute(
  route: Route,
  {
    provider,
    accountId,
    isOneOfSeveral,
  }: { provider: HttpProvider; accountId: string; isOneOfSeveral: boolean },
): Route {
  return {
    ...route,
    // Failures with it are of no other account.
    id: joinRouteId(route.routeId, `${OWN}${accountId}`),
    provider,
    credential: null,
    byCredential: null,
    isOneOfSeveral,
    isOwn: true,
    ...getProviderEndpoints(provider),
  };
}

/** True for the id of a route with a credential of an account. */
export function isOwnRouteId(id: string): boolean {
  return id.includes(`/${OWN}`);
}

const OWN = 'own:';

function joinRouteId(routeId: string, credentialId: string): string {
  return `${routeId}/${credentialId}`;
}

/** Splits the id of a route. @returns `credentialId` null: the first credential of its provider */
export function parseRouteId(id: string): { routeId: string; credentialId: string | null } {
  const [routeId = '', credentialId = null] = id.split('/');
  return { routeId, credentialId };
}

/** The endpoint for the caller's dialect: the same dialect if the provider speaks it, else a translation target. */
function upstreamEndpointFor(route: Route, dialect: Dialect): UpstreamEndpoint {
  return findEnd(route, dialect) ?? route.ends[0];
}

/**
 * The endpoint for a request: that of the caller's dialect, unless the model takes the request only at another one.
 * @param members of the caller's body
 */
export function upstreamEndpointOfRequest(
  route: Route,
  dialect: Dialect,
  members: JsonObject,
): UpstreamEndpoint {
  const usual = upstreamEndpointFor(route, dialect);
  if (usual.dialect !== 'openai-chat') return usual;
  const responses = findEnd(route, 'openai-responses');
  return responses !== undefined && needsResponses(route.upstreamModel, members, dialect) ? responses : usual;
}

function findEnd({ ends }: Route, dialect: Dialect): UpstreamEndpoint | undefined {
  return ends.find((end) => end.dialect === dialect);
}

/**
 * The order in which a model's routes are tried for a caller's dialect: tier by tier; within a tier, routes that need no
 * translation first, and equals in the order of `orderEquals`.
 * @param routes by priority, lowest first
 */
export function routesFor(
  routes: readonly Route[],
  dialect: Dialect,
  orderEquals: (routes: readonly Route[]) => readonly Route[],
): readonly Route[] {
  if (routes.length <= 1) return routes;
  const tiers = Map.groupBy(routes, (route) => route.priority);
  return [...tiers.values()].flatMap((tier) => {
    const native = tier.filter((route) => isNative(route, dialect));
    const foreign = tier.filter((route) => !isNative(route, dialect));
    return [...orderEquals(native), ...orderEquals(foreign)];
  });
}

/** True: only the strategy of the model decides which of two routes is tried first. */
export function areEqual(a: Route, b: Route, dialect: Dialect): boolean {
  return a.priority === b.priority && isNative(a, dialect) === isNative(b, dialect);
}

function isNative(route: Route, dialect: Dialect): boolean {
  return upstreamEndpointFor(route, dialect).dialect === dialect;
}

/** Where and how requests are sent to a provider with its credential. */
export function getProviderEndpoints(provider: Provider): ProviderEndpoints {
  return {
    ends: getCompletionEnds(provider),
    countTokens: getCountEndpoint(provider),
    inputTokens: getInputTokensEndpoint(provider),
    embeddings: getEmbeddingsEndpoint(provider),
  };
}

function getCompletionEnds(provider: Provider): ProviderEndpoints['ends'] {
  if (provider.kind === 'demo') {
    const end = (dialect: Dialect): UpstreamEndpoint => ({
      dialect,
      address: null,
      headers: [],
      contract: getContract(BASE_CONTRACTS, dialect),
    });
    return [end('openai-chat'), end('anthropic-messages')];
  }
  const headers = getHeaders(provider);
  const end = (dialect: Dialect): UpstreamEndpoint => ({
    dialect,
    address: completionAddress(provider, dialect),
    headers,
    contract: getContract(provider.contracts, dialect),
  });
  const { dialect, endpoints } = provider;
  return dialect === 'openai-chat' && endpoints.responses
    ? [end(dialect), end('openai-responses')]
    : [end(dialect)];
}

function getCountEndpoint(provider: Provider): UpstreamEndpoint | null {
  if (provider.kind === 'demo' || provider.dialect !== 'anthropic-messages') return null;
  if (!provider.endpoints.countTokens) return null;
  const address = getAddress(provider, '/messages/count_tokens');
  const contract = provider.contracts.messages;
  return { dialect: provider.dialect, address, headers: getHeaders(provider), contract };
}

function getInputTokensEndpoint(provider: Provider): UpstreamEndpoint | null {
  if (provider.kind === 'demo' || !provider.endpoints.responses || !provider.endpoints.inputTokens)
    return null;
  const address = getAddress(provider, '/responses/input_tokens');
  // It has no members for the price, such as the service tier.
  const contract = { ...provider.contracts.responses, absentPins: [] };
  return { dialect: 'openai-responses', address, headers: getHeaders(provider), contract };
}

function getEmbeddingsEndpoint(provider: Provider): UpstreamEndpoint | null {
  if (provider.kind === 'demo' || provider.dialect !== 'openai-chat') return null;
  if (!provider.endpoints.embeddings) return null;
  const address = getAddress(provider, '/embeddings');
  const contract = provider.contracts.embeddings;
  return { dialect: provider.dialect, address, headers: getHeaders(provider), contract };
}

function getHeaders(provider: HttpProvider): readonly string[] {
  return [...Object.entries(providerHeaders(provider)).flat(), 'content-type', 'application/json'];
}

/** The contract for completions in a dialect. */
export function getContract(contracts: RequestContracts, dialect: Dialect): RequestContract {
  switch (dialect) {
    case 'openai-chat':
      return contracts.chat;
    case 'anthropic-messages':
      return contracts.messages;
    case 'openai-responses':
      return contracts.responses;
  }
}
