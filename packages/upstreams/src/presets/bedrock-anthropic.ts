import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import type { ProviderPreset } from './preset.ts';

/** Models are named by inference profile: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
export const bedrockAnthropic: ProviderPreset = {
  name: 'bedrock-anthropic',
  title: 'Claude on Amazon Bedrock',
  dialect: 'anthropic-messages',
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  settings: [{ name: 'region', about: 'the AWS region, such as us-east-1', isForSigning: true }],
  credential: 'aws',
  keyHeader: 'authorization',
  envelope: 'bedrock',
  quirks: COMPATIBLE_QUIRKS,
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: false, models: false },
  contract: {},
  docs: 'https://docs.claude.com/en/api/claude-on-amazon-bedrock',
};
