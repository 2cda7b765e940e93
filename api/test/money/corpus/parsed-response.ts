/** Why a response ended, independent of the dialect. */
export type Stop =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'pause'
  | 'context_length';

/** The content of a response, independent of its dialect. */
export interface ParsedResponse {
  /** The text, including a refusal. */
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  stop: string;
  /** `input` includes cached tokens; null: not reported. */
  usage: { input: number; cached: number; output: number } | null;
}

/** Arguments as a parsed object; truncated arguments are invalid JSON and stay text. */
export function parseArguments(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    return json;
  }
}
