import { defineModels } from './define-models.ts';

/** An embedding model at its provider; only input is charged. */
interface PublishedEmbedder {
  id: string;
  title: string;
  upstreamModel?: string;
  /** Input limit per text. */
  contextTokens: number;
  usdPerMtok: string;
}

function defineEmbedders(preset: string, models: readonly PublishedEmbedder[]) {
  return defineModels(
    preset,
    models.map(({ usdPerMtok, ...model }) => ({
      ...model,
      maxOutputTokens: null,
      usdPerMtok: { input: usdPerMtok, output: '0' },
      capabilities: ['embeddings'],
    })),
  );
}

/** The most used embedding models. */
export const embeddingModels = [
  // https://platform.openai.com/docs/pricing
  ...defineEmbedders('openai', [
    {
      id: 'text-embedding-3-small',
      title: 'Text Embedding 3 small',
      contextTokens: 8_192,
      usdPerMtok: '0.02',
    },
    {
      id: 'text-embedding-3-large',
      title: 'Text Embedding 3 large',
      contextTokens: 8_192,
      usdPerMtok: '0.13',
    },
    {
      id: 'text-embedding-ada-002',
      title: 'Text Embedding Ada 002',
      contextTokens: 8_192,
      usdPerMtok: '0.1',
    },
  ]),
  // https://ai.google.dev/gemini-api/docs/pricing
  ...defineEmbedders('gemini', [
    { id: 'gemini-embedding-001', title: 'Gemini Embedding', contextTokens: 2_048, usdPerMtok: '0.15' },
  ]),
  // https://mistral.ai/pricing
  ...defineEmbedders('mistral', [
    { id: 'mistral-embed', title: 'Mistral Embed', contextTokens: 8_192, usdPerMtok: '0.1' },
    { id: 'codestral-embed', title: 'Codestral Embed', contextTokens: 8_192, usdPerMtok: '0.15' },
  ]),
  // https://fireworks.ai/pricing
  ...defineEmbedders('fireworks', [
    {
      id: 'nomic-embed-text-v1.5',
      title: 'Nomic Embed Text 1.5',
      upstreamModel: 'nomic-ai/nomic-embed-text-v1.5',
      contextTokens: 8_192,
      usdPerMtok: '0.008',
    },
  ]),
];
