import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { AZURE_CONTRACT } from './hosted-contracts.ts';
import type { ProviderPreset } from './preset.ts';

/** The v1 interface, which needs no dated `api-version`. Models are named by deployment. */
export const azureOpenAi: ProviderPreset = {
  name: 'azure-openai',
  title: 'Azure OpenAI',
  dialect: 'openai-chat',
  baseUrl: 'https://{resource}.openai.azure.com/openai/v1',
  settings: [{ name: 'resource', about: 'the name of the Azure resource' }],
  credential: 'api-key',
  keyHeader: 'api-key',
  envelope: 'none',
  quirks: NO_QUIRKS,
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: true, models: true },
  contract: AZURE_CONTRACT,
  docs: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
};
