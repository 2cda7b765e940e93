import type { Buffer } from 'node:buffer';
import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import { dialectRulesOf } from '@tollgate/dialects/dialect-rules';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { openAiResponsesStreamRules } from '@tollgate/dialects/openai-responses/stream-rules';
import type { StreamRules } from '@tollgate/dialects/stream-rules';
import { completeUsage, type CompletedUsage, type Delivered } from '@tollgate/dialects/usage/complete-usage';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { AttemptVerdict } from '@tollgate/upstreams/routing/retry-policy';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import type { Model } from './catalogue/catalogue.ts';
import { contractOf, upstreamEndpointFor, type Route, type UpstreamEndpoint } from './catalogue/route.ts';
import type { CachedKey } from './keys/key-cache.ts';
import type { LocalAnswer, LocalQuestion } from './pipeline/local-answer.ts';
import type { Translator } from './pipeline/translation.ts';
import type { Endpoint } from './request-body/parse-body.ts';

/** What a request's input is counted from. */
interface InputSource {
  key: Pick<CachedKey, 'accountId'>;
  translator: Translator;
  body: Buffer;
}

/** One way to ask a model: an endpoint and the dialect that it speaks. */
export interface EndpointSpec {
  dialect: Dialect;
  /** Also names how its bodies are parsed. */
  endpoint: Endpoint;
  /** False: it is free, and neither budget nor limits of the key are looked at. */
  isMetered: boolean;
  /** False: an answer in events is none. */
  hasStreams: boolean;
  /** What is known of its requests whatever the provider. */
  contract: RequestContract;
  /** Request headers of the caller that a provider of the same dialect gets. */
  forwardedHeaders: readonly string[];
  /** Says why a model cannot be asked this way; null: it may be able to. */
  checkModel(model: Model): GatewayError | null;
  /** Where a route takes such requests; null: its provider does not. */
  resolveEndpoint(route: Route): UpstreamEndpoint | null;
  /** Under which name the failures of a route are counted: its id, and a word behind it if this endpoint's failures count separately. */
  breakerId(route: Route): string;
  judgeStatus(status: number): AttemptVerdict;
  streamRules(request: RelayRequest): StreamRules;
  /** False: the body is no answer of this endpoint, whatever its status. */
  isAnswer(body: JsonObject): boolean;
  /** What a whole answer reports; null: nothing. */
  decodeUsage(body: JsonObject): UsageReport | null;
  /** Makes what was reported and what was delivered into a usage that can be billed. */
  completeUsage(report: UsageReport | null, delivered: Delivered): CompletedUsage;
  /**
   * The most input tokens that a request can have, from its text; null: it cannot be told.
   * @throws TokenizerUnavailable
   */
  countInput(source: InputSource, upstreamModel: string): Promise<number | null>;
  /** Where no provider answers, the gateway does, by itself; null: it cannot. */
  answerLocally: ((question: LocalQuestion) => Promise<LocalAnswer>) | null;
}

/** Takes the name apart under which the failures of a route are counted. */
export function parseBreakerId(breakerId: string): { routeId: string; part: string | undefined } {
  const [routeId = '', part] = breakerId.split(' ');
  return { routeId, part };
}

/** A model whose only capability is embeddings writes nothing. */
function refuseEmbeddingModel({ id, capabilities }: Model): GatewayError | null {
  if (capabilities.length !== 1 || capabilities[0] !== 'embeddings') return null;
  const message = `The model ${id} only makes embeddings. Call /v1/embeddings, or use another model.`;
  return { code: 'invalid_request', message, param: 'model' };
}

/** Shared by the completion endpoints. */
const completionEndpoint = (dialect: Dialect) => ({
  dialect,
  contract: contractOf(BASE_CONTRACTS, dialect),
  isMetered: true,
  hasStreams: true,
  checkModel: refuseEmbeddingModel,
  resolveEndpoint: (route: Route) => upstreamEndpointFor(route, dialect),
  breakerId: (route: Route) => route.id,
  judgeStatus,
  ...dialectRulesOf(dialect),
  completeUsage,
  countInput: ({ translator, key }: InputSource, upstreamModel: string) =>
    translator.countInputTokens(upstreamModel, key.accountId),
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
