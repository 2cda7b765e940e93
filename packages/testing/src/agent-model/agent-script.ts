import type { SeenConversation } from './seen-conversation.ts';

/**
 * How a chat provider returns reasoning and requires it in the next turn: Google on the first call of a turn
 * (`extra_content`), OpenRouter in `reasoning_details`, DeepSeek in `reasoning_content`. Anthropic models use blocks and
 * need no such choice.
 */
export type ReasoningStyle = 'none' | 'gemini' | 'openrouter' | 'deepseek';

/** One turn of the model. */
export interface PlannedTurn {
  /** Reasoning at the start, if the request enables thinking. */
  thinks?: string;
  /** Encrypted reasoning, after the other. */
  hides?: string;
  /** Default without calls: JSON that fits the requested schema, else a short sentence. */
  says?: string;
  /** Several are parallel calls. */
  calls?: readonly { name: string; arguments: Readonly<Record<string, unknown>> }[];
}

/**
 * An agent's model: it derives the progress from the conversation, calls tools in every round, and refuses what its
 * provider would refuse, with its 400.
 */
export interface AgentScript {
  /** Turns by number of the model's previous turns; the last one repeats. */
  turns: readonly (PlannedTurn | ((seen: SeenConversation) => PlannedTurn))[];
  /** Default: `none`. */
  reasoning?: ReasoningStyle;
}
