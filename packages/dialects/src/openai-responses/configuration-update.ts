import type { JsonObject } from '../json/parse-object.ts';

/** https://platform.openai.com/docs/api-reference/responses/create */
export const CONFIGURATION_UPDATE = 'configuration_update';

/** True for an item that changes the settings of the request, of any version. */
export function isConfigurationUpdate({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.startsWith(CONFIGURATION_UPDATE);
}
