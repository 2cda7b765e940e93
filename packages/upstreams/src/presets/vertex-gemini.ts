import { GEMINI_QUIRKS } from './gemini-quirks.ts';
import type { ProviderPreset } from './preset.ts';
import { GEMINI_CONTRACT } from './gemini-contract.ts';
import { VERTEX_SETTINGS, vertexAddresses } from './vertex-settings.ts';

/** Model names contain their publisher: `google/gemini-3.8-flash`. */
export const vertexGemini: ProviderPreset = {
  name: 'vertex-gemini',
  title: 'Gemini and open models on Vertex AI',
  dialect: 'openai-chat',
  ...vertexAddresses('/v1/projects/{project}/locations/{region}/endpoints/openapi'),
  settings: VERTEX_SETTINGS,
  credential: 'google',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: GEMINI_QUIRKS,
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: false, models: false },
  contract: GEMINI_CONTRACT,
  docs: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/migrate/openai/overview',
};
