import type { PlaygroundState } from './playground-state.ts';
import type { SharedPrompt } from './share-link.ts';

/** True if a shared link would delete messages or replace what the user has written. */
export function losesWork(state: PlaygroundState, shared: SharedPrompt): boolean {
  const replaces = (text: string, next: string) => text.trim() !== '' && text !== next;
  return (
    state.conversations.some((turns) => turns.length > 0) ||
    state.image !== null ||
    replaces(state.draft, shared.prompt) ||
    replaces(state.system, shared.system) ||
    replaces(state.tools, shared.tools)
  );
}
