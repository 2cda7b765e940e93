import type { CompletionRequest } from '@tollgate/core/completion/request';
import { EncodeReport } from '../encode-report.ts';
import type { Encoded } from '../encoded.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { toCustomCalls } from '../portable-tools/chat-custom.ts';
import { portableRequest } from '../portable-tools/portable-request.ts';
import { fitModelRules } from '../model-rules/fit-model-rules.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { INCLUDE_LOGPROBS } from './decode-settings.ts';
import { encodeExtra } from './encode-extra.ts';
import { encodeInput } from './encode-input.ts';
import { encodeEffort, encodeSettings } from './encode-settings.ts';
import { encodeTools } from './encode-tools.ts';

/**
 * Writes a body for `POST /responses`. It asks the provider to keep nothing. `field-table.ts` says what becomes of each field.
 * @returns `unsupported_parameter` if the dialect cannot express what the answer depends on
 */
export function encodeOpenAiResponsesRequest(given: CompletionRequest): Encoded {
  const report = new EncodeReport();
  const request = portableRequest(given, 'openai-responses', report);
  const extra = encodeExtra(request.extra, report);
  const settings = encodeSettings(request, report);
  const effort = encodeEffort(request, report);
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
  fitModelRules(body, { dialect: 'openai-responses', model: request.model, quirks: NO_QUIRKS }, report);
  if (report.refusal !== null) return { ok: false, error: report.refusal };
  return { ok: true, body, dropped: report.dropped };
}

/** A member that canonical fields and `extra` both have a part of. */
function nested(name: string, ...parts: readonly unknown[]): JsonObject {
  const whole: JsonObject = Object.assign({}, ...parts.map((part) => asObject(part) ?? {}));
  return Object.keys(whole).length === 0 ? {} : { [name]: whole };
}

function encodeInclude({ logprobs }: CompletionRequest, given: unknown): JsonObject {
  const include: unknown[] = [
    ...(Array.isArray(given) ? given : []),
    ...(logprobs === null ? [] : [INCLUDE_LOGPROBS]),
  ];
  return include.length === 0 ? {} : { include };
}
