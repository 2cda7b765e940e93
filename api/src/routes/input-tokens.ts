import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { openAiResponsesStreamRules } from '@tollgate/dialects/openai-responses/stream-rules';
import { responsesEndpoint, type EndpointSpec } from '../endpoints.ts';
import { countTokensEndpoint, estimateCount } from './count-tokens.ts';

/**
 * `POST /v1/responses/input_tokens`: like `count_tokens`, for requests of the Responses API
 * (https://platform.openai.com/docs/api-reference/responses/input-tokens).
 */
export const inputTokensEndpoint: EndpointSpec = {
  ...countTokensEndpoint,
  dialect: 'openai-responses',
  endpoint: '/v1/responses/input_tokens',
  contract: BASE_CONTRACTS.responses,
  forwardedHeaders: responsesEndpoint.forwardedHeaders,
  checkModel: (model) => responsesEndpoint.checkModel(model),
  resolveEndpoint: (route) => route.inputTokens,
  breakerId: (route) => `${route.id} input_tokens`,
  streamRules: () => openAiResponsesStreamRules,
  answerLocally: (question) =>
    estimateCount(question, (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens })),
};
