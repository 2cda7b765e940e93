import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Dialect } from './cell.ts';

/** A response as the official client of its dialect reads it. */
export interface Read {
  text: string;
  calls: { id: string; name: string; arguments: string }[];
  /** It says that it is complete. */
  isComplete: boolean;
  /** null: not reported. */
  usage: { input: number; output: number } | null;
  /** What the client throws, or the response reports; null: nothing. */
  error: string | null;
}

type Client = (options: Connection, isStream: boolean, read: Read) => Promise<void>;

interface Connection {
  apiKey: string;
  maxRetries: number;
  fetch: () => Promise<Response>;
}

/** Gives the bytes of a response to the official client. */
export async function readWithSdk(
  dialect: Dialect,
  isStream: boolean,
  { status, text }: { status: number; text: string },
): Promise<Read> {
  const type = isStream && status === 200 ? 'text/event-stream' : 'application/json';
  const options = {
    apiKey: 'unused',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(text, { status, headers: { 'content-type': type } })),
  };
  const read: Read = { text: '', calls: [], isComplete: false, usage: null, error: null };
  try {
    await CLIENTS[dialect](options, isStream, read);
  } catch (error) {
    read.error = error instanceof Error ? error.message : String(error);
  }
  return read;
}

const CLIENTS: Record<Dialect, Client> = {
  'openai-chat': readChat,
  'anthropic-messages': readMessages,
  'openai-responses': readResponses,
};

const USER = { role: 'user' as const, content: 'Count.' };

async function readChat(options: Connection, isStream: boolean, read: Read): Promise<void> {
  const { completions } = new OpenAI(options).chat;
  const noteUsage = (usage: OpenAI.CompletionUsage | null | undefined) => {
    if (usage) read.usage = { input: toCount(usage.prompt_tokens), output: toCount(usage.completion_tokens) };
  };
  if (!isStream) {
    const { choices, usage } = await completions.create({ model: 'm', messages: [USER] });
    const [choice] = choices;
    read.text = choice?.message.content ?? '';
    for (const call of choice?.message.tool_calls ?? [])
      if (call.type === 'function') read.calls.push({ id: call.id, ...call.function });
    read.isComplete = choice !== undefined;
    noteUsage(usage);
    return;
  }
  for await (const { choices = [], usage } of await completions.create({
    model: 'm',
    messages: [USER],
    stream: true,
  })) {
    noteUsage(usage);
    const [choice] = choices;
    read.text += choice?.delta?.content ?? '';
    for (const { index, id, function: called } of choice?.delta?.tool_calls ?? []) {
      const call = (read.calls[index] ??= { id: '', name: '', arguments: '' });
      call.id ||= id ?? '';
      call.name += called?.name ?? '';
      call.arguments += called?.arguments ?? '';
    }
    read.isComplete ||= typeof choice?.finish_reason === 'string';
  }
}

async function readMessages(options: Connection, isStream: boolean, read: Read): Promise<void> {
  const { messages } = new Anthropic(options);
  const body = { model: 'm', max_tokens: 500, messages: [USER] };
  if (isStream) return readMessageStream(await messages.create({ ...body, stream: true }), read);
  const { content, stop_reason: reason, usage } = await messages.create({ ...body, stream: false });
  for (const block of content) {
    if (block.type === 'text') read.text += block.text;
    if (block.type === 'tool_use')
      read.calls.push({ id: block.id, name: block.name, arguments: JSON.stringify(block.input) });
  }
  read.isComplete = reason !== null;
  noteTokens(usage, read);
}

/** The events as they are: the client's own joining repairs JSON that breaks off, and fails without usage. */
async function readMessageStream(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  read: Read,
): Promise<void> {
  let started = 0;
  let hasEnded = false;
  const calls = new Map<number, Read['calls'][number]>();
  for await (const event of events) {
    if (event.type === 'message_start') started += 1;
    else if (started === 0) throw new Error(`${event.type} comes before the start`);
    if (event.type === 'message_start') noteTokens(event.message.usage, read);
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
      const { id, name } = event.content_block;
      calls.set(event.index, { id, name, arguments: '' });
    }
    if (event.type === 'content_block_delta') readDelta(event, calls.get(event.index), read);
    if (event.type === 'message_delta') read.isComplete ||= event.delta.stop_reason !== null;
    if (event.type === 'message_delta') noteTokens(event.usage, read);
    hasEnded ||= event.type === 'message_stop';
  }
  read.calls = [...calls.values()];
  if (started !== 1) throw new Error(`The message starts ${started} times`);
  if (!hasEnded) throw new Error('The message does not stop');
}

function readDelta(
  { delta }: Anthropic.RawContentBlockDeltaEvent,
  call: Read['calls'][number] | undefined,
  read: Read,
): void {
  if (delta.type === 'text_delta') read.text += delta.text;
  if (delta.type === 'input_json_delta' && call !== undefined) call.arguments += delta.partial_json;
}

/** What a provider does not report is unknown, whatever the types say. */
function noteTokens(
  usage: { input_tokens?: number | null; output_tokens?: number } | null | undefined,
  read: Read,
): void {
  if (!usage) return;
  read.usage = {
    input: toCount(usage.input_tokens ?? read.usage?.input),
    output: toCount(usage.output_tokens ?? read.usage?.output),
  };
}

async function readResponses(options: Connection, isStream: boolean, read: Read): Promise<void> {
  const { responses } = new OpenAI(options);
  if (!isStream) return noteResponse(await responses.create({ model: 'm', input: [USER] }), read);
  for await (const event of await responses.create({ model: 'm', input: [USER], stream: true })) {
    if (event.type === 'response.output_text.delta') read.text += event.delta;
    if (event.type === 'error') throw new Error(event.message);
    if (event.type === 'response.failed') throw new Error(event.response.error?.message ?? 'failed');
    if (event.type !== 'response.completed') continue;
    const { text } = read;
    noteResponse(event.response, read);
    if (read.text !== text) throw new Error(`The deltas say ${text}, the response ${read.text}`);
  }
}

function noteResponse({ output, status, usage }: OpenAI.Responses.Response, read: Read): void {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  read.text = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  for (const item of output)
    if (item.type === 'function_call')
      read.calls.push({ id: item.call_id, name: item.name, arguments: item.arguments });
  read.isComplete = status === 'completed';
  if (usage) read.usage = { input: toCount(usage.input_tokens), output: toCount(usage.output_tokens) };
}

/** A provider's JSON may have a text in place of a number. */
function toCount(value: unknown): number {
  return Number(value ?? 0);
}
