import { deny } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../json/parse-object.ts';

const MESSAGE =
  'thread is not supported: no conversation is kept here. Leave it out, and send the whole conversation in `messages` ' +
  'with each request.';

/**
 * Finds a `thread`, by which a provider keeps the conversation, so that later requests only hold the new messages. It
 * would belong to the provider account, and so to every caller who knows its id, and any other route would lack the
 * earlier messages. The official SDK's tool runner sends one automatically; it recognizes this refusal by its details
 * and continues without.
 * @returns `unsupported_parameter`; null if the body has no thread
 */
export function denyThread(body: JsonObject): ReturnType<typeof deny> | null {
  if (asObject(body['thread']) === null) return null;
  return deny('unsupported_parameter', MESSAGE, {
    param: 'thread',
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  });
}
