/**
 * What a model's provider adds to the text of a request, in tokens: no provider publishes its templates, so these are
 * fitted to recorded traffic, and hold as well as `estimate-input-tokens.test.ts` says.
 */
export interface TokenWeights {
  /** Tokens for one of o200k_base, in prose. */
  perTextToken: number;
  /** In the JSON of tools and of output schemas. */
  perSchemaToken: number;
  perRequest: number;
  perMessage: number;
  /** Once, if the request has tools; more if a call is required. */
  tools: number;
  forcedTool: number;
  toolCall: number;
  toolResult: number;
  /** Once, if the answer must fit a schema. */
  outputSchema: number;
  /** A document that is text: what is written around it. */
  textDocument: number;
  /** Once, if reasoning is requested. */
  reasoning: number;
  /** The model also reads its reasoning before earlier answers. */
  readsOldReasoning: boolean;
  /** Tokens of the most expensive image: estimates use Anthropic's rule, others have tiles and patches. */
  maxImageTokens: number;
  /** Tokens of a patch of 32 × 32 pixels at most, if an image of any size keeps its patches; absent: it is scaled down. */
  maxPatchTokens?: number;
  /** The truth is at most `factor` times the estimate, and `tokens` more. */
  margin: { factor: number; tokens: number };
}

const OPENAI: TokenWeights = {
  perTextToken: 1,
  perSchemaToken: 1,
  perRequest: 3,
  perMessage: 4,
  tools: 0,
  forcedTool: 0,
  toolCall: 8,
  toolResult: 4,
  outputSchema: 0,
  textDocument: 10,
  reasoning: 0,
  readsOldReasoning: false,
  // 1,536 patches of GPT-4.1 nano: https://platform.openai.com/docs/guides/images-vision#calculating-costs
  maxImageTokens: 3_800,
  margin: { factor: 1.2, tokens: 15 },
};

const CLAUDE: TokenWeights = {
  perTextToken: 1.16,
  perSchemaToken: 1.4,
  perRequest: 7,
  perMessage: 0,
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/overview#pricing names 346; recorded are 150 more.
  tools: 496,
  forcedTool: 90,
  toolCall: 28,
  toolResult: 28,
  outputSchema: 130,
  textDocument: 37,
  reasoning: 24,
  readsOldReasoning: false,
  // Models that see 2,576 pixels: https://docs.claude.com/en/docs/build-with-claude/vision
  maxImageTokens: 4_800,
  margin: { factor: 1.2, tokens: 30 },
};

const OTHER: TokenWeights = {
  ...OPENAI,
  perTextToken: 1.1,
  perSchemaToken: 1.3,
  perRequest: 10,
  tools: 80,
  outputSchema: 70,
  readsOldReasoning: true,
  maxImageTokens: 5_000,
  margin: { factor: 1.5, tokens: 100 },
};

export type ModelFamily = 'openai' | 'anthropic' | 'other';

/** The first that fits a model's name. */
const FAMILIES: readonly { pattern: RegExp; family: ModelFamily; weights: TokenWeights }[] = [
  {
    pattern: /claude-3|claude-(?:haiku|sonnet|opus)-3/,
    family: 'anthropic',
    weights: { ...CLAUDE, tools: 264 },
  },
  { pattern: /claude/, family: 'anthropic', weights: CLAUDE },
  // Its template opens with a fixed text.
  {
    pattern: /gpt-oss/,
    family: 'other',
    weights: { ...OTHER, perRequest: 70, tools: 20, readsOldReasoning: false },
  },
  // It reads schemas without the signs of JSON.
  {
    pattern: /gemini/,
    family: 'other',
    weights: { ...OTHER, perRequest: 0, perSchemaToken: 0.6, tools: 10 },
  },
  // Later ones, from GPT-5.1 on, write tools as those before them did.
  { pattern: /\bgpt-5(?![.\d])/, family: 'openai', weights: { ...OPENAI, tools: 77 } },
  // 10,000 patches, and 30,000 of later models: https://developers.openai.com/api/docs/guides/images-vision. More for each
  // patch, because what it is multiplied by is not published for all models.
  {
    pattern: /\bgpt-5\.[45](?!\d)(?!-(?:mini|nano))/,
    family: 'openai',
    weights: { ...OPENAI, maxImageTokens: 15_000, maxPatchTokens: 1.5 },
  },
  {
    pattern: /\bgpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|1\d)/,
    family: 'openai',
    weights: { ...OPENAI, maxImageTokens: 45_000, maxPatchTokens: 1.5 },
  },
  // 2,833 tokens and 5,667 for each of eight tiles at most.
  { pattern: /gpt-4o-mini/, family: 'openai', weights: { ...OPENAI, maxImageTokens: 48_200 } },
  { pattern: /\b(?:gpt|chatgpt|o)-?\d|\bchatgpt/, family: 'openai', weights: OPENAI },
];

/** How a model's input is counted, by its name: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `gpt-5-mini`. */
export function getTokenWeights(model: string): { family: ModelFamily; weights: TokenWeights } {
  const name = model.toLowerCase();
  return FAMILIES.find(({ pattern }) => pattern.test(name)) ?? { family: 'other', weights: OTHER };
}
