import type { SeenConversation } from './seen-conversation.ts';

/**
 * Where a chat provider keeps what its model thought, and wants it back in the next turn: Google on the first call of a
 * turn (`extra_content`), OpenRouter in `reasoning_details`, DeepSeek in `reasoning_content`. An Anthropic model has
 * blocks for it and needs no such choice.
 */
export type ThoughtStyle = 'none' | 'gemini' | 'openrouter' | 'deepseek';

/** What the model does in one turn. */
export interface PlannedTurn {
  /** Thought before anything else, where the request has thinking on. */
  thinks?: string;
  /** Thought that only its maker can read, behind the other. */
  hides?: string;
  /** Default, where nothing is called: JSON that fits the schema asked for, else a short sentence. */
  says?: string;
  /** Several are parallel calls. */
  calls?: readonly { name: string; arguments: Readonly<Record<string, unknown>> }[];
}

/**
 * A model in the hands of an agent: it knows how far the conversation is from what it is sent, calls tools round after
 * round, and refuses with its provider's 400 whatever that provider would refuse.
 */
export interface AgentScript {
  /** The turn for a conversation that holds so many turns of the model already; the last one for all that follow. */
  turns: readonly (PlannedTurn | ((seen: SeenConversation) => PlannedTurn))[];
  /** Default: `none`. */
  thoughts?: ThoughtStyle;
}
