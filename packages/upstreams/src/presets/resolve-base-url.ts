import type { ProviderPreset } from './preset.ts';

/** Regions, projects and resources are only host labels or path segments. */
const VALUE = /^[a-z0-9](?:[a-z0-9._:-]{0,98}[a-z0-9])?$/i;

/**
 * Fills the settings into a preset's URL.
 * @param given replaces the preset's URL: settings that are only parts of it may then be missing
 * @returns the error message for a missing, unknown or invalid setting
 */
export function resolveBaseUrl(
  preset: ProviderPreset,
  settings: Readonly<Record<string, string>>,
  given?: string,
): { ok: true; baseUrl: string } | { ok: false; reason: string } {
  const known = preset.settings.map(({ name }) => name);
  const stranger = Object.keys(settings).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const takes = known.length === 0 ? 'no settings' : known.join(', ');
    return { ok: false, reason: `${preset.name} has no setting ${stranger}: it takes ${takes}` };
  }
  for (const { name, about, isForSigning } of preset.settings) {
    const value = settings[name];
    if (value === undefined && given !== undefined && isForSigning !== true) continue;
    if (value === undefined)
      return { ok: false, reason: `${preset.title} needs --setting ${name}=…: ${about}` };
    if (!VALUE.test(value)) return { ok: false, reason: `the setting ${name} must be ${about}` };
  }
  if (given !== undefined) return { ok: true, baseUrl: given };
  const template = preset.regionalBaseUrls?.[settings['region'] ?? ''] ?? preset.baseUrl;
  return { ok: true, baseUrl: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => settings[name] ?? '') };
}
