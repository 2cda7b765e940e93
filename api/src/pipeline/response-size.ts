import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import type { EndpointSpec } from '../endpoints.ts';
import { FREE_BYTES } from './answer-collector.ts';

/** More text than a token has on average. */
const MAX_BYTES_PER_TOKEN = 20;
/** Members that add to the text of a response: log probabilities, images and sound, encrypted reasoning. */
const ADDING_MEMBERS = ['logprobs', 'top_logprobs', 'include', 'modalities', 'audio'] as const;

export interface SizedRequest {
  spec: Pick<EndpointSpec, 'isMetered' | 'hasStreams'>;
  request: RelayRequest;
  members: JsonObject;
  bodyBytes: number;
  /** null: unknown. */
  modelMaxOutputTokens: number | null;
}

/** True if the response may need reserved memory: it is no stream, and nothing limits it to a small size. */
export function mayBeLarge({
  spec,
  request,
  members,
  bodyBytes,
  modelMaxOutputTokens,
}: SizedRequest): boolean {
  if (request.stream || !spec.isMetered) return false;
  // Embeddings: the size depends on the model.
  if (!spec.hasStreams || (request.rateNeeds ?? []).length > 0) return true;
  if (ADDING_MEMBERS.some((name) => (members[name] ?? false) !== false)) return true;
  const tokens = (request.maxOutputTokens ?? modelMaxOutputTokens ?? Infinity) * request.choices;
  // A response of the Responses API repeats parts of its request.
  return tokens * MAX_BYTES_PER_TOKEN + bodyBytes > FREE_BYTES;
}
