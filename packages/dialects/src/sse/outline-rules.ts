import type { OutlineRules } from '../json/json-outline.ts';
import { REPEATED_MEMBERS } from './repeated-members.ts';

/** The gateway reads nothing of these. Their errors are not the provider's. */
const UNREAD: ReadonlySet<string> = new Set([...REPEATED_MEMBERS, 'logprobs', 'top_logprobs']);
/** Text of the model that is measured. */
const MEASURED: ReadonlySet<string> = new Set([
  'text',
  'delta',
  'content',
  'refusal',
  'arguments',
  'input',
  'partial_json',
  'thinking',
  'reasoning',
  'reasoning_content',
  'summary',
  'transcript',
  'code',
]);
/** Arguments that the model wrote, which may be objects with members of any name. */
const WRITTEN: ReadonlySet<string> = new Set(['input', 'arguments', 'action', 'operation']);
/** Files, and the output of tools that the provider ran. */
const FILES: ReadonlySet<string> = new Set([
  'result',
  'b64_json',
  'partial_image_b64',
  'output',
  'logs',
  'url',
  'image_url',
]);

/** Longer than a provider's message. */
const MAX_STRING_BYTES = 64 * 1024;

/** For a relay of the same dialect, which only measures an event. */
export const MEASURING: OutlineRules = {
  // `text` of a Responses request is its format.
  isLeftOut: (name, isString) => UNREAD.has(name) || (name === 'text' && !isString),
  isKept: (name) => MEASURED.has(name),
  isKeptWhole: (name) => WRITTEN.has(name),
  maxStringBytes: MAX_STRING_BYTES,
};

/** @param hasDeltas true: log probabilities of the text have come before, and are repeated */
export function translatingRules(hasDeltas: () => boolean): OutlineRules {
  return {
    isLeftOut: (name, isString) =>
      name === 'logprobs' || name === 'top_logprobs' ? hasDeltas() : MEASURING.isLeftOut(name, isString),
    isKept: (name) => !FILES.has(name),
    isKeptWhole: (name) => MEASURING.isKeptWhole(name),
    maxStringBytes: MAX_STRING_BYTES,
  };
}
