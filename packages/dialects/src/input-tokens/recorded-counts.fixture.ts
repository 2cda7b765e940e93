import type { CompletionRequest } from '@tollgate/core/completion/request';
import { parseData } from '@tollgate/testing/conformance/parse-sse';
import type { RecordedCase } from '@tollgate/testing/recordings';
import type { RecordedDialect } from '@tollgate/testing/recordings-meta';
import { getCodec } from '../codec.ts';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/** The input tokens that the provider counted, read without any code of the gateway's; null if it reported none. */
export function countedTokens({
  responseBody,
  isStream,
  dialect,
}: RecordedCase<RecordedDialect>): number | null {
  const text = responseBody.toString('utf8');
  const data = isStream ? text.split('\n').map((line) => line.replace(/^data:/, '')) : [text];
  const usages = data.flatMap((each) => {
    const event = parseData(each) ?? {};
    return [event, event['message'], event['response']].flatMap(
      (holder) => asObject(asObject(holder)?.['usage']) ?? [],
    );
  });
  const usage: JsonObject = Object.assign({}, ...usages);
  const input = asCount(usage['prompt_tokens'] ?? usage['input_tokens']);
  const cached =
    dialect === 'anthropic-messages'
      ? asCount(usage['cache_read_input_tokens']) + asCount(usage['cache_creation_input_tokens'])
      : 0;
  return input + cached === 0 ? null : input + cached;
}

/** The request; null if the source lacks it or it cannot be read. */
export function getRequest({ dialect, request }: RecordedCase<RecordedDialect>): CompletionRequest | null {
  const decoded = request === null ? null : getCodec(dialect).decodeRequest(request.json);
  return decoded?.ok === true ? decoded.value : null;
}
