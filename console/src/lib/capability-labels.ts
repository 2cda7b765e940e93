import type { ModelCapability } from '@tollgate/core/models/model-capabilities';

export const CAPABILITY_LABELS: Readonly<Record<ModelCapability, string>> = {
  vision: 'Images',
  pdf_input: 'PDF',
  audio_input: 'Audio',
  tools: 'Tools',
  parallel_tools: 'Parallel tools',
  structured_output: 'Structured output',
  reasoning: 'Reasoning',
  prompt_caching: 'Prompt caching',
  embeddings: 'Embeddings',
};
