import type { EncodeReport } from '../../encode-report.ts';
import type { JsonObject } from '../../json/parse-object.ts';
import { mapList } from './map-list.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import { getFits } from './quirk-table.ts';

/**
 * Applies a provider's quirks to a body that the gateway wrote.
 * @param model the provider's name for the model
 * @returns the body for the provider; the given one is not changed
 */
export function fitRequest(
  body: JsonObject,
  { quirks, model }: { quirks: ProviderQuirks; model: string },
  report: EncodeReport,
): JsonObject {
  const fits = getFits(quirks);
  const context = { model, report };
  const fitted = { ...body };
  fits.fitBody(fitted, context);
  const withMessages = mapList(fitted, 'messages', (message, index) =>
    fits.fitMessage(message, { ...context, at: `messages.${index}` }),
  );
  return mapList(withMessages, 'tools', (tool) => fits.fitTool(tool, context));
}
