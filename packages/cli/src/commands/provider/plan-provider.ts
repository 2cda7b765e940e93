import { resolveBaseUrl } from '@tollgate/upstreams/presets/resolve-base-url';
import { findPreset, PRESETS } from '@tollgate/upstreams/presets/presets';
import type { ProviderPreset } from '@tollgate/upstreams/presets/preset';
import { UsageFailure } from '../../failure.ts';

export const PROVIDER_DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;

/** What was typed of a provider's address. */
interface TypedProvider {
  preset?: string | undefined;
  name?: string | undefined;
  dialect?: (typeof PROVIDER_DIALECTS)[number] | undefined;
  baseUrl?: string | undefined;
  setting?: Record<string, string> | undefined;
}

/** Where a new provider is and what it speaks. */
export interface ProviderPlan {
  name: string;
  preset: ProviderPreset | null;
  dialect: ProviderPreset['dialect'];
  baseUrl: string;
  settings: Record<string, string>;
}

/**
 * Completes what was typed by what the preset knows; an address typed wins over the preset's.
 * @throws UsageFailure where something is missing or contradicts the preset
 */
export function planProvider(typed: TypedProvider): ProviderPlan {
  const settings = typed.setting ?? {};
  if (typed.preset === undefined) return planOwn(typed, settings);
  const preset = findPreset(typed.preset);
  if (preset === null)
    throw new UsageFailure(
      `--preset: there is none called ${typed.preset}: ${PRESETS.map(({ name }) => name).join(', ')}`,
    );
  if (typed.dialect !== undefined && typed.dialect !== preset.dialect)
    throw new UsageFailure(`--dialect: ${preset.name} speaks ${preset.dialect}`);
  const resolved = resolveBaseUrl(preset, settings);
  if (!resolved.ok) throw new UsageFailure(`--setting: ${resolved.reason}`);
  const { dialect } = preset;
  return {
    name: typed.name ?? preset.name,
    preset,
    dialect,
    baseUrl: typed.baseUrl ?? resolved.baseUrl,
    settings,
  };
}

function planOwn(typed: TypedProvider, settings: Record<string, string>): ProviderPlan {
  const { name, dialect, baseUrl } = typed;
  if (Object.keys(settings).length > 0) throw new UsageFailure('--setting goes with --preset');
  if (name === undefined || dialect === undefined || baseUrl === undefined)
    throw new UsageFailure('Give --preset, or all of --name, --dialect and --base-url');
  return { name, preset: null, dialect, baseUrl, settings };
}
