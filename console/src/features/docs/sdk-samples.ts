import {
  renderSample,
  sampleNeeds,
  type SampleDialect,
  type SampleLanguage,
} from '@tollgate/core/code-samples/render-sample';
import type { Sdk } from './search.ts';

export const SDK_LABELS: Readonly<Record<Sdk, string>> = {
  'openai-python': 'OpenAI · Python',
  'openai-typescript': 'OpenAI · TypeScript',
  'anthropic-python': 'Anthropic · Python',
  'anthropic-typescript': 'Anthropic · TypeScript',
  curl: 'curl',
};

const SDK_CODE: Readonly<Record<Sdk, { language: SampleLanguage; dialect: SampleDialect }>> = {
  'openai-python': { language: 'python', dialect: 'openai' },
  'openai-typescript': { language: 'typescript', dialect: 'openai' },
  'anthropic-python': { language: 'python', dialect: 'anthropic' },
  'anthropic-typescript': { language: 'typescript', dialect: 'anthropic' },
  curl: { language: 'curl', dialect: 'openai' },
};

interface SdkSampleInput {
  baseUrl: string;
  model: string;
  isStreamed: boolean;
}

/** A first request with an SDK, and its install command. */
export function renderSdkSample(sdk: Sdk, { baseUrl, model, isStreamed }: SdkSampleInput) {
  const { language, dialect } = SDK_CODE[sdk];
  const messages = [{ role: 'user', content: 'Hello' }];
  const body = dialect === 'openai' ? { model, messages } : { model, max_tokens: 256, messages };
  return {
    code: renderSample(language, { baseUrl, dialect, body, isStreamed }),
    needs: sampleNeeds(language, dialect),
    /** Anthropic's SDKs append `/v1` automatically. */
    isBareUrl: dialect === 'anthropic',
  };
}
