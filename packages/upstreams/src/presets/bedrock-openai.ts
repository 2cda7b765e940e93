import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { ProviderPreset } from './preset.ts';

/** Bedrock's model names: `openai.gpt-oss-120b-1:0`. */
export const bedrockOpenAi: ProviderPreset = {
  name: 'bedrock-openai',
  title: 'OpenAI and open models on Amazon Bedrock',
  dialect: 'openai-chat',
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com/openai/v1',
  settings: [{ name: 'region', about: 'the AWS region, such as us-east-1', isForSigning: true }],
  credential: 'aws',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: NO_QUIRKS,
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: true, models: false },
  contract: {},
  docs: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html',
};
