/** Why an answer ended, as no dialect writes it. */
export type Stop =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'pause'
  | 'context_length';

/** What an answer tells whoever reads it, whichever dialect it came in. */
export interface ParsedResponse {
  /** What was said, a refusal included. */
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  stop: string;
  /** `input` with what was cached; null: nobody told. */
  usage: { input: number; cached: number; output: number } | null;
}

/** Arguments as the object that they stand for; those that were cut off are no JSON, and stay text. */
export function parseArguments(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    return json;
  }
}
