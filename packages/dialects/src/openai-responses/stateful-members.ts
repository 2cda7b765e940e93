import { deny } from '@tollgate/core/errors';
import { asObject, type JsonObject } from '../json/parse-object.ts';

type Denial = ReturnType<typeof deny>;

const SEND_ALL =
  'Send the whole conversation in `input` with each request, and ask for `include: ["reasoning.encrypted_content"]` ' +
  'so that its reasoning can be sent back.';

/** Members that refer to something kept on a server, and what to do in their place. */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id: SEND_ALL,
  conversation: SEND_ALL,
  background: 'Wait for the answer, or stream it.',
  prompt: 'Send the text of the prompt in `instructions` or `input`.',
};

/**
 * Finds what the stateless endpoint cannot do: keep a response, or build on one that was kept. `store` left out counts as
 * `false`, since that is how SDKs send it.
 * @returns `unsupported_parameter`, with the member as `param` and what to do instead; null where there is none
 */
export function denyStateful(body: JsonObject): Denial | null {
  if (body['store'] === true)
    return refuse('store', `store: true is not supported: no response is kept here. ${SEND_ALL}`);
  for (const [name, advice] of Object.entries(STATEFUL)) {
    const value = body[name] ?? null;
    if (value === null || value === false) continue;
    return refuse(name, `${name} is not supported: no state is kept here. ${advice}`);
  }
  const items: unknown[] = Array.isArray(body['input']) ? body['input'] : [];
  const at = items.findIndex((item) => asObject(item)?.['type'] === 'item_reference');
  if (at < 0) return null;
  return refuse(
    `input.${at}`,
    'item_reference is not supported: no item is kept here. Send the item itself in its place.',
  );
}

function refuse(param: string, message: string): Denial {
  return deny('unsupported_parameter', message, { param });
}
