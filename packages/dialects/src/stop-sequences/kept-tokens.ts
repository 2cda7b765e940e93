import type { TokenLogprob } from '@tollgate/core/completion/response';

/** Keeps the log probabilities of tokens until their text is sent, so that the tokens of a stop sequence are left out. */
export class KeptTokens {
  #tokens: TokenLogprob[] = [];
  /** Characters of sent text without a token yet. */
  #sentCharacters = 0;

  add(tokens: readonly TokenLogprob[]): void {
    this.#tokens.push(...tokens);
  }

  /** @returns the tokens that end in the text sent so far */
  take(sent: string): TokenLogprob[] {
    this.#sentCharacters += sent.length;
    let count = 0;
    for (const { token } of this.#tokens) {
      if (token.length > this.#sentCharacters) break;
      this.#sentCharacters -= token.length;
      count += 1;
    }
    return this.#tokens.splice(0, count);
  }
}
