import { decodeAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { parseOpenAiEmbeddingsRequest } from '@tollgate/dialects/openai-embeddings/parse-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getSchema } from './document-schemas.fixture.ts';
import { arbitraryMutant } from './mutate-json.fixture.ts';
import { ANTHROPIC_BODIES } from './request-bodies.fixture.ts';

const RUNS = 600;

/** Valid bodies, and every result of one change to them. */
function getVariants(bodies: readonly JsonObject[]): JsonObject[] {
  const mutants = bodies.flatMap((body) => fc.sample(arbitraryMutant(body), RUNS));
  return [...bodies, ...mutants.map((mutant) => JSON.parse(JSON.stringify(mutant)) as JsonObject)];
}

const withoutLimit = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'max_tokens'));

describe('the request schema', () => {
  it('for embeddings matches what the api accepts', () => {
    const schema = getSchema('EmbeddingsRequest');
    const settings = { model: 'm', encoding_format: 'float', dimensions: 2, user: 'u', input_type: 'query' };
    const inputs = ['a', ['a', 'b'], [1, 2], [[1], [2, 3]]];
    for (const body of getVariants(inputs.map((input) => ({ ...settings, input })))) {
      const isTaken = parseOpenAiEmbeddingsRequest(JSON.stringify(body)).ok;
      expect({ isTaken, body }).toEqual({ isTaken: schema(body), body });
    }
  });

  it('for token counts matches what the api accepts if the gateway counts', () => {
    const schema = getSchema('CountTokensRequest');
    const bodies = ANTHROPIC_BODIES.flatMap(({ body }) => [body, withoutLimit(body)]);
    for (const body of getVariants(bodies)) {
      const isTaken = decodeAnthropicCountRequest(body).ok;
      expect({ isTaken, body }).toEqual({ isTaken: schema(body), body });
    }
  });
});
