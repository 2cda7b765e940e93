import { editJsonMembers } from '@tollgate/dialects/json/edit-members';
import { joinBody, type UpstreamRequest } from '../transport/transport.ts';
import { withoutHeaders } from './header-list.ts';
import { pathBefore, takeModel } from './take-model.ts';

/** The version of the dialect that Vertex speaks. */
const VERSION = 'vertex-2023-10-16';

/**
 * Turns a request for `POST /messages` into one for Vertex: the model is in the path, the version in the body; a request
 * that counts tokens keeps its model (https://docs.claude.com/en/api/claude-on-vertex-ai).
 */
export function wrapForVertex(request: UpstreamRequest): UpstreamRequest {
  const headers = withoutHeaders(request.headers, ['anthropic-version']);
  const version = { anthropic_version: JSON.stringify(VERSION) };
  const countBase = pathBefore(request.path, '/messages/count_tokens');
  if (countBase !== null) {
    const path = `${countBase}/count-tokens:rawPredict`;
    return { ...request, path, headers, body: editJsonMembers(joinBody(request.body), version) };
  }
  const base = pathBefore(request.path, '/messages');
  if (base === null) return request;
  const { rest, model, taken } = takeModel(joinBody(request.body), ['stream']);
  const isStream = taken['stream'] === 'true';
  return {
    ...request,
    // The version behind the @ of a model's name stands in the path as it is.
    path: `${base}/${encodeURIComponent(model).replaceAll('%40', '@')}:${isStream ? 'streamRawPredict' : 'rawPredict'}`,
    headers,
    // Unlike Bedrock, it wants to be told in the body too.
    body: editJsonMembers(rest, isStream ? { ...version, stream: 'true' } : version),
  };
}
