import type { CompletionRequest } from '@tollgate/core/completion/request';
import { EncodeReport } from '../encode-report.ts';
import type { Encoded } from '../encoded.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { fitModelRules } from '../model-rules/fit-model-rules.ts';
import { portableRequest } from '../portable-tools/portable-request.ts';
import { withShortNames } from '../portable-tools/short-names.ts';
import { encodeExtra } from './encode-extra.ts';
import { collapseText, encodeMessages } from './encode-messages.ts';
import { encodeSettings } from './encode-settings.ts';
import { encodeTools } from './encode-tools.ts';
import { fitRequest } from './quirks/fit-request.ts';
import { mapList } from './quirks/map-list.ts';
import { NO_QUIRKS, type ProviderQuirks } from './quirks/provider-quirks.ts';
import { fitCallId } from './quirks/tool-calls.ts';

/**
 * Writes a body for `POST /chat/completions`. A stream always requests its usage.
 * @param quirks the provider's quirks; OpenAI's by default
 * @returns `unsupported_parameter` if the dialect cannot express what the answer depends on
 */
export function encodeOpenAiChatRequest(
  given: CompletionRequest,
  quirks: ProviderQuirks = NO_QUIRKS,
): Encoded {
  const report = new EncodeReport();
  const request = withShortNames(portableRequest(given, 'openai-chat', report));
  const target = { quirks, model: request.model };
  const context = { report, fitCallId: (id: string) => fitCallId(id, quirks.callIds) };
  // In the form that can express most; the quirks reduce it to what the provider takes.
  const full: JsonObject = {
    model: request.model,
    messages: encodeMessages(request.messages, context),
    ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...encodeTools(request, report),
    ...encodeSettings(request, report),
    ...encodeExtra(request.extra, report),
  };
  const fitted = fitRequest(full, target, report);
  fitModelRules(fitted, { ...target, dialect: 'openai-chat' }, report);
  const body = mapList(fitted, 'messages', collapseText);
  if (report.refusal !== null) return { ok: false, error: report.refusal };
  return { ok: true, body, dropped: report.dropped };
}
