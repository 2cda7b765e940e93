/** OpenAI and most others, Anthropic, Amazon Bedrock, Azure. */
const HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const;
/** Anything else is no ID, and is not stored. */
const ID = /^[\w.:/+=-]{1,128}$/;

/** The ID that a provider gave to the last attempt of a request that it responded to. */
export class ProviderRequest {
  #of: object | null = null;
  /** null: no response, or one without an ID. */
  id: string | null = null;

  /** The provider has sent the headers of its response. */
  note(attempt: object, header: (name: string) => string | null): void {
    this.#of = attempt;
    this.id = null;
    for (const name of HEADERS) {
      const value = header(name);
      if (value === null || !ID.test(value)) continue;
      this.id = value;
      return;
    }
  }

  /** @returns null: none, or the last response belongs to another attempt */
  idOf(attempt: object): string | null {
    return this.#of === attempt ? this.id : null;
  }
}
