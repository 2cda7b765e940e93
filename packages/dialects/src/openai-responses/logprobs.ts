import { Buffer } from 'node:buffer';
import type { TokenChance, TokenLogprob } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeTokenLogprobs } from '../openai-chat/logprobs.ts';

/** Reads the log probabilities of all the text of a response. */
export function decodeOutputLogprobs(output: readonly unknown[]): TokenLogprob[] {
  return output.flatMap((item) => {
    const content: unknown = asObject(item)?.['content'];
    return (Array.isArray(content) ? content : []).flatMap((part) =>
      decodeTokenLogprobs(asObject(part)?.['logprobs']),
    );
  });
}

/** Writes the log probabilities of a whole text, which include the bytes of each token. */
export function encodeLogprobs(tokens: readonly TokenLogprob[]): JsonObject[] {
  return tokens.map((token) => ({
    ...withBytes(token),
    top_logprobs: token.alternatives.map(withBytes),
  }));
}

/** Writes those of an event, which do not. */
export function encodeEventLogprobs(tokens: readonly TokenLogprob[]): JsonObject[] {
  return tokens.map(({ token, logprob, alternatives }) => ({
    token,
    logprob,
    top_logprobs: alternatives.map((other) => ({ token: other.token, logprob: other.logprob })),
  }));
}

function withBytes({ token, logprob, bytes }: TokenChance): JsonObject {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token)] };
}

/**
 * Takes the tokens of one text from the front of those of all texts.
 * @param tokens is left with those of the texts behind it
 */
export function takeTokens(text: string, tokens: TokenLogprob[]): TokenLogprob[] {
  let length = 0;
  let count = 0;
  while (count < tokens.length && length < text.length) {
    length += tokens[count]?.token.length ?? 0;
    count += 1;
  }
  return tokens.splice(0, count);
}
