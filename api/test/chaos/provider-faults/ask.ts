import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import type { TestedEndpoint } from '../../tested-endpoints.ts';
import type { Answer } from './seen.ts';

const PROMPT = 'Write sixty words.';

/** Facts of the events that were read so far. */
interface Read {
  text: string;
  model: string | null;
  hasUsage: boolean;
  hasTerminator: boolean;
  error: string | null;
}

/** Sends a request and reads its response as a stream, event by event. */
export async function ask(
  endpoint: TestedEndpoint,
  { baseUrl, secret, model, hangMs }: { baseUrl: string; secret: string; model: string; hangMs: number },
): Promise<Answer> {
  const startMs = performance.now();
  const read: Read = { text: '', model: null, hasUsage: false, hasTerminator: false, error: null };
  const give = (outcome: Answer['outcome']) => ({ ...read, outcome, elapsedMs: performance.now() - startMs });
  try {
    const response = await fetch(baseUrl + endpoint.path, {
      method: 'POST',
      headers: endpoint.headers(secret),
      body: JSON.stringify({ model, ...getBody(endpoint), stream: true }),
      signal: AbortSignal.timeout(hangMs),
    });
    const text = await response.text();
    if (response.status !== 200)
      return { ...give('error'), error: `${response.status}: ${text.slice(0, 200)}` };
    for (const block of text.split('\n\n')) readEvent(endpoint, block, read);
    return give(read.error === null ? 'response' : 'error');
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return give('hang');
    return { ...give('error'), error: String(error) };
  }
}

function getBody({ dialect }: TestedEndpoint): JsonObject {
  const said = { role: 'user', content: PROMPT };
  if (dialect === 'openai-responses') return { input: [said] };
  if (dialect === 'anthropic-messages') return { messages: [said], max_tokens: 500 };
  return { messages: [said], stream_options: { include_usage: true } };
}

function readEvent({ dialect }: TestedEndpoint, block: string, read: Read): void {
  const data = /^data: ?(.*)$/m.exec(block)?.[1];
  if (data === '[DONE]') read.hasTerminator = true;
  // An event that cannot be read is skipped, as by a lenient client.
  const event = parseJsonObject(data ?? '');
  if (event === null) return;
  const error = asObject(event['error']) ?? (event['type'] === 'error' ? event : null);
  if (error !== null) read.error ??= JSON.stringify(error).slice(0, 200);
  const part = {
    'openai-chat': event,
    'anthropic-messages': event['message'],
    'openai-responses': event['response'],
  };
  const holder = asObject(part[dialect]);
  if (typeof holder?.['model'] === 'string') read.model = holder['model'];
  read.hasUsage ||= asObject(event['usage']) !== null || asObject(holder?.['usage']) !== null;
  read.text += readText(dialect, event);
  if (event['type'] === 'message_stop' || event['type'] === 'response.completed') read.hasTerminator = true;
}

function readText(dialect: TestedEndpoint['dialect'], event: JsonObject): string {
  const text = {
    'openai-chat': () => asObject(asObject([event['choices']].flat()[0])?.['delta'])?.['content'],
    'anthropic-messages': () => asObject(event['delta'])?.['text'],
    'openai-responses': () => (event['type'] === 'response.output_text.delta' ? event['delta'] : ''),
  }[dialect]();
  return typeof text === 'string' ? text : '';
}
