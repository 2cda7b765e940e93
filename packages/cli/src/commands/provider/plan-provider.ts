import { resolveBaseUrl } from '@tollgate/upstreams/presets/resolve-base-url';
import { findPreset, PRESETS } from '@tollgate/upstreams/presets/presets';
import type { ProviderPreset } from '@tollgate/upstreams/presets/preset';
import { UsageFailure } from '../../failure.ts';

export const PROVIDER_DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;

/** The given flags for a provider's address. */
interface TypedProvider {
  preset?: string | undefined;
  name?: string | undefined;
  dialect?: (typeof PROVIDER_DIALECTS)[number] | undefined;
  baseUrl?: string | undefined;
  setting?: Record<string, string> | undefined;
}

/** Address and dialect of a new provider. */
export interface ProviderPlan {
  name: string;
  preset: ProviderPreset | null;
  dialect: ProviderPreset['dialect'];
  baseUrl: string;
  settings: Record<string, string>;
}

/**
 * Completes the given flags from the preset. A given base URL replaces that of the preset.
 * @throws UsageFailure if a flag is missing or contradicts the preset
 */
export function planProvider(typed: TypedProvider): ProviderPlan {
  const settings = typed.setting ?? {};
  if (typed.preset === undefined) return planOwn(typed, settings);
  const preset = findPreset(typed.preset);
  if (preset === null)
    throw new UsageFailure(
      `--preset: unknown preset ${typed.preset}. Presets: ${PRESETS.map(({ name }) => name).join(', ')}`,
    );
  if (typed.dialect !== undefined && typed.dialect !== preset.dialect)
    throw new UsageFailure(`--dialect: ${preset.name} uses ${preset.dialect}`);
  const resolved = resolveBaseUrl(preset, settings, typed.baseUrl);
  if (!resolved.ok) throw new UsageFailure(`--setting: ${resolved.reason}`);
  const { dialect } = preset;
  return {
    name: typed.name ?? preset.name,
    preset,
    dialect,
    baseUrl: resolved.baseUrl,
    settings,
  };
}

function planOwn(typed: TypedProvider, settings: Record<string, string>): ProviderPlan {
  const { name, dialect, baseUrl } = typed;
  if (Object.keys(settings).length > 0) throw new UsageFailure('--setting requires --preset');
  if (name === undefined || dialect === undefined || baseUrl === undefined)
    throw new UsageFailure('Give --preset, or --name, --dialect and --base-url');
  return { name, preset: null, dialect, baseUrl, settings };
}
