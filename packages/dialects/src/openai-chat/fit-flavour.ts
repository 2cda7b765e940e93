import type { Buffer } from 'node:buffer';
import { editJsonMembers, takeJsonMembers } from '../json/edit-members.ts';
import { OPENAI_FLAVOUR, type OpenAiChatFlavour } from './flavour.ts';

/**
 * Fits a caller's own body to a provider of the same dialect that refuses some of OpenAI's members; all others keep their
 * bytes.
 * @param body a valid JSON object, proven by the caller's JSON.parse
 * @returns what to send, and the names of the members that are not in it
 */
export function fitFlavour(body: Buffer, flavour: OpenAiChatFlavour): { body: Buffer; dropped: string[] } {
  if (flavour === OPENAI_FLAVOUR) return { body, dropped: [] };
  const other = flavour.maxTokensMember === 'max_tokens' ? 'max_completion_tokens' : null;
  // Most bodies hold none of them, and then there is nothing to take apart.
  const unwanted = [...flavour.omits, ...(other === null ? [] : [other])].filter((name) =>
    body.includes(`"${name}"`),
  );
  if (unwanted.length === 0) return { body, dropped: [] };
  const { rest, taken } = takeJsonMembers(body, unwanted);
  const names = Object.keys(taken);
  if (names.length === 0) return { body, dropped: [] };
  const limit = other === null ? undefined : taken[other];
  // null is no limit, and must not take the place of one that is.
  const fitted =
    limit === undefined || limit === 'null' ? rest : editJsonMembers(rest, { max_tokens: limit });
  return { body: fitted, dropped: names.filter((name) => name !== other && name !== 'stream_options') };
}
