import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { Dialect } from '@tollgate/core/models/dialect';
import { NO_USAGE } from '@tollgate/core/money/money';
import { getCodec } from '@tollgate/dialects/codec';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';

/** How the model behaves that continues a response. */
export type Continuing = 'goes on' | 'restarts' | 'repeats';
/** How a connection ends after the cut. */
export type Ending = 'reset' | 'close' | 'end';

/** What the provider does with the requests of one case. */
export interface Plan {
  text: string;
  continuing: Continuing;
  ending: Ending;
  /** Of each attempt in order: where its stream is cut, as a part of its bytes; later attempts are complete. */
  cuts: readonly number[];
  /** How many words are repeated. */
  repeated: number;
}

export interface CutProvider extends AsyncDisposable {
  baseUrl: string;
  plans: Map<string, Plan>;
  /** Requests of a case, in order. */
  seen: Map<string, JsonObject[]>;
}

const DIALECTS: Record<string, Dialect> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/messages': 'anthropic-messages',
  '/v1/responses': 'openai-responses',
};
/** The roles of the messages that are added to the conversation. */
const ROLE_TOKENS = 8;

/** One word with the space behind it is one token. */
export const splitTokens = (text: string): string[] => text.match(/\s*\S+\s*/g) ?? [];

/** A provider of three dialects with a deterministic model, whose streams break off as planned. */
export async function startCutProvider(): Promise<CutProvider> {
  const plans = new Map<string, Plan>();
  const seen = new Map<string, JsonObject[]>();
  const answerOne = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readText(request);
    const asked = parseJsonObject(body) ?? {};
    const id = /case-\d+/.exec(body)?.[0] ?? '';
    const plan = plans.get(id);
    const earlier = seen.get(id) ?? [];
    seen.set(id, [...earlier, asked]);
    if (plan === undefined || !hasReceived(asked, plan)) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(
        '{"error":{"message":"The response so far is wrong.","type":"invalid_request_error"}}',
      );
    }
    const bytes = writeStream(DIALECTS[request.url ?? ''] ?? 'openai-chat', asked, plan);
    return send(response, { ...plan, bytes, cut: plan.cuts[earlier.length] });
  };
  const server = createServer((request, response) => void answerOne(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    plans,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(
  response: ServerResponse,
  { bytes, cut, ending }: { bytes: Buffer; cut: number | undefined; ending: Ending },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (cut === undefined) return void response.end(bytes);
  const sent = bytes.subarray(0, Math.floor(bytes.length * cut));
  if (ending === 'end') return void response.end(sent);
  response.write(sent, () => {
    // The bytes must arrive before the reset.
    setTimeout(() => {
      if (ending === 'reset') response.socket?.resetAndDestroy();
      else response.socket?.destroy();
    }, 5);
  });
}

function writeStream(dialect: Dialect, asked: JsonObject, plan: Plan): Buffer {
  const { text, inputTokens } = answer(asked, plan);
  const tokens = splitTokens(text);
  const usage = { ...NO_USAGE, inputTokens, outputTokens: tokens.length, reasoningTokens: null };
  const place = { choice: 0, block: 0 };
  const events: CompletionEvent[] = [
    {
      type: 'start',
      id: 'resp_1',
      model: String(asked['model']),
      createdAt: 1,
      usage: { ...usage, outputTokens: Math.min(1, tokens.length) },
    },
    ...(tokens.length === 0
      ? []
      : [{ type: 'block_start' as const, ...place, start: { type: 'text' as const } }]),
    ...tokens.map((token) => ({ type: 'text_delta' as const, ...place, text: token })),
    ...(tokens.length === 0 ? [] : [{ type: 'block_end' as const, ...place }]),
    { type: 'finish', choice: 0, reason: { type: 'stop' } },
    { type: 'usage', usage },
    { type: 'end' },
  ];
  const encoder = getCodec(dialect).createStreamEncoder({
    requestId: 'req_provider',
    model: String(asked['model']),
    nowSeconds: 1,
    estimatedInputTokens: inputTokens,
    wantsStreamUsage: true,
    requestBody: asked,
  });
  return Buffer.from(events.map((event) => encoder.push(event)).join(''));
}

interface Turn {
  role: unknown;
  said: string;
}

function readTurns(asked: JsonObject): Turn[] {
  const given = asked['messages'] ?? asked['input'];
  const messages: unknown[] = Array.isArray(given) ? given : [{ role: 'user', content: given }];
  return messages.map((message) => {
    const { role, content } = { role: '', content: '', ...asObject(message) };
    return { role, said: getText(content) };
  });
}

/** True if the conversation contains nothing of the response, or its beginning. */
function hasReceived(asked: JsonObject, { text }: Plan): boolean {
  return readTurns(asked).every(({ role, said }) => role !== 'assistant' || text.startsWith(said));
}

/** What the model says, and what it has read. */
function answer(
  asked: JsonObject,
  { text, continuing, repeated }: Plan,
): { text: string; inputTokens: number } {
  const turns = readTurns(asked);
  const first = splitTokens(turns[0]?.said ?? '').length;
  const at = turns.findLastIndex(({ role }) => role === 'assistant');
  const received = turns[at]?.said;
  if (received === undefined) return { text, inputTokens: first };
  const instruction = turns[at + 1]?.said;
  const read = first + splitTokens(received).length;
  const rest = text.slice(received.length);
  if (instruction === undefined) return { text: rest, inputTokens: read };
  const inputTokens = read + tokensOfBytes(Buffer.byteLength(instruction)) + ROLE_TOKENS;
  if (continuing === 'restarts') return { text, inputTokens };
  if (continuing === 'goes on') return { text: rest, inputTokens };
  return { text: splitTokens(received).slice(-repeated).join('') + rest, inputTokens };
}

function getText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => getText(asObject(part)?.['text'])).join('');
}
