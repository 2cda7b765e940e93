import { splitAtEvents } from '@tollgate/testing/fake-provider/split-body';
import type { RecordedCase } from '@tollgate/testing/recordings';

/** True if the caller requested the usage of an OpenAI stream. */
export function asksForUsage(request: Record<string, unknown> | undefined): boolean {
  const options = request?.stream_options;
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
}

/**
 * The expected output for a recorded stream: its bytes, except the chunk of an OpenAI stream that has only a usage which the
 * caller did not request, and what follows the end or an error, and with the terminator that some providers leave out.
 */
export function expectedStream(recorded: RecordedCase, isUsageAsked: boolean): Buffer {
  const all = splitAtEvents(recorded.responseBody);
  const last = all.findIndex((event) => isLast(event.toString('utf8')));
  const events = last < 0 ? all : all.slice(0, last + 1);
  if (recorded.dialect !== 'openai-chat') return Buffer.concat(events);
  const shown = isUsageAsked ? events : events.filter((event) => !isUsageOnly(event));
  const isTerminated = events.some((event) => event.includes('data: [DONE]') || event.includes('"error"'));
  return Buffer.concat(isTerminated ? shown : [...shown, Buffer.from('data: [DONE]\n\n')]);
}

/** The terminator of a stream of chat completions or messages, or an error. */
function isLast(event: string): boolean {
  return /^(?:event: (?:message_stop|error)\b|data: ?\[DONE\]|data: ?\{.*"error":\{)/m.test(event);
}

function isUsageOnly(event: Buffer): boolean {
  const data = /^data: ?(\{.*\})\s*$/s.exec(event.toString('utf8'))?.[1];
  if (data === undefined) return false;
  const chunk: { choices?: unknown[]; usage?: unknown } = JSON.parse(data);
  return chunk.choices?.length === 0 && typeof chunk.usage === 'object' && chunk.usage !== null;
}
