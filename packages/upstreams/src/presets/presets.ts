import { anthropic } from './anthropic.ts';
import { azureOpenAi } from './azure-openai.ts';
import { bedrockAnthropic } from './bedrock-anthropic.ts';
import { bedrockOpenAi } from './bedrock-openai.ts';
import { deepSeek } from './deepseek.ts';
import { fireworks } from './fireworks.ts';
import { gemini } from './gemini.ts';
import { groq } from './groq.ts';
import { mistral } from './mistral.ts';
import { ollama } from './ollama.ts';
import { openAi } from './openai.ts';
import { openRouter } from './openrouter.ts';
import type { ProviderPreset } from './preset.ts';
import { together } from './together.ts';
import { vertexAnthropic } from './vertex-anthropic.ts';
import { vertexGemini } from './vertex-gemini.ts';
import { vllm } from './vllm.ts';
import { xai } from './xai.ts';

/** All provider presets. */
export const PRESETS: readonly ProviderPreset[] = [
  openAi,
  anthropic,
  azureOpenAi,
  gemini,
  vertexGemini,
  vertexAnthropic,
  bedrockAnthropic,
  bedrockOpenAi,
  mistral,
  groq,
  deepSeek,
  xai,
  together,
  fireworks,
  openRouter,
  ollama,
  vllm,
];

const BY_NAME = new Map(PRESETS.map((preset) => [preset.name, preset]));

export function findPreset(name: string): ProviderPreset | null {
  return BY_NAME.get(name) ?? null;
}
