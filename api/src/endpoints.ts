import type { Buffer } from 'node:buffer';
import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import { getDialectRules } from '@tollgate/dialects/dialect-rules';
import { boundUncounted } from '@tollgate/dialects/input-tokens/bound-uncounted';
import type { InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import { estimateDescribedInput } from '@tollgate/dialects/input-tokens/estimate-input-tokens';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { openAiResponsesStreamRules } from '@tollgate/dialects/openai-responses/stream-rules';
import type { StreamRules } from '@tollgate/dialects/stream-rules';
import { completeUsage, type CompletedUsage, type Delivered } from '@tollgate/dialects/usage/complete-usage';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { GatewayError, Result } from '@tollgate/core/errors/errors';
import type { AttemptVerdict } from '@tollgate/upstreams/routing/retry-policy';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import type { Model } from './catalogue/catalogue.ts';
import {
  getContract,
  upstreamEndpointOfRequest,
  type Route,
  type UpstreamEndpoint,
} from './catalogue/route.ts';
import type { CachedKey } from './keys/key-cache.ts';
import type { Endpoint } from './request-body/parse-body.ts';

/** The request parts that input tokens are counted from. */
interface InputSource {
  key: Pick<CachedKey, 'accountId'>;
  request: RelayRequest;
  body: Buffer;
  describeInput: DescribeInput;
}

/**
 * Finds what a token count needs of the request, in a thread if its body is large.
 * @param model the provider's name of the model
 * @returns null if the caller has disconnected, or the endpoint has no conversation
 * @throws TokenizerUnavailable
 */
export type DescribeInput = (model: string) => Promise<Result<InputDescription> | null>;

/** A request that no provider answers. */
export interface LocalQuestion {
  key: Pick<CachedKey, 'accountId'>;
  request: RelayRequest;
  body: Buffer;
  describeInput: DescribeInput;
  /** The likely input, by body size. */
  inputTokens: number;
  /** Routes of the model, in the order they would be tried. */
  routes: readonly Route[];
}

/** The gateway's own response; an error if the request is invalid. */
export type LocalAnswer = Result<{ body: string; headers: Readonly<Record<string, string>> }>;

/** A public operation and the dialect that it speaks. */
export interface EndpointSpec {
  dialect: Dialect;
  /** Also selects the body parser. */
  endpoint: Endpoint;
  /** False: free of charge, and not checked against budget and limits of the key. */
  isMetered: boolean;
  /** False: streaming responses are not supported. */
  hasStreams: boolean;
  /** Contract that holds for its requests with any provider. */
  contract: RequestContract;
  /** Request headers forwarded to a provider of the same dialect. */
  forwardedHeaders: readonly string[];
  /** The reason why a model does not support this endpoint; null: it may support it. */
  checkModel(model: Model): GatewayError | null;
  /**
   * Where a route sends a request; null: its provider does not support such requests.
   * @param members of the caller's body
   */
  resolveEndpoint(route: Route, members: JsonObject): UpstreamEndpoint | null;
  /** Id under which a route's failures count: the route id, plus a suffix if this endpoint's failures count separately. */
  breakerId(route: Route): string;
  judgeStatus(status: number): AttemptVerdict;
  streamRules(request: RelayRequest): StreamRules;
  /** False: the body is not a response of this endpoint, whatever its status. */
  isAnswer(body: JsonObject): boolean;
  /** The usage in a whole response; null: none. */
  decodeUsage(body: JsonObject): UsageReport | null;
  /** Combines reported and delivered usage into a billable usage. */
  completeUsage(report: UsageReport | null, delivered: Delivered): CompletedUsage;
  /**
   * Upper bound of a request's input tokens, from its text; null: unknown.
   * @throws TokenizerUnavailable
   */
  countInput(source: InputSource, upstreamModel: string): Promise<number | null>;
  /** Local fallback if no provider answers; null: none. */
  answerLocally: ((question: LocalQuestion) => Promise<LocalAnswer>) | null;
}

/** Parses a breaker id. @returns the id of the route, which `parseRouteId` splits */
export function parseBreakerId(breakerId: string): { id: string; part: string | undefined } {
  const [id = '', part] = breakerId.split(' ');
  return { id, part };
}

/** A model whose only capability is embeddings generates no text. */
function refuseEmbeddingModel({ id, capabilities }: Model): GatewayError | null {
  if (capabilities.length !== 1 || capabilities[0] !== 'embeddings') return null;
  const message = `The model ${id} supports only embeddings. Call /v1/embeddings, or use another model.`;
  return { code: 'invalid_request', message, param: 'model' };
}

/** An upper bound of the input tokens, from the text; null: the body cannot be read. */
async function countConversation(
  { describeInput, key, request }: InputSource,
  model: string,
): Promise<number | null> {
  const described = await describeInput(model);
  if (described?.ok !== true) return null;
  const countFor = { owner: key.accountId, purpose: 'admission' } as const;
  const { atMost } = await estimateDescribedInput(described.value, model, countFor);
  return atMost + boundUncounted(request, described.value.input, model);
}

/** Shared by the completion endpoints. */
const completionEndpoint = (dialect: Dialect) => ({
  dialect,
  contract: getContract(BASE_CONTRACTS, dialect),
  isMetered: true,
  hasStreams: true,
  checkModel: refuseEmbeddingModel,
  resolveEndpoint: (route: Route, members: JsonObject) => upstreamEndpointOfRequest(route, dialect, members),
  breakerId: (route: Route) => route.id,
  judgeStatus,
  ...getDialectRules(dialect),
  completeUsage,
  countInput: countConversation,
  answerLocally: null,
});

const hiddenUsageRules = createOpenAiStreamRules(false);
const shownUsageRules = createOpenAiStreamRules(true);

export const chatCompletionsEndpoint: EndpointSpec = {
  ...completionEndpoint('openai-chat'),
  endpoint: '/v1/chat/completions',
  forwardedHeaders: ['openai-beta'],
  streamRules: (request) => (request.wantsStreamUsage ? shownUsageRules : hiddenUsageRules),
};

export const messagesEndpoint: EndpointSpec = {
  ...completionEndpoint('anthropic-messages'),
  endpoint: '/v1/messages',
  forwardedHeaders: ['anthropic-version', 'anthropic-beta'],
  streamRules: () => anthropicStreamRules,
};

export const responsesEndpoint: EndpointSpec = {
  ...completionEndpoint('openai-responses'),
  endpoint: '/v1/responses',
  forwardedHeaders: ['openai-beta'],
  streamRules: () => openAiResponsesStreamRules,
};
