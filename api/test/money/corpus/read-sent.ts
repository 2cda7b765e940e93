import { readAnswerPlainly } from '@tollgate/dialects/openai-chat/read-answer-plainly.fixture';
import { readResponsePlainly } from '@tollgate/dialects/openai-responses/read-response-plainly.fixture';
import { readAnthropicMessage, readAnthropicStream } from '@tollgate/testing/read-anthropic-wire';
import type { RecordedCase } from '@tollgate/testing/recordings';
import type { RecordedDialect } from '@tollgate/testing/recordings-meta';
import { parseArguments, type Stop, type ParsedResponse } from './parsed-response.ts';

export type Recorded = RecordedCase<RecordedDialect>;

/** What the provider sent, read by hand and never by a codec. */
export interface Sent extends ParsedResponse {
  stop: Stop;
  /** It said that it refuses, in the words that its dialect has for that. */
  hasRefusalText: boolean;
}

/** @throws Error where a whole answer is no JSON */
export function readSent(recorded: Recorded): Sent {
  switch (recorded.dialect) {
    case 'openai-chat':
      return readChat(recorded);
    case 'anthropic-messages':
      return readMessages(recorded);
    case 'openai-responses':
      return readResponses(recorded);
  }
}

function bodiesOf({ isStream, responseBody }: Recorded): Record<string, unknown>[] {
  const text = responseBody.toString('utf8');
  if (!isStream) return [JSON.parse(text)];
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

const CHAT_STOPS: Readonly<Record<string, Stop>> = {
  length: 'length',
  model_length: 'context_length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'refusal',
};

function readChat(recorded: Recorded): Sent {
  const { choices, usage } = readAnswerPlainly(bodiesOf(recorded), '');
  const [choice] = choices;
  if (choice === undefined) throw new Error('It has no choice');
  return {
    text: choice.text + choice.refusal,
    calls: choice.calls.map(({ id, name, arguments: json }) => ({
      // Such an id was made up by who reads it.
      id: id.startsWith('call__') ? '' : id,
      name,
      input: parseArguments(json),
    })),
    stop: CHAT_STOPS[choice.finish] ?? 'stop',
    usage: usage === null ? null : { input: usage.prompt, cached: usage.cached, output: usage.output },
    hasRefusalText: choice.refusal !== '',
  };
}

const MESSAGE_STOPS: Readonly<Record<string, Stop>> = {
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'refusal',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context_length',
};

function readMessages({ isStream, responseBody }: Recorded): Sent {
  const text = responseBody.toString('utf8');
  const seen = readAnthropicMessage(isStream ? readAnthropicStream(text).message : JSON.parse(text));
  const { input, read, write, output } = seen.usage;
  return {
    text: seen.text,
    calls: seen.calls,
    stop: MESSAGE_STOPS[seen.stopReason] ?? 'stop',
    usage: { input: input + read + write, cached: read, output },
    hasRefusalText: false,
  };
}

function readResponses(recorded: Recorded): Sent {
  const bodies = bodiesOf(recorded);
  const ends = ['response.completed', 'response.incomplete'];
  const last = bodies.find((body) => ends.includes(String(body['type'])))?.['response'] ?? bodies[0];
  const seen = readResponsePlainly({ ...Object(last) });
  const calls = seen.calls.map(({ id, name, arguments: json }) => ({
    id: String(id),
    name: String(name),
    input: parseArguments(String(json)),
  }));
  const ended = calls.length > 0 ? 'tool_calls' : seen.refusal === '' ? 'stop' : 'refusal';
  return {
    text: seen.text + seen.refusal,
    calls,
    stop: seen.isCut ? 'length' : ended,
    usage: {
      input: Number(seen.usage.input),
      cached: Number(seen.usage.cached),
      output: Number(seen.usage.output),
    },
    hasRefusalText: seen.refusal !== '',
  };
}
