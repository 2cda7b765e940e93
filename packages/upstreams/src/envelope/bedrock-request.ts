import { editJsonMembers } from '@tollgate/dialects/json/edit-members';
import { joinBody, type UpstreamRequest } from '../transport/transport.ts';
import { findHeader, withoutHeaders } from './header-list.ts';
import { pathBefore, takeModel } from './take-model.ts';

/** Bedrock's version of the dialect. */
const VERSION = 'bedrock-2023-05-31';

/**
 * Converts a request for `POST /messages` to Bedrock's InvokeModel: model and streaming are in the path, version and betas
 * in the body (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html).
 */
export function wrapForBedrock(request: UpstreamRequest): UpstreamRequest {
  const base = pathBefore(request.path, '/messages');
  if (base === null) return request;
  const { rest, model, taken } = takeModel(joinBody(request.body), ['stream', 'anthropic_beta']);
  const betas = listBetas(findHeader(request.headers, 'anthropic-beta'), taken['anthropic_beta']);
  const verb = taken['stream'] === 'true' ? 'invoke-with-response-stream' : 'invoke';
  return {
    ...request,
    path: `${base}/model/${encodeURIComponent(model)}/${verb}`,
    headers: withoutHeaders(request.headers, ['anthropic-beta', 'anthropic-version']),
    body: editJsonMembers(rest, {
      anthropic_version: JSON.stringify(VERSION),
      ...(betas.length === 0 ? {} : { anthropic_beta: JSON.stringify(betas) }),
    }),
  };
}

/** Betas of the header, then the body's own. */
function listBetas(header: string | null, member: string | undefined): string[] {
  const fromHeader = (header ?? '').split(',').map((beta) => beta.trim());
  const parsed: unknown = JSON.parse(member ?? '[]');
  const fromBody = Array.isArray(parsed) ? parsed.filter((beta) => typeof beta === 'string') : [];
  return [...new Set([...fromHeader, ...fromBody])].filter((beta) => beta !== '');
}
