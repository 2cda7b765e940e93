import { deny, type GatewayError } from '@tollgate/core/errors';
import type { OpenAiChatFlavour } from './flavour.ts';

/** What an encoder could not say: the first thing that it refuses, and the names of all that it dropped. */
export class EncodeNotes {
  readonly flavour: OpenAiChatFlavour;
  readonly #dropped = new Set<string>();
  #refusal: GatewayError | null = null;

  constructor(flavour: OpenAiChatFlavour) {
    this.flavour = flavour;
  }

  get dropped(): string[] {
    return [...this.#dropped];
  }

  get refusal(): GatewayError | null {
    return this.#refusal;
  }

  drop(name: string): void {
    this.#dropped.add(name);
  }

  /**
   * @param param the field, in dots
   * @param what the subject of a sentence: `Citations of documents`
   */
  refuse(param: string, what: string): null {
    const message = `${what} cannot be expressed for this model's provider, which speaks the OpenAI chat dialect.`;
    this.#refusal ??= deny('unsupported_parameter', message, { param }).error;
    return null;
  }
}
