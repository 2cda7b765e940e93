import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import type { ProviderPreset } from './preset.ts';
import { VERTEX_SETTINGS, vertexAddresses } from './vertex-settings.ts';

/** Model names contain their version: `claude-sonnet-4-5@20250929`. */
export const vertexAnthropic: ProviderPreset = {
  name: 'vertex-anthropic',
  title: 'Claude on Vertex AI',
  dialect: 'anthropic-messages',
  ...vertexAddresses('/v1/projects/{project}/locations/{region}/publishers/anthropic/models'),
  settings: VERTEX_SETTINGS,
  credential: 'google',
  keyHeader: 'authorization',
  envelope: 'vertex',
  quirks: COMPATIBLE_QUIRKS,
  endpoints: { countTokens: true, embeddings: false, inputTokens: false, responses: false, models: false },
  contract: {},
  docs: 'https://docs.claude.com/en/api/claude-on-vertex-ai',
};
