import type { ImageInput, Turn } from './conversation.ts';

/** A key kept only in this tab. */
export interface HeldKey {
  secret: string;
  origin: 'made' | 'pasted';
  /** null: not known. */
  expiresAtMs: number | null;
}

/** Conversations and draft; survive navigation and reloads, end with the tab or the session. */
export interface PlaygroundState {
  key: HeldKey | null;
  system: string;
  /** As typed: see `parseTools`. */
  tools: string;
  /** With each of the compared models, in their order: see `getConversation`. */
  conversations: Turn[][];
  draft: string;
  image: ImageInput | null;
  /** What tools answer: see `getResultKey`. */
  results: Readonly<Record<string, string>>;
}

export const EMPTY_PLAYGROUND: PlaygroundState = {
  key: null,
  system: '',
  tools: '',
  conversations: [],
  draft: '',
  image: null,
  results: {},
};
