import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import type { Dialect } from '@tollgate/core/models/dialect';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import type { RecordedCase } from '@tollgate/testing/recordings';
import { getCodec } from '../codec.ts';
import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { decodeWholeStream } from './decode-whole-stream.fixture.ts';
import { toStream } from './to-stream.fixture.ts';
import {
  DIALECTS,
  translateStream,
  translateWhole,
  type TranslatedAnswer,
} from './translated-answer.fixture.ts';

/** Every recorded success for callers of every other dialect, both as a whole and as a stream. */
export function translateRecordings(cases: readonly RecordedCase<Dialect>[]): TranslatedAnswer[] {
  const answered = cases.filter(
    ({ status, covers }) => status === 200 && !covers.includes('mid-stream-error'),
  );
  return answered.flatMap((recorded) => {
    const { response, events } = readAnswer(recorded);
    return DIALECTS.filter((dialect) => dialect !== recorded.dialect).flatMap((dialect) => {
      const source = { name: recorded.name, requestBody: translateRequest(recorded, dialect) };
      return [translateWhole(dialect, response, source), translateStream(dialect, events, source)];
    });
  });
}

function readAnswer(recorded: RecordedCase<Dialect>): {
  response: CompletionResponse;
  events: CompletionEvent[];
} {
  const { name, dialect, isStream, responseBody } = recorded;
  if (isStream) {
    const events = decodeWholeStream(dialect, responseBody);
    return { response: assembleCompletion(events), events };
  }
  const response = getCodec(dialect).decodeResponse(parseJsonObject(responseBody.toString()) ?? {});
  if (response === null) throw new Error(`${name} cannot be read`);
  return { response, events: toStream(response) };
}

/** The request as a caller of another dialect would have sent it; empty if that dialect cannot express it. */
function translateRequest({ dialect, request }: RecordedCase<Dialect>, target: Dialect): JsonObject {
  const decoded = request === null ? null : getCodec(dialect).decodeRequest(request.json);
  if (decoded?.ok !== true) return {};
  const options = { quirks: NO_QUIRKS, defaultMaxTokens: 4096 };
  const encoded = getCodec(target).encodeRequest(decoded.value, options);
  return encoded.ok ? encoded.body : {};
}
