import { systemClock, type Clock } from '@tollgate/core/runtime/clock';
import type { HttpProvider } from '../provider.ts';
import type { UpstreamRequest, UpstreamTransport } from '../transport/transport.ts';
import { CredentialRefused } from './credential-refused.ts';
import { GoogleTokens } from './google-tokens.ts';
import { signForAws } from './sign-for-aws.ts';

/** Signs a request, or adds a token, just before it is sent. */
export class RequestSigner {
  readonly #clock: Clock;
  readonly #googleTokens = new GoogleTokens();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * @param tokens the transport to a token endpoint; null: `fetch`
   * @returns the request to send, byte for byte
   * @throws CredentialRefused if the credential is refused, Error if its endpoint is unreachable
   */
  async sign(
    provider: HttpProvider,
    request: UpstreamRequest,
    tokens: UpstreamTransport | null = null,
  ): Promise<UpstreamRequest> {
    const { credential, settings } = provider;
    switch (credential.kind) {
      case 'api-key':
        return request;
      case 'aws': {
        const region = settings['region'];
        if (region === undefined)
          throw new CredentialRefused('A request to Amazon needs a region to be signed for');
        return signForAws(request, credential, { region, date: new Date(this.#clock.nowMs()) });
      }
      case 'google': {
        const token = await this.#googleTokens.get(credential, tokens);
        return { ...request, headers: [...request.headers, 'authorization', `Bearer ${token}`] };
      }
    }
  }
}
