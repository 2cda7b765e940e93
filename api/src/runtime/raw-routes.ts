import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import { chatCompletionsFace, messagesFace, responsesFace, type Face } from '../faces.ts';
import { authenticate } from '../keys/authenticate.ts';
import { answerCompletion } from '../routes/completions.ts';
import { allowConsole } from '../middleware/console-access/console-access.ts';
import { NodeExchange } from './node-exchange.ts';

const FACES = new Map(
  [chatCompletionsFace, messagesFace, responsesFace].flatMap((face) => [
    [face.endpoint, face],
    // Anthropic's SDK appends /v1 to a base URL that has it already.
    [`/v1${face.endpoint}`, face],
  ]),
);

/**
 * The endpoints where every microsecond counts, past the framework: the same steps as in `app.ts`, which serves them
 * on the other runtimes.
 * @returns false where the request is for the framework
 */
export function answerRaw(deps: ApiDeps, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  if (incoming.method !== 'POST') return false;
  const url = incoming.url ?? '';
  const query = url.indexOf('?');
  const face = FACES.get(query < 0 ? url : url.slice(0, query));
  if (face === undefined) return false;
  const exchange = new NodeExchange(incoming, outgoing);
  allowConsole(exchange, deps.isConsole);
  void answerFace(deps, face, exchange);
  return true;
}

async function answerFace(deps: ApiDeps, face: Face, exchange: NodeExchange): Promise<void> {
  const checked = authenticate(exchange, deps);
  // What the cache has is not waited for.
  const found = checked instanceof Promise ? await checked : checked;
  if (found.ok) await answerCompletion(deps, face, exchange, found.value);
  else sendError(exchange, face.dialect, found.error);
}
