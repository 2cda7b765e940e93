import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { NO_USAGE } from '@tollgate/core/money/money';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { countTextTokens } from '@tollgate/dialects/input-tokens/count-text-tokens';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { findModelRules } from '@tollgate/dialects/model-rules/find-model-rules';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { collectEmbeddingsInput } from '@tollgate/dialects/openai-embeddings/collect-input';
import { completeInput } from '@tollgate/dialects/usage/complete-usage';
import { decodeOpenAiEmbeddingsUsage } from '@tollgate/dialects/openai-embeddings/decode-usage';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import type { Model } from '../catalogue/catalogue.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { isForThread } from '../request-body/is-for-thread.ts';

const streamRules = createOpenAiStreamRules(true);

/** `POST /v1/embeddings`: relayed to providers with OpenAI's embeddings format, and billed for its input. */
export const embeddingsEndpoint: EndpointSpec = {
  dialect: 'openai-chat',
  endpoint: '/v1/embeddings',
  contract: BASE_CONTRACTS.embeddings,
  isMetered: true,
  hasStreams: false,
  forwardedHeaders: ['openai-beta'],
  checkModel,
  resolveEndpoint: (route) => route.embeddings,
  breakerId: (route) => route.id,
  judgeStatus,
  streamRules: () => streamRules,
  isAnswer: ({ data }) => Array.isArray(data),
  decodeUsage: decodeOpenAiEmbeddingsUsage,
  completeUsage: (report, delivered) =>
    report === null
      ? { usage: { ...NO_USAGE, inputTokens: delivered.estimateInput() }, estimated: true }
      : completeInput(report, delivered),
  countInput: ({ body, key }) => countInput(body, key.accountId),
  answerLocally: null,
};

/**
 * Token arrays are counted exactly; for text, tokenizers differ by less than half.
 * @returns null for a large body, which is held by its size
 */
async function countInput(body: Buffer, accountId: string): Promise<number | null> {
  if (isForThread(body)) return null;
  const json = parseJsonObject(body.toString('utf8'));
  if (json === null) return null;
  const { texts, tokens } = collectEmbeddingsInput(json['input']);
  const textTokens = await countTextTokens(texts, { owner: accountId, purpose: 'admission' });
  return tokens + Math.ceil(textTokens * 1.5) + texts.length;
}

function checkModel(model: Model): GatewayError | null {
  const { id, capabilities } = model;
  if (capabilities.length === 0 ? !isKnownToWrite(model) : capabilities.includes('embeddings')) return null;
  return {
    code: 'invalid_request',
    message: `The model ${id} does not support embeddings. Use a model whose capabilities in GET /v1/models include embeddings.`,
    param: 'model',
  };
}

/**
 * True if a model without stated capabilities generates text: it has a maximum output, or its names are those of OpenAI's or
 * Anthropic's text models. Of another model, the provider decides.
 */
function isKnownToWrite({ maxOutputTokens, routes }: Model): boolean {
  if (maxOutputTokens !== null) return true;
  return routes.length > 0 && routes.every(({ upstreamModel }) => findModelRules(upstreamModel) !== null);
}
