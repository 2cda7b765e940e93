import type { ProviderPreset } from './preset.ts';

/** Regions, projects and resources are only host labels or path segments. */
const VALUE = /^[a-z0-9](?:[a-z0-9._:-]{0,98}[a-z0-9])?$/i;

/**
 * Fills the settings into a preset's URL.
 * @returns the error message for a missing, unknown or invalid setting
 */
export function resolveBaseUrl(
  preset: ProviderPreset,
  settings: Readonly<Record<string, string>>,
): { ok: true; baseUrl: string } | { ok: false; reason: string } {
  const known = preset.settings.map(({ name }) => name);
  const stranger = Object.keys(settings).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const takes = known.length === 0 ? 'no settings' : known.join(', ');
    return { ok: false, reason: `${preset.name} has no setting ${stranger}: it takes ${takes}` };
  }
  for (const { name, about } of preset.settings) {
    const value = settings[name];
    if (value === undefined)
      return { ok: false, reason: `${preset.name} needs --setting ${name}=…: ${about}` };
    if (!VALUE.test(value)) return { ok: false, reason: `the setting ${name} must be ${about}` };
  }
  const template = preset.regionalBaseUrls?.[settings['region'] ?? ''] ?? preset.baseUrl;
  return { ok: true, baseUrl: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => settings[name] ?? '') };
}
