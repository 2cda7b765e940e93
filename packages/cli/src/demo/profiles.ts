/** Usage profile of a model in the synthetic month. */
export interface ModelProfile {
  id: string;
  /** Catalogue preset for its prices; also the provider name of its requests. */
  preset: string;
  endpoint: '/v1/chat/completions' | '/v1/messages' | '/v1/embeddings';
  /** Median over its requests. */
  inputTokens: number;
  outputTokens: number;
  /** Average share of input read from a cache and written to one. */
  cacheReadShare: number;
  cacheWriteShare: number;
  firstByteMs: number;
  outputTokensPerSecond: number;
}

const CHAT = { endpoint: '/v1/chat/completions', cacheWriteShare: 0 } as const;

/** Catalogue models with their share of requests. */
export const MODEL_PROFILES = {
  mini: {
    ...CHAT,
    id: 'gpt-5-mini',
    preset: 'openai',
    inputTokens: 900,
    outputTokens: 350,
    cacheReadShare: 0.3,
    firstByteMs: 420,
    outputTokensPerSecond: 110,
  },
  large: {
    ...CHAT,
    id: 'gpt-5.4',
    preset: 'openai',
    inputTokens: 2_400,
    outputTokens: 700,
    cacheReadShare: 0.4,
    firstByteMs: 950,
    outputTokensPerSecond: 60,
  },
  claude: {
    id: 'claude-sonnet-4-6',
    preset: 'anthropic',
    endpoint: '/v1/messages',
    inputTokens: 3_200,
    outputTokens: 520,
    cacheReadShare: 0.5,
    cacheWriteShare: 0.1,
    firstByteMs: 780,
    outputTokensPerSecond: 75,
  },
  flash: {
    ...CHAT,
    id: 'gemini-2.5-flash',
    preset: 'gemini',
    inputTokens: 1_400,
    outputTokens: 300,
    cacheReadShare: 0.1,
    firstByteMs: 380,
    outputTokensPerSecond: 170,
  },
  embedding: {
    id: 'text-embedding-3-small',
    preset: 'openai',
    endpoint: '/v1/embeddings',
    inputTokens: 480,
    outputTokens: 0,
    cacheReadShare: 0,
    cacheWriteShare: 0,
    firstByteMs: 90,
    outputTokensPerSecond: 1_000,
  },
} as const satisfies Record<string, ModelProfile>;

/** Daily pattern: worldwide users, an office, or a nightly job. */
export type Rhythm = 'world' | 'office' | 'night';

/** Usage profile of a key in the synthetic month. */
export interface KeyProfile {
  name: string;
  /** The program that uses it, as `describeClient` names it. */
  client: string;
  tags: readonly string[];
  rhythm: Rhythm;
  /** Share of all requests. */
  share: number;
  /** True: its requests belong to sessions. */
  hasSessions: boolean;
  models: readonly (readonly [ModelProfile, number])[];
  streamedShare: number;
  /** Share of requests with client errors: rate-limited or invalid. */
  errorShare: number;
  /** True: it has a budget, mostly spent. */
  hasBudget: boolean;
  rpm: number | null;
  /** Fraction of the month after which it was revoked; null: active. */
  revokedAfter: number | null;
}

const { mini, large, claude, flash, embedding } = MODEL_PROFILES;
const OPEN = { hasBudget: false, hasSessions: false, rpm: null, revokedAfter: null };

export const KEY_PROFILES: readonly KeyProfile[] = [
  {
    ...OPEN,
    name: 'Shop search',
    client: 'OpenAI/JS 7.57.0',
    tags: ['production', 'web'],
    rhythm: 'world',
    share: 0.44,
    models: [
      [mini, 6],
      [flash, 3],
      [embedding, 4],
    ],
    streamedShare: 0.5,
    errorShare: 0.008,
  },
  {
    ...OPEN,
    name: 'Support assistant',
    client: 'ai 7.0.173',
    tags: ['production', 'support'],
    rhythm: 'office',
    share: 0.26,
    models: [
      [claude, 7],
      [mini, 3],
    ],
    streamedShare: 0.95,
    errorShare: 0.012,
    hasBudget: true,
    hasSessions: true,
    rpm: 120,
  },
  {
    ...OPEN,
    name: 'Nightly reports',
    client: 'OpenAI/Python 3.4.0',
    tags: ['batch'],
    rhythm: 'night',
    share: 0.16,
    models: [
      [flash, 6],
      [large, 2],
    ],
    streamedShare: 0,
    errorShare: 0.03,
    rpm: 60,
  },
  {
    ...OPEN,
    name: 'Staging',
    client: 'OpenAI/JS 7.57.0',
    tags: ['staging'],
    rhythm: 'office',
    share: 0.1,
    models: [
      [mini, 4],
      [claude, 2],
      [flash, 2],
      [large, 1],
    ],
    streamedShare: 0.6,
    errorShare: 0.06,
  },
  {
    ...OPEN,
    name: 'Old laptop',
    client: 'codex_exec 0.171.0',
    tags: ['personal'],
    rhythm: 'office',
    share: 0.04,
    models: [[large, 1]],
    streamedShare: 1,
    errorShare: 0.02,
    revokedAfter: 0.6,
  },
];
