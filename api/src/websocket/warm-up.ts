import { encodeEnvelope } from '@tollgate/dialects/openai-responses/envelope';
import { responsesEndpoint, type EndpointSpec } from '../endpoints.ts';

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/**
 * `response.create` with `generate: false`: the client sends the start of a conversation ahead of its first turn
 * (https://developers.openai.com/api/docs/guides/websocket-mode). No provider is called, so it is free.
 */
export const warmUpEndpoint: EndpointSpec = {
  ...responsesEndpoint,
  isMetered: false,
  resolveEndpoint: () => null,
  answerLocally: ({ request }) => {
    // The exchange gives it its id.
    const nowSeconds = Math.floor(Date.now() / 1000);
    const envelope = encodeEnvelope(
      { id: '', createdAt: null },
      { requestId: '', model: request.model, nowSeconds },
    );
    const response = { ...envelope, id: '', status: 'completed', output: [], usage: NO_USAGE };
    return Promise.resolve({ ok: true, value: { body: JSON.stringify(response), headers: {} } });
  },
};
