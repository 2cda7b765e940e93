import { splitAtEvents } from '@tollgate/testing/fake-provider/split-body';
import type { RecordedCase } from '@tollgate/testing/recordings';

/** True where the caller asked an OpenAI stream for its usage. */
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
 * What must come out for a recorded stream: its bytes, but for the one chunk of an OpenAI stream that holds nothing
 * but a usage for which the caller did not ask.
 */
export function expectedStream(recorded: RecordedCase, isUsageAsked: boolean): Buffer {
  if (recorded.dialect !== 'openai-chat' || isUsageAsked) return recorded.responseBody;
  return Buffer.concat(splitAtEvents(recorded.responseBody).filter((event) => !isUsageOnly(event)));
}

function isUsageOnly(event: Buffer): boolean {
  const data = /^data: ?(\{.*\})\s*$/s.exec(event.toString('utf8'))?.[1];
  if (data === undefined) return false;
  const chunk: { choices?: unknown[]; usage?: unknown } = JSON.parse(data);
  return chunk.choices?.length === 0 && typeof chunk.usage === 'object' && chunk.usage !== null;
}
