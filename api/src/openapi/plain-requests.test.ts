import { decodeAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { parseOpenAiEmbeddingsRequest } from '@tollgate/dialects/openai-embeddings/parse-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaOf } from './document-schemas.fixture.ts';
import { arbitraryMutant } from './mutate-json.fixture.ts';
import { ANTHROPIC_BODIES } from './request-bodies.fixture.ts';

const RUNS = 600;

/** Bodies that are valid, and everything that one change makes of them. */
function variantsOf(bodies: readonly JsonObject[]): JsonObject[] {
  const mutants = bodies.flatMap((body) => fc.sample(arbitraryMutant(body), RUNS));
  return [...bodies, ...mutants.map((mutant) => JSON.parse(JSON.stringify(mutant)) as JsonObject)];
}

const withoutLimit = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'max_tokens'));

describe('the described request', () => {
  it('for embeddings is what is taken', () => {
    const schema = schemaOf('EmbeddingsRequest');
    const settings = { model: 'm', encoding_format: 'float', dimensions: 2, user: 'u', input_type: 'query' };
    const inputs = ['a', ['a', 'b'], [1, 2], [[1], [2, 3]]];
    for (const body of variantsOf(inputs.map((input) => ({ ...settings, input })))) {
      const isTaken = parseOpenAiEmbeddingsRequest(JSON.stringify(body)).ok;
      expect({ isTaken, body }).toEqual({ isTaken: schema(body), body });
    }
  });

  it('for a count of tokens is what is taken where the gateway counts', () => {
    const schema = schemaOf('CountTokensRequest');
    const bodies = ANTHROPIC_BODIES.flatMap(({ body }) => [body, withoutLimit(body)]);
    for (const body of variantsOf(bodies)) {
      const isTaken = decodeAnthropicCountRequest(body).ok;
      expect({ isTaken, body }).toEqual({ isTaken: schema(body), body });
    }
  });
});
