/** Parses messages and message streams without the codec, for tests that compare the codec with the wire data. */
interface WireBlock {
  type: string;
  text?: string;
  citations?: unknown[] | null;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

export interface WireMessage {
  id: string;
  model: string;
  content: WireBlock[];
  stop_reason: string;
  stop_sequence: string | null;
  usage: Record<string, number | null>;
}

interface WireError {
  type: string;
  message: string;
}

interface WireEvent {
  type: string;
  index: number;
  message: WireMessage;
  content_block: WireBlock;
  delta: WireBlock & { citation?: unknown; partial_json?: string };
  usage?: Record<string, number | null>;
  error: WireError;
}

/** A response as plain values. */
export interface SeenAnswer {
  text: string;
  thinking: string;
  signatures: string[];
  calls: { id: string; name: string; input: unknown }[];
  /** Redacted thinking and blocks of hosted tools, one per line. */
  others: string[];
  citations: number;
  stopReason: string;
  usage: { input: number; read: number; write: number; output: number };
}

/** @returns the content of a message */
export function readAnthropicMessage(message: WireMessage): SeenAnswer {
  const { content, usage } = message;
  const all = (type: string) => content.filter((block) => block.type === type);
  const known = new Set(['text', 'thinking', 'tool_use']);
  return {
    text: all('text')
      .map((block) => block.text)
      .join(''),
    thinking: all('thinking')
      .map((block) => block.thinking)
      .join(''),
    signatures: all('thinking').flatMap((block) => block.signature ?? []),
    calls: all('tool_use').map(({ id = '', name = '', input }) => ({ id, name, input })),
    others: content
      .filter(({ type }) => !known.has(type))
      .map((block) => `${block.type} ${block.data ?? JSON.stringify(block.input ?? null)}`),
    citations: all('text').reduce((sum, block) => sum + (block.citations?.length ?? 0), 0),
    stopReason: message.stop_reason,
    usage: {
      input: usage.input_tokens ?? 0,
      read: usage.cache_read_input_tokens ?? 0,
      write: usage.cache_creation_input_tokens ?? 0,
      output: usage.output_tokens ?? 0,
    },
  };
}

/**
 * Assembles the data lines of a stream to a message, as the official SDKs do.
 * @throws Error if the stream has no `message_start`
 */
export function readAnthropicStream(body: string): { message: WireMessage; error: WireError | null } {
  const events = body
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line): WireEvent => JSON.parse(line.slice(5)));
  const message = events.find(({ type }) => type === 'message_start')?.message;
  if (message === undefined) throw new Error('The stream has no message_start');
  const inputs = new Map<number, string>();
  for (const event of events) apply(event, message, inputs);
  for (const [index, json] of inputs) {
    const block = message.content[index];
    if (json !== '' && block !== undefined) block.input = parseInput(json);
  }
  return { message, error: events.find(({ type }) => type === 'error')?.error ?? null };
}

/** Arguments cut off by a limit are not JSON, and stay text. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function apply(event: WireEvent, message: WireMessage, inputs: Map<number, string>): void {
  if (event.type === 'content_block_start') {
    if (event.index !== message.content.length) throw new Error(`Block ${event.index} came out of order`);
    message.content.push({ ...event.content_block });
  } else if (event.type === 'message_delta') {
    Object.assign(message, event.delta);
    const counted = Object.entries(event.usage ?? {}).filter(([, count]) => count !== null);
    Object.assign(message.usage, Object.fromEntries(counted));
  } else if (event.type === 'content_block_delta') {
    const block = message.content[event.index];
    if (block === undefined) throw new Error(`A delta came for block ${event.index}, which is not open`);
    const { delta } = event;
    block.citations =
      delta.citation === undefined ? (block.citations ?? null) : [...(block.citations ?? []), delta.citation];
    if (delta.text !== undefined) block.text = (block.text ?? '') + delta.text;
    if (delta.thinking !== undefined) block.thinking = (block.thinking ?? '') + delta.thinking;
    if (delta.signature !== undefined) block.signature = delta.signature;
    if (delta.partial_json !== undefined)
      inputs.set(event.index, (inputs.get(event.index) ?? '') + delta.partial_json);
  }
}
