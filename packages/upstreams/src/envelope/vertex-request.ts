import { editJsonMembers } from '@tollgate/dialects/json/edit-members';
import { joinBody, type UpstreamRequest } from '../transport/transport.ts';
import { withoutHeaders } from './header-list.ts';
import { pathBefore, takeModel } from './take-model.ts';

/** Vertex's version of the dialect. */
const VERSION = 'vertex-2023-10-16';

/**
 * Converts a request for `POST /messages` to Vertex: the model is in the path, the version in the body; token counting
 * keeps the model in the body (https://docs.claude.com/en/api/claude-on-vertex-ai).
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
    // The path contains the version after the @ of a model's name unescaped.
    path: `${base}/${encodeURIComponent(model).replaceAll('%40', '@')}:${isStream ? 'streamRawPredict' : 'rawPredict'}`,
    headers,
    // Unlike Bedrock, Vertex needs `stream` in the body too.
    body: editJsonMembers(rest, isStream ? { ...version, stream: 'true' } : version),
  };
}
