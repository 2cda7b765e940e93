import type { CompletionRequest } from '@tollgate/core/completion/request';
import { EncodeReport } from '../encode-report.ts';
import type { Encoded } from '../encoded.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { toCustomCalls } from '../portable-tools/chat-custom.ts';
import { portableRequest } from '../portable-tools/portable-request.ts';
import { INCLUDE_LOGPROBS, INCLUDE_REASONING } from './decode-settings.ts';
import { encodeExtra } from './encode-extra.ts';
import { encodeInput } from './encode-input.ts';
import { encodeEffort, encodeSettings } from './encode-settings.ts';
import { encodeTools } from './encode-tools.ts';
import { reasons } from './model-traits.ts';

/**
 * Writes a body for `POST /responses`. It asks the provider to keep nothing, and to return encrypted reasoning, so
 * that the next request can send all of it back. `field-table.ts` says what becomes of each field.
 * @returns `unsupported_parameter` if the dialect cannot express what the answer depends on
 */
export function encodeOpenAiResponsesRequest(given: CompletionRequest): Encoded {
  const report = new EncodeReport();
  const request = portableRequest(given, 'openai-responses', report);
  const extra = encodeExtra(request.extra, report);
  const settings = encodeSettings(request, report);
  const effort = encodeEffort(request.reasoning, report);
  const body: JsonObject = {
    model: request.model,
    input: toCustomCalls(encodeInput(request.messages, report), request.hostedTools),
    ...(request.stream ? { stream: true } : {}),
    store: false,
    ...encodeTools(request, report),
    ...settings,
    ...extra,
    ...nested('text', settings['text'], extra['text']),
    ...nested('reasoning', effort === null ? null : { effort }, extra['reasoning']),
    ...encodeInclude(request, extra['include']),
  };
  if (report.refusal !== null) return { ok: false, error: report.refusal };
  return { ok: true, body, dropped: report.dropped };
}

/** A member that canonical fields and `extra` both have a part of. */
function nested(name: string, ...parts: readonly unknown[]): JsonObject {
  const whole: JsonObject = Object.assign({}, ...parts.map((part) => asObject(part) ?? {}));
  return Object.keys(whole).length === 0 ? {} : { [name]: whole };
}

function encodeInclude({ model, logprobs }: CompletionRequest, given: unknown): JsonObject {
  const include: unknown[] = [
    ...(Array.isArray(given) ? given : []),
    ...(reasons(model) ? [INCLUDE_REASONING] : []),
    ...(logprobs === null ? [] : [INCLUDE_LOGPROBS]),
  ];
  return include.length === 0 ? {} : { include };
}
