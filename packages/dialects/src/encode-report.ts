import { deny, type GatewayError } from '@tollgate/core/errors/errors';

/** Fields that an encoder could not express in its dialect, gathered while it writes a request. */
export class EncodeReport {
  readonly #dropped = new Set<string>();
  #refusal: GatewayError | null = null;

  /** Every name that was dropped, once. */
  get dropped(): string[] {
    return [...this.#dropped];
  }

  /** The first refusal: `unsupported_parameter`. */
  get refusal(): GatewayError | null {
    return this.#refusal;
  }

  /** Names a parameter that is left out and does not change what the answer means, as the caller knows it: `seed`. */
  drop(name: string): void {
    this.#dropped.add(name);
  }

  /**
   * Refuses the request: without the parameter the answer would mean something else.
   * @param param the field, in dots: `messages.0.content.1`
   * @param what the end of a sentence: `audio input`
   */
  refuse(param: string, what: string): null {
    const message = `This model's provider has no equivalent of ${what}. Leave it out or use another model.`;
    this.#refusal ??= deny('unsupported_parameter', message, { param }).error;
    return null;
  }
}
